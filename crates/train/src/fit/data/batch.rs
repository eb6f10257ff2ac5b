//! The positions of a batch, sorted for the first layer.

use crate::fit::Samples;
use crate::fit::data::samples::Label;

/// Number of positions that pass through the network together.
pub(in crate::fit) const PORTION: usize = 1024;

/// A part of a batch. Each position is two items: the features of the side to move, and those of the other side.
#[derive(Clone, Debug, Default)]
pub(in crate::fit) struct Portion {
    active: usize,
    labels: Vec<Label>,
    /// Active rows of each item.
    rows: Vec<u32>,
    /// Items, ordered so that those with similar rows are adjacent.
    order: Vec<u16>,
    /// Active rows, and where the items of each begin in `items`.
    touched: Vec<(u32, u32)>,
    items: Vec<u16>,
}

/// A row with the items in which it is active.
pub(in crate::fit) struct TouchedRow<'a> {
    pub(in crate::fit) row: u32,
    pub(in crate::fit) items: &'a [u16],
}

impl Portion {
    /// Fills it with at most [`PORTION`] positions.
    pub(in crate::fit) fn fill(&mut self, samples: &Samples, indices: &[u32]) {
        assert!(indices.len() <= PORTION, "items are numbered with 16 bits");
        self.active = samples.active();
        self.labels.clear();
        self.rows.clear();
        for index in indices {
            self.labels.push(*samples.label(*index as usize));
            self.rows.extend(samples.features(*index as usize));
        }
        self.order.clear();
        self.order.extend(0..2 * indices.len() as u16);
        let (labels, order) = (&self.labels, &mut self.order);
        order.sort_unstable_by_key(|item| {
            (labels[usize::from(*item) / 2].first(usize::from(*item) % 2), *item)
        });
    }

    /// Finds out which items each row has; `scratch` has a number for each row, all 0, and is left so.
    pub(in crate::fit) fn transpose(&mut self, scratch: &mut [u32]) {
        self.touched.clear();
        for row in &self.rows {
            let count = &mut scratch[*row as usize];
            if *count == 0 {
                self.touched.push((*row, 0));
            }
            *count += 1;
        }
        self.touched.sort_unstable();
        let mut place = 0;
        for (row, start) in &mut self.touched {
            *start = place;
            place += std::mem::replace(&mut scratch[*row as usize], place);
        }
        self.items.resize(self.rows.len(), 0);
        for (item, rows) in self.rows.chunks_exact(self.active).enumerate() {
            for row in rows {
                let place = &mut scratch[*row as usize];
                self.items[*place as usize] = item as u16;
                *place += 1;
            }
        }
        for (row, _) in &self.touched {
            scratch[*row as usize] = 0;
        }
    }

    /// Number of items.
    pub(in crate::fit) fn items(&self) -> usize {
        2 * self.labels.len()
    }

    pub(in crate::fit) fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// All items in a cache-friendly order.
    #[inline(always)]
    pub(in crate::fit) fn order(&self) -> impl Iterator<Item = usize> + '_ {
        self.order.iter().map(|item| usize::from(*item))
    }

    /// Active rows of an item.
    #[inline(always)]
    pub(in crate::fit) fn rows(&self, item: usize) -> &[u32] {
        &self.rows[item * self.active..][..self.active]
    }

    /// Rows with their items, after [`Portion::transpose`].
    #[inline(always)]
    pub(in crate::fit) fn touched(&self) -> impl Iterator<Item = TouchedRow<'_>> {
        let ends = self.touched.iter().skip(1).map(|(_, start)| *start as usize);
        let ends = ends.chain(std::iter::once(self.items.len()));
        self.touched
            .iter()
            .zip(ends)
            .map(|((row, start), end)| TouchedRow { row: *row, items: &self.items[*start as usize..end] })
    }
}
