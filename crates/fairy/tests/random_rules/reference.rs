//! A generator that is slow and plain: a map of squares, moves by walking step by step, kings safe by looking at every
//! answer. Files and ranks are counted as in the ini: from 0 at the left and at the first player's side.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

pub struct Atom {
    pub letter: char,
    pub directions: String,
    pub mode: &'static str,
    pub hops: bool,
    pub lame: bool,
    pub limit: Option<u8>,
}

impl Atom {
    pub fn plain(letter: char) -> Self {
        Self { letter, directions: String::new(), mode: "", hops: false, lame: false, limit: None }
    }

    fn betza(&self) -> String {
        let hops = if self.hops { "p" } else { "" };
        let lame = if self.lame { "n" } else { "" };
        let limit = self.limit.map(|limit| limit.to_string()).unwrap_or_default();
        format!("{}{hops}{lame}{}{}{limit}", self.mode, self.directions, self.letter)
    }

    /// Elementary leaps as (right, up), for the first player.
    fn leaps(&self) -> BTreeSet<(i32, i32)> {
        let (a, b): (i32, i32) = match self.letter {
            'W' | 'R' | 'K' | 'Q' => (1, 0),
            'F' | 'B' => (1, 1),
            'D' => (2, 0),
            'N' => (2, 1),
            'A' => (2, 2),
            'H' => (3, 0),
            'C' => (3, 1),
            'Z' => (3, 2),
            'G' => (3, 3),
            other => panic!("{other}"),
        };
        let mut leaps = BTreeSet::new();
        for (a, b) in if matches!(self.letter, 'K' | 'Q') { vec![(1, 0), (1, 1)] } else { vec![(a, b)] } {
            for (x, y) in [(a, b), (b, a)] {
                for (x, y) in [(x, y), (-x, y), (x, -y), (-x, -y)] {
                    if self.allows(x, y, matches!(self.letter, 'K' | 'Q')) {
                        leaps.insert((x, y));
                    }
                }
            }
        }
        leaps
    }

    /// What the few codes that the tests use mean, said in words of their own.
    fn allows(&self, right: i32, up: i32, is_double: bool) -> bool {
        let mostly_up = up.abs() >= right.abs();
        let mostly_sideways = right.abs() >= up.abs();
        let straight = (right == 0 || up == 0) && !is_double;
        match self.directions.as_str() {
            "" => true,
            "f" => up > 0 && mostly_up,
            "b" => up < 0 && mostly_up,
            "s" => right != 0 && mostly_sideways,
            "v" => up != 0 && mostly_up,
            // Straight movers take the two letters apart; others want both at once, the second the longer way.
            "fs" if straight => up > 0 || right != 0,
            "fs" => up >= 0 && mostly_sideways && right != 0 && (up > 0 || is_double),
            "fr" if straight => up > 0 || right > 0,
            "fr" => up >= 0 && right > 0 && mostly_sideways && (up > 0 || is_double),
            "bl" if straight => up < 0 || right < 0,
            "bl" => up <= 0 && right < 0 && mostly_sideways && (up < 0 || is_double),
            other => panic!("{other}"),
        }
    }
}

pub struct PieceRule {
    pub letter: char,
    pub atoms: Vec<Atom>,
    pub promotes_to: Option<char>,
}

/// Kinds of which only so many may be placed.
pub struct Group {
    pub options: Vec<char>,
    pub limit: usize,
    pub required: bool,
    pub locks_unused: bool,
}

/// Pieces are placed before play begins.
pub struct Setup {
    pub pocket: Vec<char>,
    pub rows: i32,
    pub must_drop: bool,
    pub mandatory: Vec<char>,
    pub groups: Vec<Group>,
}

impl Setup {
    fn ini(&self, ranks: i32) -> String {
        let rows = |first: bool| {
            let rows = (0..self.rows).map(|n| if first { n + 1 } else { ranks - n });
            rows.map(|row| format!("*{row}")).collect::<Vec<_>>().join(" ")
        };
        let groups: Vec<String> = self
            .groups
            .iter()
            .map(|group| {
                let options: String = group.options.iter().collect();
                let Group { limit, required, locks_unused, .. } = group;
                format!("options={options} limit={limit} required={required} lockUnused={locks_unused}")
            })
            .collect();
        format!(
            "setupDrops = true\nsetupMustDrop = {}\nsetupDropRegionWhite = {}\nsetupDropRegionBlack = {}\n\
             setupDropPieceTypes = {}\npieceChoiceGroup = {}",
            self.must_drop,
            rows(true),
            rows(false),
            self.mandatory.iter().collect::<String>(),
            groups.join("; "),
        )
    }
}

