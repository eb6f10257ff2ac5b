//! Arrays aligned to a cache line.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Integers for which any bit pattern is valid.
pub(crate) trait Integer: sealed::Sealed + Copy {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for i8 {}
    impl Sealed for u8 {}
    impl Sealed for i16 {}
    impl Sealed for i32 {}
}

impl<T: sealed::Sealed + Copy> Integer for T {}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// A fixed number of integers, aligned to 64 bytes.
#[derive(Clone)]
pub(crate) struct Aligned<T> {
    lines: Vec<Line>,
    length: usize,
    element: PhantomData<T>,
}

impl<T: Integer> Aligned<T> {
    pub(crate) fn zeroed(length: usize) -> Self {
        let lines = (length * size_of::<T>()).div_ceil(size_of::<Line>());
        Self { lines: vec![Line([0; 64]); lines], length, element: PhantomData }
    }

    /// Makes it longer; new numbers are zero.
    pub(crate) fn grow(&mut self, length: usize) {
        let lines = (length * size_of::<T>()).div_ceil(size_of::<Line>());
        self.lines.resize(lines.max(self.lines.len()), Line([0; 64]));
        self.length = self.length.max(length);
    }
}

impl<T: Integer> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the lines are initialised memory of at least `length` numbers, aligned to 64 bytes, and any
        // bits are a valid `T` (sealed trait).
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.length) }
    }
}

impl<T: Integer> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and the borrow is exclusive; any bits written are valid bytes of a line.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.length) }
    }
}

impl<T> std::fmt::Debug for Aligned<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Aligned({} × {})", self.length, std::any::type_name::<T>())
    }
}
