//! Sorting texts that lie elsewhere, by some bytes of each and its number in one word.

use crate::slips::window_of;
use std::marker::PhantomData;

/// Some bytes of a text, and behind them the number that tells which it is.
pub(crate) type Key = u128;

const NUMBER_BITS: u32 = 32;
/// Bytes of a text in a key.
const WIDTH: usize = 12;
/// So few texts are sorted by all of their bytes at once.
const FEW: usize = 12;

/// Sorts keys, for which `text` finds the texts.
pub(crate) struct TextSort<'a, F> {
    text: F,
    texts: PhantomData<&'a [u8]>,
}

impl<'a, F: Fn(u32) -> &'a [u8]> TextSort<'a, F> {
    pub(crate) fn new(text: F) -> Self {
        Self { text, texts: PhantomData }
    }

    /// Sorts by what the texts are from `depth` on. They hold no zeros.
    pub(crate) fn sort(&self, keys: &mut [Key], depth: usize) {
        keys.sort_unstable();
        self.refine(keys, depth + WIDTH);
    }

    /// Sorts further what is in order up to `depth`. Where the bytes in keys differ, no other bytes matter.
    pub(crate) fn refine(&self, keys: &mut [Key], depth: usize) {
        let mut rest = keys;
        while let Some(first) = rest.first() {
            let same = |key: &Key| key >> NUMBER_BITS == first >> NUMBER_BITS;
            let equal = 1 + rest[1..].iter().take_while(|key| same(key)).count();
            let (group, behind) = rest.split_at_mut(equal);
            rest = behind;
            if equal <= FEW {
                group.sort_unstable_by(|a, b| self.behind(*a, depth).cmp(self.behind(*b, depth)));
            } else if group.iter().any(|key| self.text(*key).len() > depth) {
                for key in group.iter_mut() {
                    *key = key_of(self.text(*key), depth, *key as u32);
                }
                self.sort(group, depth);
            }
        }
    }

    fn text(&self, key: Key) -> &'a [u8] {
        (self.text)(key as u32)
    }

    fn behind(&self, key: Key, depth: usize) -> &'a [u8] {
        let text = self.text(key);
        &text[depth.min(text.len())..]
    }
}

/// Some bytes of a text from `depth` on, as a number that compares like them, and the number of the text.
#[inline]
pub(crate) fn key_of(text: &[u8], depth: usize, number: u32) -> Key {
    let (high, low) = window_of(text, depth);
    let window = u128::from(high) << 64 | u128::from(low);
    window >> NUMBER_BITS << NUMBER_BITS | u128::from(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn like_a_plain_sort(texts in prop::collection::vec("[ab]{0,3}(7g7f 3c3d |2g2f ){0,4}[ab]{0,3}", 0..200)) {
            let mut keys: Vec<Key> = texts.iter().zip(0..).map(|(text, i)| key_of(text.as_bytes(), 0, i)).collect();
            TextSort::new(|i| texts[i as usize].as_bytes()).sort(&mut keys, 0);
            let sorted: Vec<&String> = keys.iter().map(|key| &texts[*key as u32 as usize]).collect();
            let mut expected: Vec<&String> = texts.iter().collect();
            expected.sort();
            prop_assert_eq!(sorted, expected);
        }
    }
}
