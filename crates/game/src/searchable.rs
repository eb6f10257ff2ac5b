use crate::{DropBatch, MoveSet, Position, Promotions, Repetition};

/// Hashes of parts of a position: the first of what moves least, such as pawns.
pub type Structure = [u64; 4];

/// What the search needs beyond the rules: sets of moves, changes for the evaluation, slots of tables, quick answers that
/// ordering and pruning ask for.
///
/// Defaults hold for a game without the matter in question (no check, no captures, no null move); the compiler then drops
/// the code of the search that deals with it.
pub trait Searchable: Position {
    /// One elementary change that a move makes to the board or a hand, as an [`Evaluation`](crate::Evaluation) needs it.
    type Change: Copy;
    /// What is worth working out once for a position to tell quickly of many moves whether they give check.
    type Checks: Clone + Default;
    /// Drops that are ranked together; [`NoDrops`](crate::NoDrops) where there are none.
    type Drops: DropBatch<Self>;

    /// A player may be in check.
    const HAS_CHECK: bool = false;
    /// Number of different values of [`Searchable::history_slot`].
    const HISTORY_SLOTS: usize;
    /// Number of different values of [`Searchable::butterfly_slot`].
    const BUTTERFLY_SLOTS: usize = Self::HISTORY_SLOTS;
    /// Number of different values of [`Searchable::captured_slot`].
    const CAPTURED_SLOTS: usize = 1;

    /// [`Position::key`] with 128 bits, the lower ones being the same, where the game has so many: searches of days ask for
    /// them, as so many positions sometimes share 64 bits.
    #[inline]
    fn wide_key(&self) -> u128 {
        self.key().into()
    }

    /// The key after the legal move `m`, as far as it can be told quickly: a hint for prefetching.
    fn key_after(&self, m: Self::Move) -> u64 {
        let _ = m;
        self.key()
    }

    /// Appends the moves of one set to `moves`.
    fn generate(&self, set: MoveSet, promotions: Promotions, moves: &mut Self::Moves);

    /// Plays a legal move and passes each change it makes to `observer`.
    fn do_move_observed(&mut self, m: Self::Move, observer: impl FnMut(Self::Change));

    /// The same; calls `prefetch` beforehand with [`Searchable::key_after`] the move.
    #[inline]
    fn do_move_prefetching(
        &mut self,
        m: Self::Move,
        prefetch: impl FnOnce(u64),
        observer: impl FnMut(Self::Change),
    ) {
        prefetch(self.key_after(m));
        self.do_move_observed(m, observer);
    }

    /// Passes the turn, if the game has null moves and one tells the search anything here: not where having to move may be
    /// bad for whole stretches. Else changes nothing and returns `false`. Not called in check.
    #[inline(always)]
    fn do_null_move(&mut self) -> bool {
        false
    }

    /// Takes a null move back.
    #[inline]
    fn undo_null_move(&mut self) {
        self.undo_move();
    }

    /// Whether captures must be made where there are any: no side may stand pat then.
    #[inline(always)]
    fn must_capture(&self) -> bool {
        false
    }

    /// Whether more material is better, so that a search may prune by what captures bring and by how far behind a side
    /// is. Not where losing pieces wins.
    #[inline(always)]
    fn material_counts(&self) -> bool {
        true
    }

    /// What the side to move gets by returning at once to a position of a search that began `plies_from_root` moves ago,
    /// if a return can be found quickly; called at every node.
    #[inline(always)]
    fn upcoming_repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        let _ = plies_from_root;
        None
    }

    /// The agreed number of moves has been played: a draw, unless the board has decided the game.
    #[inline(always)]
    fn move_limit_reached(&self) -> bool {
        false
    }

    /// Prepares [`Searchable::gives_check`].
    #[inline]
    fn checks(&self) -> Self::Checks {
        Self::Checks::default()
    }

    /// Writes [`Searchable::checks`] over those of another position.
    #[inline]
    fn checks_into(&self, checks: &mut Self::Checks) {
        *checks = self.checks();
    }

    /// The legal move `m` gives check; `checks` comes from [`Searchable::checks`] of the same position.
    #[inline(always)]
    fn gives_check(&self, checks: &Self::Checks, m: Self::Move) -> bool {
        let _ = (checks, m);
        false
    }

    /// A move that wins at once, if one can be found quickly; called at every node. `checks` comes from
    /// [`Searchable::checks`] of the same position.
    #[inline(always)]
    fn mate_in_one(&mut self, checks: &Self::Checks) -> Option<Self::Move> {
        let _ = checks;
        None
    }

    /// A move that mates by the second one after it, if one can be found quickly; called at nodes that are neither in
    /// check nor have a [`Searchable::mate_in_one`].
    #[inline(always)]
    fn mate_in_three(&mut self) -> Option<Self::Move> {
        None
    }

    /// The legal move `m` captures.
    #[inline(always)]
    fn is_capture(&self, m: Self::Move) -> bool {
        let _ = m;
        false
    }

    /// Value of what the legal move `m` captures, in the unit of the evaluation; 0 if nothing.
    fn capture_value(&self, m: Self::Move) -> i32 {
        let _ = m;
        0
    }

    /// The legal move `m` goes to where the last move went.
    fn is_recapture(&self, m: Self::Move) -> bool {
        let _ = m;
        false
    }

    /// The exchange that `m` starts on its target square nets at least `threshold`.
    fn exchange_at_least(&self, m: Self::Move, threshold: i32) -> bool {
        let _ = m;
        threshold <= 0
    }

    /// What the legal quiet move `m` is about to win, in the unit of the evaluation, where that is so certain that pruning
    /// must not treat it as a quiet move; else 0.
    #[inline(always)]
    fn threat_value(&self, m: Self::Move) -> i32 {
        let _ = m;
        0
    }

    /// What the ordering adds to the statistics of `m`: positive for a move to be tried earlier.
    #[inline(always)]
    fn rank_offset(&self, m: Self::Move) -> i32 {
        let _ = m;
        0
    }

    /// The slot of `m` in tables of move statistics, below [`Searchable::HISTORY_SLOTS`]: which piece comes to stand where.
    fn history_slot(&self, m: Self::Move) -> usize;

    /// The slot of `m` in butterfly history, below [`Searchable::BUTTERFLY_SLOTS`]: side, from, to.
    #[inline(always)]
    fn butterfly_slot(&self, m: Self::Move) -> usize {
        self.history_slot(m)
    }

    /// The sort of what the legal move `m` captures, below [`Searchable::CAPTURED_SLOTS`].
    fn captured_slot(&self, m: Self::Move) -> usize {
        let _ = m;
        0
    }

    /// Hashes of some parts of the position, such as its pawns, for which evaluations tend to be off in the same way.
    fn structure(&self) -> Structure {
        [0; 4]
    }

    /// What a change does to [`Searchable::structure`], by XOR.
    fn structure_change(change: Self::Change) -> Structure {
        let _ = change;
        [0; 4]
    }

    /// A move in 32 bits, for tables; 0 stands for "no move".
    fn pack_move(m: Self::Move) -> u32;

    /// The move that [`Searchable::pack_move`] packed, if it is legal here: tables may hold another position's.
    fn unpack_move(&self, bits: u32) -> Option<Self::Move> {
        self.legal_moves().iter().copied().find(|m| Self::pack_move(*m) == bits)
    }
}
