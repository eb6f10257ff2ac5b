//! The form that nearly every line of KIF files has, read without looking for anything else.

use crate::lines::skip_spaces;
use crate::spoken::Plain;
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
const LONGEST: usize = 48;

impl UsualLine {
    /// Reads such a line at the start of a text; `None` if it is written in any other way.
    #[inline(always)]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let text: &[u8; LONGEST] = text.first_chunk()?;
        let (said, rest) = Plain::parse(text)?;
        let (time, rest) = clocks(skip_spaces(rest));
        let ([b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..]) = rest else { return None };
        Some(Self { said, time, length: LONGEST - rest.len() })
    }
}

/// The number with which the next line begins if everything is in order.
pub(super) struct Due {
    /// In four columns, and one blank, as a number.
    columns: u64,
    number: u32,
    /// How many moves come before it.
    pub ply: u32,
}

impl Due {
    /// How many bytes it takes.
    pub const LENGTH: usize = 5;

    pub fn new(number: u32, ply: u32) -> Self {
        let mut columns = [b' '; 8];
        let mut rest = number;
        for column in columns[..4].iter_mut().rev() {
            if rest > 0 {
                *column = b'0' + (rest % 10) as u8;
                rest /= 10;
            }
        }
        // No text holds what stands for larger ones.
        let columns = if rest > 0 { [0xff; 8] } else { columns };
        Self { columns: u64::from_le_bytes(columns), number, ply }
    }

    /// The one that follows, which is mostly found by counting on the last digit.
    #[inline(always)]
    pub fn next(&self) -> Self {
        const LAST: u32 = 8 * 3;
        let (number, ply) = (self.number.saturating_add(1), self.ply + 1);
        if ((self.columns >> LAST) as u8) < b'9' {
            Self { columns: self.columns + (1 << LAST), number, ply }
        } else {
            Self::new(number, ply)
        }
    }

    #[inline(always)]
    pub fn begins(&self, text: &[u8]) -> bool {
        let unused = u64::BITS - 8 * Self::LENGTH as u32;
        text.first_chunk().is_some_and(|text| u64::from_le_bytes(*text) << unused == self.columns << unused)
    }
}

/// Takes `( 0:12/00:00:12)` off; the total, which says nothing new, need not be one.
#[inline(always)]
fn clocks(text: &[u8]) -> (Option<Duration>, &[u8]) {
    match text.split_first_chunk() {
        Some((clocks, rest)) if are_clocks(clocks) => {
            let number = |at: usize| u64::from(10 * (clocks[at] & 0x0f) + (clocks[at + 1] & 0x0f));
            (Some(Duration::from_secs(60 * number(1) + number(4))), rest)
        }
        _ => (None, text),
    }
}

/// Whether this is `(12:34/00:12:34)`, looked at as two numbers; for the first digit there may be a blank. Of the total it is
/// enough that digits and colons share the upper half of their bytes, which no line end does.
#[inline(always)]
fn are_clocks(text: &[u8; 16]) -> bool {
    const ELAPSED: u64 = u64::from_le_bytes(*b"( 0:00/0");
    const ELAPSED_KNOWN: u64 = u64::from_le_bytes([0xff, 0xe0, 0xf0, 0xff, 0xf0, 0xf0, 0xff, 0xf0]);
    const TOTAL: u64 = u64::from_le_bytes(*b"0000000)");
    const TOTAL_KNOWN: u64 = u64::from_le_bytes([0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xff]);
    /// What carries a digit above 9 into the upper half of its byte.
    const SIXES: u64 = u64::from_le_bytes([0, 6, 6, 0, 6, 6, 0, 0]);
    let (Some(elapsed), Some(total)) = (text.first_chunk(), text.last_chunk()) else { return false };
    let (elapsed, total) = (u64::from_le_bytes(*elapsed), u64::from_le_bytes(*total));
    // A digit is one without and with the carry.
    let differs = (elapsed ^ ELAPSED) | (elapsed.wrapping_add(SIXES) ^ ELAPSED);
    differs & ELAPSED_KNOWN | (total ^ TOTAL) & TOTAL_KNOWN == 0 && (text[1] == b' ' || text[1] >= b'0')
}

#[cfg(test)]
mod tests {
    use super::super::clock::elapsed;
    use super::super::line::{Line, classify};
    use super::*;
    use crate::Board;

    /// A line in a text that goes on, as the readers of usual lines want it.
    fn in_a_text(line: &str) -> Vec<u8> {
        [line, &"next".repeat(LONGEST)].concat().into_bytes()
    }

    #[test]
    fn reads_what_the_other_readers_read() {
        for line in [
            "７六歩(77)   ( 0:12/00:00:12)",
            "同　銀成(31) (59:04/02:03:04)",
            "５五角打   (09:59/12:34:56)",
            "３四歩(33)  ",
            "３三歩打",
        ] {
            for end in ["\n", "\r\n"] {
                let usual = UsualLine::parse(&in_a_text(&[line, end].concat())).expect(line);
                let (said, after) = crate::spoken::parse(line).expect(line);
                assert_eq!((usual.time, usual.length), (elapsed(after), line.len() + end.len()));
                let (board, last) = (Board::from(&shogi::Handicap::Even.setup()), Some(shogi::Square::Sq32));
                assert_eq!(usual.said.resolve(|| last), said.resolve(&board, last).ok(), "{line}");
            }
        }
    }

    #[test]
    fn numbers_come_one_after_the_other() {
        let mut due = Due::new(1, 0);
        for number in 1..=10_050 {
            let line = format!("{number:>4} ７六歩(77)");
            assert_eq!(due.begins(line.as_bytes()), number < 10_000, "{number}");
            assert_eq!(classify(&line), Line::Numbered(number, "７六歩(77)"));
            for other in ["", "   0 ７", "    ７六", "\t  1 ７", "0001 ７", "   1\t７"] {
                assert!(!due.begins(other.as_bytes()), "{number} {other}");
            }
            due = due.next();
            assert_eq!(due.ply, number);
        }
    }

    /// Clocks are looked at as numbers: every byte in every place.
    #[test]
    fn every_byte_in_every_place() {
        let clock = b"( 0:12/00:00:12)";
        for (at, byte) in (0..clock.len()).flat_map(|at| (0..=127).map(move |byte| (at, byte))) {
            let mut text = *clock;
            text[at] = byte;
            if let (Some(time), rest) = clocks(&text) {
                let line = std::str::from_utf8(&text).expect("ASCII");
                assert_eq!((Some(time), rest), (elapsed(line), [].as_slice()), "{line}");
            }
        }
    }

    #[test]
    fn leaves_the_others() {
        for text in [
            "",
            "７六歩(77)",
            "７六歩(77) +\n",
            "７六歩(77) (100:00/01:40:00)\n",
            "投了 ( 0:12/00:00:12)\n",
            "７六歩(77)   ( 0:12/00:00:12)",
            "７六歩(77)   ( 0:12/00:00:12)+\n",
            "７六歩(77)   ( 0:12/\n0:00:12)\n",
            "７六歩(77)   (\n0:12/00:00:12)\n",
            "▲７六歩(77)   ( 0:12/00:00:12)\n",
        ] {
            assert_eq!(UsualLine::parse(&in_a_text(text)), None, "{text}");
        }
    }
}
