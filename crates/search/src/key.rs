//! Position keys of the table: 64 bits, or 128 in builds with the feature `wide-keys`.

use crate::table::{Bucket, Slot};
use game::Searchable;
use platform::memory::Zero;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The key of this build.
#[cfg(not(feature = "wide-keys"))]
pub type Key = u64;
/// The key of this build.
#[cfg(feature = "wide-keys")]
pub type Key = u128;

/// A key. Its lower half chooses a bucket; entries store the bits that the bucket does not imply, and all of the upper
/// half.
pub trait TableKey: Copy {
    /// The bits above the lower half.
    type Upper: Copy + PartialEq;
    /// An entry's copy of them.
    type UpperCell: Default + Zero;
    /// Entries that are probed together, in one cache line or two.
    type Bucket: AsRef<[Slot<Self>]> + Zero;

    /// The key of a position.
    fn of<P: Searchable>(position: &P) -> Self;

    /// The lower 64 bits.
    fn lower(self) -> u64;

    /// The upper bits.
    fn upper(self) -> Self::Upper;

    /// Reads the upper bits of an entry with this content. The two are mixed, so that halves of different writers do
    /// not match.
    fn load_upper(cell: &Self::UpperCell, content: u64) -> Self::Upper;

    /// Writes the upper bits.
    fn store_upper(self, cell: &Self::UpperCell, content: u64);
}

impl TableKey for u64 {
    type Upper = ();
    type UpperCell = ();
    type Bucket = Bucket<Self, 4>;

    #[inline(always)]
    fn of<P: Searchable>(position: &P) -> Self {
        position.key()
    }

    #[inline(always)]
    fn lower(self) -> u64 {
        self
    }

    #[inline(always)]
    fn upper(self) {}

    #[inline(always)]
    fn load_upper((): &(), _: u64) {}

    #[inline(always)]
    fn store_upper(self, (): &(), _: u64) {}
}

impl TableKey for u128 {
    type Upper = u64;
    type UpperCell = AtomicU64;
    type Bucket = Bucket<Self, 5>;

    #[inline(always)]
    fn of<P: Searchable>(position: &P) -> Self {
        position.wide_key()
    }

    #[inline(always)]
    fn lower(self) -> u64 {
        self as u64
    }

    #[inline(always)]
    fn upper(self) -> u64 {
        (self >> 64) as u64
    }

    #[inline(always)]
    fn load_upper(cell: &AtomicU64, content: u64) -> u64 {
        cell.load(Relaxed) ^ content
    }

    #[inline(always)]
    fn store_upper(self, cell: &AtomicU64, content: u64) {
        cell.store(self.upper() ^ content, Relaxed);
    }
}
