use crate::{Color, Declaration, Outcome, Repetition};
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::DerefMut;

/// Which of the legal moves to generate.
///
/// For a position in check every set holds only moves that answer the check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveSet {
    /// Everything.
    Legal,
    /// Moves that capture.
    Captures,
    /// Moves that do not capture, drops included.
    Quiets,
    /// Answers to a check; nothing when there is no check.
    Evasions,
    /// Moves that give check.
    Checks,
    /// Moves that put a piece from the hand on the board.
    Drops,
}

/// What to do about promotions that a player may decline.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Promotions {
    /// Both the promotion and the plain move, as the rules have it.
    #[default]
    All,
    /// Leaves out plain moves that are never better than the promotion, as engines do while they search.
    Sensible,
}

/// A move given as text that could not be taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveTextError {
    /// The text is not a move at all.
    #[error("`{0}` is not a move")]
    Syntax(String),
    /// A move, but not one of this position.
    #[error("`{0}` is illegal here")]
    Illegal(String),
}

/// Hashes of parts of a position: the first of what moves least, such as pawns.
pub type Structure = [u64; 4];

/// Quiet moves whose slots and routes count up together, such as drops of one kind on each square: the search ranks
/// them all at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// [`Position::history_slot`] of the first.
    pub slot: usize,
    /// [`Position::route_slot`] of the first.
    pub route: usize,
    /// How many there can be, 96 at most.
    pub len: usize,
    /// A bit for each that is legal, the first one lowest.
    pub legal: u128,
}

