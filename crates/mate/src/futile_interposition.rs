//! Interpositions that do not count (無駄合).
//!
//! There is no agreed definition. This one is narrow and can be decided locally: the defender is *mated but for futile
//! interpositions* if his only legal moves are interpositions by drops, and for every square the checking piece can
//! take the dropped piece (promoting or not) such that, with that piece back in the defender's hand, he is again mated
//! or mated but for futile interpositions. The mate then neither needs the dropped piece nor depends on its kind.

use shogi::{Color, Move, Piece, Position, Square};

/// Whether the side to move, in check and with these legal moves, is mated but for futile interpositions.
pub(crate) fn is_mated_but_for_futile(position: &Position, moves: &[Move]) -> bool {
    if moves.is_empty() {
        return position.in_check();
    }
    let checkers = position.checkers();
    let Some(checker) = checkers.first().filter(|_| !checkers.many()) else { return false };
    moves.iter().all(|m| m.is_drop()) && moves.iter().all(|m| can_be_ignored(position, checker, m.to()))
}

/// Whether the piece on `checker` can take what is dropped on `to` and the mate remains.
fn can_be_ignored(position: &Position, checker: Square, to: Square) -> bool {
    let Some(piece) = position.piece_at(checker) else { return false };
    let zone = shogi::Bitboard::far_ranks(piece.color(), 3);
    let promoted = piece.kind().promoted().filter(|_| zone.contains(checker) || zone.contains(to));
    [Some(piece.kind()), promoted].into_iter().flatten().any(|kind| {
        let arrived = Piece::new(piece.color(), kind);
        let may_stay = shogi::attacks::on_empty_board(arrived, to).any();
        may_stay && after_capture(position, checker, to, arrived).is_some_and(|next| still_mated(&next))
    })
}

/// The position with the checking piece on `to`, the defender to move with the same hand as before.
fn after_capture(position: &Position, checker: Square, to: Square, arrived: Piece) -> Option<Position> {
    let mut setup = position.setup();
    setup.board[checker.index()] = None;
    setup.board[to.index()] = Some(arrived);
    let next = Position::try_from(setup).ok()?;
    let attacker: Color = arrived.color();
    let exposed = next.king(attacker).is_some_and(|king| next.is_attacked(king, !attacker, next.occupied()));
    (!exposed).then_some(next)
}

fn still_mated(position: &Position) -> bool {
    position.in_check() && is_mated_but_for_futile(position, &position.legal_moves())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mated(sfen: &str) -> bool {
        let position = Position::from_sfen(sfen).unwrap();
        is_mated_but_for_futile(&position, &position.legal_moves())
    }

    #[test]
    fn a_piece_that_is_taken_without_effect_is_futile() {
        // A rook checks along the edge, protected by a knight next to the king: it takes every interposed piece.
        assert!(mated("4k3R/9/3GGGN2/9/9/9/9/9/9 w rb2p 1"));
        // With one gold less the king gets out at 6b.
        assert!(!mated("4k3R/9/5GN2/9/9/9/9/9/9 w rb2p 1"));
        // Mate without any possible interposition.
        assert!(mated("4k3R/9/3GGG3/9/9/9/9/9/9 w - 1"));
    }

    #[test]
    fn a_piece_that_changes_the_mate_counts() {
        // Without the knight, the king takes the rook after it has captured on 4a.
        assert!(!mated("4k3R/9/3GGG3/9/9/9/9/9/9 w rb2p 1"));
    }
}
