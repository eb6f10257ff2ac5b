//! The form that nearly every line of KIF files has, read without looking for anything else.

use super::line::numbered;
use crate::lines::skip_spaces;
use crate::spoken::Plain;
use std::time::Duration;

/// `  12 ７六歩(77)   ( 0:12/00:00:12)`, or without the time.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct UsualLine {
    pub number: u32,
    pub said: Plain,
    pub time: Option<Duration>,
}

/// Takes such a line with its end off the start of a text; `None` if it is written in any other way.
#[inline(always)]
pub(super) fn take(text: &str) -> Option<(UsualLine, &str)> {
    let (number, rest) = four_wide(text.as_bytes()).or_else(|| numbered(text.as_bytes()))?;
    let (said, rest) = Plain::parse(rest)?;
    let (time, rest) = clocks(skip_spaces(rest));
    let ([b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..]) = rest else { return None };
    Some((UsualLine { number, said, time }, &text[text.len() - rest.len()..]))
}

/// Takes `  12 ` off: blanks and digits in four columns, then one blank and something else.
#[inline(always)]
fn four_wide(text: &[u8]) -> Option<(u32, &[u8])> {
    const ONES: u32 = u32::from_le_bytes([1; 4]);
    let (&columns, [b' ', rest @ ..]) = text.split_first_chunk()? else { return None };
    if matches!(rest, [] | [b' ' | b'\t', ..]) {
        return None;
    }
    let columns = u32::from_le_bytes(columns);
    // One in the columns with a digit, if all hold blanks or digits: these differ in one bit.
    let digits = (columns >> 4) & ONES;
    let values = columns & (digits * 0x0f);
    let blanks_or_digits =
        columns == ONES * 0x20 + digits * 0x10 + values && (values + ONES * 6) & (ONES * 0xf0) == 0;
    let digits_come_last = digits & (ONES << 24) != 0 && (digits << 8) & !digits == 0;
    if !(blanks_or_digits && digits_come_last) {
        return None;
    }
    // Neighbours make pairs, pairs make the number.
    let pairs = values * 10 + (values >> 8);
    Some(((pairs & 0xff) * 100 + ((pairs >> 16) & 0xff), rest))
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

/// Whether this is `(12:34/00:12:34)`, looked at as one number; for the first digit there may be a blank. Of the total it is
/// enough that digits and colons share the upper half of their bytes, which no line end does.
#[inline(always)]
fn are_clocks(text: &[u8; 16]) -> bool {
    const KNOWN: u128 = u128::from_le_bytes([
        0xff, 0xe0, 0xf0, 0xff, 0xf0, 0xf0, 0xff, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xff,
    ]);
    const FORM: u128 = u128::from_le_bytes(*b"( 0:00/00000000)");
    /// What carries a digit above 9 into the upper half of its byte.
    const SIXES: u64 = u64::from_le_bytes([0, 6, 6, 0, 6, 6, 0, 0]);
    let number = u128::from_le_bytes(*text);
    let without_carry = (number as u64).wrapping_add(SIXES) & KNOWN as u64 == FORM as u64;
    number & KNOWN == FORM && without_carry && (text[1] == b' ' || text[1] >= b'0')
}

#[cfg(test)]
mod tests {
    use super::super::clock::elapsed;
    use super::super::line::{Line, classify};
    use super::*;
    use crate::Board;

    #[test]
    fn reads_what_the_other_readers_read() {
        for line in [
            "   1 ７六歩(77)   ( 0:12/00:00:12)",
            "\t12 同　銀成(31) (59:04/02:03:04)",
            "3 ５五角打   (09:59/12:34:56)",
            "   4 ３四歩(33)  ",
            "   5 ３三歩打",
        ] {
            for end in ["\n", "\r\n"] {
                let text = format!("{line}{end}next");
                let (taken, rest) = take(&text).expect(line);
                let Line::Numbered(number, said) = classify(line) else { panic!("{line}") };
                let (said, after) = crate::spoken::parse(said).expect(line);
                assert_eq!((taken.number, taken.time, rest), (number, elapsed(after), "next"));
                let (board, last) = (Board::from(&shogi::Handicap::Even.setup()), Some(shogi::Square::Sq32));
                assert_eq!(taken.said.resolve(last), said.resolve(&board, last).ok(), "{line}");
            }
        }
    }

    /// Columns and clocks that are looked at as numbers, with every byte in every place.
    #[test]
    fn every_byte_in_every_place() {
        for number in ["   1 ", "  12 ", " 123 ", "1234 "] {
            for (at, byte) in (0..number.len()).flat_map(|at| (0..=255).map(move |byte| (at, byte))) {
                let mut text = [number.as_bytes(), "７".as_bytes()].concat();
                text[at] = byte;
                if let Some(taken) = four_wide(&text) {
                    assert_eq!(Some(taken), numbered(&text), "{text:?}");
                }
            }
            assert!(four_wide(format!("{number}７").as_bytes()).is_some());
        }
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
            "   1 ７六歩(77)",
            "   1 ７六歩(77) +\n",
            "   1 ７六歩(77) (100:00/01:40:00)\n",
            "   1 投了 ( 0:12/00:00:12)\n",
            "   1 ７六歩(77)   ( 0:12/00:00:12)",
            "   1 ７六歩(77)   ( 0:12/00:00:12)+\n",
            "   1 ７六歩(77)   ( 0:12/\n0:00:12)\n",
            "   1 ７六歩(77)   (\n0:12/00:00:12)\n",
            "▲７六歩(77)   ( 0:12/00:00:12)\n",
        ] {
            assert_eq!(take(text), None, "{text}");
        }
    }
}
