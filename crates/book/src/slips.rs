//! Sorting what lies elsewhere: a slip for each record, with the beginning of its key and where the rest is.
//!
//! Slips are put into as many boxes as there are ranges of keys while records are read; then each box is sorted by
//! itself, small enough for a cache.

/// A piece of a key as numbers that compare like it.
pub(crate) type Window = (u64, u64);

/// The beginning of a key, and where the record is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slip {
    pub(crate) window: Window,
    /// Whatever the [`Records`] make of it; of equal keys the one with the smaller number comes first.
    pub(crate) place: u64,
}

/// The records behind slips.
pub(crate) trait Records: Sync {
    /// The key of a record.
    fn key(&self, slip: Slip) -> &[u8];
}

/// How many bytes a window holds.
pub(crate) const WIDTH: usize = 16;

/// Sixteen bytes of a key; zeros follow its end. Keys hold no zero bytes or are all of one length.
#[inline]
pub(crate) fn window_of(key: &[u8], depth: usize) -> Window {
    let part = &key[depth.min(key.len())..];
    let bytes = part.first_chunk().copied().unwrap_or_else(|| {
        let mut padded = [0; WIDTH];
        padded[..part.len()].copy_from_slice(part);
        padded
    });
    let both = u128::from_be_bytes(bytes);
    ((both >> 64) as u64, both as u64)
}

/// Where one box ends and the next begins: windows as one number each.
pub(crate) struct Boxes {
    /// In order, filled up with the largest number, so that looking for a box always takes as many steps.
    ends: Box<[u128; MOST_BOXES]>,
    count: usize,
}

/// There are never more boxes.
const MOST_BOXES: usize = 1 << 9;

#[inline]
fn as_number((high, low): Window) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