/// A state of play, with the history that repetition needs.
///
/// The constants say what the game lacks, so that the kernel compiles the corresponding code away.
pub trait Position: Clone + Send + 'static {
    /// A move. Its `Display` is its USI text.
    type Move: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;
    /// A buffer that holds any position's moves; [`MoveList`](crate::MoveList) in practice.
    type Moves: Default + DerefMut<Target = [Self::Move]>;
    /// One elementary change that a move makes to the board or a hand: what an evaluation must hear about.
    type Change: Copy;
    /// What is worth working out once for a position to tell quickly of many moves whether they give check.
    type Checks: Clone + Default;

    /// A player may be in check.
    const HAS_CHECK: bool;
    /// The search may try passing.
    const HAS_NULL_MOVE: bool;
    /// Number of different values of [`Position::history_slot`].
    const HISTORY_SLOTS: usize;
    /// Number of different values of [`Position::route_slot`].
    const ROUTE_SLOTS: usize;
    /// Number of different values of [`Position::captured_slot`].
    const CAPTURED_SLOTS: usize = 1;
    /// No game lasts longer than this, whatever is played; `None` if nothing bounds it.
    const MAX_PLIES: Option<u32>;

    /// The side to move.
    fn side(&self) -> Color;

    /// Number of the next move, counted from 1 in the ordinary start position (SFEN's last field).
    fn ply(&self) -> u32;

    /// A 64-bit hash of everything that decides the future: board, hands, side to move.
    fn key(&self) -> u64;

    /// The same with 128 bits, the lower ones being [`Position::key`], where the game has so many: searches of days ask
    /// for them, as so many positions sometimes share 64 bits.
    #[inline]
    fn wide_key(&self) -> u128 {
        self.key().into()
    }

    /// The key after the legal move `m`, as far as it can be told quickly: the search looks ahead with it.
    fn key_after(&self, m: Self::Move) -> u64 {
        let _ = m;
        self.key()
    }

    /// Appends the moves of one set to `moves`.
    fn generate(&self, set: MoveSet, promotions: Promotions, moves: &mut Self::Moves);

    /// All legal moves, optional promotions both ways.
    #[inline]
    fn legal_moves(&self) -> Self::Moves {
        let mut moves = Self::Moves::default();
        self.generate(MoveSet::Legal, Promotions::All, &mut moves);
        moves
    }

    /// Whether `m`, which may come from anywhere (a table, a book, another position), is legal here.
    fn is_legal(&self, m: Self::Move) -> bool {
        self.legal_moves().contains(&m)
    }

    /// Plays a legal move, telling `observer` each change it makes.
    fn do_move_observed(&mut self, m: Self::Move, observer: impl FnMut(Self::Change));

    /// The same, and tells `announce` beforehand what [`Position::key_after`] says of the move.
    #[inline]
    fn do_move_announced(
        &mut self,
        m: Self::Move,
        announce: impl FnOnce(u64),
        observer: impl FnMut(Self::Change),
    ) {
        announce(self.key_after(m));
        self.do_move_observed(m, observer);
    }

    /// Plays a legal move.
    #[inline]
    fn do_move(&mut self, m: Self::Move) {
        self.do_move_observed(m, |_| ());
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// When no move has been played.
    fn undo_move(&mut self);

    /// Whether a move has been played that [`Position::undo_move`] could take back.
    fn can_undo(&self) -> bool;

    /// Passes; only called where [`Position::HAS_NULL_MOVE`] holds and the side to move is not in check.
    fn do_null_move(&mut self) {}

    /// Whether passing tells the search anything here: not where having to move may be bad for whole stretches.
    fn may_pass(&self) -> bool {
        true
    }

    /// Takes a pass back.
    fn undo_null_move(&mut self) {}

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

    /// How the game has ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The game is over because a goal of its own was reached (a flag, the last piece of a kind), whatever moves there
    /// would be; asked at every node.
    fn goal(&self) -> Option<Outcome> {
        None
    }

    /// What a repetition of this position means inside a search that began `plies_from_root` moves ago: the
    /// first return to a position of the search counts, positions before the root must really recur often
    /// enough.
    fn repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        let _ = plies_from_root;
        None
    }

    /// What the side to move gets by returning at once to a position of a search that began `plies_from_root` moves ago,
    /// if a return can be found quickly; asked at every node.
    #[inline(always)]
    fn upcoming_repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        let _ = plies_from_root;
        None
    }

    /// How the side to move can end the game in its favour at once (entering king).
    fn declaration(&self) -> Option<Declaration<Self::Move>> {
        None
    }

    /// The side to move is in check.
    fn in_check(&self) -> bool {
        false
    }

    /// Prepares [`Position::gives_check`].
    fn checks(&self) -> Self::Checks;

    /// Writes [`Position::checks`] over those of another position.
    #[inline]
    fn checks_into(&self, checks: &mut Self::Checks) {
        *checks = self.checks();
    }

    /// The legal move `m` gives check; `checks` comes from [`Position::checks`] of the same position.
    fn gives_check(&self, checks: &Self::Checks, m: Self::Move) -> bool {
        let _ = (checks, m);
        false
    }

    /// A move that wins at once by mate, if one can be found quickly; asked at every node. `checks` comes from
    /// [`Position::checks`] of the same position.
    fn mate_in_one(&mut self, checks: &Self::Checks) -> Option<Self::Move> {
        let _ = checks;
        None
    }

    /// A move that mates by the second one after it, if one can be found quickly; asked at nodes that are neither in
    /// check nor have a [`Position::mate_in_one`].
    #[inline(always)]
    fn mate_in_three(&mut self) -> Option<Self::Move> {
        None
    }

    /// The legal move `m` captures.
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

    /// So many moves have been played that the game is a draw, unless it is decided already.
    fn move_limit_reached(&self) -> bool {
        false
    }

    /// What the legal quiet move `m` is about to win, in the unit of the evaluation, where that is so certain that pruning
    /// must not take the move for an idle one; else 0.
    #[inline(always)]
    fn threat_value(&self, m: Self::Move) -> i32 {
        let _ = m;
        0
    }

    /// The exchange that `m` starts on its target square nets at least `threshold`.
    fn exchange_at_least(&self, m: Self::Move, threshold: i32) -> bool {
        let _ = m;
        threshold <= 0
    }

    /// The slot of `m` in tables of move statistics, below [`Position::HISTORY_SLOTS`]: what comes to stand where.
    fn history_slot(&self, m: Self::Move) -> usize;

    /// How much sooner (or later, if negative) than its statistics say the search looks at `m`.
    #[inline(always)]
    fn rank_offset(&self, m: Self::Move) -> i32 {
        let _ = m;
        0
    }

    /// Another slot of `m`, below [`Position::ROUTE_SLOTS`]: who goes from where to where.
    fn route_slot(&self, m: Self::Move) -> usize;

    /// The sort of what the legal move `m` captures, below [`Position::CAPTURED_SLOTS`].
    fn captured_slot(&self, m: Self::Move) -> usize {
        let _ = m;
        0
    }

    /// The runs that some of the position's quiet moves belong to.
    fn runs(&self) -> impl Iterator<Item = Run> {
        std::iter::empty()
    }

    /// The move at a place of a run where one is legal. [`Position::rank_offset`] is 0 for all of them.
    fn move_of_run(&self, run: &Run, place: usize) -> Self::Move {
        unreachable!("place {place} of {run:?}: a game without runs has no moves in them")
    }

    /// A bit for each place of a run whose move, if it is legal, gives check.
    fn checks_of_run(&self, checks: &Self::Checks, run: &Run) -> u128 {
        let _ = (checks, run);
        0
    }

    /// Appends the quiet moves that belong to no run.
    #[inline]
    fn generate_outside_runs(&self, promotions: Promotions, moves: &mut Self::Moves) {
        self.generate(MoveSet::Quiets, promotions, moves);
    }

    /// Of a move that [`Position::generate_outside_runs`] made: its [`Position::history_slot`] and whether it gives check.
    #[inline(always)]
    fn facts_outside_runs(&self, checks: &Self::Checks, m: Self::Move) -> (usize, bool) {
        (self.history_slot(m), Self::HAS_CHECK && self.gives_check(checks, m))
    }

    /// Hashes of some parts of the position, such as its pawns, that tend to be judged wrongly in the same way.
    fn structure(&self) -> Structure {
        [0; 4]
    }

    /// What a change does to [`Position::structure`], by XOR.
    fn structure_change(change: Self::Change) -> Structure {
        let _ = change;
        [0; 4]
    }

    /// A move in 32 bits, for tables; 0 is kept for "no move".
    fn pack_move(m: Self::Move) -> u32;

    /// The move that [`Position::pack_move`] packed, if it is legal here: tables may hold another position's.
    fn unpack_move(&self, bits: u32) -> Option<Self::Move>;

    /// Canonical text (SFEN), which [`Game::position`](crate::Game::position) reads back.
    fn to_text(&self) -> String;

    /// The moves of a line from here as hosts are shown them.
    fn line_text(&self, moves: &[Self::Move]) -> Vec<String> {
        moves.iter().map(ToString::to_string).collect()
    }

    /// Reads a move and makes sure that it is legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveTextError>;

    /// Why a well-written move is illegal here, where the game's own rules forbid it and a player may wonder.
    fn why_illegal(&self, text: &str) -> Option<String> {
        let _ = text;
        None
    }
}
