//! Legal moves in YaneuraOu's order of generation.
//!
//! Which of two equal lines a tree search visits first decides its result, and the lists of `extend_tree` are in the
//! order of its walk. To get the same results, moves are generated in the same order: by kind of piece, then by square,
//! drops last. YaneuraOu also generates moves that leave the king in check and then replaces each of them by the last
//! move of the list, and so does this module.

use shogi::attacks::{attacks, between, king};
use shogi::{Bitboard, Color, HandPiece, Move, Piece, PieceKind, Position, Rank, Square};

/// All moves, including those that leave the king in check.
#[must_use]
pub fn pseudo_legal_moves(position: &Position) -> Vec<Move> {
    let mut list = Generator { position, us: position.side(), moves: Vec::with_capacity(128) };
    list.generate();
    list.moves
}

/// All legal moves, pointless non-promotions included.
#[must_use]
pub fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = pseudo_legal_moves(position);
    let mut index = 0;
    while index < moves.len() {
        if position.is_legal(moves[index]) {
            index += 1;
        } else {
            moves.swap_remove(index);
        }
    }
    moves
}

struct Generator<'a> {
    position: &'a Position,
    us: Color,
    moves: Vec<Move>,
}

/// Golds and pieces that move alike, with horse and dragon; the king is among them unless in check.
const NEVER_PROMOTING: [PieceKind; 7] = [
    PieceKind::Gold,
    PieceKind::ProPawn,
    PieceKind::ProLance,
    PieceKind::ProKnight,
    PieceKind::ProSilver,
    PieceKind::Horse,
    PieceKind::Dragon,
];

