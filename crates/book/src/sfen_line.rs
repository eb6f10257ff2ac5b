//! Positions as books write them: canonical SFEN, and telling it from other spellings without building a board.

use crate::error::LineFault;
use shogi::{Setup, SfenError};
use std::borrow::Cow;

/// A position of a text book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SfenLine<'a> {
    /// Board, side to move and hands, canonically.
    pub place: Cow<'a, [u8]>,
    /// The move number; 1 where there is none.
    pub ply: u32,
}

impl<'a> SfenLine<'a> {
    /// Reads what follows `sfen `. Hands in another order, missing move numbers and a `//` comment are forgiven.
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
        let text = std::str::from_utf8(text).map_err(|_| LineFault::NotAscii)?;
        let text = text.find("//").map_or(text, |comment| &text[..comment]);
        let setup: Setup = text.parse()?;
        // Only a setup that can be played on is a position.
        shogi::Position::with_room(&setup, 1).map_err(SfenError::from)?;
        let mut place = setup.to_string().into_bytes();
        let (length, ply) = (split_ply(&place).0.len(), setup.ply);
        place.truncate(length);
        Ok(Self { place: Cow::Owned(place), ply })
    }

    /// The quick way, for what is canonical already.
    pub(crate) fn canonical(text: &'a [u8]) -> Option<Self> {
        let mut scan = Scan { bytes: text, at: 0 };
        scan.board()?;
        scan.expect(b' ')?;
        scan.one_of(b"bw")?;
        scan.expect(b' ')?;
        scan.hands()?;
        let place = &text[..scan.at];
        scan.expect(b' ')?;
        let digits = &text[scan.at..];
        let well_formed =
            matches!(digits, [b'1'..=b'9', ..]) && digits.len() <= 6 && digits.iter().all(u8::is_ascii_digit);
        well_formed.then(|| {
            let ply = digits.iter().fold(0, |ply, digit| ply * 10 + u32::from(digit - b'0'));
            Self { place: Cow::Borrowed(place), ply }
        })
    }
}

/// Takes the move number off an SFEN, with the blank before it; without one the whole text is the place.
#[must_use]
pub fn split_ply(sfen: &[u8]) -> (&[u8], &[u8]) {
    let digits = sfen.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let blank = sfen.len() - digits;
    if digits == 0 || !matches!(sfen.get(blank.wrapping_sub(1)), Some(b' ')) {
        return (sfen, b"");
    }
    (&sfen[..blank - 1], &sfen[blank..])
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// How many squares of a row a byte fills; pieces that cannot promote and those that can.
const FILLS: [u8; 256] = {
    let mut table = [0; 256];
    let mut digit = 1;
    while digit <= 9 {
        table[(b'0' + digit) as usize] = digit;
        digit += 1;
    }
    table
};
const PROMOTABLE: u8 = 1;
const PIECE: u8 = 2;
const KINDS: [u8; 256] = {
    let mut table = [0; 256];
    let (all, promotable) = (b"PLNSGBRKplnsgbrk", b"PLNSBRplnsbr");
    let mut i = 0;
    while i < all.len() {
        table[all[i] as usize] = PIECE;
        i += 1;
    }
    i = 0;
    while i < promotable.len() {
        table[promotable[i] as usize] |= PROMOTABLE;
        i += 1;
    }
    table
};

impl Scan<'_> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek() == byte).then(|| self.at += 1)
    }

    fn one_of(&mut self, bytes: &[u8]) -> Option<()> {
        bytes.contains(&self.peek()).then(|| self.at += 1)
    }

    fn board(&mut self) -> Option<()> {
        let mut kings = [0u8; 2];
        for row in 0..9 {
            if row > 0 {
                self.expect(b'/')?;
            }
            let mut squares = 0;
            let mut after_digit = false;
            while squares < 9 {
                let byte = self.peek();
                self.at += 1;
                let fills = FILLS[usize::from(byte)];
                if fills > 0 {
                    if after_digit {
                        return None;
                    }
                    squares += fills;
                    after_digit = true;
                    continue;
                }
                after_digit = false;
                squares += 1;
                if byte == b'+' {
                    if KINDS[usize::from(self.peek())] & PROMOTABLE == 0 {
                        return None;
                    }
                    self.at += 1;
                } else if KINDS[usize::from(byte)] == 0 {
                    return None;
                } else if byte | 0x20 == b'k' {
                    kings[usize::from(byte == b'k')] += 1;
                }
            }
            if squares > 9 {
                return None;
            }
        }
        (kings.iter().all(|count| *count <= 1) && kings != [0, 0]).then_some(())
    }

    fn hands(&mut self) -> Option<()> {
        if self.peek() == b'-' {
            self.at += 1;
            return Some(());
        }
        let mut order = b"RBGSNLPrbgsnlp".iter();
        let begin = self.at;
        while self.peek() != b' ' {
            let mut count = 0u32;
            while self.peek().is_ascii_digit() {
                count = count * 10 + u32::from(self.peek() - b'0');
                self.at += 1;
                // A leading zero, a count of one or a long one is another spelling, at best.
                if !(1..=18).contains(&count) {
                    return None;
                }
            }
            let piece = self.peek();
            if count == 1 || !order.any(|next| *next == piece) {
                return None;
            }
            self.at += 1;
        }
        (self.at > begin).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        /// Whatever play leads to is canonical, and both ways agree on it.
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
            }
        }

        #[test]
        fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = SfenLine::parse(&bytes);
        }
    }
}
