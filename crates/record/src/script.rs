//! The two ways in which files hold the characters of usual lines, so that readers need not decode them first.

use crate::encoding::{shift_jis, text_in_utf8};
use crate::glyphs;
use crate::kif::FIRST_OF_KANJI;
use crate::notation::{Target, piece_in_shift_jis, piece_in_utf8};
use crate::note::Draft;
use shogi::PieceKind;
use std::borrow::Cow;

/// An encoding as far as usual lines know it: all their characters that are not ASCII have the same width.
pub(crate) trait Script {
    /// How many bytes a wide character takes.
    const WIDTH: usize;
    /// 成, as a number.
    const PROMOTES: u32;
    /// 打
    const DROPPED: u32;
    /// まで
    const UNTIL: &'static [u8];

    /// Of a word and its bytes in Shift_JIS those that this is.
    fn either<'a>(word: &'a str, shift_jis: &'a [u8]) -> &'a [u8];

    /// The square of a move from its two characters, as a number.
    fn target(pair: u64) -> Option<Target>;

    /// A piece.
    fn piece(glyph: u32) -> Option<PieceKind>;

    /// Whether a line that begins so surely begins with a kanji, or with something else that no mark is.
    fn begins_with_kanji(first: u8) -> bool;

    /// Whole lines as text; `None` if they are none in this encoding.
    fn text(bytes: &[u8]) -> Option<Cow<'_, str>>;

    /// Adds the first line of some bytes to others, as [`Draft`] says.
    fn take_line(draft: &mut Draft, bytes: &[u8]) -> Option<usize>;
}

/// UTF-8.
pub(crate) struct Utf8;

impl Script for Utf8 {
    const WIDTH: usize = 3;
    const PROMOTES: u32 = glyphs::utf8('成');
    const DROPPED: u32 = glyphs::utf8('打');
    const UNTIL: &'static [u8] = "まで".as_bytes();

    #[inline(always)]
    fn either<'a>(word: &'a str, _: &'a [u8]) -> &'a [u8] {
        word.as_bytes()
    }

    #[inline(always)]
    fn target(pair: u64) -> Option<Target> {
        Target::in_utf8(pair)
    }

    #[inline(always)]
    fn piece(glyph: u32) -> Option<PieceKind> {
        piece_in_utf8(glyph)
    }

    #[inline(always)]
    fn begins_with_kanji(first: u8) -> bool {
        first >= FIRST_OF_KANJI
    }

    fn text(bytes: &[u8]) -> Option<Cow<'_, str>> {
        text_in_utf8(bytes).map(Cow::Borrowed)
    }

    #[inline(always)]
    fn take_line(draft: &mut Draft, bytes: &[u8]) -> Option<usize> {
        draft.take_line(bytes)
    }
}

/// Shift_JIS.
pub(crate) struct ShiftJis;

impl Script for ShiftJis {
    const WIDTH: usize = 2;
    const PROMOTES: u32 = glyphs::shift_jis('成');
    const DROPPED: u32 = glyphs::shift_jis('打');
    const UNTIL: &'static [u8] = b"\x82\xdc\x82\xc5";

    #[inline(always)]
    fn either<'a>(_: &'a str, shift_jis: &'a [u8]) -> &'a [u8] {
        shift_jis
    }

    #[inline(always)]
    fn target(pair: u64) -> Option<Target> {
        Target::in_shift_jis(pair)
    }

    #[inline(always)]
    fn piece(glyph: u32) -> Option<PieceKind> {
        piece_in_shift_jis(glyph)
    }

    /// The rows of JIS X 0208 that hold nothing else.
    #[inline(always)]
    fn begins_with_kanji(first: u8) -> bool {
        matches!(first, 0x88..=0x9f | 0xe0..=0xea)
    }

    fn text(bytes: &[u8]) -> Option<Cow<'_, str>> {
        shift_jis::decode(bytes).map(Cow::Owned)
    }

    #[inline(always)]
    fn take_line(draft: &mut Draft, bytes: &[u8]) -> Option<usize> {
        draft.take_shift_jis_line(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of first bytes of Shift_JIS is so in UTF-8, too.
    #[test]
    fn kanji_are_kanji_in_both() {
        let mut kanji = 0;
        for first in (0x80..=0xff).filter(|first| ShiftJis::begins_with_kanji(*first)) {
            for second in 0x40..=0xfc {
                if let Some(text) = ShiftJis::text(&[first, second]) {
                    assert!(Utf8::begins_with_kanji(text.as_bytes()[0]), "{text}");
                    kanji += 1;
                }
            }
        }
        assert!(kanji > 6000, "{kanji}");
        assert_eq!(ShiftJis::text(ShiftJis::UNTIL).as_deref(), Some("まで"));
    }
}
