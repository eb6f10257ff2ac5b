//! Memory that the system zeroes only when it is first touched, on large pages where it has them: a table of gigabytes
//! is there at once, and looking things up in it at random misses fewer address translations.

use crate::numa::Seats;
use crate::share_out::share_out;
use memmap2::MmapMut;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

/// Types of which all bits zero are a value.
///
/// # Safety
/// All zeros must be a valid value, the alignment at most that of a page, and dropping must do nothing.
pub unsafe trait Zero {}

// SAFETY: plain numbers.
unsafe impl Zero for i16 {}

// SAFETY: likewise.
unsafe impl Zero for u64 {}

// SAFETY: likewise.
unsafe impl Zero for AtomicU64 {}

// SAFETY: nothing at all.
unsafe impl Zero for () {}

/// How many bytes programs can get without others being pushed out; nothing where the system does not tell.
#[must_use]
pub fn available() -> Option<usize> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().strip_suffix(" kB")?.parse().ok()?;
    kilobytes.checked_mul(1 << 10)
}

/// Smaller parts are not worth a thread.
const LARGE_PAGE: usize = 2 << 20;

/// A fixed number of `T`s, zero at first.
pub struct Zeroed<T> {
    memory: MmapMut,
    count: usize,
    large_pages: bool,
    content: PhantomData<T>,
}

impl<T: Zero> Zeroed<T> {
    /// `count` zeros, at least one, on large pages if they are wanted and the system has them; fails if there is not so
    /// much memory.
    pub fn new(count: usize, large_pages: bool) -> io::Result<Self> {
        let count = count.max(1);
        let bytes = count.checked_mul(size_of::<T>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let memory = MmapMut::map_anon(bytes)?;
        #[cfg(target_os = "linux")]
        let large_pages = large_pages && memory.advise(memmap2::Advice::HugePage).is_ok();
        #[cfg(not(target_os = "linux"))]
        let large_pages = false;
        Ok(Self { memory, count, large_pages, content: PhantomData })
    }

    /// Makes all of it zero, by as many threads as are asked for. Memory that was never touched is then there, too:
    /// the system hands it out now and not in the middle of a search.
    pub fn clear(&mut self, threads: usize) {
        let part = self.memory.len().div_ceil(threads.max(1)).max(LARGE_PAGE);
        let parts = self.memory.len().div_ceil(part);
        share_out(self.memory.chunks_mut(part), threads.min(parts), |part| part.fill(0));
    }

    /// The same by threads on their nodes: the system gives memory that was never touched to the node that touches it, and
    /// each gets the same share.
    pub(crate) fn clear_on(&mut self, seats: &Seats<'_>) {
        let parts = seats.deal(&mut self.memory, LARGE_PAGE);
        let threads = parts.len();
        share_out(parts.into_iter().enumerate(), threads, |(thread, part)| {
            let _seat = seats.take(thread);
            for piece in part {
                piece.fill(0);
            }
        });
    }

    /// Whether the system agreed to large pages.
    #[must_use]
    pub fn uses_large_pages(&self) -> bool {
        self.large_pages
    }
}

impl<T: Zero> Deref for Zeroed<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the map begins at a page, which aligns every `T`, has room for `count` of them and began as zeros,
        // which are valid; it is written to as `T`s only.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.count) }
    }
}

impl<T: Zero> DerefMut for Zeroed<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and nobody else can look.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.count) }
    }
}
