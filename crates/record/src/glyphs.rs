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

#[inline(always)]
const fn slot(glyph: u32, multiplier: u32) -> usize {
    (glyph.wrapping_mul(multiplier) >> (u32::BITS - SLOTS.ilog2())) as usize
}

impl<T: Copy> Glyphs<T> {
    /// # Panics
    /// When compiled: if a character is listed twice.
    pub(crate) const fn new(list: &[(char, T)]) -> Self {
        let mut multiplier = 0x9e37_79b1;
        loop {
            let mut glyphs = Self { slots: [(NOBODY, list[0].1); SLOTS], multiplier };
            let mut i = 0;
            while i < list.len() {
                let (c, value) = list[i];
                let glyph = utf8(c);
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
    fn knows_what_is_listed_and_nothing_else() {
        const LIST: [(char, u8); 5] = [('歩', 1), ('香', 2), ('1', 3), ('と', 4), ('𠮷', 5)];
        static GLYPHS: Glyphs<u8> = Glyphs::new(&LIST);
        for c in '\0'..=char::MAX {
            let listed = LIST.iter().find(|(known, _)| *known == c).map(|(_, value)| *value);
            assert_eq!(GLYPHS.get(c), listed, "{c:?}");
        }
    }
}
