use std::fmt;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

/// Moves in a buffer of fixed size on the stack.
///
/// `N` is the game's proven maximum of moves in one position.
///
/// ```
/// use game::MoveList;
/// let mut list: MoveList<u16, 8> = MoveList::new();
/// list.push(3);
/// list.push(1);
/// list.sort_unstable();
/// assert_eq!(*list, [1, 3]);
/// ```
#[derive(Clone)]
pub struct MoveList<M: Copy, const N: usize> {
    len: usize,
    moves: [MaybeUninit<M>; N],
}

impl<M: Copy, const N: usize> MoveList<M, N> {
    /// How many moves it holds.
    pub const CAPACITY: usize = N;

    /// An empty list.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self { len: 0, moves: [const { MaybeUninit::uninit() }; N] }
    }

    /// Appends a move.
    ///
    /// # Panics
    /// When the list is full, which a correct `N` rules out.
    #[inline]
    pub fn push(&mut self, m: M) {
        self.moves[self.len].write(m);
        self.len += 1;
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Keeps the moves for which `keep` returns `true`, in order.
    pub fn retain(&mut self, mut keep: impl FnMut(M) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            let m = self[i];
            if keep(m) {
                self.moves[kept].write(m);
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// The unused tail of the buffer, for generators that write in bulk. Call [`MoveList::advance_to`] afterwards.
    #[inline]
    pub fn spare(&mut self) -> &mut [MaybeUninit<M>] {
        &mut self.moves[self.len..]
    }

    /// Extends the list by the moves written to [`MoveList::spare`].
    ///
    /// # Safety
    /// `end` must point into this buffer, at or behind its present end, and everything before it must have
    /// been written.
    #[inline]
    pub unsafe fn advance_to(&mut self, end: *const M) {
        // SAFETY: the caller guarantees that `end` lies in the buffer.
        let len = unsafe { end.offset_from_unsigned(self.moves.as_ptr().cast::<M>()) };
        debug_assert!(self.len <= len && len <= N);
        self.len = len;
    }
}

impl<M: Copy, const N: usize> Default for MoveList<M, N> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Copy, const N: usize> Deref for MoveList<M, N> {
    type Target = [M];

    #[inline]
    fn deref(&self) -> &[M] {
        // SAFETY: `len <= N` and the first `len` elements were written; every method keeps both true.
        unsafe { std::slice::from_raw_parts(self.moves.as_ptr().cast(), self.len) }
    }
}

impl<M: Copy, const N: usize> DerefMut for MoveList<M, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [M] {
        // SAFETY: as in `deref`.
        unsafe { std::slice::from_raw_parts_mut(self.moves.as_mut_ptr().cast(), self.len) }
    }
}

impl<M: Copy + fmt::Debug, const N: usize> fmt::Debug for MoveList<M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<M: Copy, const N: usize> Extend<M> for MoveList<M, N> {
    fn extend<I: IntoIterator<Item = M>>(&mut self, moves: I) {
        for m in moves {
            self.push(m);
        }
    }
}

impl<'a, M: Copy, const N: usize> IntoIterator for &'a MoveList<M, N> {
    type Item = M;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, M>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn push_retain_clear() {
        let mut list: MoveList<u32, 10> = MoveList::new();
        list.extend(0..10);
        list.retain(|m| m % 3 == 0);
        assert_eq!(*list, [0, 3, 6, 9]);
        assert_eq!(list.spare().len(), 6);
        list.clear();
        assert!(list.is_empty());
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn a_full_list_refuses_more() {
        let mut list: MoveList<u8, 1> = MoveList::new();
        list.push(1);
        list.push(2);
    }
}
