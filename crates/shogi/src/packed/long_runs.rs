//! Code words looked up in long runs, by those who read several boards at once.

use super::codes::{Code, Codes, RUN_WORDS, Run, Words, claim};
use crate::{Piece, PieceKind};

/// How far a board has been read: a bit, and above that a square. What a run adds to both is one number, too.
#[derive(Clone, Copy)]
pub(super) struct Stride(u32);

impl Stride {
    /// No cursor goes further: it adds twelve bits some thirty times.
    const CURSOR_BITS: usize = 9;

    /// Before the first square.
    pub(super) const fn at(cursor: usize) -> Self {
        Self(cursor as u32)
    }

    #[inline(always)]
    pub(super) fn cursor(self) -> usize {
        self.0 as usize % (1 << Self::CURSOR_BITS)
    }

    #[inline(always)]
    pub(super) fn squares(self) -> usize {
        self.0 as usize >> Self::CURSOR_BITS
    }
}

/// Longer runs, which take more of a cache and fewer steps.
pub(super) struct LongRuns {
    /// What a run adds to a [`Stride`].
    strides: [u16; 1 << LONG_RUN_BITS],
    squares: [[u8; RUN_WORDS]; 1 << LONG_RUN_BITS],
}

/// Four of them are in any eight bytes from any bit of the first on, and twenty of them are a board.
const LONG_RUN_BITS: usize = 14;

impl LongRuns {
    /// The bits of a run at the beginning of these.
    #[inline(always)]
    pub(super) fn run(ahead: u64) -> Run {
        Run(ahead as usize % (1 << LONG_RUN_BITS))
    }

    /// Goes on behind a run, and tells how many bits it had; beyond the lowest six bits that means nothing.
    #[inline(always)]
    pub(super) fn stride(&self, run: Run, at: &mut Stride) -> u32 {
        let stride = self.strides[run.0].into();
        at.0 += stride;
        stride
    }

    /// What the words of a run say.
    #[inline(always)]
    pub(super) fn squares(&self, run: Run) -> [u8; RUN_WORDS] {
        self.squares[run.0]
    }
}

/// All long runs, made when first needed: they would be a third of a megabyte of the program.
pub(super) fn long_runs(codes: &Codes) -> Box<LongRuns> {
    let mut words: Words<usize> = [None; 256];
    claim(&mut words, Code::EMPTY_SQUARE, 0);
    for piece in (0..Piece::INDEX_COUNT).filter_map(Piece::from_index) {
        if piece.kind() != PieceKind::King {
            claim(&mut words, codes.on_square(piece.index() as u64), piece.index());
        }
    }
    let mut strides = vec![0; 1 << LONG_RUN_BITS];
    let mut squares = vec![[0; RUN_WORDS]; 1 << LONG_RUN_BITS];
    for (bits, (stride, squares)) in strides.iter_mut().zip(&mut squares).enumerate() {
        let (mut count, mut end) = (0, 0);
        while count < RUN_WORDS
            && let Some((square, len)) = words[bits >> end & 0xff]
            && end + usize::from(len) <= LONG_RUN_BITS
        {
            squares[count] = square as u8;
            end += usize::from(len);
            count += 1;
        }
        *stride = (count << Stride::CURSOR_BITS | end) as u16;
    }
    let none = "there are as many as there are numbers";
    let (strides, squares) = (strides.try_into(), squares.try_into());
    Box::new(LongRuns {
        strides: strides.unwrap_or_else(|_| unreachable!("{none}")),
        squares: squares.unwrap_or_else(|_| unreachable!("{none}")),
    })
}