#[allow(clippy::struct_excessive_bools, reason = "each is a key of the file")]
pub struct Spec {
    pub files: i32,
    pub ranks: i32,
    pub pieces: Vec<PieceRule>,
    pub board: String,
    pub zone: i32,
    pub mandatory: bool,
    pub on_capture: bool,
    pub demotion: bool,
    pub drops: bool,
    pub drop_promoted: bool,
    pub drop_loop: bool,
    pub no_doubled: Option<(char, usize)>,
    pub immobility: bool,
    pub drop_checks: bool,
    pub must_capture: bool,
    pub flag: bool,
    pub setup: Option<Setup>,
}

impl Spec {
    pub fn ini(&self, name: &str) -> String {
        let mut lines = vec![
            format!("[{name}]"),
            format!("maxFile = {}", self.files),
            format!("maxRank = {}", self.ranks),
        ];
        let mut promoted = Vec::new();
        for (number, piece) in self.pieces.iter().enumerate() {
            let betza: String = piece.atoms.iter().map(Atom::betza).collect();
            if piece.letter == 'k' {
                lines.push("king = k".to_owned());
            } else {
                lines.push(format!("customPiece{number} = {}:{betza}", piece.letter));
            }
            promoted.extend(piece.promotes_to.map(|to| format!("{}:{to}", piece.letter)));
        }
        let zone = |from: i32| {
            (0..self.zone).map(|n| format!("*{}", (from - n).abs())).collect::<Vec<_>>().join(" ")
        };
        let pocket: String = self.setup.iter().flat_map(|setup| &setup.pocket).collect();
        let pocket = if pocket.is_empty() { pocket } else { format!("[{}{pocket}]", pocket.to_uppercase()) };
        lines.push(format!("startFen = {}{pocket} w 0 1", self.board));
        lines.extend(self.setup.iter().map(|setup| setup.ini(self.ranks)));
        lines.push(format!("promotedPieceType = {}", promoted.join(" ")));
        lines.push(format!("promotionRegionWhite = {}", zone(self.ranks)));
        lines.push(format!("promotionRegionBlack = {}", zone(-1)));
        for (key, value) in [
            ("mandatoryPiecePromotion", self.mandatory),
            ("piecePromotionOnCapture", self.on_capture),
            ("pieceDemotion", self.demotion),
            ("pieceDrops", self.drops),
            ("capturesToHand", self.drops),
            ("dropPromoted", self.drop_promoted),
            ("dropLoop", self.drop_loop),
            ("immobilityIllegal", self.immobility),
            ("dropChecks", self.drop_checks),
            ("mustCapture", self.must_capture),
        ] {
            lines.push(format!("{key} = {value}"));
        }
        if let Some((letter, count)) = self.no_doubled {
            lines.push(format!("dropNoDoubled = {letter}\ndropNoDoubledCount = {count}"));
        }
        if self.flag {
            lines.push(format!("flagPiece = k\nflagRegionWhite = *{}\nflagRegionBlack = *1", self.ranks));
        }
        lines.join("\n") + "\n"
    }

    fn piece(&self, letter: char) -> &PieceRule {
        self.pieces.iter().find(|piece| piece.letter == letter).expect("a known letter")
    }

    fn on_board(&self, (x, y): Place) -> bool {
        (0..self.files).contains(&x) && (0..self.ranks).contains(&y)
    }

    fn in_zone(&self, first: bool, y: i32) -> bool {
        if first { y >= self.ranks - self.zone } else { y < self.zone }
    }

    fn text(&self, (x, y): Place) -> String {
        format!("{}{}", self.files - x, char::from(b'a' + (self.ranks - 1 - y) as u8))
    }
}

type Place = (i32, i32);

#[derive(Clone, Copy, PartialEq)]
struct Man {
    first: bool,
    moves_as: char,
    /// What it was before it was promoted.
    was: Option<char>,
}

/// How far a player has come with placing pieces.
#[derive(Clone, Default)]
struct Placing {
    active: bool,
    left: BTreeMap<char, usize>,
    /// For each group what was chosen.
    chosen: Vec<Vec<char>>,
}

