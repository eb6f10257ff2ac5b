//! A hash table from position keys to indices: six bytes per position, and a small filter that answers most look-ups.

/// Open addressing over the indices of positions; their keys are stored elsewhere.
pub(crate) struct KeyTable {
    slots: Vec<u32>,
    /// A bit set by key; it fits in the cache, unlike the table.
    filter: Vec<u64>,
    filter_mask: usize,
}

const EMPTY: u32 = u32::MAX;

impl KeyTable {
    pub(crate) fn new(count: usize) -> Self {
        let slots = count + count / 2 + 1;
        let bits = (count * 8).next_power_of_two().clamp(1 << 10, 1 << 33);
        Self { slots: vec![EMPTY; slots], filter: vec![0; bits / 64], filter_mask: bits - 1 }
    }

    /// The first slot for a key: a fraction of the table rather than some bits of the key, so that the table can have
    /// any size.
    #[inline]
    fn slot(&self, key: u128) -> usize {
        ((u128::from(key as u64) * self.slots.len() as u128) >> 64) as usize
    }

    #[inline]
    fn behind(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    /// Inserts a position. It replaces one with the same key, as in YaneuraOu.
    pub(crate) fn insert(&mut self, number: u32, keys: &[u128]) {
        let key = keys[number as usize];
        let bit = (key >> 20) as usize & self.filter_mask;
        self.filter[bit / 64] |= 1 << (bit % 64);
        let mut slot = self.slot(key);
        loop {
            match self.slots[slot] {
                EMPTY => break,
                other if keys[other as usize] == key => break,
                _ => slot = self.behind(slot),
            }
        }
        self.slots[slot] = number;
    }

    /// Whether a position with this lower half of the key may be there.
    #[inline]
    pub(crate) fn may_have(&self, key: u64) -> bool {
        let bit = (key >> 20) as usize & self.filter_mask;
        self.filter[bit / 64] & 1 << (bit % 64) != 0
    }

    #[inline]
    pub(crate) fn find(&self, key: u128, keys: &[u128]) -> Option<u32> {
        let mut slot = self.slot(key);
        loop {
            match self.slots[slot] {
                EMPTY => return None,
                number if keys[number as usize] == key => return Some(number),
                _ => slot = self.behind(slot),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_entered_is_found() {
        let keys: Vec<u128> = (0..5000u128)
            .map(|n| (n % 4000).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
            .collect();
        let mut table = KeyTable::new(keys.len());
        (0..5000).for_each(|number| table.insert(number, &keys));
        for (number, key) in keys.iter().enumerate() {
            let latest = if number < 1000 { number + 4000 } else { number };
            assert!(table.may_have(*key as u64));
            assert_eq!(table.find(*key, &keys), Some(latest as u32));
        }
        assert_eq!(table.find(12345, &keys), None);
    }
}
