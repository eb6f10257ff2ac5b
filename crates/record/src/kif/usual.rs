//! The form that nearly every line of KIF files has, read without looking for anything else.

use super::line::{FIRST_OF_KANJI, word};
use crate::Ending;
use crate::glyphs::utf8;
use crate::lines::{near, places};
use crate::notation::Target;
use crate::script::Script;
use shogi::{HandPiece, Move, PieceKind, Square};
use std::marker::PhantomData;
use std::time::Duration;

/// `７六歩(77)   ( 0:12/00:00:12)`, or without the time: what follows the number of a move.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct UsualLine {
    pub said: Plain,
    pub time: Option<Duration>,
    /// How many bytes it takes, its end included.
    pub length: usize,
}

/// No such line is longer than this; shorter texts are not worth the trouble.
pub(super) const LONGEST: usize = 48;

impl UsualLine {
    /// Reads such a line at the start of a text; `None` if it is written in any other way.
    #[inline(always)]
    pub fn parse<S: Script>(text: &[u8; LONGEST]) -> Option<Self> {
        let (said, end) = Plain::parse::<S>(text)?;
        let (time, length) = time_and_end(text, end)?;
        Some(Self { said, time, length })
    }
}

/// The words with which most games end, the most frequent first, and their bytes in Shift_JIS.
pub(super) const ENDINGS: [(&str, &[u8]); 8] = [
    ("投了", b"\x93\x8a\x97\xb9"),
    ("反則負け", b"\x94\xbd\x91\xa5\x95\x89\x82\xaf"),
    ("詰み", b"\x8b\x6c\x82\xdd"),
    ("切れ負け", b"\x90\xd8\x82\xea\x95\x89\x82\xaf"),
    ("千日手", b"\x90\xe7\x93\xfa\x8e\xe8"),
    ("持将棋", b"\x8e\x9d\x8f\xab\x8a\xfb"),
    ("入玉勝ち", b"\x93\xfc\x8b\xca\x8f\x9f\x82\xbf"),
    ("中断", b"\x92\x86\x92\x66"),
];

/// The usual ending that begins a text, the time behind it, and the length of that line, if there is nothing else in it.
pub(super) fn ending<S: Script>(text: &[u8; LONGEST]) -> Option<(Ending, Option<Duration>, usize)> {
    let (word, end) = ENDINGS.iter().find_map(|(word, shift_jis)| {
        let bytes = S::either(word, shift_jis);
        text.starts_with(bytes).then_some((word, bytes.len()))
    })?;
    let (time, length) = time_and_end(text, end)?;
    Some((Ending::from_kif(word), time, length))
}

/// The time after a move, if there is one, and where the line ends, if nothing else follows.
#[inline(always)]
pub(super) fn time_and_end(text: &[u8; LONGEST], end: usize) -> Option<(Option<Duration>, usize)> {
    let end = end + spaces(text, end);
    let (time, end) = match clocks(chunk(text, end)) {
        Some(time) => (Some(time), end + CLOCKS),
        None => spaced_clocks(chunk(text, end)).map_or((None, end), |time| (Some(time), end + SPACED_CLOCKS)),
    };
    match chunk(text, end) {
        [b'\n', _] => Some((time, end + 1)),
        [b'\r', b'\n'] => Some((time, end + 2)),
        _ => None,
    }
}

/// Some bytes of a line, from a place that leaves so many.
#[inline(always)]
fn chunk<const N: usize>(text: &[u8; LONGEST], at: usize) -> [u8; N] {
    // The compiler cannot know the number of spaces; this tells it that no place is too far.
    let at = at.min(LONGEST - N);
    text[at..].first_chunk().copied().unwrap_or([0; N])
}

/// How many spaces stand there; counts up to eight.
#[inline(always)]
fn spaces(text: &[u8; LONGEST], at: usize) -> usize {
    let others = u64::from_le_bytes(chunk(text, at)) ^ u64::from_le_bytes([b' '; 8]);
    (others.trailing_zeros() / u8::BITS) as usize
}

/// What nearly every move of KIF says, which needs no board to be understood: ７六歩(77), 同　銀(31), ８八角成(22),
/// ５五角打.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Plain {
    pub to: Target,
    pub how: How,
}

/// Where a piece comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum How {
    /// From this square, and it promotes, or not.
    Moved(Square, bool),
    Dropped(HandPiece),
}

