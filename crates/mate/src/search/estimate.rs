//! Initial proof and disproof numbers, and the order of moves with equal numbers.
//!
//! They use what is cheap and informative: how many pieces of each side reach the square, what is captured, which piece
//! moves.

use crate::outcome::{Number, Numbers, UNIT};
use shogi::{Bitboard, Move, Origin, PieceKind, Position, Rank, Square};

/// Weights of the estimates. Helper threads use slightly different ones.
#[derive(Clone, Copy)]
pub(crate) struct Weights {
    /// A check on a square that at least two defenders attack.
    defended: Number,
    /// A check on a square with more attackers than defenders.
    supported: Number,
    /// A check that captures a gold or silver.
    takes_general: Number,
    /// A check that captures another piece.
    takes_other: Number,
    /// Any other check.
    plain: Number,
    /// Perturbs the order of moves of almost equal rank; 0 in the main thread.
    shuffle: u32,
}

impl Weights {
    pub(crate) const STANDARD: Self = Self {
        defended: UNIT,
        supported: UNIT,
        takes_general: UNIT,
        takes_other: UNIT,
        plain: UNIT,
        shuffle: 0,
    };

    /// The weights of a thread; number 0 is the main thread.
    pub(crate) fn of_thread(thread: usize) -> Self {
        let extra = |bit: usize| Number::from(thread >> bit & 1 != 0);
        let standard = Self::STANDARD;
        Self {
            defended: standard.defended + extra(1),
            supported: standard.supported + extra(0),
            takes_general: standard.takes_general + extra(2),
            takes_other: standard.takes_other + extra(1),
            plain: standard.plain + extra(0),
            shuffle: (thread as u32).wrapping_mul(0x9e37_79b1),
        }
    }

    /// The [`rank`] of a move, with this thread's perturbation.
    #[inline]
    pub(crate) fn rank(&self, position: &Position, king: Option<Square>, m: Move) -> i16 {
        let shift = u32::from(m.bits()).wrapping_mul(self.shuffle) >> 26;
        rank(position, king, m) + shift as i16
    }

    /// The numbers of the position after a move, before anything is known of it.
    #[inline]
    pub(crate) fn estimate(&self, position: &Position, attacks: bool, m: Move) -> Numbers {
        if attacks { self.after_check(position, m) } else { after_defence(position, m) }
    }

    fn after_check(&self, position: &Position, m: Move) -> Numbers {
        let support = Support::of(position, m.to());
        let mut numbers = Numbers::new(UNIT, UNIT);
        if support.theirs >= 2 {
            numbers.proof += self.defended;
        }
        let captured = position.piece_at(m.to()).map(|piece| piece.kind().unpromoted());
        if support.own + u32::from(m.is_drop()) > support.theirs {
            numbers.disproof += self.supported;
        } else {
            match captured {
                Some(PieceKind::Gold | PieceKind::Silver) => numbers.disproof += self.takes_general,
                Some(_) => numbers.proof += self.takes_other,
                None => numbers.proof += self.plain,
            }
        }
        numbers
    }
}

fn after_defence(position: &Position, m: Move) -> Numbers {
    if position.piece_at(m.to()).is_some() {
        return Numbers::new(2 * UNIT, UNIT);
    }
    if let Origin::Board(from) = m.origin()
        && position.king(position.side()) == Some(from)
    {
        return Numbers::new(UNIT, UNIT);
    }
    let support = Support::of(position, m.to());
    if support.theirs < support.own + u32::from(m.is_drop()) {
        Numbers::new(2 * UNIT, UNIT)
    } else {
        Numbers::new(UNIT, 2 * UNIT)
    }
}

/// Numbers of pieces that reach a square.
struct Support {
    own: u32,
    theirs: u32,
}

impl Support {
    fn of(position: &Position, square: Square) -> Self {
        let reaching = position.all_attackers_to(square, position.occupied());
        let us = position.side();
        Self {
            own: (reaching & position.pieces(us)).count(),
            theirs: (reaching & position.pieces(!us)).count(),
        }
    }
}

/// Rank among moves of equal numbers, smaller first: strong pieces near the defender's king first; declined promotions
/// of pawn, bishop or rook last, which only serve to avoid a pawn-drop mate.
fn rank(position: &Position, king: Option<Square>, m: Move) -> i16 {
    /// By [`PieceKind`].
    const WORTH: [i16; 15] = [0, 10, 20, 20, 30, 50, 50, 50, 80, 50, 50, 50, 50, 80, 80];
    let Some(piece) = position.piece_after(m) else { return 0 };
    let mut rank = -WORTH[piece.kind().index()];
    if declines_promotion(position, m)
        && matches!(piece.kind(), PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook)
    {
        rank += 1000;
    }
    rank + king.map_or(0, |king| 10 * distance(king, m.to()))
}

/// Whether a board move could promote and does not.
pub(crate) fn declines_promotion(position: &Position, m: Move) -> bool {
    let Origin::Board(from) = m.origin() else { return false };
    let zone = Bitboard::far_ranks(position.side(), 3);
    !m.is_promotion()
        && (zone.contains(from) || zone.contains(m.to()))
        && position.piece_at(from).is_some_and(|piece| piece.kind().promoted().is_some())
}

fn distance(a: Square, b: Square) -> i16 {
    let file = (a.file() as i16 - b.file() as i16).abs();
    let rank = (a.rank() as i16 - b.rank() as i16).abs();
    file.max(rank)
}

/// Whether this check and its alternative with or without promotion likely have the same proof, so that their disproof
/// numbers must not be added: a lance that checks from the square in front of the king.
pub(crate) fn has_twin(position: &Position, king: Option<Square>, m: Move) -> bool {
    let (Origin::Board(from), Some(king)) = (m.origin(), king) else { return false };
    let is_lance = position.piece_at(from).is_some_and(|piece| piece.kind() == PieceKind::Lance);
    let near = |ranks: [Rank; 2]| ranks.contains(&m.to().rank());
    let in_zone = match position.side() {
        shogi::Color::Black => near([Rank::R2, Rank::R3]),
        shogi::Color::White => near([Rank::R7, Rank::R8]),
    };
    is_lance && in_zone && shogi::attacks::pawn(position.side(), m.to()).contains(king)
}
