//! Zeroed memory on large pages where the system has them: a table of gigabytes is allocated at once, and random
//! accesses to it cause fewer TLB misses.

#[cfg(not(any(unix, windows)))]
#[path = "memory/pages_heap.rs"]
mod pages;
#[cfg(unix)]
#[path = "memory/pages_unix.rs"]
mod pages;
#[cfg(windows)]
#[path = "memory/pages_windows.rs"]
mod pages;
// On systems with pages it is built for its test only.
#[cfg(all(test, any(unix, windows)))]
mod pages_heap;

use crate::numa::Seats;
use crate::workers::share_out;
use pages::Pages;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicI16, AtomicU64};

/// Types for which all bits zero are a valid value.
///
/// # Safety
/// All zeros must be a valid value, the alignment at most that of a page, and dropping must do nothing.
pub unsafe trait Zero {}

macro_rules! zero {
    ($($number:ty)*) => {$(
        // SAFETY: a plain number.
        unsafe impl Zero for $number {}
    )*};
}

zero!(i8 u8 i16 u16 i32 u32 i64 u64 AtomicI16 AtomicU64);

// SAFETY: it has no bytes.
unsafe impl Zero for () {}

/// How many bytes programs can allocate without swapping; `None` if the system does not report it.
#[must_use]
pub fn available() -> Option<usize> {
    #[cfg(windows)]
    return available_on_windows();
    #[cfg(not(windows))]
    available_on_linux()
}

#[cfg(windows)]
fn available_on_windows() -> Option<usize> {
    use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
    let mut status =
        MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..MEMORYSTATUSEX::default() };
    // SAFETY: `status` contains its own size.
    let told = unsafe { GlobalMemoryStatusEx(&raw mut status) } != 0;
    told.then_some(status.ullAvailPhys.try_into().unwrap_or(usize::MAX))
}

/// Other systems have no such file.
#[cfg(not(windows))]
fn available_on_linux() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().strip_suffix(" kB")?.parse().ok()?;
    kilobytes.checked_mul(1 << 10)
}

/// Returns the pages of a mapped file to the system's file cache: they no longer count as memory of this process, and
/// are mapped again when they are read. Does nothing on systems other than Unix.
pub fn release_pages(map: &memmap2::Mmap) {
    #[cfg(unix)]
    // SAFETY: the map is a read-only file: pages that are read again have the same bytes.
    let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    #[cfg(not(unix))]
    let _ = map;
}

/// The size of a large page; smaller parts are not cleared in parallel.
const LARGE_PAGE: usize = 2 << 20;

/// A fixed number of `T`s, initially zero, aligned to a page.
pub struct Zeroed<T> {
    memory: Pages,
    count: usize,
    content: PhantomData<T>,
}

impl<T: Zero> Zeroed<T> {
    /// `count` zeros, which take no memory until they are touched. Uses large pages if `large_pages` is set and there
    /// is enough memory for one. Fails if there is not enough memory.
    pub fn new(count: usize, large_pages: bool) -> io::Result<Self> {
        let bytes = count.checked_mul(size_of::<T>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let memory = Pages::new(bytes.max(1), large_pages && bytes >= LARGE_PAGE)?;
        Ok(Self { memory, count, content: PhantomData })
    }

    /// Sets everything to zero on several threads. The system then allocates memory that was never touched now, not
    /// during a search.
    pub fn clear(&mut self, threads: usize) {
        let part = self.memory.len().div_ceil(threads.max(1)).max(LARGE_PAGE);
        let parts = self.memory.len().div_ceil(part);
        share_out(self.memory.chunks_mut(part), threads.min(parts), |part| part.fill(0));
    }

    /// Like [`Zeroed::clear`], by threads bound to their nodes. The system places memory on the node that touches it
    /// first, so each node gets the same share.
    pub fn clear_on(&mut self, seats: &Seats<'_>) {
        let parts = seats.deal(&mut self.memory, LARGE_PAGE);
        let threads = parts.len();
        share_out(parts.into_iter().enumerate(), threads, |(thread, part)| {
            let _seat = seats.take(thread);
            for piece in part {
                piece.fill(0);
            }
        });
    }

    /// Makes the system allocate all of the memory now. Best effort: otherwise it is allocated when it is touched.
    pub fn populate(&self) {
        self.memory.populate();
    }

    /// Whether the memory is on large pages.
    #[must_use]
    pub const fn uses_large_pages(&self) -> bool {
        self.memory.are_large()
    }
}

impl<T: Zero> Deref for Zeroed<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the memory begins at a page, which aligns every `T`, has room for `count` of them and began as zeros, which
        // are valid; it is written to as `T`s only.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.count) }
    }
}

impl<T: Zero> DerefMut for Zeroed<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.count) }
    }
}

impl<T: Zero + Copy> Clone for Zeroed<T> {
    fn clone(&self) -> Self {
        let mut clone = Self::new(self.count, self.memory.are_large()).expect("there is memory for a copy");
        clone.copy_from_slice(self);
        clone
    }
}

impl<T> std::fmt::Debug for Zeroed<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Zeroed({} × {})", self.count, std::any::type_name::<T>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_on_a_cache_line() {
        for count in [0, 1, 1000, 3 << 20] {
            let mut numbers = Zeroed::<i16>::new(count, true).unwrap();
            numbers.populate();
            assert!(numbers.len() == count && numbers.as_ptr().addr().is_multiple_of(64));
            assert!(numbers.iter().all(|number| *number == 0));
            numbers.fill(-1);
            assert_eq!(*numbers.clone(), *numbers);
            numbers.clear(3);
            assert!(numbers.iter().all(|number| *number == 0));
        }
        assert!(Zeroed::<i16>::new(usize::MAX, false).is_err());
        assert!(Zeroed::<i16>::new(usize::MAX / 4, false).is_err());
    }

    #[test]
    fn the_heap_serves_where_there_are_no_pages() {
        let mut pages = pages_heap::Pages::new(100_000, true).unwrap();
        pages.populate();
        assert!(pages.len() == 100_000 && pages.iter().all(|byte| *byte == 0) && !pages.are_large());
        assert!(pages.as_ptr().addr().is_multiple_of(4096));
        pages.fill(1);
        assert!(pages_heap::Pages::new(usize::MAX, false).is_err());
    }
}