impl Plain {
    /// Reads one at fixed places, and says where it ends; `None` if it is written in any other way.
    fn parse<S: Script>(text: &[u8; LONGEST]) -> Option<(Self, usize)> {
        let words = Words::<S>::parse(text)?;
        let (how, end) = if words.is_drop() {
            (How::Dropped(words.dropped()?), Words::<S>::DROP_END)
        } else {
            let (from, form) = words.moved()?;
            (How::Moved(from, form == Form::Promotes), form.end::<S>())
        };
        Some((Self { to: words.to, how }, end))
    }

    /// The move that is meant, if it can be one; `last` is where the last move went.
    #[inline(always)]
    pub fn resolve(self, last: Option<Square>) -> Option<Move> {
        let to = self.to.resolve(last)?;
        match self.how {
            How::Moved(from, promotes) => (from != to).then(|| Move::board(from, to, promotes)),
            How::Dropped(piece) => Some(Move::drop(piece, to)),
        }
    }
}

/// The words of such a move, understood as far as they must be to see how it goes on: readers take a way for each.
pub(super) struct Words<S> {
    pub to: Target,
    /// `None` if another word belongs to its name, as in 成銀.
    kind: Option<PieceKind>,
    /// The piece and some bytes that follow it, as a number.
    piece: u64,
    /// The four bytes behind 成.
    promoted: [u8; 4],
    script: PhantomData<S>,
}

/// What the words of a move on the board look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// ７六歩(77)
    Plain,
    /// ２二角成(88)
    Promotes,
    /// ３二成銀(31)
    Promoted,
}

impl Form {
    /// Where such words end.
    #[inline(always)]
    pub fn end<S: Script>(self) -> usize {
        if self == Self::Plain { 3 * S::WIDTH + 4 } else { 4 * S::WIDTH + 4 }
    }
}

impl<S: Script> Words<S> {
    /// Where ５五角打 ends.
    pub const DROP_END: usize = 4 * S::WIDTH;

    /// How many bits a wide character takes.
    const BITS: usize = 8 * S::WIDTH;

    #[inline(always)]
    pub fn parse(text: &[u8; LONGEST]) -> Option<Self> {
        let target = u64::from_le_bytes(chunk(text, 0)) & ((1 << (2 * Self::BITS)) - 1);
        let piece = u64::from_le_bytes(chunk(text, 2 * S::WIDTH));
        let (to, kind) = (S::target(target)?, S::piece(Self::glyph(piece)));
        Some(Self { to, kind, piece, promoted: chunk(text, 4 * S::WIDTH), script: PhantomData })
    }

    /// The wide character that these bytes begin with.
    #[inline(always)]
    fn glyph(bytes: u64) -> u32 {
        (bytes & ((1 << Self::BITS) - 1)) as u32
    }

    /// What follows the piece.
    #[inline(always)]
    fn word(&self) -> u32 {
        Self::glyph(self.piece >> Self::BITS)
    }

    #[inline(always)]
    pub fn is_drop(&self) -> bool {
        self.word() == S::DROPPED
    }

    /// The piece that is dropped, if it can be.
    #[inline(always)]
    pub fn dropped(&self) -> Option<HandPiece> {
        self.kind.filter(|kind| !kind.is_promoted())?.to_hand()
    }

    /// Where it comes from if it moves.
    #[inline(always)]
    pub fn moved(&self) -> Option<(Square, Form)> {
        if self.kind.is_none() {
            return self.moved_promoted();
        }
        if self.word() == S::PROMOTES {
            Some((origin(self.promoted)?, Form::Promotes))
        } else {
            Some((origin(((self.piece >> Self::BITS) as u32).to_le_bytes())?, Form::Plain))
        }
    }

    /// The same where the piece is one like 成銀.
    #[cold]
    fn moved_promoted(&self) -> Option<(Square, Form)> {
        if Self::glyph(self.piece) != S::PROMOTES {
            return None;
        }
        S::piece(self.word())?.promoted()?;
        Some((origin(self.promoted)?, Form::Promoted))
    }
}

/// The square in `(77)`.
#[inline(always)]
fn origin(text: [u8; 4]) -> Option<Square> {
    const DIGITS: u32 = u32::from_le_bytes(*b"(00)");
    const KNOWN: u32 = u32::from_le_bytes([0xff, 0xf0, 0xf0, 0xff]);
    /// By the low halves of both digits.
    static SQUARES: [Option<Square>; 256] = {
        let mut squares = [None; 256];
        let mut s = 0;
        while let Some(square) = Square::from_index(s) {
            squares[(s as usize / 9 + 1) << 4 | (s as usize % 9 + 1)] = Some(square);
            s += 1;
        }
        squares
    };
    let digits = u32::from_le_bytes(text) ^ DIGITS;
    if digits & KNOWN != 0 {
        return None;
    }
    // What is left of them are the low halves of the second and the third byte.
    SQUARES[(digits >> 4 | digits >> 16) as usize & 0xff]
}

