//! The search stack: one frame for each node on a thread's path.

use crate::history::{MoveTag, NO_MOVE};
use crate::{MAX_PLY, Value};
use std::ops::{Index, IndexMut};

/// One node on the path.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub(crate) struct Frame<M> {
    /// The corrected evaluation. In check it is that of two plies before, so that later ones can be compared with it.
    pub(crate) static_eval: Value,
    pub(crate) in_check: bool,
    /// Whether the position was in the table.
    pub(crate) hit: bool,
    /// Whether the position is or was part of a principal variation.
    pub(crate) tt_pv: bool,
    /// Whether all moves up to here are those of the last iteration's principal variation.
    pub(crate) follows_pv: bool,
    /// The move that a singular search leaves out.
    pub(crate) excluded: Option<M>,
    /// The move made from here; `None` for a null move, or before the root.
    pub(crate) played: Option<(M, MoveTag)>,
    /// Its number among the moves of the node.
    pub(crate) move_count: i32,
    /// Its sum of histories.
    pub(crate) stat_score: i32,
    /// The reduction with which it is being searched.
    pub(crate) reduction: i32,
    /// Number of cutoffs at this ply since its grandparent was entered.
    pub(crate) cutoffs: i32,
    /// Continuation-history row of the move; see [`crate::history`].
    pub(crate) continuation: usize,
    pub(crate) correction: usize,
}

impl<M> Frame<M> {
    const BEFORE_ROOT: Self = Self {
        static_eval: Value::INFINITE,
        in_check: false,
        hit: false,
        tt_pv: false,
        follows_pv: false,
        excluded: None,
        played: None,
        move_count: 0,
        stat_score: 0,
        reduction: 0,
        cutoffs: 0,
        continuation: NO_MOVE,
        correction: NO_MOVE,
    };
}

/// How many plies before the root histories may read.
const BEFORE: usize = 7;

/// The search stack by ply, with some empty frames before the root.
pub(crate) struct Frames<M>(Vec<Frame<M>>);

impl<M: Copy> Frames<M> {
    pub(crate) fn new() -> Self {
        Self(vec![Frame::BEFORE_ROOT; BEFORE + MAX_PLY + 4])
    }

    /// The node `back` plies before the one at `ply`.
    #[inline]
    pub(crate) fn before(&self, ply: usize, back: usize) -> &Frame<M> {
        &self.0[BEFORE + ply - back]
    }

    /// The `N` nodes before the one at `ply`, the nearest last.
    #[inline]
    pub(crate) fn last<const N: usize>(&self, ply: usize) -> &[Frame<M>; N] {
        const { assert!(N <= BEFORE) };
        self.0[BEFORE + ply - N..].first_chunk().expect("there are more nodes behind")
    }

    #[inline]
    pub(crate) fn before_mut(&mut self, ply: usize, back: usize) -> &mut Frame<M> {
        &mut self.0[BEFORE + ply - back]
    }
}

impl<M> Index<usize> for Frames<M> {
    type Output = Frame<M>;

    #[inline]
    fn index(&self, ply: usize) -> &Frame<M> {
        &self.0[BEFORE + ply]
    }
}

impl<M> IndexMut<usize> for Frames<M> {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame<M> {
        &mut self.0[BEFORE + ply]
    }
}
