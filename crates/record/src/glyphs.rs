//! What single characters mean, found without a branch for each.

/// A map from some characters, laid out by the compiler so that each has a slot of its own.
///
/// Readers ask it several times for every move, and which piece comes next nobody can predict: one look-up costs less
/// than the mispredicted comparisons of a `match`.
pub(crate) struct Glyphs<T> {
    slots: [Option<(char, T)>; SLOTS],
    multiplier: u32,
}

const SLOTS: usize = 128;

const fn slot(c: char, multiplier: u32) -> usize {
    ((c as u32).wrapping_mul(multiplier) >> (u32::BITS - SLOTS.ilog2())) as usize
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
                let place = &mut glyphs.slots[slot(list[i].0, multiplier)];
                match place {
                    Some((other, _)) => {
                        assert!(*other as u32 != list[i].0 as u32, "a character is listed twice");
                        break;
                    }
                    None => *place = Some(list[i]),
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
        match self.slots[slot(c, self.multiplier)] {
            Some((known, value)) if known == c => Some(value),
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
        }
    }
}