/// The number with which the next line begins if everything is in order.
#[derive(Clone, Copy)]
pub(super) struct Due {
    /// In four columns, and one blank, as a number.
    columns: u64,
    pub number: u32,
    /// By how much it is larger than the number of moves before it.
    ahead: u32,
}

impl Due {
    /// How many bytes it takes.
    pub const LENGTH: usize = 5;

    /// Nothing is due.
    pub const NONE: Self = Self::new(0, u32::MAX);

    /// The first of most games.
    pub const FIRST: Self = Self::new(1, 0);

    pub const fn new(number: u32, ply: u32) -> Self {
        Self { columns: Self::columns(number), number, ahead: number.wrapping_sub(ply) }
    }

    const fn columns(number: u32) -> u64 {
        let mut columns = [b' '; 8];
        let (mut rest, mut column) = (number, 4);
        while rest > 0 && column > 0 {
            column -= 1;
            columns[column] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        // No text holds what stands for larger ones.
        u64::from_le_bytes(if rest > 0 { [0xff; 8] } else { columns })
    }

    /// How many moves come before it.
    #[inline(always)]
    pub fn ply(&self) -> u32 {
        self.number.wrapping_sub(self.ahead)
    }

    /// The one that follows.
    #[inline(always)]
    pub fn next(&self) -> Self {
        /// The columns of the first ones, for games are seldom longer.
        static COLUMNS: [u32; 512] = {
            let mut columns = [0; 512];
            let mut number = 0;
            while number < columns.len() {
                columns[number] = Due::columns(number as u32) as u32;
                number += 1;
            }
            columns
        };
        let number = self.number.wrapping_add(1);
        let columns = match COLUMNS.get(number as usize) {
            Some(columns) => u64::from(*columns) | u64::from(b' ') << 32,
            None => Self::columns(number),
        };
        Self { columns, number, ..*self }
    }

    #[inline(always)]
    pub fn begins(&self, text: &[u8]) -> bool {
        let unused = u64::BITS - 8 * Self::LENGTH as u32;
        text.first_chunk().is_some_and(|text| (u64::from_le_bytes(*text) ^ self.columns) << unused == 0)
    }
}

/// `開始日時：2026/11/16` with the wide colon, in a text that goes on for so many bytes.
pub(super) const FIELD: usize = 64;

/// Where the value of a field begins, and where its line ends; `None` if it may be anything else.
#[allow(clippy::needless_bitwise_bool, reason = "no branch for any of the names")]
#[inline(always)]
pub(super) fn field(all: &[u8]) -> Option<(usize, usize)> {
    const NAME: usize = 32;
    const COLON: u32 = utf8('：');
    let text: &[u8; FIELD] = all.first_chunk()?;
    let begins = |at: usize| u32::from_le_bytes([text[at], text[at + 1], text[at + 2], 0]);
    let begin: &[u8; NAME] = text.first_chunk()?;
    // Nothing else that begins with its first byte stands in names of the usual kind.
    let at = (places(begin, COLON as u8).trailing_zeros() as usize).min(NAME);
    let others = places(begin, b' ') | places(begin, b':');
    let end = places(text, b'\n').trailing_zeros() as usize;
    // No branch for any of the names: each file has them in an order of its own.
    let (first, third) = (begins(0), begins(6));
    let other = (first == word::CHANGE) | (first == word::UNTIL) | (first == word::MOVE);
    let side =
        (first == word::FIRST) | (first == word::LOWER) | (first == word::LATER) | (first == word::UPPER);
    let of_a_side = side & ((third == word::TURN) | ((third == word::OF) & (begins(9) == word::HOLD)));
    let is_field = !other & !of_a_side & (text[0] >= FIRST_OF_KANJI) & (at > 0) & (begins(at) == COLON);
    if !is_field || at >= end || at >= others.trailing_zeros() as usize {
        return None;
    }
    let end = if end < FIELD { end } else { FIELD + memchr::memchr(b'\n', &all[FIELD..])? };
    Some((at + '：'.len_utf8(), end))
}

/// How long `( 0:12/00:00:12)` is.
const CLOCKS: usize = 16;

/// The time in `( 0:12/00:00:12)`; the total, which says nothing new, need not be one.
#[inline(always)]
fn clocks(text: [u8; CLOCKS]) -> Option<Duration> {
    /// The low halves of the digits before the slash.
    const DIGITS: u64 = u64::from_le_bytes([0, 0x0f, 0x0f, 0, 0x0f, 0x0f, 0, 0]);
    let elapsed = |text: &[u8; CLOCKS]| {
        let digits = text.first_chunk().map_or(0, |text| u64::from_le_bytes(*text) & DIGITS);
        // Where the tens stand, ten times each and the ones behind it.
        let pairs = 10 * digits + (digits >> 8);
        60 * (pairs >> 8 & 0xff) + (pairs >> 32 & 0xff)
    };
    are_clocks(&text).then(|| Duration::from_secs(elapsed(&text)))
}

/// How long `(00:12 / 00:00:12)` is.
const SPACED_CLOCKS: usize = 18;

/// The time in `(00:12 / 00:00:12)`.
#[inline(always)]
fn spaced_clocks(text: [u8; SPACED_CLOCKS]) -> Option<Duration> {
    let mut plain = [b'/'; CLOCKS];
    plain[..6].copy_from_slice(&text[..6]);
    plain[7..].copy_from_slice(&text[9..]);
    if text[6..9] == *b" / " { clocks(plain) } else { None }
}

/// Whether this is `(12:34/00:12:34)`; for the first digit there may be a blank. Of the total it is enough that digits and
/// colons share the upper half of their bytes, which no line end does.
#[inline(always)]
fn are_clocks(text: &[u8; CLOCKS]) -> bool {
    const BASE: [u8; CLOCKS] = *b"(00:00/00000000)";
    const MOST: [u8; CLOCKS] = [0, 0x1f, 9, 0, 9, 9, 0, 15, 15, 15, 15, 15, 15, 15, 15, 0];
    /// A bit for a blank and for each digit.
    const FIRST: u64 = 1 << b' ' | 0x3ff << b'0';
    near(text, &BASE, &MOST) && FIRST >> (text[1] & 0x3f) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::super::clock::elapsed;
    use super::super::line::{Line, classify};
    use super::*;
    use crate::Board;
    use crate::script::{ShiftJis, Utf8};

    /// Reads a line in a text that goes on.
    fn read(line: &str) -> Option<UsualLine> {
        let text = [line, &"next".repeat(LONGEST)].concat();
        let usual = UsualLine::parse::<Utf8>(text.as_bytes().first_chunk()?);
        let (bytes, _, unmappable) = encoding_rs::SHIFT_JIS.encode(&text);
        if !unmappable && let Some(other) = UsualLine::parse::<ShiftJis>(bytes.first_chunk()?) {
            let usual = usual.as_ref().expect("what one script takes the other takes, too");
            let line = encoding_rs::SHIFT_JIS.encode(&text[..usual.length]).0;
            assert_eq!((&other.said, other.time, other.length), (&usual.said, usual.time, line.len()));
        }
        usual
    }

    #[test]
    fn reads_what_the_other_readers_read() {
        for line in [
            "７六歩(77)   ( 0:12/00:00:12)",
            "同　銀成(31) (59:04/02:03:04)",
            "５五角打   (09:59/12:34:56)",
            "７六歩(77)    (00:12 / 00:00:12)",
            "７六歩(77)    ( 0:12 / 00:00:12)",
            "３三成銀(42)   ( 0:12/00:00:12)",
            "３三成香(42)",
            "３四歩(33)  ",
            "３三歩打",
        ] {
            for end in ["\n", "\r\n"] {
                let usual = read(&[line, end].concat()).expect(line);
                let (said, after) = crate::spoken::parse(line).expect(line);
                assert_eq!((usual.time, usual.length), (elapsed(after), line.len() + end.len()));
                let (board, last) = (Board::from(&shogi::Handicap::Even.setup()), Some(shogi::Square::Sq32));
                assert_eq!(usual.said.resolve(last), said.resolve(&board, last).ok(), "{line}");
            }
        }
    }

    /// Whatever has the usual form is read as any form is.
    #[test]
    fn usual_moves_are_no_special_case() {
        let board = Board::from(&shogi::Handicap::Even.setup());
        let mut taken = 0;
        for to in ["７六", "同　", "76", "１九", "０六", "一７", "同六", "７　", "　六"] {
            for kind in ["歩", "成銀", "と", "龍", "竜", "不"] {
                for words in ["", "成", "不成", "打", "打　", "打左", "左上成", "成　"] {
                    for origin in ["", "(77)", " (77)", "(00)", "(07)", "(7", "（７７）", " ( 0:01/0:00:01)"]
                    {
                        let text = format!("{to}{kind}{words}{origin}");
                        let Some(usual) = read(&format!("{text}\n")) else { continue };
                        for last in [None, Some(Square::Sq77), Some(Square::Sq33)] {
                            let heard = crate::spoken::parse(&text);
                            let heard = heard.and_then(|(said, _)| said.resolve(&board, last).ok());
                            assert_eq!(usual.said.resolve(last), heard, "{text}");
                            taken += usize::from(heard.is_some());
                        }
                    }
                }
            }
        }
        assert!(taken > 50, "{taken}");
    }

    #[test]
    fn endings_are_known_in_both_scripts() {
        for (word, bytes) in ENDINGS {
            assert_eq!(*encoding_rs::SHIFT_JIS.encode(word).0, *bytes, "{word}");
            assert!(!matches!(Ending::from_kif(word), Ending::Other(_)), "{word}");
        }
    }

    #[test]
    fn numbers_come_one_after_the_other() {
        let mut due = Due::new(1, 0);
        for number in 1..=10_050 {
            let line = format!("{number:>4} ７六歩(77)");
            assert_eq!(due.begins(line.as_bytes()), number < 10_000, "{number}");
            assert_eq!(classify(&line), Line::Numbered(number, "７六歩(77)"));
            for other in ["   0 ７", "    ７六", "\t  1 ７", "0001 ７", "   1\t７"] {
                assert!(!due.begins(other.as_bytes()), "{number} {other}");
            }
            due = due.next();
            assert_eq!(due.ply(), number);
        }
    }

    /// Clocks are looked at as numbers: every byte in every place.
    #[test]
    fn every_byte_in_every_place() {
        let clock = b"( 0:12/00:00:12)";
        for (at, byte) in (0..clock.len()).flat_map(|at| (0..=127).map(move |byte| (at, byte))) {
            let mut text = *clock;
            text[at] = byte;
            if let Some(time) = clocks(text) {
                let line = std::str::from_utf8(&text).expect("ASCII");
                assert_eq!(Some(time), elapsed(line), "{line}");
            }
        }
    }

    #[test]
    fn fields_are_no_special_case() {
        let mut taken = 0;
        for name in [
            "開始日時",
            "先手",
            "後手",
            "下手",
            "上手省略名",
            "先手の持駒",
            "先手番",
            "手合割",
            "手数",
            "変化",
            "変",
            "まで",
            "",
            "９",
            "a",
            "持 ち",
            "a:b",
            "棋戦：",
            "場所:",
            "長い名の項目がある",
            "𠮷野",
            "*",
            "#",
            " 場所",
            "　場所",
            "▲７六歩",
        ] {
            for colon in ["：", ":", "", "："] {
                for value in [
                    "",
                    "a",
                    "x：y",
                    "2026/11/16 10:00",
                    "東京　将棋会館",
                    "ああああああああああああああああああああ",
                ] {
                    for end in ["\n", "\r\n"] {
                        let line = format!("{name}{colon}{value}");
                        let text = format!("{line}{end}{}", "次：".repeat(FIELD));
                        let Some((at, end)) = field(text.as_bytes()) else { continue };
                        assert_eq!(
                            classify(&line),
                            Line::Field(text[..at].strip_suffix('：').unwrap(), &line[at..]),
                            "{line}"
                        );
                        assert_eq!(text[..end].trim_end_matches('\r'), line);
                        taken += 1;
                    }
                }
            }
        }
        assert!(taken > 50, "{taken}");
    }

    #[test]
    fn leaves_the_others() {
        for text in [
            "",
            "７六歩(77)",
            "７六歩(77) +\n",
            "７六歩(77) (00:12 /00:00:12)\n",
            "７六歩(77) (00:12/ 00:00:12)\n",
            "７六歩(77) (00:12 / 00:00:12\n",
            "３三成金(42)\n",
            "３三成銀成(42)\n",
            "７六歩(77) (100:00/01:40:00)\n",
            "投了 ( 0:12/00:00:12)\n",
            "７六歩(77)   ( 0:12/00:00:12)",
            "７六歩(77)   ( 0:12/00:00:12)+\n",
            "７六歩(77)   ( 0:12/\n0:00:12)\n",
            "７六歩(77)   (\n0:12/00:00:12)\n",
            "▲７六歩(77)   ( 0:12/00:00:12)\n",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
