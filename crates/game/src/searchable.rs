use crate::{DropBatch, MoveSet, Position, Promotions, Repetition};

/// Hashes of parts of a position, the most static part (such as the pawns) first.
pub type Structure = [u64; 4];

/// What the search needs beyond the rules: sets of moves, changes for the evaluation, table slots, and fast tests for
/// move ordering and pruning.
///
/// The defaults are for games that lack the feature in question (check, captures, null moves). The compiler then
/// removes the code of the search that deals with it.
pub trait Searchable: Position {
    /// One elementary change that a move makes to the board or a hand, as an [`Evaluation`](crate::Evaluation) needs it.
    type Change: Copy;
    /// Data computed once per position that makes [`Searchable::gives_check`] fast.
    type Checks: Clone + Default;
    /// Drops that are ranked together; [`NoDrops`](crate::NoDrops) where there are none.
    type Drops: DropBatch<Self>;

    /// Whether the game has check at all.
    const HAS_CHECK: bool = false;
    /// Number of different values of [`Searchable::history_slot`].
    const HISTORY_SLOTS: usize;
    /// Number of different values of [`Searchable::butterfly_slot`].
    const BUTTERFLY_SLOTS: usize = Self::HISTORY_SLOTS;
    /// Number of different values of [`Searchable::captured_slot`].
    const CAPTURED_SLOTS: usize = 1;

    /// [`Position::key`] with 128 bits, of which the lower 64 are the same. Builds for searches of days use it, because
    /// among so many positions some share 64 bits.
    #[inline]
    fn wide_key(&self) -> u128 {
        self.key().into()
    }

    /// A guess of the key after the legal move `m`, for prefetching.
    fn key_after(&self, m: Self::Move) -> u64 {
        let _ = m;
        self.key()
    }

    /// Appends the moves of one set to `moves`.
    fn generate(&self, set: MoveSet, promotions: Promotions, moves: &mut Self::Moves);

    /// Plays a legal move and passes each change it makes to `observer`.
    fn do_move_observed(&mut self, m: Self::Move, observer: impl FnMut(Self::Change));

    /// Like [`Searchable::do_move_observed`], but first calls `prefetch` with [`Searchable::key_after`] the move.
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

    /// Makes a null move. Returns `false` and changes nothing where null moves are illegal or misleading (games in
    /// which zugzwang is common). Not called in check.
    #[inline(always)]
    fn do_null_move(&mut self) -> bool {
        false
    }

    /// Takes a null move back.
    #[inline]
    fn undo_null_move(&mut self) {
        self.undo_move();
    }

    /// Whether captures are compulsory: the side to move may not stand pat then.
    #[inline(always)]
    fn must_capture(&self) -> bool {
        false
    }

    /// Whether more material is better. If not (losing pieces wins), the search does not prune by material.
    #[inline(always)]
    fn material_counts(&self) -> bool {
        true
    }

    /// The best result that the side to move can get by returning at once to an earlier position of a search line of
    /// `plies_from_root` moves, if that is cheap to find. Called at every node.
    #[inline(always)]
    fn upcoming_repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        let _ = plies_from_root;
        None
    }

    /// Whether the agreed number of moves has been played: a draw, unless the board decides the game.
    #[inline(always)]
    fn move_limit_reached(&self) -> bool {
        false
    }

    /// Computes the argument of [`Searchable::gives_check`].
    #[inline]
    fn checks(&self) -> Self::Checks {
        Self::Checks::default()
    }

    /// Like [`Searchable::checks`], but reuses the memory of `checks`.
    #[inline]
    fn checks_into(&self, checks: &mut Self::Checks) {
        *checks = self.checks();
    }

    /// Whether the legal move `m` gives check; `checks` comes from [`Searchable::checks`] of the same position.
    #[inline(always)]
    fn gives_check(&self, checks: &Self::Checks, m: Self::Move) -> bool {
        let _ = (checks, m);
        false
    }

    /// A move that wins at once, if that is cheap to find. Called at every node. `checks` comes from
    /// [`Searchable::checks`] of the same position.
    #[inline(always)]
    fn mate_in_one(&mut self, checks: &Self::Checks) -> Option<Self::Move> {
        let _ = checks;
        None
    }

    /// The first move of a mate in three plies, if that is cheap to find. Called at nodes that are not in check and
    /// have no [`Searchable::mate_in_one`].
    #[inline(always)]
    fn mate_in_three(&mut self) -> Option<Self::Move> {
        None
    }

    /// Whether the legal move `m` captures.
    #[inline(always)]
    fn is_capture(&self, m: Self::Move) -> bool {
        let _ = m;
        false
    }

    /// Value of the piece that the legal move `m` captures, in the unit of the evaluation; 0 if none.
    fn capture_value(&self, m: Self::Move) -> i32 {
        let _ = m;
        0
    }

    /// Whether the legal move `m` goes to the target square of the last move.
    fn is_recapture(&self, m: Self::Move) -> bool {
        let _ = m;
        false
    }

    /// Whether the exchange that `m` starts on its target square gains at least `threshold` (static exchange
    /// evaluation).
    fn exchange_at_least(&self, m: Self::Move, threshold: i32) -> bool {
        let _ = m;
        threshold <= 0
    }

    /// What the legal quiet move `m` is certain to win next, in the unit of the evaluation; else 0. Pruning does not
    /// treat such a move as quiet.
    #[inline(always)]
    fn threat_value(&self, m: Self::Move) -> i32 {
        let _ = m;
        0
    }

    /// A constant that move ordering adds to the rank of `m`; positive ranks it earlier.
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

    /// The class of the piece that the legal move `m` captures, below [`Searchable::CAPTURED_SLOTS`].
    fn captured_slot(&self, m: Self::Move) -> usize {
        let _ = m;
        0
    }

    /// Hashes of parts of the position, such as its pawns, for correction histories.
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

    /// The inverse of [`Searchable::pack_move`]; `None` unless the move is legal here, because tables may return moves
    /// of other positions.
    fn unpack_move(&self, bits: u32) -> Option<Self::Move> {
        self.legal_moves().iter().copied().find(|m| Self::pack_move(*m) == bits)
    }
}
