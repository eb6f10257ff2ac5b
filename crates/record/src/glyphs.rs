//! What single characters mean, found without a branch for each.

/// A map from some characters, laid out by the compiler so that each has a slot of its own.
///
/// Readers ask it several times for every move, and which piece comes next nobody can predict: one look-up costs less
/// than the mispredicted comparisons of a `match`.
pub(crate) struct Glyphs<T> {
    /// The number of a character ([`utf8`]), or 0, and what it means.
    slots: [(u32, T); SLOTS],
    multiplier: u32,
}

const SLOTS: usize = 128;

/// A character as files hold it, as a number; only NUL has 0.
const fn utf8(c: char) -> u32 {
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
            let mut glyphs = Self { slots: [(0, list[0].1); SLOTS], multiplier };
            let mut i = 0;
            while i < list.len() {
                let (c, value) = list[i];
                let glyph = utf8(c);
                assert!(glyph != 0, "NUL is no glyph");
                let place = &mut glyphs.slots[slot(glyph, multiplier)];
                assert!(place.0 != glyph, "a character is listed twice");
                if place.0 != 0 {
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

    /// The one with these three bytes of UTF-8.
    #[inline(always)]
    pub(crate) fn get_wide(&self, [first, second, third]: [u8; 3]) -> Option<T> {
        self.find(u32::from_le_bytes([first, second, third, 0]))
    }

    #[inline(always)]
    fn find(&self, glyph: u32) -> Option<T> {
        let (known, value) = self.slots[slot(glyph, self.multiplier)];
        if known == glyph && glyph != 0 { Some(value) } else { None }
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
