//! The memory of the table: cache lines of slots, zeroed by the system only when first touched, so that a table of
//! gigabytes is there at once.

use memmap2::MmapMut;
use std::io;
use std::ops::Deref;
use std::sync::atomic::AtomicU64;

/// One position. `check` is the key combined with `data`, so that halves written by two threads do not match.
pub(crate) struct Slot {
    pub(crate) check: AtomicU64,
    pub(crate) data: AtomicU64,
}

/// Slots that share a cache line.
pub(crate) const BUCKET: usize = 4;

#[repr(align(64))]
pub(crate) struct Bucket(pub(crate) [Slot; BUCKET]);

/// Some buckets in memory of their own.
pub(crate) struct Buckets {
    memory: MmapMut,
    count: usize,
    large_pages: bool,
}

impl Buckets {
    /// `count` empty buckets, at least one, on large pages if they are wanted and the system has them; fails if there
    /// is not so much memory.
    pub(crate) fn zeroed(count: usize, large_pages: bool) -> io::Result<Self> {
        let count = count.max(1);
        let bytes = count.checked_mul(size_of::<Bucket>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let memory = MmapMut::map_anon(bytes)?;
        #[cfg(target_os = "linux")]
        let large_pages = large_pages && memory.advise(memmap2::Advice::HugePage).is_ok();
        #[cfg(not(target_os = "linux"))]
        let large_pages = false;
        Ok(Self { memory, count, large_pages })
    }

    /// Whether the system agreed to large pages.
    pub(crate) fn uses_large_pages(&self) -> bool {
        self.large_pages
    }
}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline]
    fn deref(&self) -> &[Bucket] {
        // SAFETY: the map begins at a page, which aligns every bucket, has room for `count` of them, began as zeros,
        // which are valid atomics, and is written to through these atomics only.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.count) }
    }
}