impl Boxes {
    /// About `count` boxes that a sample of the keys would fill alike.
    pub(crate) fn new(mut sample: Vec<Window>, count: usize) -> Self {
        sample.sort_unstable();
        let count = count.min(MOST_BOXES);
        let end = |i: usize| sample.get(i * sample.len() / count).copied().map(as_number);
        let mut known: Vec<u128> = (1..count).filter_map(end).collect();
        known.dedup();
        let mut ends = Box::new([u128::MAX; MOST_BOXES]);
        ends[..known.len()].copy_from_slice(&known);
        Self { ends, count: known.len() + 1 }
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The first key behind a box, if there is another box.
    fn end(&self, number: usize) -> Option<u128> {
        self.ends[..self.count - 1].get(number).copied()
    }

    /// The box for a key that begins like this.
    #[inline]
    pub(crate) fn number_of(&self, window: Window) -> usize {
        let [number] = self.numbers_of([window]);
        number
    }

    /// The same for some keys at once: one need not wait for the other.
    #[inline(always)]
    pub(crate) fn numbers_of<const N: usize>(&self, windows: [Window; N]) -> [usize; N] {
        let windows = windows.map(as_number);
        // None of the steps asks: nobody could foresee the answers.
        let (mut numbers, mut half) = ([0; N], MOST_BOXES / 2);
        while half > 0 {
            for (number, window) in numbers.iter_mut().zip(windows) {
                let behind = self.ends[(*number + half - 1) % MOST_BOXES] <= window;
                *number += half * usize::from(behind);
            }
            half /= 2;
        }
        numbers.map(|number| number.min(self.count - 1))
    }

    /// How many bytes all keys of a box have in common, at least.
    pub(crate) fn common(&self, number: usize) -> usize {
        let [from, to] = [number.wrapping_sub(1), number].map(|end| self.end(end));
        from.zip(to).map_or(0, |(from, to)| (from ^ to).leading_zeros() as usize / 8)
    }

    /// The first of the keys that belong to a box.
    pub(crate) fn first(&self, number: usize) -> [u8; WIDTH] {
        number.checked_sub(1).and_then(|end| self.end(end)).map_or([0; WIDTH], u128::to_be_bytes)
    }

    /// Puts a slip into its box.
    #[inline]
    pub(crate) fn put(&self, slip: Slip, filled: &mut [Vec<Slip>]) {
        filled[self.number_of(slip.window)].push(slip);
    }

    /// As many empty boxes.
    pub(crate) fn empty(&self) -> Vec<Vec<Slip>> {
        vec![Vec::new(); self.count()]
    }
}

/// How many boxes so many records need, so that each fits into a cache with what it says.
pub(crate) fn boxes_for(records: usize) -> usize {
    (records >> 13).clamp(8, MOST_BOXES)
}

/// The slips of one box from all who filled boxes, sorted.
pub(crate) fn sorted_box<R: Records>(filled: &[Vec<Vec<Slip>>], number: usize, records: &R) -> Vec<Slip> {
    let mut slips: Vec<Slip> = filled.iter().flat_map(|boxes| boxes[number].iter().copied()).collect();
    sort_slips(&mut slips, records);
    slips
}

/// Sorts by key; of equal keys the one with the smaller place comes first.
pub(crate) fn sort_slips<R: Records>(slips: &mut [Slip], records: &R) {
    sort_slips_from(slips, 0, records);
}

/// The same for slips with windows at `begin`, before which all keys are equal.
pub(crate) fn sort_slips_from<R: Records>(slips: &mut [Slip], begin: usize, records: &R) {
    // One number compares without asking twice; places are for those that are equal.
    slips.sort_unstable_by_key(|slip| as_number(slip.window));
    refine(slips, begin, begin, records);
}

/// Sorts further what is in order up to the window at `depth`. Slips have those at `begin`.
fn refine<R: Records>(slips: &mut [Slip], depth: usize, begin: usize, records: &R) {
    let window = |slip: &Slip| {
        if depth == begin { slip.window } else { window_of(records.key(*slip), depth) }
    };
    let deeper = depth + WIDTH;
    let mut again: Vec<(Window, Slip)> = Vec::new();
    let mut rest = slips;
    while let Some(first) = rest.first() {
        let here = window(first);
        let equal = 1 + rest[1..].iter().take_while(|slip| window(slip) == here).count();
        let (group, behind) = rest.split_at_mut(equal);
        rest = behind;
        if equal == 1 {
            continue;
        }
        if group.iter().all(|slip| records.key(*slip).len() <= deeper) {
            group.sort_unstable_by_key(|slip| slip.place);
            continue;
        }
        again.clear();
        again.extend(group.iter().map(|slip| (window_of(records.key(*slip), deeper), *slip)));
        again.sort_unstable_by_key(|(window, slip)| (as_number(*window), slip.place));
        for (slot, (_, slip)) in group.iter_mut().zip(&again) {
            *slot = *slip;
        }
        refine(group, deeper, begin, records);
    }
}

/// Slips of equal keys, group by group.
pub(crate) fn groups<'a, R: Records>(
    slips: &'a [Slip],
    records: &'a R,
) -> impl Iterator<Item = &'a [Slip]> + 'a {
    slips.chunk_by(move |a, b| a.window == b.window && records.key(*a) == records.key(*b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Texts(Vec<Vec<u8>>);

    impl Records for Texts {
        fn key(&self, slip: Slip) -> &[u8] {
            &self.0[slip.place as usize]
        }
    }

    proptest! {
        /// Any boxes, any number of fillers: like a stable sort of the whole.
        #[test]
        fn like_a_stable_sort(
            texts in prop::collection::vec("[ 1a+/]{0,3}(lnsg/1r5b1/ppp){0,3}[-9wbB]{0,4}", 0..200),
            boxes in 1usize..9,
        ) {
            let mut texts: Vec<Vec<u8>> = texts.into_iter().map(|text| text.replace('a', "b").into_bytes()).collect();
            texts.extend_from_within(..texts.len() / 3);
            let records = Texts(texts);
            let sample = records.0.iter().step_by(3).map(|text| window_of(text, 0)).collect();
            let boxes = Boxes::new(sample, boxes);
            let mut filled = [boxes.empty(), boxes.empty()];
            for (number, text) in records.0.iter().enumerate() {
                let slip = Slip { window: window_of(text, 0), place: number as u64 };
                boxes.put(slip, &mut filled[usize::from(number > records.0.len() / 2)]);
            }
            let sorted: Vec<u64> = (0..boxes.count())
                .flat_map(|number| sorted_box(&filled, number, &records))
                .map(|slip| slip.place)
                .collect();
            let mut expected: Vec<u64> = (0..records.0.len() as u64).collect();
            expected.sort_by_key(|number| &records.0[*number as usize]);
            prop_assert_eq!(sorted, expected);
        }
    }
}
