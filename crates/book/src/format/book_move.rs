//! One move of a book.

use crate::error::{LineFault, quote};
use crate::format::sfen_line::without_comment;
use crate::format::usi_bytes::{NoMove, parse_move, parse_number, push_move, push_number};
use shogi::Move;
use std::cmp::Reverse;
use std::fmt;

/// The depth that YaneuraOu writes for moves that were played, not searched.
pub const PLAYED_DEPTH: i32 = 32;

/// A move of a book with its data.
///
/// ```
/// use book::BookMove;
/// let m = BookMove::parse(b"7g7f 3c3d 52 32 2")?;
/// assert_eq!((m.value, m.depth, m.count), (52, 32, 2));
/// assert_eq!(m.reply.unwrap().to_string(), "3c3d");
/// // Columns may be missing, or say `none`.
/// assert_eq!(BookMove::parse(b"7g7f none none")?, BookMove::new("7g7f".parse().unwrap()));
/// # Ok::<(), book::LineFault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move; `None` if the book says `none`.
    pub play: Option<Move>,
    /// The expected reply.
    pub reply: Option<Move>,
    /// Its value for the side that plays it, in centipawns.
    pub value: i32,
    /// Search depth.
    pub depth: i32,
    /// How often it was played.
    pub count: u64,
}

/// The line of a text book.
impl fmt::Display for BookMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Vec::new();
        self.write(&mut line);
        f.write_str(&String::from_utf8_lossy(&line))
    }
}

impl BookMove {
    /// A move without data.
    #[must_use]
    pub const fn new(play: Move) -> Self {
        Self { play: Some(play), reply: None, value: 0, depth: 0, count: 1 }
    }

    /// Whether it was played but never searched. `book import` gives such moves depth 0, `from_sfen` of YaneuraOu depth
    /// 32; both leave the value 0.
    #[must_use]
    pub const fn is_played_only(&self) -> bool {
        self.value == 0 && matches!(self.depth, 0 | PLAYED_DEPTH)
    }

    /// Reads a line `move [reply [value [depth [count]]]]`; ignores further columns.
    pub fn parse(line: &[u8]) -> Result<Self, LineFault> {
        let mut forgiven = None;
        let found = Self::parse_forgiving(line, &mut |fault| forgiven = forgiven.take().or(Some(fault)))?;
        forgiven.map_or(Ok(found), Err)
    }

    /// Like [`BookMove::parse`], but reads a malformed number as 0, like other programs, and passes it to `remark`.
    pub fn parse_forgiving(line: &[u8], remark: &mut dyn FnMut(LineFault)) -> Result<Self, LineFault> {
        let mut words =
            without_comment(line).split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty());
        let mut mover = || match words.next() {
            None => Ok(None),
            Some(word) => parse_move(word).map_err(|NoMove| LineFault::Move(quote(word))),
        };
        let (play, reply) = (mover()?, mover()?);
        let mut number = |default: i64| match words.next() {
            None | Some(b"none" | b"None") => default,
            Some(word) => parse_number(word).unwrap_or_else(|| {
                remark(LineFault::Number(quote(word)));
                0
            }),
        };
        let narrow = |number: i64| number.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        let (value, depth) = (narrow(number(0)), narrow(number(0)));
        Ok(Self { play, reply, value, depth, count: number(1).max(0) as u64 })
    }

    /// Appends the five columns, without a line end.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.write_without_count(out);
        out.push(b' ');
        push_number(out, self.count as i64);
    }

    /// Appends the first four columns, for books without counts.
    pub fn write_without_count(&self, out: &mut Vec<u8>) {
        push_move(out, self.play);
        out.push(b' ');
        push_move(out, self.reply);
        for number in [self.value, self.depth] {
            out.push(b' ');
            push_number(out, number.into());
        }
    }

    /// The move on the board rotated by 180°.
    #[must_use]
    pub fn flip(self) -> Self {
        Self { play: self.play.map(Move::flip), reply: self.reply.map(Move::flip), ..self }
    }
}

/// Sorts moves in the order of books: the most frequent first, then the best; otherwise stable.
pub fn sort_moves(moves: &mut [BookMove]) {
    moves.sort_by_key(|m| (Reverse(m.count), Reverse(m.value)));
}

/// Adds a move. An existing one is replaced, and the counts are added.
pub fn insert_move(moves: &mut Vec<BookMove>, new: BookMove) {
    match moves.iter_mut().find(|old| old.play == new.play) {
        Some(old) => *old = BookMove { count: old.count.saturating_add(new.count), ..new },
        None => moves.push(new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_round_trip() {
        for line in ["7g7f 3c3d -52 32 2", "P*5e none 0 0 1", "none none 7 9999 18446744073709551"] {
            let mut out = Vec::new();
            BookMove::parse(line.as_bytes()).unwrap().write(&mut out);
            assert_eq!(String::from_utf8(out).unwrap(), line);
        }
    }

    #[test]
    fn what_columns_may_be() {
        let parse = |line: &str| BookMove::parse(line.as_bytes());
        let plain = BookMove::new("7g7f".parse().unwrap());
        for line in ["7g7f", "7g7f none", "7g7f\tnone  0 0 1", "7g7f none 0 0 1 // note", "7g7f none // x"] {
            assert_eq!(parse(line), Ok(plain), "{line}");
        }
        assert_eq!(parse("7g7f 3c3d 1 2 -3").unwrap().count, 0);
        assert_eq!(parse("7g7x").unwrap_err().to_string(), "expected a move such as 7g7f, found `7g7x`");
        assert_eq!(parse("7g7f none x").unwrap_err().to_string(), "expected a number, found `x`");
        let mut remarks = Vec::new();
        let found =
            BookMove::parse_forgiving(b"7g7f none x 9 y", &mut |fault| remarks.push(fault.to_string()));
        assert_eq!(found, Ok(BookMove { depth: 9, count: 0, ..plain }));
        assert_eq!(remarks, ["expected a number, found `x`", "expected a number, found `y`"]);
    }

    #[test]
    fn the_later_line_counts_and_counts_add_up() {
        let line = |line: &str| BookMove::parse(line.as_bytes()).unwrap();
        let mut moves = vec![line("7g7f 3c3d 1 2 3"), line("2g2f none 0 0 1")];
        insert_move(&mut moves, line("7g7f 8c8d 4 5 6"));
        assert_eq!(moves, [line("7g7f 8c8d 4 5 9"), line("2g2f none 0 0 1")]);
    }
}
