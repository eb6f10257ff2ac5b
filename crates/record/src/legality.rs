//! Judging the moves of a record by the rules.

use crate::{Fault, Illegality, NodeId, Record};
use shogi::{Bitboard, HandPiece, Move, Origin, Piece, PieceKind, Position, attacks};
use std::collections::HashSet;

/// The illegal moves of a record and nodes that hold them; moves behind an illegal one are not judged.
///
/// A start position that cannot be one (no king at all) allows no judgement: then the list is empty.
#[must_use]
pub fn illegal_moves(record: &Record) -> Vec<(NodeId, Fault)> {
    let mut faults = Vec::new();
    let tree = &record.tree;
    let Ok(mut position) = Position::with_room(&record.start, tree.main_line().count()) else {
        return faults;
    };
    // Nodes from the root to the present one whose moves were played.
    let mut path: Vec<NodeId> = Vec::new();
    let mut unjudged = HashSet::new();
    for id in tree.walk() {
        let node = &tree[id];
        let Some(&m) = node.played() else { continue };
        let parent = node_parent(record, id);
        if unjudged.contains(&parent) {
            unjudged.insert(id);
            continue;
        }
        while path.last().is_some_and(|last| *last != parent) {
            position.undo_move();
            path.pop();
        }
        if position.is_legal(m) {
            position.do_move(m);
            path.push(id);
        } else {
            faults.push((id, Fault::illegal(node.ply(), m, explain(&position, m))));
            unjudged.insert(id);
        }
    }
    faults
}

fn node_parent(record: &Record, id: NodeId) -> NodeId {
    record.tree.parent(id).unwrap_or(NodeId::ROOT)
}

/// Which rule forbids a move that is not legal.
#[must_use]
pub fn explain(position: &Position, m: Move) -> Illegality {
    match m.origin() {
        Origin::Board(from) => match position.piece_at(from) {
            None => Illegality::EmptyOrigin,
            Some(piece) if piece.color() != position.side() => Illegality::NotYours,
            Some(piece) => explain_board(position, piece, m),
        },
        Origin::Hand(piece) => explain_drop(position, piece, m),
    }
}

fn explain_board(position: &Position, piece: Piece, m: Move) -> Illegality {
    let Origin::Board(from) = m.origin() else { return Illegality::EmptyHand };
    let (us, to) = (position.side(), m.to());
    let zone = Bitboard::far_ranks(us, 3);
    if position.piece_at(to).is_some_and(|p| p.color() == us || p.kind() == PieceKind::King) {
        Illegality::Taken
    } else if !attacks::attacks(piece, from, position.occupied()).contains(to) {
        Illegality::Unreachable
    } else if m.is_promotion()
        && (piece.kind().promoted().is_none() || !(zone.contains(from) || zone.contains(to)))
    {
        Illegality::Promotion
    } else if !m.is_promotion() && attacks::attacks(piece, to, Bitboard::EMPTY).is_empty() {
        Illegality::DeadEnd
    } else {
        Illegality::KingInCheck
    }
}

fn explain_drop(position: &Position, piece: HandPiece, m: Move) -> Illegality {
    let us = position.side();
    let to = m.to();
    let pawns = position.pieces_of(PieceKind::Pawn) & position.pieces(us);
    if !position.hand(us).has(piece) {
        Illegality::EmptyHand
    } else if position.piece_at(to).is_some() {
        Illegality::Taken
    } else if attacks::attacks(Piece::new(us, piece.kind()), to, Bitboard::EMPTY).is_empty() {
        Illegality::DeadEnd
    } else if piece == HandPiece::Pawn && pawns.intersects(to.file().into()) {
        Illegality::TwoPawns
    } else if position.in_check() {
        Illegality::KingInCheck
    } else {
        Illegality::PawnDropMate
    }
}

/// Cuts every line before its first illegal move and says what was cut.
pub fn cut_illegal(record: &mut Record) -> Vec<Fault> {
    let illegal = illegal_moves(record);
    if !illegal.is_empty() {
        let nodes: HashSet<NodeId> = illegal.iter().map(|(id, _)| *id).collect();
        record.tree = record.tree.pruned(|id| !nodes.contains(&id));
    }
    illegal.into_iter().map(|(_, fault)| fault).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_its_name() {
        let start = shogi::STARTPOS_SFEN;
        for (sfen, m, reason) in [
            (start, "5e5d", Illegality::EmptyOrigin),
            (start, "3c3d", Illegality::NotYours),
            (start, "2h2g", Illegality::Taken),
            (start, "2h2f", Illegality::Unreachable),
            (start, "7g7f+", Illegality::Promotion),
            (start, "P*5e", Illegality::EmptyHand),
            ("4k4/4P4/9/9/9/9/9/9/4K4 b - 1", "5b5a", Illegality::Taken),
            ("3k5/4P4/9/9/9/9/9/9/4K4 b - 1", "5b5a", Illegality::DeadEnd),
            ("4k4/9/9/9/9/4P4/9/9/4K4 b P 1", "P*5e", Illegality::TwoPawns),
            ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5a", Illegality::Taken),
            ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*1a", Illegality::DeadEnd),
            ("4k4/9/9/9/4r4/9/9/9/4K4 b P 1", "5i5h", Illegality::KingInCheck),
            ("4k4/9/9/9/4r4/9/9/9/4K4 b P 1", "P*1b", Illegality::KingInCheck),
            ("kl7/ln7/1G7/9/9/9/9/9/8K b P 1", "P*9b", Illegality::Taken),
            ("k1l6/9/NG7/9/9/9/9/9/8K b P 1", "P*9b", Illegality::PawnDropMate),
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let m: Move = m.parse().unwrap();
            assert!(!position.is_legal(m), "{m} in {sfen}");
            assert_eq!(explain(&position, m), reason, "{m} in {sfen}");
        }
    }
}
