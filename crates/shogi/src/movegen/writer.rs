//! Writes moves in bulk, without a bounds check for each.

use super::{MAX_GENERATED, MoveList};
use crate::{Bitboard, HandPiece, Move, Square};

const PROMOTE: u16 = 1 << 15;
const DROP: u16 = 1 << 14;
const FROM_SHIFT: u16 = 7;

/// The end of a list of moves under construction.
///
/// Every method writes at most the moves of one piece of the position; as the number of pieces is bounded (the
/// constructors of `Position` and `do_move` see to that), the bound given at [`MoveList`] holds for their sum. Moves are written as the bits of [`Move`]: each is a square below 81, a different origin or a drop of
/// kind 1 to 7, and never promotes a drop, so each is a valid, non-zero `Move`.
pub(super) struct Writer<'a> {
    list: &'a mut MoveList,
    next: *mut u16,
}

/// Drops of up to eight kinds to one square, to be written by one or two stores.
pub(super) struct DropTemplate {
    words: [u64; 2],
    count: usize,
}

impl DropTemplate {
    pub(super) const EMPTY: Self = Self { words: [0; 2], count: 0 };

    #[inline(always)]
    pub(super) fn add(&mut self, piece: HandPiece) {
        let bits = DROP | (piece as u16) << FROM_SHIFT;
        self.words[self.count / 4] |= u64::from(bits) << (16 * (self.count % 4));
        self.count += 1;
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.count
    }
}

impl<'a> Writer<'a> {
    #[inline(always)]
    pub(super) fn new(list: &'a mut MoveList) -> Self {
        let spare = list.spare();
        assert!(spare.len() >= MAX_GENERATED, "the move list is too full for another set");
        let next = spare.as_mut_ptr().cast();
        Self { list, next }
    }

    /// Hands the moves over to the list.
    #[inline(always)]
    pub(super) fn finish(self) {
        // SAFETY: `next` started at the end of the list and everything up to it has been written.
        unsafe { self.list.advance_to(self.next.cast()) };
    }

    #[inline(always)]
    fn push(&mut self, bits: u16) {
        debug_assert!(Move::from_bits(bits).is_some());
        // SAFETY: `MAX_GENERATED`, for which `new` has made sure of room, keeps `next` inside the buffer.
        unsafe {
            self.next.write(bits);
            self.next = self.next.add(1);
        }
    }

    /// Moves from one square to each of `to`.
    #[inline(always)]
    pub(super) fn moves(&mut self, from: Square, to: Bitboard) {
        let origin = (from as u16) << FROM_SHIFT;
        to.for_each(|to| self.push(origin | to as u16));
    }

    /// Promoting moves from one square to each of `to`.
    #[inline(always)]
    pub(super) fn promotions(&mut self, from: Square, to: Bitboard) {
        let origin = (from as u16) << FROM_SHIFT | PROMOTE;
        to.for_each(|to| self.push(origin | to as u16));
    }

    /// Moves of several pieces that all travel by the same distance, `to - from`, to each of `to`.
    #[inline(always)]
    pub(super) fn steps(&mut self, distance: i16, to: Bitboard, promote: bool) {
        let promotion = if promote { PROMOTE } else { 0 };
        to.for_each(|to| {
            let from = (to as i16 - distance) as u16;
            self.push(from << FROM_SHIFT | promotion | to as u16);
        });
    }

    /// Drops of one kind to each of `to`.
    #[inline(always)]
    pub(super) fn drops(&mut self, piece: HandPiece, to: Bitboard) {
        let origin = DROP | (piece as u16) << FROM_SHIFT;
        to.for_each(|to| self.push(origin | to as u16));
    }

    /// Drops of all kinds of a template to each of `to`.
    #[inline(always)]
    pub(super) fn drops_of_all(&mut self, template: &DropTemplate, to: Bitboard) {
        const EACH: u64 = 0x0001_0001_0001_0001;
        let count = template.count;
        if count <= 4 {
            to.for_each(|to| {
                // SAFETY: four moves at most lie beyond `next + count`, for which the buffer has room.
                unsafe {
                    self.next.cast::<u64>().write_unaligned(template.words[0] + EACH * to as u64);
                    self.next = self.next.add(count);
                }
            });
        } else {
            to.for_each(|to| {
                let each = EACH * to as u64;
                // SAFETY: eight moves at most lie beyond `next + count`, for which the buffer has room.
                unsafe {
                    self.next.cast::<u64>().write_unaligned(template.words[0] + each);
                    self.next.add(4).cast::<u64>().write_unaligned(template.words[1] + each);
                    self.next = self.next.add(count);
                }
            });
        }
    }
}
