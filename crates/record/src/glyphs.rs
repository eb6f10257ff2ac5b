//! What single characters mean, found without a branch for each.

use std::num::NonZeroU32;

/// A map from some characters, laid out by the compiler so that each has a slot of its own.
///
/// Readers ask it several times for every move, and which piece comes next nobody can predict: one look-up costs less
/// than the mispredicted comparisons of a `match`.
pub(crate) struct Glyphs<T> {
    slots: [Option<(Utf8, T)>; SLOTS],
    multiplier: u32,
}

const SLOTS: usize = 128;

/// A character as files hold it; two are alike exactly if their numbers are.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Utf8(NonZeroU32);

impl Utf8 {
    const fn of(c: char) -> Option<Self> {
        let mut bytes = [0; 4];
        c.encode_utf8(&mut bytes);
        Self::from_bytes(bytes)
    }

    const fn from_bytes(bytes: [u8; 4]) -> Option<Self> {
        match NonZeroU32::new(u32::from_le_bytes(bytes)) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    const fn slot(self, multiplier: u32) -> usize {
        (self.0.get().wrapping_mul(multiplier) >> (u32::BITS - SLOTS.ilog2())) as usize
    }
}

impl<T: Copy> Glyphs<T> {
    /// # Panics
    /// When compiled: if a character is listed twice.
    pub(crate) const fn new(list: &[(char, T)]) -> Self {
        let mut multiplier = 0x9e37_79b1;
        loop {
            let mut glyphs = Self { slots: [None; SLOTS], multiplier };
            let mut i = 0;
            while i < list.len() {
                let glyph = Utf8::of(list[i].0).expect("NUL is no glyph");
                let place = &mut glyphs.slots[glyph.slot(multiplier)];
                match place {
                    Some((other, _)) => {
                        assert!(other.0.get() != glyph.0.get(), "a character is listed twice");
                        break;
                    }
                    None => *place = Some((glyph, list[i].1)),
                }
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
        self.find(Utf8::of(c)?)
    }

    /// The one with these three bytes of UTF-8.
    #[inline]
    pub(crate) fn get_wide(&self, [first, second, third]: [u8; 3]) -> Option<T> {
        self.find(Utf8::from_bytes([first, second, third, 0])?)
    }

    #[inline]
    fn find(&self, glyph: Utf8) -> Option<T> {
        match self.slots[glyph.slot(self.multiplier)] {
            Some((known, value)) if known == glyph => Some(value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_is_listed_and_nothing_else() {
        const LIST: [(char, u8); 5] = [('歩', 1), ('香', 2), ('1', 3), ('と', 4), ('𠮷', 5)];
        static GLYPHS: Glyphs<u8> = Glyphs::new(&LIST);
        for c in '\0'..=char::MAX {
            let listed = LIST.iter().find(|(known, _)| *known == c).map(|(_, value)| *value);
            assert_eq!(GLYPHS.get(c), listed, "{c:?}");
            let mut bytes = [0; 4];
            if c.encode_utf8(&mut bytes).len() == 3 {
                assert_eq!(GLYPHS.get_wide([bytes[0], bytes[1], bytes[2]]), listed, "{c:?}");
            }
        }
    }
}
