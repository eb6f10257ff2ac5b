use crate::{Color, Declaration, Outcome, Repetition};
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::DerefMut;

/// Why the text of a move was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveTextError {
    /// The text is not a move at all.
    #[error("`{0}` is not a move")]
    Syntax(String),
    /// A move, but not one of this position.
    #[error("`{0}` is illegal here")]
    Illegal(String),
}

/// A position under the rules of a game, with the history that repetition needs.
///
/// This trait alone is enough for perft, the console, a referee and players that do not search. The search also needs
/// [`Searchable`](crate::Searchable).
pub trait Position: Clone + Send + 'static {
    /// A move. Its `Display` is its USI text.
    type Move: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;
    /// A buffer that holds any position's moves; [`MoveList`](crate::MoveList) in practice.
    type Moves: Default + DerefMut<Target = [Self::Move]>;

    /// The side to move.
    fn side(&self) -> Color;

    /// Number of the next move, counted from 1 in the ordinary start position (SFEN's last field).
    fn ply(&self) -> u32;

    /// A 64-bit hash of everything that decides the future: board, hands, side to move.
    fn key(&self) -> u64;

    /// Appends all legal moves to `moves`, optional promotions both ways.
    fn generate_legal(&self, moves: &mut Self::Moves);

    /// All legal moves, optional promotions both ways.
    #[inline]
    fn legal_moves(&self) -> Self::Moves {
        let mut moves = Self::Moves::default();
        self.generate_legal(&mut moves);
        moves
    }

    /// Whether `m` is legal here. `m` may come from anywhere: a table, a book, another position.
    fn is_legal(&self, m: Self::Move) -> bool {
        self.legal_moves().contains(&m)
    }

    /// Plays a legal move.
    fn do_move(&mut self, m: Self::Move);

    /// Takes the last move back.
    ///
    /// # Panics
    /// When no move has been played.
    fn undo_move(&mut self);

    /// Whether [`Position::undo_move`] has a move to take back.
    fn can_undo(&self) -> bool;

    /// Whether the side to move is in check.
    fn in_check(&self) -> bool {
        false
    }

    /// How the game has ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The part of [`Position::outcome`] that needs no list of moves: a goal other than mate, such as a flag or the
    /// last piece of a kind. The search calls it at every node.
    #[inline(always)]
    fn goal(&self) -> Option<Outcome> {
        None
    }

    /// What a repetition of this position means in a search line of `plies_from_root` moves. The first return to a
    /// position of the line counts; positions before the root must recur as often as the rules say.
    #[inline(always)]
    fn repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        let _ = plies_from_root;
        None
    }

    /// How the side to move can end the game in its favour at once (entering king).
    #[inline(always)]
    fn declaration(&self) -> Option<Declaration<Self::Move>> {
        None
    }

    /// Canonical text (SFEN), which [`Game::position`](crate::Game::position) reads back.
    fn to_text(&self) -> String;

    /// The moves of a line from here, in the notation shown to hosts.
    fn line_text(&self, moves: &[Self::Move]) -> Vec<String> {
        moves.iter().map(ToString::to_string).collect()
    }

    /// Parses a move and checks that it is legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveTextError>;

    /// Why a well-formed move is illegal, if a rule peculiar to this game forbids it.
    fn why_illegal(&self, text: &str) -> Option<String> {
        let _ = text;
        None
    }
}
