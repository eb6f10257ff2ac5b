//! Random rules: the generator agrees with a slow one that shares no code with it.

#[path = "support/move_texts.rs"]
mod move_texts;
#[path = "random_rules/reference.rs"]
mod reference;

use fairy::Library;
use game::{Game, Position};
use move_texts::sorted_moves;
use reference::{Atom, Group, PieceRule, Setup, Spec, State};

/// A plain generator of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }
}

const DIRECTIONS: [&str; 9] = ["", "", "f", "b", "s", "v", "fs", "fr", "bl"];

const MODES: [&str; 5] = ["", "", "", "m", "c"];

fn atom(dice: &mut Dice) -> Atom {
    let letter =
        *dice.pick(&['W', 'F', 'W', 'F', 'K', 'N', 'D', 'A', 'R', 'B', 'R', 'B', 'Q', 'Z', 'C', 'H', 'G']);
    let is_line = matches!(letter, 'R' | 'B' | 'Q');
    Atom {
        letter,
        directions: (*dice.pick(&DIRECTIONS)).to_owned(),
        mode: MODES[dice.below(5) as usize],
        hops: is_line && dice.one_in(5),
        lame: !is_line && matches!(letter, 'N' | 'A' | 'Z' | 'D') && dice.one_in(3),
        limit: if is_line && dice.one_in(4) { Some(2 + dice.below(3) as u8) } else { None },
    }
}

/// A pocket of which some must be placed, some may be chosen, and the rest is for later.
fn setup(dice: &mut Dice, letters: &[char]) -> Setup {
    let mut pocket = vec!['k'];
    for &letter in letters {
        pocket.extend(std::iter::repeat_n(letter, dice.below(3) as usize));
    }
    let mut mandatory: Vec<char> = letters.iter().copied().filter(|_| dice.one_in(2)).collect();
    mandatory.push('k');
    let groups = (0..dice.below(3)).map(|_| {
        let mut options: Vec<char> = letters.iter().copied().filter(|_| dice.one_in(2)).collect();
        if options.is_empty() {
            options.push(letters[0]);
        }
        let limit = 1 + dice.below(3) as usize;
        Group { options, limit, required: !dice.one_in(3), locks_unused: dice.one_in(2) }
    });
    let groups = groups.collect();
    Setup { pocket, rows: 1 + dice.below(2) as i32, must_drop: !dice.one_in(3), mandatory, groups }
}

fn spec(dice: &mut Dice) -> Spec {
    let (files, ranks) = (3 + dice.below(6) as i32, 4 + dice.below(5) as i32);
    let letters: Vec<char> = "abcdefg".chars().take(2 + dice.below(5) as usize).collect();
    let mut pieces = vec![PieceRule { letter: 'k', atoms: vec![Atom::plain('K')], promotes_to: None }];
    for &letter in &letters {
        let count = 1 + dice.below(3);
        let mut atoms: Vec<Atom> = (0..count).map(|_| atom(dice)).collect();
        // The same letter twice in a row would be a rider.
        atoms.sort_by_key(|atom| atom.letter);
        atoms.dedup_by_key(|atom| atom.letter);
        let promotes_to = (!dice.one_in(3)).then(|| *dice.pick(&letters)).filter(|to| *to != letter);
        pieces.push(PieceRule { letter, atoms, promotes_to });
    }
    let mut rows = vec![String::new(); ranks as usize];
    let king = dice.below(files as u64) as i32;
    let line: Vec<char> =
        (0..files).map(|file| if file == king { 'k' } else { *dice.pick(&letters) }).collect();
    let second: Vec<char> =
        (0..files).map(|_| if dice.one_in(2) { '1' } else { *dice.pick(&letters) }).collect();
    let last = ranks as usize - 1;
    rows[0] = line.iter().collect();
    rows[last] = line.iter().rev().collect::<String>().to_uppercase();
    for row in &mut rows[1..last] {
        *row = files.to_string();
    }
    if ranks > 4 {
        rows[1] = second.iter().collect();
        rows[last - 1] = second.iter().rev().collect::<String>().to_uppercase();
    }
    let setup = dice.one_in(4).then(|| setup(dice, &letters));
    if setup.is_some() {
        rows[0] = files.to_string();
        rows[last] = files.to_string();
    }
    let zone = 1 + dice.below(2) as i32;
    Spec {
        files,
        ranks,
        pieces,
        board: rows.join("/"),
        zone,
        mandatory: dice.one_in(4),
        on_capture: dice.one_in(6),
        demotion: dice.one_in(6),
        drops: !dice.one_in(4),
        drop_promoted: dice.one_in(6),
        drop_loop: dice.one_in(6),
        no_doubled: dice.one_in(3).then(|| (*dice.pick(&letters), 1 + dice.below(2) as usize)),
        immobility: dice.one_in(2),
        drop_checks: !dice.one_in(6),
        must_capture: setup.is_none() && dice.one_in(8),
        flag: dice.one_in(6),
        setup,
    }
}

