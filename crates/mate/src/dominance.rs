//! Dominance: the hands for which a verdict holds.
//!
//! More pieces in hand never hurt the attacker: the board decides which moves exist, and a piece in his hand is not in
//! the defender's. So a proof holds for every hand that covers the *proof hand* (the pieces that the mate needs), and a
//! disproof for every hand that the *disproof hand* covers.

use shogi::{Color, Hand, HandPiece, Move, Origin, Position, attacks};

/// The attacker's hand after his move.
pub(crate) fn hand_after(position: &Position, m: Move, hand: Hand) -> Hand {
    match m.origin() {
        Origin::Hand(piece) => hand.with_count(piece, hand.count(piece).saturating_sub(1)),
        Origin::Board(_) => match captured(position, m) {
            Some(piece) => hand.with_count(piece, hand.count(piece) + 1),
            None => hand,
        },
    }
}

/// The hand before the attacker's move that leads to this one.
pub(crate) fn hand_before(position: &Position, m: Move, hand: Hand) -> Hand {
    match m.origin() {
        Origin::Hand(piece) => hand.with_count(piece, hand.count(piece) + 1),
        Origin::Board(_) => match captured(position, m) {
            Some(piece) => hand.with_count(piece, hand.count(piece).saturating_sub(1)),
            None => hand,
        },
    }
}

fn captured(position: &Position, m: Move) -> Option<HandPiece> {
    position.piece_at(m.to())?.kind().to_hand()
}

/// The proof hand of a position in check, given the union of what the mates after the defender's moves need.
///
/// If the defender lacks a kind because the attacker holds all of it, he could otherwise interpose it: then the proof
/// needs all of them.
pub(crate) fn proof_hand(position: &Position, needed: Hand) -> Hand {
    let defender = position.side();
    let (own, attackers) = (position.hand(defender), position.hand(!defender));
    let Some(king) = position.king(defender) else { return needed };
    let checkers = position.checkers();
    let between = match checkers.first() {
        Some(checker) if !checkers.many() => attacks::between(king, checker),
        // In double check interposing is impossible; without a check every drop is possible.
        Some(_) => return needed,
        None => !position.occupied(),
    };
    if between.is_empty() {
        return needed;
    }
    HandPiece::ALL.into_iter().fold(needed, |hand, piece| {
        let droppable =
            || piece != HandPiece::Pawn || between.into_iter().any(|to| pawn_fits(position, defender, to));
        if own.has(piece) || !droppable() { hand } else { hand.with_count(piece, attackers.count(piece)) }
    })
}

/// Whether a pawn may be dropped there, judging only by pawns on the file and the last rank.
fn pawn_fits(position: &Position, color: Color, to: shogi::Square) -> bool {
    let pawns = position.pieces_of(shogi::PieceKind::Pawn) & position.pieces(color);
    !pawns.intersects(to.file().into()) && attacks::pawn(color, to).any()
}

/// The disproof hand of a position of the attacker, given the hand that is refuted after all of his moves.
///
/// A kind that the attacker lacks could give other checks, so the disproof holds only for hands without it.
pub(crate) fn disproof_hand(position: &Position, refuted: Hand) -> Hand {
    let attacker = position.side();
    let own = position.hand(attacker);
    let Some(king) = position.king(!attacker) else { return refuted };
    let empty = !position.occupied();
    HandPiece::ALL.into_iter().fold(refuted, |hand, piece| {
        if own.has(piece) || !hand.has(piece) {
            return hand;
        }
        let from = shogi::Piece::new(!attacker, piece.kind());
        let checks = (attacks::attacks(from, king, position.occupied()) & empty).any();
        let closed = piece == HandPiece::Pawn && {
            let pawns = position.pieces_of(shogi::PieceKind::Pawn) & position.pieces(attacker);
            pawns.intersects(king.file().into())
        };
        if checks && !closed { hand.with_count(piece, 0) } else { hand }
    })
}

/// The disproof hand before a move of the defender: the attacker must not hold a piece that the defender drops.
pub(crate) fn disproof_hand_before_defence(position: &Position, m: Move, refuted: Hand) -> Hand {
    let Origin::Hand(piece) = m.origin() else { return refuted };
    let all = position.hand(Color::Black).count(piece) + position.hand(Color::White).count(piece);
    refuted.with_count(piece, refuted.count(piece).min(all - 1))
}
