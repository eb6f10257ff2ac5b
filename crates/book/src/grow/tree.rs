//! Trees over books (`build_tree`, `extend_tree`): walks from a root through all positions of the book.

use crate::{BookMove, Collection, Entry, LineFault, Plies, reference_order};
use shogi::{Color, Handicap, Move, Position, Repetition};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// Stack size: walks recurse as deep as the longest line. Unused pages cost nothing.
const STACK: usize = 1 << 30;

/// Runs a deeply recursive function.
pub(crate) fn with_deep_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.expect("a thread can be started").join().expect("walks do not panic")
    })
}

/// YaneuraOu's mate value, beyond all evaluations.
const MATE: i32 = 32_000;
const INFINITE: i32 = MATE + 1;
const SUPERIOR: i32 = 28_000;
const LONGEST_MATE: i32 = 246;

/// The value of avoiding a repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contempt {
    /// For Black, in the unit of the book.
    pub black: i32,
    /// For White.
    pub white: i32,
}

impl Default for Contempt {
    fn default() -> Self {
        Self { black: 50, white: 150 }
    }
}

/// The start positions of trees: the even game and fourteen handicaps, as in YaneuraOu.
const ROOTS: [&str; 15] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1",
];

/// All start positions.
#[must_use]
pub fn start_positions() -> Vec<Position> {
    debug_assert_eq!(Position::handicap(Handicap::Even).sfen(), ROOTS[0]);
    ROOTS.iter().filter_map(|sfen| Position::from_sfen(sfen).ok()).collect()
}

/// Min-max from the start positions over a book whose leaves have values. Every position is valued for both players as
/// the root, because their contempt differs; moves are written with the values for the side to move.
#[must_use]
pub fn build_tree(book: &Collection, contempt: Contempt) -> Vec<Entry> {
    build_tree_from(book, start_positions(), contempt)
}

/// Like [`build_tree`], from other roots.
#[must_use]
pub fn build_tree_from(book: &Collection, roots: Vec<Position>, contempt: Contempt) -> Vec<Entry> {
    with_deep_stack(move || {
        let mut builder =
            TreeBuilder { book, contempt, done: HashMap::new(), written: HashMap::new(), trail: Vec::new() };
        for mut root in roots {
            builder.done.clear();
            builder.trail.clear();
            builder.visit(&mut root);
        }
        builder.written.into_values().collect()
    })
}

/// The best move of a position, for one player as the root.
#[derive(Clone, Copy)]
struct Best {
    value: i32,
    play: Option<Move>,
    depth: i32,
}

/// With Black as the root player, and with White.
type Pair = [Best; 2];

struct TreeBuilder<'a> {
    book: &'a Collection,
    contempt: Contempt,
    /// Positions already valued, with the smallest number of moves at which that happened.
    done: HashMap<u128, (Pair, u32)>,
    written: HashMap<(u128, u32), Entry>,
    /// Keys of the positions on the path, with the moves played from them.
    trail: Vec<(u128, Move)>,
}

impl TreeBuilder<'_> {
    /// Values a position; `None` if the book does not have it.
    fn visit(&mut self, position: &mut Position) -> Option<Pair> {
        let same = |value, play| [Best { value, play, depth: 0 }; 2];
        if !position.has_legal_move() {
            return Some(same(-MATE, None));
        }
        if position.declaration().is_some() {
            return Some(same(MATE - 1, None));
        }
        if let Some(repetition) = position.repetition(usize::MAX) {
            return Some(match repetition {
                Repetition::Draw => self.draw(position),
                Repetition::Inferior => same(-SUPERIOR, None),
                Repetition::Superior => same(SUPERIOR, None),
                Repetition::Win => same(MATE - LONGEST_MATE, None),
                Repetition::Lose => same(-MATE + LONGEST_MATE, None),
            });
        }
        let (key, ply) = (position.key128(), position.ply());
        if let Some((pair, earlier)) = self.done.get(&key)
            && *earlier <= ply
        {
            return Some(*pair);
        }
        if !self.book.has(position) {
            return None;
        }
        let pair = self.expand(position);
        self.done.insert(key, (pair, ply));
        Some(pair)
    }

    fn expand(&mut self, position: &mut Position) -> Pair {
        let mut best = [Best { value: -INFINITE, play: None, depth: 0 }; 2];
        let mut moves = Vec::new();
        let (key, ply) = (position.key128(), position.ply());
        for m in reference_order::legal_moves(position) {
            position.do_move(m);
            self.trail.push((key, m));
            let child = self.visit(position);
            self.trail.pop();
            position.undo_move();
            let listed =
                || self.book.find_move(position, m).map(|listed| BookMove { depth: 0, count: 1, ..listed });
            for color in Color::ALL {
                let found = match &child {
                    None => listed(),
                    Some(pair) => Some(led_to(m, pair[color.index()])),
                };
                let Some(found) = found else { continue };
                if color == position.side() {
                    moves.push(found);
                }
                let side = &mut best[color.index()];
                if side.value < found.value {
                    *side = Best { value: found.value, play: Some(m), depth: found.depth };
                }
            }
        }
        self.written.insert((key, ply), Entry::of(position, moves));
        best
    }

    /// The value of a repetition for both players, by their contempt. The move is the one played last time.
    fn draw(&self, position: &Position) -> Pair {
        let key = position.key128();
        let before = self.trail.iter().rev().find(|(earlier, _)| *earlier == key);
        let play = before.map(|(_, m)| *m);
        Color::ALL.map(|root| {
            let dislike = if root == Color::Black { self.contempt.black } else { self.contempt.white };
            let value = if position.side() == root { -dislike } else { dislike };
            Best { value, play, depth: 0 }
        })
    }
}

