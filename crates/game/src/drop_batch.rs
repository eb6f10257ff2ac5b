use crate::{MoveSet, Promotions, Searchable};

/// The drops of one kind of piece. Their slots count up from square to square, so that the search ranks them all at once,
/// as vectors.
///
/// A place is the number of a square within a batch. [`Searchable::rank_offset`] is 0 for all drops of a batch.
pub trait DropBatch<P: Searchable>: Copy {
    /// Number of places, 96 at most.
    const PLACES: usize;

    /// The batches of a position.
    fn batches(position: &P) -> impl Iterator<Item = Self>;

    /// Appends the quiet moves that are in no batch.
    fn generate_others(position: &P, promotions: Promotions, moves: &mut P::Moves);

    /// [`Searchable::history_slot`] of a move made by [`DropBatch::generate_others`], and whether it gives check.
    #[inline(always)]
    fn slot_and_check(position: &P, checks: &P::Checks, m: P::Move) -> (usize, bool) {
        (position.history_slot(m), P::HAS_CHECK && position.gives_check(checks, m))
    }

    /// [`Searchable::history_slot`] of the drop at place 0.
    fn history_slot(&self) -> usize;

    /// [`Searchable::butterfly_slot`] of the drop at place 0.
    fn butterfly_slot(&self) -> usize;

    /// A bit for each place where the drop is legal, place 0 lowest.
    fn legal(&self) -> u128;

    /// A bit for each place where the drop, if it is legal, gives check.
    fn checks(&self, checks: &P::Checks) -> u128;

    /// The drop at a place where it is legal.
    fn drop_at(&self, place: usize) -> P::Move;
}

/// The batches of a game without drops, or whose drops are ranked like other moves: there are none.
#[derive(Clone, Copy, Debug)]
pub enum NoDrops {}

impl<P: Searchable> DropBatch<P> for NoDrops {
    const PLACES: usize = 0;

    #[inline(always)]
    fn batches(_: &P) -> impl Iterator<Item = Self> {
        std::iter::empty()
    }

    #[inline]
    fn generate_others(position: &P, promotions: Promotions, moves: &mut P::Moves) {
        position.generate(MoveSet::Quiets, promotions, moves);
    }

    fn history_slot(&self) -> usize {
        match *self {}
    }

    fn butterfly_slot(&self) -> usize {
        match *self {}
    }

    fn legal(&self) -> u128 {
        match *self {}
    }

    fn checks(&self, _: &P::Checks) -> u128 {
        match *self {}
    }

    fn drop_at(&self, _: usize) -> P::Move {
        match *self {}
    }
}
