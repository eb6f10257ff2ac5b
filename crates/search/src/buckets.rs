//! The memory of the table: cache lines of slots, zeroed by the system only when first touched, so that a table of
//! gigabytes is there at once.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::Deref;
use std::ptr::NonNull;
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

/// Some buckets, owned.
pub(crate) struct Buckets {
    first: NonNull<Bucket>,
    count: usize,
    /// What was allocated: a little more, to align the first bucket. Asking for aligned memory would have all of it
    /// written with zeros at once.
    memory: NonNull<u8>,
}

impl Buckets {
    /// `count` empty buckets, at least one.
    pub(crate) fn zeroed(count: usize) -> Self {
        let count = count.max(1);
        let layout = Self::layout(count);
        // SAFETY: the layout is not empty, as there is at least one bucket.
        let Some(memory) = NonNull::new(unsafe { alloc_zeroed(layout) }) else { handle_alloc_error(layout) };
        let gap = memory.align_offset(align_of::<Bucket>());
        // SAFETY: the layout has room for all buckets behind any gap smaller than one of them.
        let first = unsafe { memory.add(gap) }.cast();
        Self { first, count, memory }
    }

    fn layout(count: usize) -> Layout {
        let bytes =
            (count + 1).checked_mul(size_of::<Bucket>()).expect("a table is smaller than the address space");
        Layout::from_size_align(bytes, 16).expect("a table is smaller than the address space")
    }
}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline]
    fn deref(&self) -> &[Bucket] {
        // SAFETY: `first` points to `count` buckets, aligned, within the memory and zeroed; all-zero bytes are valid
        // atomics.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }
}

impl Drop for Buckets {
    fn drop(&mut self) {
        // SAFETY: allocated in `zeroed` with the same layout; atomics need no drop.
        unsafe { dealloc(self.memory.as_ptr(), Self::layout(self.count)) };
    }
}

// SAFETY: the buckets are owned and hold only atomics.
unsafe impl Send for Buckets {}
// SAFETY: as above; shared access goes through atomics.
unsafe impl Sync for Buckets {}
