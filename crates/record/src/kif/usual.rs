//! The form that nearly every line of KIF files has, read without looking for anything else.

use super::line::numbered;
use crate::lines::skip_blanks;
use crate::spoken::{Spoken, plain};
use std::time::Duration;

/// `  12 ７六歩(77)   ( 0:12/00:00:12)`, or without the time.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct UsualLine {
    pub number: u32,
    pub said: Spoken,
    pub time: Option<Duration>,
}

/// Takes such a line with its end off the start of a text; `None` if it is written in any other way.
#[inline(always)]
pub(super) fn take(text: &str) -> Option<(UsualLine, &str)> {
    let (number, rest) = numbered(text.as_bytes())?;
    let (said, rest) = plain(rest)?;
    let (time, rest) = clocks(skip_blanks(rest));
    let ([b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..]) = rest else { return None };
    Some((UsualLine { number, said, time }, &text[text.len() - rest.len()..]))
}

/// Takes `( 0:12/00:00:12)` off; the total, which says nothing new, need not be one.
#[inline(always)]
fn clocks(text: &[u8]) -> (Option<Duration>, &[u8]) {
    match text.split_first_chunk::<16>() {
        Some((
            &[
                b'(',
                tens @ (b' ' | b'0'..=b'9'),
                minutes @ b'0'..=b'9',
                b':',
                ten_seconds @ b'0'..=b'9',
                seconds @ b'0'..=b'9',
                b'/',
                ref total @ ..,
                b')',
            ],
            rest,
        )) if may_be_clock(*total) => {
            let number = |tens: u8, ones: u8| u64::from(10 * (tens & 0x0f) + (ones & 0x0f));
            (Some(Duration::from_secs(60 * number(tens, minutes) + number(ten_seconds, seconds))), rest)
        }
        _ => (None, text),
    }
}

/// Digits and colons share the upper half of their bytes; no line end does.
#[inline(always)]
fn may_be_clock(text: [u8; 8]) -> bool {
    const UPPER_HALVES: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    u64::from_ne_bytes(text) & UPPER_HALVES == u64::from_ne_bytes([b'0'; 8])
}

#[cfg(test)]
mod tests {
    use super::super::clock::elapsed;
    use super::super::line::{Line, classify};
    use super::*;

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
                assert_eq!((taken, rest), (UsualLine { number, said, time: elapsed(after) }, "next"));
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