impl Generator<'_> {
    fn generate(&mut self) {
        let position = self.position;
        let own = position.pieces(self.us);
        let checkers = position.checkers();
        let king_square = position.king(self.us);
        let (Some(king_square), true) = (king_square, checkers.any()) else {
            self.piece_moves(!own, true);
            self.drops(!position.occupied());
            return;
        };
        let without_king = position.occupied() - Bitboard::from(king_square);
        let attacked = checkers
            .into_iter()
            .filter_map(|square| Some(attacks(position.piece_at(square)?, square, without_king)))
            .fold(Bitboard::EMPTY, |all, some| all | some);
        for to in king(king_square) - own - attacked {
            self.moves.push(Move::board(king_square, to, false));
        }
        if let (Some(checker), false) = (checkers.first(), checkers.many()) {
            let between = between(checker, king_square);
            self.piece_moves(between | Bitboard::from(checker), false);
            self.drops(between);
        }
    }

    fn pieces(&self, kinds: &[PieceKind]) -> Bitboard {
        let all = kinds.iter().fold(Bitboard::EMPTY, |all, kind| all | self.position.pieces_of(*kind));
        all & self.position.pieces(self.us)
    }

    fn reach(&self, from: Square, targets: Bitboard) -> Bitboard {
        let piece = self.position.piece_at(from);
        piece.map_or(Bitboard::EMPTY, |piece| attacks(piece, from, self.position.occupied()) & targets)
    }

    fn piece_moves(&mut self, targets: Bitboard, with_king: bool) {
        let zone = Bitboard::far_ranks(self.us, 3);
        let last_rank = Bitboard::far_ranks(self.us, 1);
        self.pawns(targets, zone, last_rank);
        for from in self.pieces(&[PieceKind::Lance]) {
            let reach = self.reach(from, targets);
            self.add(from, reach & zone, &[true]);
            self.add(from, reach - last_rank, &[false]);
        }
        for from in self.pieces(&[PieceKind::Knight]) {
            for to in self.reach(from, targets) {
                let to_set = Bitboard::from(to);
                self.add(from, to_set & zone, &[true]);
                self.add(from, to_set - Bitboard::far_ranks(self.us, 2), &[false]);
            }
        }
        for kinds in [&[PieceKind::Silver][..], &[PieceKind::Bishop, PieceKind::Rook]] {
            for from in self.pieces(kinds) {
                let reach = self.reach(from, targets);
                if zone.contains(from) {
                    self.add(from, reach, &[true, false]);
                } else {
                    self.add(from, reach & zone, &[true, false]);
                    self.add(from, reach - zone, &[false]);
                }
            }
        }
        let mut rest = self.pieces(&NEVER_PROMOTING);
        if with_king {
            rest |= self.pieces(&[PieceKind::King]);
        }
        for from in rest {
            let reach = self.reach(from, targets);
            self.add(from, reach, &[false]);
        }
    }

    /// By target square, unlike the other pieces.
    fn pawns(&mut self, targets: Bitboard, zone: Bitboard, last_rank: Bitboard) {
        let pawns = self.pieces(&[PieceKind::Pawn]);
        let pawn_back = Piece::new(!self.us, PieceKind::Pawn);
        for to in pawns.forward(self.us) & targets {
            let Some(from) = (attacks(pawn_back, to, Bitboard::EMPTY) & pawns).first() else { continue };
            if zone.contains(to) {
                self.moves.push(Move::board(from, to, true));
            }
            if !last_rank.contains(to) {
                self.moves.push(Move::board(from, to, false));
            }
        }
    }

    fn add(&mut self, from: Square, targets: Bitboard, promotions: &[bool]) {
        for to in targets {
            self.moves.extend(promotions.iter().map(|promote| Move::board(from, to, *promote)));
        }
    }

    fn drops(&mut self, targets: Bitboard) {
        let hand = self.position.hand(self.us);
        let last_rank = Bitboard::far_ranks(self.us, 1);
        if hand.has(HandPiece::Pawn) {
            let files = self.pieces(&[PieceKind::Pawn]).fill_files();
            for to in targets - last_rank - files {
                let drop = Move::drop(HandPiece::Pawn, to);
                // Pawn-drop mates are left out at once; other illegal moves are removed later.
                if !self.is_pawn_drop_mate(drop) {
                    self.moves.push(drop);
                }
            }
        }
        let held = |pieces: &[HandPiece]| -> Vec<HandPiece> {
            pieces.iter().copied().filter(|piece| hand.has(*piece)).collect()
        };
        let order = [
            HandPiece::Knight,
            HandPiece::Lance,
            HandPiece::Silver,
            HandPiece::Gold,
            HandPiece::Bishop,
            HandPiece::Rook,
        ];
        let zones: Vec<(Bitboard, &[HandPiece])> =
            if hand.has(HandPiece::Knight) || hand.has(HandPiece::Lance) {
                let two_ranks = Bitboard::far_ranks(self.us, 2);
                vec![
                    (targets & last_rank, &order[2..]),
                    (targets & (two_ranks - last_rank), &order[1..]),
                    (targets - two_ranks, &order[..]),
                ]
            } else {
                vec![(targets, &order[2..])]
            };
        for (zone, pieces) in zones {
            let pieces = held(pieces);
            for to in zone {
                self.moves.extend(pieces.iter().map(|piece| Move::drop(*piece, to)));
            }
        }
    }

    fn is_pawn_drop_mate(&self, drop: Move) -> bool {
        let Some(enemy) = self.position.king(!self.us) else { return false };
        let in_front = match self.us {
            Color::Black => drop.to().rank() != Rank::R1 && drop.to().index() == enemy.index() + 1,
            Color::White => drop.to().rank() != Rank::R9 && drop.to().index() + 1 == enemy.index(),
        };
        in_front && drop.to().file() == enemy.file() && !self.position.is_legal(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_order_from_the_start() {
        let moves = legal_moves(&Position::startpos());
        let text: Vec<String> = moves.iter().map(ToString::to_string).collect();
        assert_eq!(text[..10].join(" "), "1g1f 2g2f 3g3f 4g4f 5g5f 6g6f 7g7f 8g8f 9g9f 1i1h");
        assert_eq!(moves.len(), 30);
    }

    proptest! {
        /// The same moves as the kernel's, in any order.
        #[test]
        fn the_moves_are_all_legal_moves(choices in prop::collection::vec(any::<usize>(), 0..200)) {
            let mut position = Position::startpos();
            for choice in choices {
                let mut ours = legal_moves(&position);
                if ours.is_empty() {
                    break;
                }
                let next = ours[choice % ours.len()];
                let mut all: Vec<Move> = position.legal_moves().iter().copied().collect();
                ours.sort();
                all.sort();
                prop_assert_eq!(ours, all, "{}", position.sfen());
                position.do_move(next);
            }
        }
    }
}