#[derive(Clone)]
pub struct State {
    men: BTreeMap<Place, Man>,
    hands: [BTreeMap<char, usize>; 2],
    first: bool,
    placing: [Placing; 2],
}

impl State {
    pub fn start(spec: &Spec) -> Self {
        let mut men = BTreeMap::new();
        for (row, text) in spec.board.split('/').enumerate() {
            let mut x = 0;
            for letter in text.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    x += empty as i32;
                    continue;
                }
                let man =
                    Man { first: letter.is_uppercase(), moves_as: letter.to_ascii_lowercase(), was: None };
                men.insert((x, spec.ranks - 1 - row as i32), man);
                x += 1;
            }
        }
        let mut hand = BTreeMap::new();
        let mut placing = Placing::default();
        if let Some(setup) = &spec.setup {
            setup.pocket.iter().for_each(|letter| *hand.entry(*letter).or_insert(0) += 1);
            let left = |letter: &char| Some((*letter, *hand.get(letter)?));
            placing.left = setup.mandatory.iter().filter_map(left).collect();
            placing.chosen = vec![Vec::new(); setup.groups.len()];
        }
        placing.active = Self::pending(spec, &placing, &hand);
        Self { men, hands: [hand.clone(), hand], first: true, placing: [placing.clone(), placing] }
    }

    /// Something has still to be placed, and can be.
    fn pending(spec: &Spec, placing: &Placing, hand: &BTreeMap<char, usize>) -> bool {
        let held = |letter: &char| hand.get(letter).is_some_and(|count| *count > 0);
        let groups = spec.setup.iter().flat_map(|setup| &setup.groups).zip(&placing.chosen);
        let mut open = groups.filter(|(group, chosen)| group.required && chosen.len() < group.limit);
        placing.left.iter().any(|(letter, count)| *count > 0 && held(letter))
            || open.any(|(group, _)| group.options.iter().any(held))
    }

    /// Whether groups and the setup let the side to move place this kind.
    fn may_place(&self, spec: &Spec, letter: char) -> bool {
        let Some(setup) = &spec.setup else { return true };
        let placing = &self.placing[usize::from(!self.first)];
        let wanted = placing.left.get(&letter).is_some_and(|count| *count > 0)
            || setup.groups.iter().any(|group| group.required && group.options.contains(&letter));
        let barred = setup.groups.iter().zip(&placing.chosen).any(|(group, chosen)| {
            let full = group.options.contains(&letter) && chosen.len() >= group.limit;
            full && (placing.active || !group.required)
                || full && group.locks_unused && !chosen.contains(&letter)
        });
        (wanted || !placing.active) && !barred
    }

    /// Takes down that a kind was placed.
    fn note_placed(&mut self, spec: &Spec, first: bool, letter: char) {
        let Some(setup) = &spec.setup else { return };
        let (placing, hand) = (&mut self.placing[usize::from(!first)], &mut self.hands[usize::from(!first)]);
        for (group, chosen) in setup.groups.iter().zip(&mut placing.chosen) {
            if group.options.contains(&letter) && (placing.active || !group.required) {
                chosen.push(letter);
            }
        }
        if !placing.active {
            return;
        }
        placing.left.entry(letter).and_modify(|count| *count = count.saturating_sub(1));
        if !Self::pending(spec, placing, hand) {
            placing.active = false;
            let full = setup.groups.iter().zip(&placing.chosen);
            for (group, _) in full.filter(|(group, chosen)| group.required && chosen.len() >= group.limit) {
                hand.retain(|letter, _| !group.options.contains(letter));
            }
        }
    }

    /// Where a man may go, to empty squares and to capture, over this board.
    fn targets(&self, spec: &Spec, from: Place, man: Man) -> (BTreeSet<Place>, BTreeSet<Place>) {
        let (mut quiet, mut captures) = (BTreeSet::new(), BTreeSet::new());
        for atom in &spec.piece(man.moves_as).atoms {
            for (x, y) in atom.leaps() {
                let (x, y) = if man.first { (x, y) } else { (-x, -y) };
                for place in self.walk(spec, atom, from, (x, y)) {
                    match self.men.get(&place) {
                        None if atom.mode != "c" => {
                            quiet.insert(place);
                        }
                        Some(other) if atom.mode != "m" && other.first != man.first => {
                            captures.insert(place);
                        }
                        _ => {}
                    }
                }
            }
        }
        (quiet, captures)
    }

    /// The squares that one atom reaches in one direction, occupied ones included.
    fn walk(&self, spec: &Spec, atom: &Atom, from: Place, (x, y): (i32, i32)) -> Vec<Place> {
        let occupied = |place: &Place| self.men.contains_key(place);
        if !matches!(atom.letter, 'R' | 'B' | 'Q') {
            let to = (from.0 + x, from.1 + y);
            let blocked = atom.lame && path(from, (x, y)).iter().any(occupied);
            return if spec.on_board(to) && !blocked { vec![to] } else { Vec::new() };
        }
        let mut reached = Vec::new();
        let mut jumped = false;
        let mut place = (from.0 + x, from.1 + y);
        let mut steps = 1;
        while spec.on_board(place) && atom.limit.is_none_or(|limit| steps <= limit) {
            let counts = !atom.hops || jumped;
            if counts {
                reached.push(place);
            }
            if occupied(&place) {
                if counts {
                    break;
                }
                jumped = true;
            }
            place = (place.0 + x, place.1 + y);
            steps += 1;
        }
        reached
    }

    fn king(&self, first: bool) -> Option<Place> {
        self.men.iter().find(|(_, man)| man.first == first && man.moves_as == 'k').map(|(place, _)| *place)
    }

    fn in_check(&self, spec: &Spec, first: bool) -> bool {
        let Some(king) = self.king(first) else { return false };
        self.men
            .iter()
            .any(|(from, man)| man.first != first && self.targets(spec, *from, *man).1.contains(&king))
    }

    /// Could it ever go anywhere from here, by other ways than captures?
    fn stuck_for_ever(spec: &Spec, place: Place, letter: char, first: bool) -> bool {
        let goes = |atom: &Atom| {
            let leaps = atom.leaps();
            let mut steps = leaps.iter().map(|(x, y)| if first { (*x, *y) } else { (-x, -y) });
            atom.mode != "c" && steps.any(|(x, y)| spec.on_board((place.0 + x, place.1 + y)))
        };
        !spec.piece(letter).atoms.iter().any(goes)
    }

    fn pseudo(&self, spec: &Spec) -> Vec<String> {
        let mut moves = Vec::new();
        for (&from, &man) in self.men.iter().filter(|(_, man)| man.first == self.first) {
            let (quiet, captures) = self.targets(spec, from, man);
            for &to in quiet.union(&captures) {
                let text = spec.text(from) + &spec.text(to);
                let touches = spec.in_zone(self.first, from.1) || spec.in_zone(self.first, to.1);
                let turns = touches && (!spec.on_capture || captures.contains(&to));
                let up = turns && spec.piece(man.moves_as).promotes_to.is_some();
                let back = turns && spec.demotion && man.was.is_some();
                if up {
                    moves.push(text.clone() + "+");
                }
                if back {
                    moves.push(text.clone() + "-");
                }
                let dead = spec.immobility && Self::stuck_for_ever(spec, to, man.moves_as, self.first);
                if !(spec.mandatory && (up || back)) && !dead {
                    moves.push(text);
                }
            }
        }
        if spec.drops || self.placing[usize::from(!self.first)].active {
            self.pseudo_drops(spec, &mut moves);
        }
        moves
    }

    fn pseudo_drops(&self, spec: &Spec, moves: &mut Vec<String>) {
        let hand = &self.hands[usize::from(!self.first)];
        let setup = spec.setup.as_ref().filter(|_| self.placing[usize::from(!self.first)].active);
        let rows = match setup {
            Some(setup) if self.first => 0..setup.rows,
            Some(setup) => spec.ranks - setup.rows..spec.ranks,
            None => 0..spec.ranks,
        };
        for (&letter, _) in
            hand.iter().filter(|(letter, count)| **count > 0 && self.may_place(spec, **letter))
        {
            for x in 0..spec.files {
                let doubled = |man: &Man| man.first == self.first && man.moves_as == letter;
                let on_file = self.men.iter().filter(|((file, _), man)| *file == x && doubled(man)).count();
                if spec.no_doubled.is_some_and(|(piece, count)| piece == letter && on_file >= count) {
                    continue;
                }
                for y in rows.clone().filter(|y| !self.men.contains_key(&(x, *y))) {
                    let promoted = spec.piece(letter).promotes_to.filter(|_| spec.drop_promoted);
                    for (sign, moves_as) in [("", Some(letter)), ("+", promoted)] {
                        let Some(moves_as) = moves_as else { continue };
                        if !(spec.immobility && Self::stuck_for_ever(spec, (x, y), moves_as, self.first)) {
                            moves.push(format!(
                                "{sign}{}*{}",
                                letter.to_ascii_uppercase(),
                                spec.text((x, y))
                            ));
                        }
                    }
                }
            }
        }
    }

    fn is_over(&self, spec: &Spec) -> bool {
        let goal = if self.first { 0 } else { spec.ranks - 1 };
        spec.flag && self.king(!self.first).is_some_and(|(_, y)| y == goal)
    }

    /// All legal moves, sorted.
    pub fn legal(&self, spec: &Spec) -> Vec<String> {
        if self.is_over(spec) {
            return Vec::new();
        }
        let mut moves = self.pseudo(spec);
        moves.retain(|m| {
            let after = self.after(spec, m);
            let barred = !spec.drop_checks && m.contains('*') && after.in_check(spec, !self.first);
            !after.in_check(spec, self.first) && !barred
        });
        let captures = |m: &String| self.men.len() > self.after(spec, m).men.len();
        if spec.must_capture && moves.iter().any(captures) {
            moves.retain(captures);
        }
        let must_drop = spec.setup.as_ref().is_some_and(|setup| setup.must_drop);
        if must_drop && self.placing[usize::from(!self.first)].active && moves.iter().any(|m| m.contains('*'))
        {
            moves.retain(|m| m.contains('*'));
        }
        moves.sort();
        moves
    }

    pub fn after(&self, spec: &Spec, m: &str) -> Self {
        let place = |text: &str| {
            let (file, rank) = text.split_at(text.len() - 1);
            let x = spec.files - file.parse::<i32>().expect("a number");
            (x, spec.ranks - 1 - i32::from(rank.as_bytes()[0] - b'a'))
        };
        let mut next = self.clone();
        next.first = !self.first;
        let hand = usize::from(!self.first);
        if let Some((piece, to)) = m.split_once('*') {
            let letter = piece.trim_start_matches('+').to_ascii_lowercase().chars().next().expect("a letter");
            *next.hands[hand].get_mut(&letter).expect("it is in hand") -= 1;
            let (moves_as, was) = if piece.starts_with('+') {
                (spec.piece(letter).promotes_to.expect("it promotes"), Some(letter))
            } else {
                (letter, None)
            };
            next.men.insert(place(to), Man { first: self.first, moves_as, was });
            next.note_placed(spec, self.first, letter);
            return next;
        }
        let squares = m.trim_end_matches(['+', '-']);
        let middle = squares.find(|c: char| c.is_ascii_lowercase()).expect("a rank") + 1;
        let (from, to) = (place(&squares[..middle]), place(&squares[middle..]));
        let man = next.men.remove(&from).expect("a man");
        let moved = if m.ends_with('+') {
            Man {
                moves_as: spec.piece(man.moves_as).promotes_to.expect("it promotes"),
                was: Some(man.moves_as),
                ..man
            }
        } else if m.ends_with('-') {
            Man { moves_as: man.was.expect("it was promoted"), was: None, ..man }
        } else {
            man
        };
        if let Some(taken) = next.men.insert(to, moved)
            && spec.drops
        {
            let becomes = taken.was.filter(|_| !spec.drop_loop).unwrap_or(taken.moves_as);
            *next.hands[hand].entry(becomes).or_insert(0) += 1;
        }
        next
    }

    pub fn perft(&self, spec: &Spec, depth: u32) -> u64 {
        let moves = self.legal(spec);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|m| self.after(spec, m).perft(spec, depth - 1)).sum()
    }
}

/// Squares between the ends of a lame leap: straight along the longer axis, then diagonally.
fn path(from: Place, (x, y): (i32, i32)) -> Vec<Place> {
    let mut squares = Vec::new();
    let (mut left_x, mut left_y) = (x, y);
    let mut place = from;
    loop {
        // Along the longer axis while there is one.
        let step = match left_x.abs().cmp(&left_y.abs()) {
            Ordering::Greater => (left_x.signum(), 0),
            Ordering::Less => (0, left_y.signum()),
            Ordering::Equal => (left_x.signum(), left_y.signum()),
        };
        place = (place.0 + step.0, place.1 + step.1);
        (left_x, left_y) = (left_x - step.0, left_y - step.1);
        if (left_x, left_y) == (0, 0) {
            return squares;
        }
        squares.push(place);
    }
}
