//! Zeroed pages from the heap, for targets without an operating system (WebAssembly).

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::io;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// The largest alignment that types may need.
const PAGE: usize = 4096;

pub(super) struct Pages {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the memory belongs to this value alone, as that of a `Vec`.
unsafe impl Send for Pages {}
// SAFETY: shared access only reads.
unsafe impl Sync for Pages {}

impl Pages {
    /// Allocates at least one byte. There are no large pages.
    pub(super) fn new(bytes: usize, _: bool) -> io::Result<Self> {
        let layout = Layout::from_size_align(bytes, PAGE).map_err(|_| io::ErrorKind::OutOfMemory)?;
        // SAFETY: there is at least one byte.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { start, layout })
    }

    #[allow(clippy::unused_self)] // same signature as the other implementation
    pub(super) const fn are_large(&self) -> bool {
        false
    }

    #[allow(clippy::unused_self)] // same signature as the other implementation
    pub(super) fn populate(&self) {}
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the memory was allocated with this layout, and nothing refers to it any more.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

impl Deref for Pages {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        // SAFETY: so many bytes were allocated, began as zeros and live as long as this value.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.layout.size()) }
    }
}

impl DerefMut for Pages {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `deref`, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.layout.size()) }
    }
}
