//! What single characters mean, found without a branch for each.

/// A map from some characters, laid out by the compiler so that each has a slot of its own.
///
/// Readers ask it several times for every move, and which piece comes next nobody can predict: one look-up costs less
/// than the mispredicted comparisons of a `match`.
pub(crate) struct Glyphs<T> {
    /// The number of a character ([`utf8`]), or [`NOBODY`], and what it means.
    slots: [(u32, T); SLOTS],
    multiplier: u32,
}

const SLOTS: usize = 128;

/// No character has this number.
const NOBODY: u32 = u32::MAX;

/// A character as files hold it, as a number.
pub(crate) const fn utf8(c: char) -> u32 {
    let mut bytes = [0; 4];
    c.encode_utf8(&mut bytes);
    u32::from_le_bytes(bytes)
}

/// The characters of usual moves in Shift_JIS.
#[rustfmt::skip]
const SHIFT_JIS: [(char, u16); 40] = [
    ('一', 0x88ea), ('二', 0x93f1), ('三', 0x8e4f), ('四', 0x8e6c), ('五', 0x8cdc), ('六', 0x985a),
    ('七', 0x8eb5), ('八', 0x94aa), ('九', 0x8be3), ('１', 0x8250), ('２', 0x8251), ('３', 0x8252),
    ('４', 0x8253), ('５', 0x8254), ('６', 0x8255), ('７', 0x8256), ('８', 0x8257), ('９', 0x8258),
    ('同', 0x93af), ('\u{3000}', 0x8140), ('成', 0x90ac), ('打', 0x91c5), ('歩', 0x95e0), ('香', 0x8d81),
    ('桂', 0x8c6a), ('銀', 0x8be2), ('金', 0x8be0), ('角', 0x8a70), ('飛', 0x94f2), ('玉', 0x8bca),
    ('王', 0x89a4), ('と', 0x82c6), ('个', 0x98a2), ('杏', 0x88c7), ('圭', 0x8c5c), ('全', 0x9153),
    ('仝', 0x8157), ('馬', 0x946e), ('龍', 0x97b4), ('竜', 0x97b3),
];

/// The same in Shift_JIS, for characters of usual moves; all others are [`NOBODY`].
pub(crate) const fn shift_jis(c: char) -> u32 {
    let mut i = 0;
    while i < SHIFT_JIS.len() {
        let (known, code) = SHIFT_JIS[i];
        if known as u32 == c as u32 {
            return code.swap_bytes() as u32;
        }
        i += 1;
    }
    NOBODY
}

/// How bytes hold characters.
#[derive(Clone, Copy)]
pub(crate) enum Coding {
    Utf8,
    ShiftJis,
}

impl Coding {
    /// The bytes of a character as a number.
    pub(crate) const fn number(self, c: char) -> u32 {
        match self {
            Self::Utf8 => utf8(c),
            Self::ShiftJis => shift_jis(c),
        }
    }
}

#[inline(always)]
const fn slot(glyph: u32, multiplier: u32) -> usize {
    (glyph.wrapping_mul(multiplier) >> (u32::BITS - SLOTS.ilog2())) as usize
}

impl<T: Copy> Glyphs<T> {
    /// Those that have a number in a coding.
    ///
    /// # Panics
    /// When compiled: if a character is listed twice.
    pub(crate) const fn new<const N: usize>(list: &[(char, T); N], coding: Coding) -> Self {
        let mut numbers = [(NOBODY, list[0].1); N];
        let mut i = 0;
        while i < N {
            numbers[i] = (coding.number(list[i].0), list[i].1);
            i += 1;
        }
        Self::of_numbers(&numbers)
    }

    const fn of_numbers(list: &[(u32, T)]) -> Self {
        let mut multiplier = 0x9e37_79b1;
        loop {
            let mut glyphs = Self { slots: [(NOBODY, list[0].1); SLOTS], multiplier };
            let mut i = 0;
            while i < list.len() {
                let (glyph, value) = list[i];
                if glyph == NOBODY {
                    i += 1;
                    continue;
                }
                let place = &mut glyphs.slots[slot(glyph, multiplier)];
                assert!(place.0 != glyph, "a character is listed twice");
                if place.0 != NOBODY {
                    break;
                }
                *place = (glyph, value);
                i += 1;
            }
            if i == list.len() {
                return glyphs;
            }
            multiplier = multiplier.wrapping_mul(0x915f_77f5) | 1;
        }
    }

    #[inline]
    pub(crate) fn get(&self, c: char) -> Option<T> {
        self.find(utf8(c))
    }

    /// The one with this number ([`utf8`]).
    #[inline(always)]
    pub(crate) fn find(&self, glyph: u32) -> Option<T> {
        let (known, value) = self.slots[slot(glyph, self.multiplier)];
        if known == glyph { Some(value) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shift_jis_is_as_others_know_it() {
        for (c, code) in SHIFT_JIS {
            let mut text = [0; 4];
            let (bytes, _, unmappable) = encoding_rs::SHIFT_JIS.encode(c.encode_utf8(&mut text));
            assert!(!unmappable && *bytes == code.to_be_bytes(), "{c}");
            assert_eq!(shift_jis(c).to_le_bytes()[..2], code.to_be_bytes());
        }
    }

    #[test]
    fn knows_what_is_listed_and_nothing_else() {
        const LIST: [(char, u8); 5] = [('歩', 1), ('香', 2), ('1', 3), ('と', 4), ('𠮷', 5)];
        static GLYPHS: Glyphs<u8> = Glyphs::new(&LIST, Coding::Utf8);
        for c in '\0'..=char::MAX {
            let listed = LIST.iter().find(|(known, _)| *known == c).map(|(_, value)| *value);
            assert_eq!(GLYPHS.get(c), listed, "{c:?}");
        }
    }
}
