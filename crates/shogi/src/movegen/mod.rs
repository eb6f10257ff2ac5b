//! Generating legal moves.
//!
//! Only legal moves are written: masks for pins, checks and pawn-drop mates are computed first, so no list has to be
//! filtered.

mod board;
mod checks;
mod drops;
mod king;
mod writer;

use crate::position::Movement;
use crate::{Bitboard, Color, Hand, HandPiece, Move, Position, attacks};
pub(crate) use checks::candidates as checking_candidates;
use game::{MoveSet, Promotions};
pub(crate) use king::{distant_sliders, safe_squares as safe_king_squares};
use writer::Writer;

/// The moves of a position.
///
/// With a full set of pieces, no position with more than 593 moves is known. The list holds the moves of every diagram
/// that a [`Position`] accepts, and has room for appending such a set to a list of captures.
pub type MoveList = game::MoveList<Move, { MAX_GENERATED + 311 }>;

/// An upper bound of the moves of any diagram, including the overhang of a wide write: drops of every kind everywhere,
/// the king's steps, and for each other piece the most moves that it can have, plain with promotions or promoted.
const MAX_GENERATED: usize = {
    const MOST: [(HandPiece, usize); 7] = [
        (HandPiece::Pawn, 6),
        (HandPiece::Lance, 2 * 8),
        (HandPiece::Knight, 6),
        (HandPiece::Silver, 2 * 5),
        (HandPiece::Gold, 6),
        (HandPiece::Bishop, 2 * 16),
        (HandPiece::Rook, 2 * 16),
    ];
    let mut sum = 7 * 81 + 8 + 8;
    let mut i = 0;
    while i < MOST.len() {
        let (piece, moves) = MOST[i];
        sum += Hand::max_count(piece) as usize * moves;
        i += 1;
    }
    sum
};

/// A colour as a type, so that each generator is compiled for each side.
trait Side {
    const US: Color;
}

struct BlackSide;
struct WhiteSide;

impl Side for BlackSide {
    const US: Color = Color::Black;
}

impl Side for WhiteSide {
    const US: Color = Color::White;
}

/// Target squares.
struct Targets {
    /// For pieces on the board other than the king.
    board: Bitboard,
    /// For the king.
    king: Bitboard,
    /// For drops.
    drops: Bitboard,
}

impl Targets {
    /// The target squares of a set of moves, before checks are taken into account.
    #[inline(always)]
    fn of(position: &Position, set: MoveSet) -> Self {
        let us = position.pieces(position.side());
        let them = position.pieces(!position.side());
        let empty = !(us | them);
        // Kings are never captured, not even in a diagram that leaves one in check.
        let takable = them - position.moving_like(Movement::King);
        let (board, drops) = match set {
            MoveSet::Legal | MoveSet::Evasions | MoveSet::Checks => (takable | empty, empty),
            MoveSet::Captures => (takable, Bitboard::EMPTY),
            MoveSet::Quiets => (empty, empty),
            MoveSet::Drops => (Bitboard::EMPTY, empty),
        };
        Self { board, king: board, drops }
    }

    /// Restricts the targets to those that answer the check, if there is one.
    #[inline(always)]
    fn answering_checks(mut self, position: &Position) -> Self {
        let checkers = position.checkers();
        if checkers.is_empty() {
            return self;
        }
        match (position.king(position.side()), checkers.first()) {
            (Some(king), Some(checker)) if !checkers.many() => {
                let inner = attacks::between(king, checker);
                self.board &= inner | checkers;
                self.drops &= inner;
            }
            // In double check only the king can move.
            _ => {
                self.board = Bitboard::EMPTY;
                self.drops = Bitboard::EMPTY;
            }
        }
        self
    }
}

impl Position {
    /// All legal moves, optional promotions both ways.
    ///
    /// ```
    /// use shogi::Position;
    /// let position = Position::startpos();
    /// let captures = position.legal_moves().into_iter().filter(|m| position.is_capture(*m)).count();
    /// assert_eq!(captures, 0);
    /// ```
    #[inline]
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(MoveSet::Legal, Promotions::All, &mut moves);
        moves
    }

    /// Appends the moves of one set to `moves`.
    #[inline]
    pub fn generate(&self, set: MoveSet, promotions: Promotions, moves: &mut MoveList) {
        match (self.side(), promotions) {
            (Color::Black, Promotions::All) => generate::<BlackSide, true>(self, set, moves),
            (Color::White, Promotions::All) => generate::<WhiteSide, true>(self, set, moves),
            (Color::Black, Promotions::Sensible) => generate::<BlackSide, false>(self, set, moves),
            (Color::White, Promotions::Sensible) => generate::<WhiteSide, false>(self, set, moves),
        }
    }

    /// Appends the quiet moves that are no drops.
    #[inline]
    pub(crate) fn generate_board_quiets(&self, promotions: Promotions, moves: &mut MoveList) {
        let quiets = Targets::of(self, MoveSet::Quiets).answering_checks(self);
        let targets = Targets { drops: Bitboard::EMPTY, ..quiets };
        match (self.side(), promotions) {
            (Color::Black, Promotions::All) => write::<BlackSide, true>(self, &targets, moves),
            (Color::White, Promotions::All) => write::<WhiteSide, true>(self, &targets, moves),
            (Color::Black, Promotions::Sensible) => write::<BlackSide, false>(self, &targets, moves),
            (Color::White, Promotions::Sensible) => write::<WhiteSide, false>(self, &targets, moves),
        }
    }

    /// Where the side to move may drop a piece.
    #[inline]
    pub(crate) fn drop_targets(&self, piece: HandPiece) -> Bitboard {
        let targets = Targets::of(self, MoveSet::Drops).answering_checks(self);
        drops::targets_of(self, piece, targets.drops)
    }
}

fn generate<S: Side, const ALL: bool>(position: &Position, set: MoveSet, moves: &mut MoveList) {
    if set == MoveSet::Evasions && !position.in_check() {
        return;
    }
    if set == MoveSet::Checks && position.opponent_in_check() {
        let mut legal = MoveList::new();
        generate::<S, ALL>(position, MoveSet::Legal, &mut legal);
        moves.extend(legal.iter().copied().filter(|m| position.gives_check(*m)));
        return;
    }
    let targets = Targets::of(position, set).answering_checks(position);
    if set == MoveSet::Checks {
        let mut writer = Writer::new(moves);
        checks::generate::<S, ALL>(position, &targets, &mut writer);
        writer.finish();
    } else {
        write::<S, ALL>(position, &targets, moves);
    }
}

/// Appends all legal moves to `targets`.
fn write<S: Side, const ALL: bool>(position: &Position, targets: &Targets, moves: &mut MoveList) {
    let mut writer = Writer::new(moves);
    if targets.board.any() {
        board::generate::<S, ALL>(position, targets.board, &mut writer);
    }
    if targets.king.any() {
        king::generate::<S>(position, targets.king, &mut writer);
    }
    drops::generate::<S>(position, targets.drops, &mut writer);
    writer.finish();
}
