//! One pass over a player's pieces: their places and what they attack.

use super::attack_counts::AttackCounts;
use super::control::{ControlWeights, zones_around};
use super::placement;
use shogi::{Bitboard, Color, HandPiece, PieceKind, Position, attacks, piece_value};

/// The result of one pass over a player's pieces.
pub(super) struct Survey {
    color: Color,
    placement: i32,
    /// Attacks of all pieces but the king: a king in the open would control much, but is a weakness.
    attacks: AttackCounts,
    king: Bitboard,
}

impl Survey {
    pub(super) fn new(position: &Position, color: Color) -> Self {
        let own = position.pieces(color);
        let occupied = position.occupied();
        let mut survey = Self {
            color,
            placement: placement::in_hand(position, color),
            attacks: AttackCounts::default(),
            king: position.king(color).map_or(Bitboard::EMPTY, attacks::king),
        };
        // Two pawns never attack the same square, so one step of the whole set serves them all.
        survey.attacks.add((position.pieces_of(PieceKind::Pawn) & own).forward(color));
        own.for_each(|square| {
            let Some(piece) = position.piece_at(square) else { return };
            survey.placement += placement::on_square(color, piece.kind(), square);
            if !matches!(piece.kind(), PieceKind::Pawn | PieceKind::King) {
                survey.attacks.add(attacks::attacks(piece, square, occupied));
            }
        });
        survey
    }

    /// The value of this player's pieces and attacks, given the opponent's.
    pub(super) fn value(&self, opponent: &Self, position: &Position, weights: &ControlWeights) -> i32 {
        let mut value = weights.anywhere * self.attacks.on(Bitboard::ALL);
        for (king, weights) in [(self.color, &weights.own_king), (!self.color, &weights.enemy_king)] {
            if let Some(square) = position.king(king) {
                for (zone, weight) in zones_around(square).iter().zip(weights) {
                    value += weight * self.attacks.on(*zone);
                }
            }
        }
        value -= self.threatened(opponent, position, weights) / 16;
        value -= self.king_danger(opponent, position, weights);
        self.placement + value / 16
    }

    /// Squares attacked by any piece, the king included.
    fn reached(&self) -> Bitboard {
        self.attacks.once() | self.king
    }

    /// Worth of the pieces under attack, in 256ths.
    fn threatened(&self, opponent: &Self, position: &Position, weights: &ControlWeights) -> i32 {
        let mut value = 0;
        let defended = self.reached();
        (position.pieces(self.color) & opponent.reached()).for_each(|square| {
            if let Some(piece) = position.piece_at(square)
                && piece.kind() != PieceKind::King
            {
                let weight = if defended.contains(square) { weights.attacked } else { weights.hanging };
                value += weight * piece_value(piece.kind());
            }
        });
        value
    }

    /// Squares next to the king that only the king defends, and what the opponent can drop there.
    fn king_danger(&self, opponent: &Self, position: &Position, weights: &ControlWeights) -> i32 {
        let holes = self.king - self.attacks.once() - position.pieces(self.color);
        let attacked = holes & opponent.attacks.once();
        let hand = position.hand(!self.color);
        let droppers: i32 = DROPPERS.iter().map(|&(piece, weight)| weight * i32::from(hand.has(piece))).sum();
        holes.count() as i32 * droppers * weights.drop
            + attacked.count() as i32 * (weights.hole + droppers * weights.supported_drop)
    }
}

/// Weights of pieces in hand that can mate.
const DROPPERS: [(HandPiece, i32); 5] = [
    (HandPiece::Lance, 1),
    (HandPiece::Silver, 3),
    (HandPiece::Gold, 4),
    (HandPiece::Bishop, 3),
    (HandPiece::Rook, 4),
];
