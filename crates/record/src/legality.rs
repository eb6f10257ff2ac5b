//! Checks the moves of a record against the rules.

use crate::{Fault, Illegality, NodeId, Record};
use shogi::attacks;
use shogi::{Bitboard, Move, Origin, Piece, PieceKind, Position, Square};
use std::collections::HashSet;

/// The illegal moves of a record, with their nodes. Moves after an illegal one are not checked.
///
/// If the start position is invalid (no king at all), nothing can be checked and the list is empty.
#[must_use]
pub fn illegal_moves(record: &Record) -> Vec<(NodeId, Fault)> {
    let mut faults = Vec::new();
    let tree = &record.tree;
    let Ok(mut position) = Position::with_room(&record.start, 0) else { return faults };
    // Nodes from the root to the current one whose moves were played.
    let mut path: Vec<NodeId> = Vec::with_capacity(tree.len());
    let mut unjudged = HashSet::new();
    for id in tree.walk() {
        let node = &tree[id];
        let Some(&m) = node.played() else { continue };
        let parent = tree.parent(id).unwrap_or(NodeId::ROOT);
        if unjudged.contains(&parent) {
            unjudged.insert(id);
            continue;
        }
        while path.last().is_some_and(|last| *last != parent) {
            position.undo_move();
            path.pop();
        }
        match verdict(&position, m) {
            Ok(()) => {
                position.do_move(m);
                path.push(id);
            }
            Err(reason) => {
                faults.push((id, Fault::illegal(node.ply(), m, reason)));
                unjudged.insert(id);
            }
        }
    }
    faults
}

/// Whether a move is legal, else the rule that forbids it.
fn verdict(position: &Position, m: Move) -> Result<(), Illegality> {
    if position.is_legal(m) { Ok(()) } else { Err(broken_rule(position, m)) }
}

/// The first rule that an illegal move violates.
fn broken_rule(position: &Position, m: Move) -> Illegality {
    let (us, to) = (position.side(), m.to());
    let there = position.piece_at(to);
    match m.origin() {
        Origin::Board(from) => {
            let Some(piece) = position.piece_at(from) else { return Illegality::EmptyOrigin };
            let zone = Bitboard::far_ranks(us, 3);
            let promotes = || piece.kind().promoted().is_some() && (zone.contains(from) || zone.contains(to));
            if piece.color() != us {
                Illegality::NotYours
            } else if there.is_some_and(|other| other.color() == us || other.kind() == PieceKind::King) {
                Illegality::Taken
            } else if !attacks::attacks(piece, from, position.occupied()).contains(to) {
                Illegality::Unreachable
            } else if m.is_promotion() && !promotes() {
                Illegality::Promotion
            } else if !m.is_promotion() && is_stuck(piece, to) {
                Illegality::DeadEnd
            } else {
                Illegality::KingInCheck
            }
        }
        Origin::Hand(held) => {
            let piece = Piece::new(us, held.kind());
            let pawns = position.pieces(us) & position.pieces_of(PieceKind::Pawn);
            let is_open = |checker: Square| {
                position.king(us).is_some_and(|king| !attacks::between(king, checker).contains(to))
            };
            if position.hand(us).count(held) == 0 {
                Illegality::EmptyHand
            } else if there.is_some() {
                Illegality::Taken
            } else if is_stuck(piece, to) {
                Illegality::DeadEnd
            } else if held.kind() == PieceKind::Pawn && pawns.into_iter().any(|s| s.file() == to.file()) {
                Illegality::TwoPawns
            } else if position.checkers().into_iter().any(is_open) {
                Illegality::KingInCheck
            } else {
                Illegality::PawnDropMate
            }
        }
    }
}

/// Whether a piece could never leave a square.
fn is_stuck(piece: Piece, square: Square) -> bool {
    attacks::on_empty_board(piece, square).is_empty()
}

/// Cuts every line before its first illegal move, and returns those moves.
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
            assert_eq!(verdict(&position, m.parse().unwrap()), Err(reason), "{m} in {sfen}");
        }
    }
}
