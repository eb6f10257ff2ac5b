//! Static exchange evaluation.

use super::{Movement, Position};
use crate::{Bitboard, Move, Origin, PieceKind, Square, attacks, piece_value};

impl Position {
    /// Whether the exchange that `m` starts on its target square leaves the mover at least `threshold` ahead, if both
    /// sides always take with their least valuable piece and stop when that is better. Values are those of
    /// [`piece_value`]; pins and promotions are ignored.
    ///
    /// ```
    /// use shogi::Position;
    /// let position = Position::from_sfen("4k4/9/9/4p4/9/9/9/4R4/4K4 b - 1")?;
    /// let takes_pawn = "5h5d".parse().unwrap();
    /// assert!(position.exchange_at_least(takes_pawn, 90));
    /// assert!(!position.exchange_at_least(takes_pawn, 91));
    /// # Ok::<(), shogi::SfenError>(())
    /// ```
    #[must_use]
    pub fn exchange_at_least(&self, m: Move, threshold: i32) -> bool {
        let to = m.to();
        let (moved, from) = match m.origin() {
            Origin::Hand(piece) => (Some(piece.kind()), Bitboard::EMPTY),
            Origin::Board(from) => (self.piece_at(from).map(crate::Piece::kind), from.into()),
        };
        let Some(moved) = moved else { return threshold <= 0 };
        let captured = self.piece_at(to).map_or(0, |piece| piece_value(piece.kind()));

        // What the opponent must win back at least to keep the mover below `threshold`; then, turn by turn, what the
        // side to take must still gain.
        let mut needed = captured - threshold;
        if needed < 0 {
            return false;
        }
        needed = piece_value(moved) - needed;
        if needed <= 0 {
            return true;
        }
        let mut occupied = (self.occupied() - from) | to.into();
        let mut attackers = self.all_attackers_to(to, occupied);
        let mut side = self.side;
        let mut reached = true;
        loop {
            side = !side;
            attackers &= occupied;
            let takers = attackers & self.pieces(side);
            if takers.is_empty() {
                break;
            }
            let Some((square, kind)) = self.least_valuable(takers) else { break };
            if kind == PieceKind::King {
                // A king takes only pieces that are no longer protected.
                let protected = attackers.intersects(self.pieces(!side));
                return reached == protected;
            }
            reached = !reached;
            needed = piece_value(kind) - needed;
            if needed < i32::from(reached) {
                break;
            }
            occupied -= square.into();
            attackers |= self.uncovered(to, square, occupied);
        }
        reached
    }

    /// The least valuable of some pieces; among equals, the one with the smallest square number.
    #[inline]
    fn least_valuable(&self, pieces: Bitboard) -> Option<(Square, PieceKind)> {
        let found = |square: Square| Some((square, self.piece_at(square)?.kind()));
        if !pieces.many() {
            return found(pieces.first()?);
        }
        // Gold and the promoted minor pieces have the same value.
        let small = [Movement::Pawn, Movement::Lance, Movement::Knight, Movement::Silver, Movement::Gold];
        if let Some(square) = small.into_iter().find_map(|set| (self.moving_like(set) & pieces).first()) {
            return found(square);
        }
        // Bishop and rook are worth less than horse and dragon.
        let [bishops, rooks] = [Movement::Bishop, Movement::Rook].map(|set| self.moving_like(set) & pieces);
        let large = [bishops - self.promoted, bishops, rooks - self.promoted, rooks, pieces];
        found(large.into_iter().find_map(Bitboard::first)?)
    }

    /// The slider that attacks `to` through `gone`, from which a piece has just left.
    #[inline]
    fn uncovered(&self, to: Square, gone: Square, occupied: Bitboard) -> Bitboard {
        let Some(direction) = attacks::direction_between(to, gone) else { return Bitboard::EMPTY };
        let seen = attacks::ray(direction, to) & occupied;
        let nearest = if direction.is_increasing() { seen.first() } else { seen.last() };
        let found = nearest.map_or(Bitboard::EMPTY, Bitboard::square);
        found & (self.sliders_against(direction, self.side) | self.sliders_against(direction, !self.side))
    }
}