/// A move to a position with this best move.
fn led_to(m: Move, child: Best) -> BookMove {
    let value = match -child.value {
        mating if mating >= MATE => mating - 1,
        mated if mated <= -MATE => mated + 1,
        value => value,
    };
    BookMove { play: Some(m), reply: child.play, value, depth: child.depth + 1, count: 1 }
}

/// Selects leaves to extend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExtendOptions {
    /// Minimum value of Black's moves that are followed.
    pub black_limit: i32,
    /// Minimum value of White's moves that are followed.
    pub white_limit: i32,
    /// Only leaves after a move with a value in this range.
    pub range: Option<(i32, i32)>,
    /// Maximum move number.
    pub max_ply: u32,
}

impl Default for ExtendOptions {
    fn default() -> Self {
        Self { black_limit: -50, white_limit: -150, range: None, max_ply: 320 }
    }
}

/// The lines from the roots to the positions just outside of a book, to be searched. Each root has the text that leads
/// to it, to which moves are appended.
#[must_use]
pub fn extend_tree(book: &Collection, roots: Vec<(Position, String)>, options: ExtendOptions) -> Vec<String> {
    with_deep_stack(move || {
        let mut extender =
            Extender { book, options, seen: HashSet::new(), lines: Vec::new(), line: String::new() };
        for (mut position, text) in roots {
            extender.line = text;
            extender.visit(&mut position, Some(0));
        }
        extender.lines
    })
}

/// Reads a root of `extend_tree`: the arguments of a `position` command. All words must be valid, because the lines
/// written begin with them.
pub fn parse_root(text: &str) -> Result<(Position, String), LineFault> {
    let game = crate::GameLine::parse(text, usize::MAX)?;
    if let Some(word) = game.bad_word {
        return Err(LineFault::IllegalMove(word));
    }
    if game.resigned {
        return Err(LineFault::Ended);
    }
    let mut position = game.start;
    game.moves.iter().for_each(|m| position.do_move(*m));
    let has_moves = text.split_ascii_whitespace().any(|word| word == "moves");
    Ok((position, if has_moves { text.to_owned() } else { format!("{text} moves") }))
}

struct Extender<'a> {
    book: &'a Collection,
    options: ExtendOptions,
    /// Positions visited, with their move numbers if those matter.
    seen: HashSet<(u128, u32)>,
    lines: Vec<String>,
    /// The text of the current line.
    line: String,
}

