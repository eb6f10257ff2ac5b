//! Entering-king rules.

use super::{Movement, Position};
use crate::{Bitboard, Color, HandPiece, Move, Square, attacks};
use game::Declaration;
use std::fmt;
use std::str::FromStr;

/// The entering-king rules, with the names of the USI option `EnteringKingRule`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DeclarationRule {
    /// Never.
    NoEnteringKing,
    /// 31 points for both sides.
    CsaRule24,
    /// The same, pieces that a handicap took away counting for White.
    CsaRule24H,
    /// 28 points for Black, 27 for White.
    #[default]
    CsaRule27,
    /// The same, pieces that a handicap took away counting for White.
    CsaRule27H,
    /// A king that reaches the square where the enemy king started wins.
    TryRule,
}

impl DeclarationRule {
    /// All rules in the order of the option.
    pub const ALL: [Self; 6] = [
        Self::NoEnteringKing,
        Self::CsaRule24,
        Self::CsaRule24H,
        Self::CsaRule27,
        Self::CsaRule27H,
        Self::TryRule,
    ];
}

impl fmt::Display for DeclarationRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoEnteringKing => "NoEnteringKing",
            Self::CsaRule24 => "CSARule24",
            Self::CsaRule24H => "CSARule24H",
            Self::CsaRule27 => "CSARule27",
            Self::CsaRule27H => "CSARule27H",
            Self::TryRule => "TryRule",
        })
    }
}

/// A name that is not a [`DeclarationRule`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected NoEnteringKing, CSARule24, CSARule24H, CSARule27, CSARule27H or TryRule")]
pub struct ParseDeclarationRuleError;

impl FromStr for DeclarationRule {
    type Err = ParseDeclarationRuleError;

    fn from_str(text: &str) -> Result<Self, ParseDeclarationRuleError> {
        Self::ALL.into_iter().find(|rule| rule.to_string() == text).ok_or(ParseDeclarationRuleError)
    }
}

/// The points of all pieces of a full set, each king counting one.
const ALL_POINTS: u32 = 56;

fn hand_points(position: &Position, color: Color) -> u32 {
    let big = |piece| matches!(piece, HandPiece::Bishop | HandPiece::Rook);
    position.hand(color).iter().map(|(piece, count)| if big(piece) { 5 * count } else { count }).sum()
}

impl Position {
    /// How the side to move can win by the agreed rule, if it can.
    #[inline]
    #[must_use]
    pub fn declaration(&self) -> Option<Declaration<Move>> {
        match self.rules.declaration {
            DeclarationRule::NoEnteringKing => None,
            DeclarationRule::TryRule => self.try_move().map(Declaration::Try),
            rule => (self.has_entered() && self.may_declare(rule)).then_some(Declaration::Win),
        }
    }

    /// Whether the king of the side to move is in the enemy's camp.
    #[inline]
    fn has_entered(&self) -> bool {
        self.king(self.side).is_some_and(|king| Bitboard::far_ranks(self.side, 3).contains(king))
    }

    #[cold]
    fn may_declare(&self, rule: DeclarationRule) -> bool {
        let us = self.side;
        let camp = Bitboard::far_ranks(us, 3);
        if self.in_check() {
            return false;
        }
        let inside = camp & self.pieces(us);
        let others = inside.count() - 1;
        let big = inside & (self.moving_like(Movement::Bishop) | self.moving_like(Movement::Rook));
        let points = others + 4 * big.count() + hand_points(self, us);
        others >= 10 && points >= self.points_needed(rule)
    }

    fn points_needed(&self, rule: DeclarationRule) -> u32 {
        let base = match (rule, self.side) {
            (DeclarationRule::CsaRule24 | DeclarationRule::CsaRule24H, _) => 31,
            (_, Color::Black) => 28,
            (_, Color::White) => 27,
        };
        let handicap = matches!(rule, DeclarationRule::CsaRule24H | DeclarationRule::CsaRule27H);
        if !handicap || self.side == Color::Black {
            return base;
        }
        let big = self.moving_like(Movement::Bishop) | self.moving_like(Movement::Rook);
        let on_board = self.occupied().count() + 4 * big.count();
        let present = on_board + hand_points(self, Color::Black) + hand_points(self, Color::White);
        base.saturating_sub(ALL_POINTS.saturating_sub(present))
    }

    /// The king move that wins by the try rule; possible even when in check.
    fn try_move(&self) -> Option<Move> {
        let us = self.side;
        let goal = match us {
            Color::Black => Square::Sq51,
            Color::White => Square::Sq59,
        };
        let king = self.king(us)?;
        let reachable = attacks::king(king).contains(goal) && !self.pieces(us).contains(goal);
        let safe = reachable && !self.is_attacked(goal, !us, self.occupied() - king.into());
        safe.then(|| Move::board(king, goal, false))
    }
}
