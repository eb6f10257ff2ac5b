//! The rules once more, slowly: a board of letters, moves tried one by one, nothing shared with the crate.
#![allow(dead_code, reason = "each test uses its part")]

use std::collections::BTreeSet;

/// A piece: its SFEN letter in upper case with `+` behind it if promoted, and whether it is Black's.
type Piece = (String, bool);

#[derive(Clone)]
pub struct Reference {
    board: Vec<Vec<Option<Piece>>>,
    /// Letters in hand, Black's and White's.
    hands: [Vec<char>; 2],
    black: bool,
    frozen: Option<String>,
    left: [u32; 2],
}

/// A step to the side and down.
type Way = (i32, i32);

const GOLD: [Way; 6] = [(0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: [Way; 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
const STRAIGHT: [Way; 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];

/// Steps and slides of a kind as Black sees them, y growing towards Black.
fn ways(kind: &str) -> (Vec<Way>, Vec<Way>) {
    match kind {
        "P" => (vec![(0, -1)], vec![]),
        "L" => (vec![], vec![(0, -1)]),
        "N" => (vec![(-1, -2), (1, -2)], vec![]),
        "S" => (vec![(0, -1), (-1, -1), (1, -1), (-1, 1), (1, 1)], vec![]),
        "B" => (vec![], DIAGONAL.to_vec()),
        "R" => (vec![], STRAIGHT.to_vec()),
        "B+" => (STRAIGHT.to_vec(), DIAGONAL.to_vec()),
        "R+" => (DIAGONAL.to_vec(), STRAIGHT.to_vec()),
        "K" => ([DIAGONAL, STRAIGHT].concat(), vec![]),
        _ => (GOLD.to_vec(), vec![]),
    }
}

fn square(x: i32, y: i32) -> String {
    format!("{}{}", 9 - x, char::from(b'a' + y as u8))
}

fn inside(x: i32, y: i32) -> bool {
    (0..9).contains(&x) && (0..9).contains(&y)
}

impl Reference {
    /// Reads canonical text.
    pub fn new(text: &str) -> Self {
        let words: Vec<&str> = text.split(' ').collect();
        let mut board = Vec::new();
        for row in words[0].split('/') {
            let mut line = Vec::new();
            let mut promoted = false;
            for c in row.chars() {
                match c {
                    '+' => promoted = true,
                    '1'..='9' => line.extend(vec![None; c as usize - '0' as usize]),
                    c => {
                        let plus = if std::mem::take(&mut promoted) { "+" } else { "" };
                        line.push(Some((format!("{}{plus}", c.to_ascii_uppercase()), c.is_uppercase())));
                    }
                }
            }
            board.push(line);
        }
        let mut hands = [vec![], vec![]];
        let mut count = 0;
        for c in words[2].chars().filter(|c| *c != '-') {
            match c.to_digit(10) {
                Some(digit) => count = count * 10 + digit,
                None => {
                    for _ in 0..std::mem::take(&mut count).max(1) {
                        hands[usize::from(c.is_lowercase())].push(c.to_ascii_uppercase());
                    }
                }
            }
        }
        let (mut frozen, mut left) = (None, [0; 2]);
        for word in &words[4..] {
            if word[1..].starts_with(|c: char| c.is_ascii_digit()) {
                let (black, white) = word[1..].split_once('Z').expect("canonical counts");
                left = [black, white].map(|n| n.parse().expect("a number"));
            } else {
                frozen = Some(word[1..].to_owned());
            }
        }
        Self { board, hands, black: words[1] == "b", frozen, left }
    }

    fn at(&self, x: i32, y: i32) -> Option<&Piece> {
        self.board[y as usize][x as usize].as_ref()
    }

    /// Squares that the piece on a square attacks.
    fn attacked_from(&self, x: i32, y: i32) -> Vec<(i32, i32)> {
        let Some((kind, black)) = self.at(x, y) else { return vec![] };
        let sign = if *black { 1 } else { -1 };
        let (steps, slides) = ways(kind);
        let mut found: Vec<_> = steps.iter().map(|(dx, dy)| (x + dx * sign, y + dy * sign)).collect();
        for (dx, dy) in slides {
            let (mut tx, mut ty) = (x + dx * sign, y + dy * sign);
            while inside(tx, ty) {
                found.push((tx, ty));
                if self.at(tx, ty).is_some() {
                    break;
                }
                (tx, ty) = (tx + dx * sign, ty + dy * sign);
            }
        }
        found.retain(|(x, y)| inside(*x, *y));
        found
    }

    fn squares() -> impl Iterator<Item = (i32, i32)> {
        (0..81).map(|i| (i % 9, i / 9))
    }

    pub fn in_check(&self, black: bool) -> bool {
        let king = Self::squares().find(|(x, y)| self.at(*x, *y) == Some(&("K".to_owned(), black)));
        let Some(king) = king else { return false };
        Self::squares().any(|(x, y)| {
            self.at(x, y).is_some_and(|(_, color)| *color != black)
                && self.attacked_from(x, y).contains(&king)
        })
    }

    fn can_stand(kind: &str, black: bool, y: i32) -> bool {
        let far = if black { y } else { 8 - y };
        match kind {
            "P" | "L" => far >= 1,
            "N" => far >= 2,
            _ => true,
        }
    }

    /// Moves of the side to move that do not leave its king in check, with the kind that moves and the board after,
    /// the pawn-drop mate and freezes disregarded.
    fn base(&self) -> Vec<(String, String, Self)> {
        let us = self.black;
        let mut found = Vec::new();
        let passed = |mut after: Self| {
            after.black = !us;
            after
        };
        for (x, y) in Self::squares() {
            let Some((kind, black)) = self.at(x, y).cloned() else { continue };
            if black != us {
                continue;
            }
            for (tx, ty) in self.attacked_from(x, y) {
                let taken = self.at(tx, ty).cloned();
                if taken.as_ref().is_some_and(|(kind, color)| *color == us || kind == "K") {
                    continue;
                }
                let zone = |y: i32| if us { y <= 2 } else { y >= 6 };
                let promotes = "PLNSBR".contains(&kind) && kind.len() == 1 && (zone(y) || zone(ty));
                for promote in [false, true] {
                    let name = if promote { format!("{kind}+") } else { kind.clone() };
                    if promote && !promotes || !Self::can_stand(&name, us, ty) {
                        continue;
                    }
                    let mut after = self.clone();
                    after.board[y as usize][x as usize] = None;
                    after.board[ty as usize][tx as usize] = Some((name, us));
                    if let Some((taken, _)) = &taken {
                        after.hands[usize::from(!us)].extend(taken.chars().next());
                    }
                    let text =
                        format!("{}{}{}", square(x, y), square(tx, ty), if promote { "+" } else { "" });
                    found.push((text, kind.clone(), passed(after)));
                }
            }
        }
        let held: BTreeSet<char> = self.hands[usize::from(!us)].iter().copied().collect();
        for letter in held {
            for (x, y) in Self::squares() {
                let name = letter.to_string();
                let pawn = Some(&("P".to_owned(), us));
                let two = letter == 'P' && (0..9).any(|row| self.at(x, row) == pawn);
                if self.at(x, y).is_some() || two || !Self::can_stand(&name, us, y) {
                    continue;
                }
                let mut after = self.clone();
                after.board[y as usize][x as usize] = Some((name.clone(), us));
                let hand = &mut after.hands[usize::from(!us)];
                let place = hand.iter().position(|c| *c == letter).expect("it is held");
                hand.remove(place);
                found.push((format!("{letter}*{}", square(x, y)), name, passed(after)));
            }
        }
        found.retain(|(_, _, after)| !after.in_check(us));
        found
    }

    fn kinds(&self, black: bool) -> BTreeSet<String> {
        let on_board = self.board.iter().flatten().flatten().filter(|(_, color)| *color == black);
        let in_hand = self.hands[usize::from(!black)].iter().map(ToString::to_string);
        on_board.map(|(kind, _)| kind.clone()).chain(in_hand).collect()
    }

    /// All legal moves.
    pub fn legal(&self) -> BTreeSet<String> {
        let mut legal = BTreeSet::new();
        let may_freeze = self.frozen.is_none() && self.left[usize::from(!self.black)] > 0;
        for (text, kind, after) in self.base() {
            if self.frozen.as_ref() == Some(&kind) {
                continue;
            }
            if may_freeze {
                legal.extend(after.kinds(after.black).iter().map(|kind| format!("{text}z{kind}")));
            }
            let drops_pawn = text.starts_with("P*");
            if !(drops_pawn && after.in_check(after.black) && after.base().is_empty()) {
                legal.insert(text);
            }
        }
        legal
    }
}
