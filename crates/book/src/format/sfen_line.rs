//! Positions in books: canonical SFEN, recognised without building a board.

use crate::error::LineFault;
use crate::format::board_text::board_length;
use shogi::{Setup, SfenError};
use std::borrow::Cow;

/// A position of a text book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SfenLine<'a> {
    /// Board, side to move and hands in canonical form.
    pub place: Cow<'a, [u8]>,
    /// The move number; 1 if there is none.
    pub ply: u32,
}

impl<'a> SfenLine<'a> {
    /// Reads the text after `sfen `. Accepts hands in another order, a missing move number and a `//` comment.
    ///
    /// ```
    /// use book::SfenLine;
    /// let line = SfenLine::parse(b"4k4/9/9/9/9/9/9/9/4K4 b pP2R 7 // tsume")?;
    /// assert_eq!((&*line.place, line.ply), (b"4k4/9/9/9/9/9/9/9/4K4 b 2RPp".as_slice(), 7));
    /// # Ok::<(), book::LineFault>(())
    /// ```
    pub fn parse(text: &'a [u8]) -> Result<Self, LineFault> {
        if let Some(line) = Self::canonical(text) {
            return Ok(line);
        }
        let text = std::str::from_utf8(without_comment(text)).map_err(|_| LineFault::NotAscii)?;
        let setup: Setup = text.parse()?;
        // Positions that cannot be played are invalid.
        shogi::Position::with_room(&setup, 1).map_err(SfenError::from)?;
        let mut place = setup.to_string().into_bytes();
        let (length, ply) = (split_ply(&place).0.len(), setup.ply);
        place.truncate(length);
        Ok(Self { place: Cow::Owned(place), ply })
    }

    /// The fast path for canonical text.
    pub(crate) fn canonical(text: &'a [u8]) -> Option<Self> {
        let board = board_length(text)?;
        let [b' ', b'b' | b'w', b' ', ..] = text[board..] else { return None };
        let hands = board + 3;
        let place = &text[..hands + hands_length(&text[hands..])?];
        let digits = text[place.len()..].strip_prefix(b" ")?;
        let well_formed =
            matches!(digits, [b'1'..=b'9', ..]) && digits.len() <= 6 && digits.iter().all(u8::is_ascii_digit);
        well_formed.then(|| {
            let ply = digits.iter().fold(0, |ply, digit| ply * 10 + u32::from(digit - b'0'));
            Self { place: Cow::Borrowed(place), ply }
        })
    }
}

/// The text without a `//` comment.
pub(crate) fn without_comment(text: &[u8]) -> &[u8] {
    // Few lines contain even one slash after the board.
    let comment = memchr::memchr(b'/', text).and_then(|_| memchr::memmem::find(text, b"//"));
    &text[..comment.unwrap_or(text.len())]
}

/// Splits the move number, with the blank before it, off an SFEN; without one, the whole text is the place.
#[must_use]
pub fn split_ply(sfen: &[u8]) -> (&[u8], &[u8]) {
    let digits = sfen.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let blank = sfen.len() - digits;
    if digits == 0 || !matches!(sfen.get(blank.wrapping_sub(1)), Some(b' ')) {
        return (sfen, b"");
    }
    (&sfen[..blank - 1], &sfen[blank..])
}

/// The order of pieces in hands, from 1; 0 for all other bytes.
const HAND_ORDER: [u8; 256] = {
    let order = b"RBGSNLPrbgsnlp";
    let mut table = [0; 256];
    let mut i = 0;
    while i < order.len() {
        table[order[i] as usize] = i as u8 + 1;
        i += 1;
    }
    table
};

/// The length of canonical hands, which a blank ends.
fn hands_length(text: &[u8]) -> Option<usize> {
    if let [b'-', ..] = text {
        return Some(1);
    }
    let (mut count, mut last) = (0u32, 0);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b' ' => return (at > 0 && count == 0).then_some(at),
            b'0'..=b'9' => {
                count = count * 10 + u32::from(byte - b'0');
                // A leading zero or a long number is not canonical.
                if !(1..=18).contains(&count) {
                    return None;
                }
            }
            piece => {
                let order = HAND_ORDER[usize::from(*piece)];
                // Neither is a count of one.
                if std::mem::take(&mut count) == 1 || order <= last {
                    return None;
                }
                last = order;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::board_text::push_place;
    use proptest::prelude::*;
    use shogi::Position;

    fn read(text: &str) -> Option<(String, u32, bool)> {
        let line = SfenLine::parse(text.as_bytes()).ok()?;
        let canonical = matches!(line.place, Cow::Borrowed(_));
        Some((String::from_utf8(line.place.into_owned()).unwrap(), line.ply, canonical))
    }

    #[test]
    fn the_quick_way_takes_only_what_is_canonical() {
        let board = "4k4/9/9/9/9/9/9/9/4K4";
        for (text, canonical) in [
            (format!("{board} b - 1"), true),
            (format!("{board} w 2RB10p 999999"), true),
            (format!("{board} w 2RB10p"), false),
            (format!("{board} w pP 3"), false),
            (format!("{board} w 1P 3"), false),
            (format!("{board} w 2RB10p 03"), false),
            (format!("{board} w 2RB10p 3 "), false),
            ("4k4/36/9/9/9/9/9/9/4K4 w - 3".to_owned(), false),
        ] {
            let (place, ply, quick) = read(&text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(quick, canonical, "{text}");
            let setup: Setup = text.parse().unwrap();
            assert_eq!(format!("{place} {ply}"), setup.to_string(), "{text}");
        }
    }

    #[test]
    fn what_is_no_position() {
        for text in [
            "",
            "4k4 b - 1",
            "9/9/9/9/9/9/9/9/9 b - 1",
            "4k4/9/9/9/9/9/9/9/4K4 x - 1",
            "4k4/9/9/9/9/9/9/9/4K3+K b - 1",
            "4k4/9/9/9/9/9/9/9/4K41 b - 1",
            "4k4/9/9/9/9/9/9/9/4K3+G b - 1",
            "4k4/9/9/9/9/9/9/9/4K4/9 b - 1",
            "4k4/9/9/9/9/9/9/9/4K4 b 2 1",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(SfenLine::parse(b"\xff\xfe"), Err(LineFault::NotAscii));
    }

    #[test]
    fn the_number_is_split_off() {
        assert_eq!(split_ply(b"a b - 12"), (b"a b -".as_slice(), b"12".as_slice()));
        assert_eq!(split_ply(b"a b 2P"), (b"a b 2P".as_slice(), b"".as_slice()));
        assert_eq!(split_ply(b"12"), (b"12".as_slice(), b"".as_slice()));
        assert_eq!(split_ply(b""), (b"".as_slice(), b"".as_slice()));
    }

    proptest! {
        /// Positions of games are canonical, and equal to what the kernel writes.
        #[test]
        fn positions_of_play_take_the_quick_way(choices in prop::collection::vec(any::<usize>(), 0..120)) {
            let mut position = Position::startpos();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.do_move(moves[choice % moves.len()]);
                let sfen = position.sfen();
                let (place, ply, quick) = read(&sfen).expect("a position");
                prop_assert!(quick, "{}", sfen);
                prop_assert_eq!(format!("{place} {ply}"), sfen);
                let mut written = Vec::new();
                push_place(&mut written, &position.setup());
                prop_assert_eq!(written, place.into_bytes());
            }
        }

        #[test]
        fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = SfenLine::parse(&bytes);
        }
    }
}