impl Extender<'_> {
    fn visited(&self, position: &Position) -> (u128, u32) {
        let ply = match self.book.plies() {
            Plies::Matter => position.ply(),
            Plies::Ignored => 0,
        };
        (position.key128(), ply)
    }

    /// `value` is that of the listed move to here; `None` if the move was not listed.
    fn visit(&mut self, position: &mut Position, value: Option<i32>) {
        if position.repetition(usize::MAX) == Some(Repetition::Draw)
            || position.ply() > self.options.max_ply
            || !position.has_legal_move()
            || position.declaration().is_some()
            || !self.seen.insert(self.visited(position))
        {
            return;
        }
        if !self.book.has(position) {
            let wanted = |value| self.options.range.is_none_or(|(low, high)| low <= value && value <= high);
            if value.is_some_and(wanted) {
                self.lines.push(self.line.clone());
            }
            return;
        }
        let limit = match position.side() {
            Color::Black => self.options.black_limit,
            Color::White => self.options.white_limit,
        };
        for m in reference_order::legal_moves(position) {
            let listed = self.book.find_move(position, m).map(|listed| listed.value);
            if listed.is_some_and(|value| value < limit) {
                continue;
            }
            let length = self.line.len();
            // Writing to a string does not fail.
            let _ = write!(self.line, " {m}");
            position.do_move(m);
            self.visit(position, listed);
            position.undo_move();
            self.line.truncate(length);
        }
    }
}

/// `build_tree` ignores move numbers, whatever the options.
pub const BUILD_PLIES: Plies = Plies::Ignored;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DbReader, Problems};

    #[test]
    fn the_roots_are_positions() {
        assert_eq!(start_positions().len(), ROOTS.len());
    }

    #[test]
    fn roots_make_sense_or_are_refused() {
        assert_eq!(parse_root("startpos").unwrap().1, "startpos moves");
        assert_eq!(parse_root("startpos moves 7g7f").unwrap().0.ply(), 2);
        for (root, fault) in [
            ("startpos moves 7g7f 9i9e", "not a legal move here: `9i9e`"),
            ("hello", "not a legal move here: `hello`"),
            ("startpos moves 7g7f resign", "a finished game cannot be continued"),
        ] {
            assert_eq!(parse_root(root).unwrap_err().to_string(), fault, "{root}");
        }
        assert!(parse_root("sfen 9/9/9 b - 1").is_err());
    }

    /// A position that the book has with another move number is inside or outside, depending on `IgnoreBookPly`.
    #[test]
    fn move_numbers_matter_or_not() {
        let text = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 9\n7g7f none 10\n";
        for (plies, expected) in [(Plies::Matter, "startpos moves"), (Plies::Ignored, "startpos moves 7g7f")]
        {
            let mut reader = DbReader::new(text.as_bytes(), "a.db", Problems::stop());
            let book = Collection::read(&mut reader, plies).unwrap();
            let roots = vec![parse_root("startpos").unwrap()];
            assert_eq!(extend_tree(&book, roots, ExtendOptions::default()), [expected]);
        }
    }

    /// The example of the specification: a repetition of four moves.
    #[test]
    fn a_repetition_with_contempt() {
        let lines = [
            ("", "2h3h none -5\n7g7f none -80"),
            ("2h3h", "8b7b none 7\n3c3d none -90"),
            ("2h3h 8b7b", "3h2h none 3\n7g7f none -100"),
            ("2h3h 8b7b 3h2h", "7b8b none 2\n3c3d none -120"),
        ];
        let mut text = String::new();
        for (moves, listed) in lines {
            let game = crate::GameLine::parse(moves, 9).unwrap();
            let mut position = game.start;
            game.moves.iter().for_each(|m| position.do_move(*m));
            text.extend(["sfen ", &position.sfen(), "\n", listed, "\n"]);
        }
        let mut reader = DbReader::new(text.as_bytes(), "rep.db", Problems::stop());
        let book = Collection::read(&mut reader, BUILD_PLIES).unwrap();
        let built = |contempt| {
            let mut tree = build_tree(&book, contempt);
            tree.sort_by_key(|entry| entry.ply);
            let show = |m: &BookMove| format!("{} {}", m.play.unwrap(), m.value);
            let shown = |entry: &mut Entry| {
                entry.sort();
                entry.moves.iter().map(show).collect::<Vec<_>>().join(", ")
            };
            tree.iter_mut().map(shown).collect::<Vec<_>>()
        };
        assert_eq!(
            built(Contempt::default()),
            ["2h3h -50, 7g7f -80", "3c3d -90, 8b7b -120", "3h2h -50, 7g7f -100", "3c3d -120, 7b8b -150"]
        );
        let without = built(Contempt { black: 0, white: 0 });
        assert_eq!(
            without,
            ["2h3h 0, 7g7f -80", "8b7b 0, 3c3d -90", "3h2h 0, 7g7f -100", "7b8b 0, 3c3d -120"]
        );
    }
}
