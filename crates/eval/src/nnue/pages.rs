//! Numbers on pages of their own, on large ones where the system has them.

use super::aligned::Integer;
use memmap2::MmapMut;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A fixed number of integers that begin on a page: a row of a large network is read from anywhere, and large pages
/// spare the search for the place of the small ones.
pub(crate) struct Pages<T> {
    memory: MmapMut,
    length: usize,
    element: PhantomData<T>,
}

/// Smaller memory has no room for a large page.
#[cfg(target_os = "linux")]
const LARGE_PAGE: usize = 2 << 20;

impl<T: Integer> Pages<T> {
    /// Zeros, which take no memory before they are touched; fails if there is not so much of it.
    pub(crate) fn zeroed(length: usize) -> io::Result<Self> {
        let bytes = length.checked_mul(size_of::<T>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let memory = MmapMut::map_anon(bytes.max(1))?;
        #[cfg(target_os = "linux")]
        if bytes >= LARGE_PAGE {
            // A system that refuses has only small pages, which serve as well.
            memory.advise(memmap2::Advice::HugePage).ok();
        }
        Ok(Self { memory, length, element: PhantomData })
    }
}

impl<T: Integer> Clone for Pages<T> {
    fn clone(&self) -> Self {
        let mut clone = Self::zeroed(self.length).expect("there is memory for a copy");
        clone.copy_from_slice(self);
        clone
    }
}

impl<T: Integer> Deref for Pages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the map begins on a page, which aligns any integer, is initialised memory of at least `length`
        // numbers, and any bits are a valid `T` (sealed trait).
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.length) }
    }
}

impl<T: Integer> DerefMut for Pages<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and the borrow is exclusive; any bits written are valid bytes.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.length) }
    }
}

impl<T> std::fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pages({} × {})", self.length, std::any::type_name::<T>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_on_a_cache_line() {
        for length in [0, 1, 1000, 3 << 20] {
            let mut pages = Pages::<i16>::zeroed(length).unwrap();
            assert!(pages.len() == length && pages.as_ptr().addr().is_multiple_of(64));
            assert!(pages.iter().all(|number| *number == 0));
            pages.fill(-1);
            assert_eq!(*pages.clone(), *pages);
        }
        assert!(Pages::<i16>::zeroed(usize::MAX).is_err());
        assert!(Pages::<i16>::zeroed(usize::MAX / 4).is_err());
    }
}
