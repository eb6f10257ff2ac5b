//! The form that nearly every line of KIF files has, read without looking for anything else.

use super::clock::{clock, skip_blanks};
use super::line::numbered;
use crate::spoken::{Spoken, plain};
use std::time::Duration;

/// `  12 ７六歩(77)   ( 0:12/00:00:12)`
#[derive(PartialEq, Eq, Debug)]
pub(super) struct UsualLine {
    pub number: u32,
    pub said: Spoken,
    pub time: Duration,
}

/// Takes such a line with its end off the start of a text; `None` if it is written in any other way.
#[inline]
pub(super) fn take(text: &str) -> Option<(UsualLine, &str)> {
    let (number, rest) = numbered(text)?;
    let (said, rest) = plain(rest)?;
    let (time, rest) = clock(skip_blanks(rest.as_bytes()).strip_prefix(b"(")?)?;
    let rest = total(rest)?;
    Some((UsualLine { number, said, time }, &text[text.len() - rest.len()..]))
}

/// Takes `00:00:12)` and the end of the line off; the total itself says nothing new.
#[inline]
fn total(text: &[u8]) -> Option<&[u8]> {
    const UPPER_HALVES: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    let (&clock, rest) = text.split_first_chunk::<8>()?;
    // The digits and the colon share the upper half of their bytes, and no line end does.
    if u64::from_ne_bytes(clock) & UPPER_HALVES != u64::from_ne_bytes([b'0'; 8]) {
        return None;
    }
    match rest {
        [b')', b'\r', b'\n', rest @ ..] | [b')', b'\n', rest @ ..] => Some(rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::{Line, classify};
    use super::*;

    #[test]
    fn reads_what_the_other_readers_read() {
        let usual = [
            "   1 ７六歩(77)   ( 0:12/00:00:12)",
            "12 同　銀成(31) (123:04/02:03:04)",
            "3 ５五角打 (0:1 /12:34:56)",
        ];
        for line in usual {
            for end in ["\n", "\r\n"] {
                let text = format!("{line}{end}next");
                let (taken, rest) = take(&text).expect(line);
                let Line::Numbered(number, said) = classify(line) else { panic!("{line}") };
                let (said, after) = crate::spoken::parse(said).expect(line);
                let time = super::super::elapsed(after).expect(line);
                assert_eq!((taken, rest), (UsualLine { number, said, time }, "next"));
            }
        }
    }

    #[test]
    fn leaves_the_others() {
        for text in [
            "",
            "   1 ７六歩(77)\n",
            "   1 投了 ( 0:12/00:00:12)\n",
            "   1 ７六歩(77)   ( 0:12/00:00:12)",
            "   1 ７六歩(77)   ( 0:12/00:00:12)+\n",
            "   1 ７六歩(77)   ( 0:12/\n0:00:12)\n",
            "   1 ７六歩(77)   (\n0:12/00:00:12)\n",
            "   1 ７六歩(77)\n   ( 0:12/00:00:12)\n",
            "▲７六歩(77)   ( 0:12/00:00:12)\n",
        ] {
            assert_eq!(take(text), None, "{text}");
        }
    }
}