/// Plays a game by the rules that belong to a number. Tells what the rules were, unless they were refused.
fn compare(seed: u64) -> Option<Spec> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let spec = spec(&mut dice);
    let ini = spec.ini("random");
    let mut library = Library::shipped();
    let report = library.read(&ini);
    let Some(game) = library.game("random") else {
        // A king that stands in check at the start, say.
        assert!(report.has_errors(), "{ini}");
        return None;
    };
    assert!(report.messages.is_empty(), "{:?}\n{ini}", report.messages);
    let mut position = game.startpos();
    let mut state = State::start(&spec);
    for ply in 0..40 {
        let expected = state.legal(&spec);
        let found = sorted_moves(&position);
        assert_eq!(found, expected, "seed {seed}, ply {ply}: {}\n{ini}", position.to_text());
        if ply % 13 == 0 && expected.len() < 60 {
            assert_eq!(game::perft(&mut position, 2), state.perft(&spec, 2), "{}\n{ini}", position.to_text());
        }
        let Some(m) = (!found.is_empty()).then(|| dice.pick(&found).clone()) else { break };
        state = state.after(&spec, &m);
        position.do_move(position.parse_move(&m).expect("a legal move"));
        let again = game.position(&position.to_text()).expect("its own text");
        // How far groups are used up is not in the text.
        if spec.setup.is_none() {
            assert_eq!(again.key(), position.key(), "{}", position.to_text());
        }
    }
    while position.can_undo() {
        position.undo_move();
    }
    assert_eq!(position.to_text(), game.startpos().to_text());
    Some(spec)
}

/// What rules may have.
type Part = fn(&Spec) -> bool;

/// Parts of rules that must not be missing by chance.
const PARTS: [(&str, Part); 5] = [
    ("setups", |spec| spec.setup.is_some()),
    ("groups", |spec| spec.setup.as_ref().is_some_and(|setup| !setup.groups.is_empty())),
    ("hoppers", |spec| has(spec, |atom| atom.hops)),
    ("lame leapers", |spec| has(spec, |atom| atom.lame)),
    ("demotion", |spec| spec.demotion),
];

fn has(spec: &Spec, is: fn(&Atom) -> bool) -> bool {
    spec.pieces.iter().flat_map(|piece| &piece.atoms).any(is)
}

#[test]
fn a_slow_generator_agrees() {
    // Many a random start has a king in check and is refused.
    let wanted = if cfg!(debug_assertions) { 100 } else { 1500 };
    let played: Vec<Spec> = (1..10 * wanted as u64).filter_map(compare).take(wanted).collect();
    assert_eq!(played.len(), wanted);
    for (what, is) in PARTS {
        let count = played.iter().filter(|spec| is(spec)).count();
        assert!(count * 20 >= wanted, "{what}: only {count} of {wanted}");
    }
}
