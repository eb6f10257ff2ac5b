//! Judging the moves of a record by the rules.

use crate::board::Undo;
use crate::{Board, Fault, Illegality, NodeId, Record};
use shogi::attacks::{self, Direction};
use shogi::{Bitboard, Color, HandPiece, Move, Origin, Piece, PieceKind, Position, Setup, Square};
use std::collections::HashSet;

/// The illegal moves of a record and nodes that hold them; moves behind an illegal one are not judged.
///
/// A start position that cannot be one (no king at all) allows no judgement: then the list is empty.
#[must_use]
pub fn illegal_moves(record: &Record) -> Vec<(NodeId, Fault)> {
    let mut faults = Vec::new();
    let tree = &record.tree;
    if record.start.validate().is_err() {
        return faults;
    }
    let mut judge = Judge::new(&record.start, tree.len());
    // Nodes from the root to the present one whose moves were played.
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
            judge.take_back();
            path.pop();
        }
        match judge.verdict(m) {
            Ok(()) => {
                judge.play(m);
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

/// Follows a line of moves and judges what comes next, as long as it is legal.
///
/// It looks at the king only where the last two moves can have anything to do with it, which is a fraction of what
/// [`Position`] keeps up to date for a search; the tests compare the two.
pub(crate) struct Judge {
    board: Board,
    kings: [Option<Square>; 2],
    played: Vec<Undo>,
}

impl Judge {
    /// Ready for so many moves without asking for more memory.
    pub fn new(start: &Setup, room: usize) -> Self {
        let mut kings = [None; 2];
        for (square, piece) in start.pieces().filter(|(_, piece)| piece.kind() == PieceKind::King) {
            kings[piece.color().index()].get_or_insert(square);
        }
        Self { board: Board::from(start), kings, played: Vec::with_capacity(room) }
    }

    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plays a move, legal or not; without a piece to move nothing happens.
    #[inline(always)]
    pub fn play(&mut self, m: Move) {
        if let Some(undo) = self.board.play(m) {
            self.move_king(undo.moved, m.to());
            self.played.push(undo);
        }
    }

    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.played.last().map(|undo| undo.played)
    }

    pub fn take_back(&mut self) {
        if let Some(undo) = self.played.pop() {
            self.board.take_back(undo);
            if let Origin::Board(from) = undo.played.origin() {
                self.move_king(undo.moved, from);
            }
        }
    }

    #[inline]
    fn move_king(&mut self, moved: Piece, to: Square) {
        if moved.kind() == PieceKind::King {
            self.kings[moved.color().index()] = Some(to);
        }
    }

    /// Whether a move is legal, or which rule forbids it.
    #[inline(always)]
    pub fn verdict(&self, m: Move) -> Result<(), Illegality> {
        match m.origin() {
            Origin::Board(from) => self.verdict_on_board(from, m),
            Origin::Hand(piece) => self.verdict_on_drop(piece, m),
        }
    }

    #[inline(always)]
    fn verdict_on_board(&self, from: Square, m: Move) -> Result<(), Illegality> {
        let (us, to) = (self.board.side(), m.to());
        let piece = self.board.piece_at(from).ok_or(Illegality::EmptyOrigin)?;
        if piece.color() != us {
            return Err(Illegality::NotYours);
        }
        if self.board.piece_at(to).is_some_and(|p| p.color() == us || p.kind() == PieceKind::King) {
            return Err(Illegality::Taken);
        }
        let occupied = self.board.occupied();
        if !attacks::on_empty_board(piece, from).contains(to)
            || slides(piece.kind()) && attacks::between(from, to).intersects(occupied)
        {
            return Err(Illegality::Unreachable);
        }
        if m.is_promotion() {
            let zone = Bitboard::far_ranks(us, 3);
            if piece.kind().promoted().is_none() || !(zone.contains(from) || zone.contains(to)) {
                return Err(Illegality::Promotion);
            }
        } else if attacks::on_empty_board(piece, to).is_empty() {
            return Err(Illegality::DeadEnd);
        }
        self.verdict_on_king(Some(from), to)
    }

    #[inline(never)]
    fn verdict_on_drop(&self, piece: HandPiece, m: Move) -> Result<(), Illegality> {
        let (us, to) = (self.board.side(), m.to());
        if !self.board.holds(piece) {
            return Err(Illegality::EmptyHand);
        }
        if self.board.piece_at(to).is_some() {
            return Err(Illegality::Taken);
        }
        let dropped = Piece::new(us, piece.kind());
        if attacks::on_empty_board(dropped, to).is_empty() {
            return Err(Illegality::DeadEnd);
        }
        let is_pawn = piece == HandPiece::Pawn;
        if is_pawn && self.board.file_holds(to.file(), dropped) {
            return Err(Illegality::TwoPawns);
        }
        self.verdict_on_king(None, to)?;
        let checked =
            self.kings[(!us).index()].filter(|king| is_pawn && attacks::pawn(us, to).contains(*king));
        if checked.is_some_and(|king| self.is_mate_by_drop(m, king)) {
            return Err(Illegality::PawnDropMate);
        }
        Ok(())
    }

    #[cold]
    fn is_mate_by_drop(&self, m: Move, king: Square) -> bool {
        !self.can_flee(king, m.to())
            && Position::with_room(&self.board.setup(1), 0).is_ok_and(|position| !position.is_legal(m))
    }

    /// Whether the enemy's king can leave its square, or take there, once a pawn is dropped.
    fn can_flee(&self, king: Square, pawn: Square) -> bool {
        let us = self.board.side();
        let occupied = (self.board.occupied() - king.into()) | pawn.into();
        attacks::king(king).into_iter().any(|to| {
            self.board.piece_at(to).is_none_or(|piece| piece.color() == us)
                && !self.is_attacked(us, to, occupied, to)
        })
    }

    /// Whether the king of the mover is safe behind a move that is otherwise right.
    #[inline(always)]
    fn verdict_on_king(&self, from: Option<Square>, to: Square) -> Result<(), Illegality> {
        let us = self.board.side();
        let Some(king) = self.kings[us.index()] else { return Ok(()) };
        let before = self.board.occupied();
        let occupied = from.map_or(before, |from| before - from.into()) | to.into();
        let exposed = match from {
            Some(from) if from == king => self.is_attacked(!us, to, occupied, to),
            _ if self.is_in_check(king) => self.is_attacked(!us, king, occupied, to),
            Some(from) => self.is_seen_through(from, king, occupied, Some(to)),
            None => false,
        };
        if exposed { Err(Illegality::KingInCheck) } else { Ok(()) }
    }

    /// The king was safe behind the last move of its own side, so only the enemy's last one can give check; without
    /// these two moves it may be in check whatever was played.
    #[inline(always)]
    fn is_in_check(&self, king: Square) -> bool {
        let [.., _, last] = self.played.as_slice() else { return true };
        let occupied = self.board.occupied();
        let uncovered = match last.played.origin() {
            Origin::Board(from) => self.is_seen_through(from, king, occupied, None),
            Origin::Hand(_) => false,
        };
        uncovered || self.reaches(last.played.to(), king, occupied)
    }

    /// Whether an enemy's slider, unless it is `taken`, attacks the king through a square that is left.
    #[inline(always)]
    fn is_seen_through(&self, gap: Square, king: Square, occupied: Bitboard, taken: Option<Square>) -> bool {
        let Some(direction) = attacks::direction_between(king, gap) else { return false };
        let Some(from) = met(king, direction, occupied) else { return false };
        Some(from) != taken && self.is_attacker(from, king, !self.board.side())
    }

    /// Whether an enemy's piece on a square attacks another when these are occupied.
    #[inline(always)]
    fn reaches(&self, from: Square, to: Square, occupied: Bitboard) -> bool {
        self.is_attacker(from, to, !self.board.side()) && !attacks::between(from, to).intersects(occupied)
    }

    /// Whether a piece of this side stands on a square that attacks another when nothing is between them.
    #[inline(always)]
    fn is_attacker(&self, from: Square, to: Square, by: Color) -> bool {
        match self.board.piece_at(from) {
            Some(piece) if piece.color() == by => attacks::on_empty_board(piece, from).contains(to),
            _ => false,
        }
    }

    /// Whether a side attacks a square when others are occupied; what stands on `taken` does not count.
    #[inline(never)]
    fn is_attacked(&self, by: Color, square: Square, occupied: Bitboard, taken: Square) -> bool {
        let along_lines = Direction::ALL.into_iter().filter_map(|direction| met(square, direction, occupied));
        along_lines
            .chain(attacks::knight(!by, square))
            .any(|from| from != taken && self.is_attacker(from, square, by))
    }
}

#[inline(always)]
fn slides(kind: PieceKind) -> bool {
    use PieceKind::{Bishop, Dragon, Horse, Lance, Rook};
    matches!(kind, Lance | Bishop | Rook | Horse | Dragon)
}

/// The first of the occupied squares in a direction.
#[inline(always)]
fn met(from: Square, direction: Direction, occupied: Bitboard) -> Option<Square> {
    let ahead = attacks::ray(direction, from) & occupied;
    if direction.is_increasing() { ahead.first() } else { ahead.last() }
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
    use proptest::prelude::*;

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
            let judge = Judge::new(&sfen.parse().unwrap(), 0);
            assert_eq!(judge.verdict(m.parse().unwrap()), Err(reason), "{m} in {sfen}");
        }
    }

    #[test]
    fn checks_by_a_dropped_pawn_that_do_not_mate() {
        for sfen in [
            // Away, away past the pawn, by taking the pawn, by another piece.
            "k8/9/NG7/9/9/9/9/9/8K b P 1",
            "k1l6/9/N8/9/9/9/9/9/8K b P 1",
            "k1l6/9/9/9/9/9/9/9/8K b P 1",
            "k1l6/2s6/NG7/9/9/9/9/9/8K b P 1",
            "k1l5r/l8/9/9/9/9/9/9/8K b P 1",
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let judge = Judge::new(&position.setup(), 0);
            for m in all_moves() {
                assert_eq!(judge.verdict(m).is_ok(), position.is_legal(m), "{m} in {sfen}");
            }
        }
    }

    /// Every move that can be written at all.
    fn all_moves() -> Vec<Move> {
        let pairs = Square::all().flat_map(|from| Square::all().map(move |to| (from, to)));
        let board = pairs.filter(|(from, to)| from != to);
        let board = board.flat_map(|(from, to)| [false, true].map(|promote| Move::board(from, to, promote)));
        let drops = HandPiece::ALL.into_iter().flat_map(|p| Square::all().map(move |to| Move::drop(p, to)));
        board.chain(drops).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        /// The judge and the position of the search agree on every move, wherever a game leads, back and forth.
        #[test]
        fn judges_as_a_position_does(choices in prop::collection::vec(any::<u16>(), 0..200), tsume: bool) {
            let sfen = if tsume {
                "l2g3nl/1r1sg2k1/p2p1pspp/2p3p2/1p2P2P1/P1P2P3/1PNP2P1P/2GS1S1R1/L2K1G2L b BNPbnp 1"
            } else {
                shogi::STARTPOS_SFEN
            };
            let mut position = Position::from_sfen(sfen).unwrap();
            let mut judge = Judge::new(&position.setup(), 0);
            let all = all_moves();
            for choice in choices {
                for &m in &all {
                    prop_assert_eq!(judge.verdict(m).is_ok(), position.is_legal(m), "{} in {}", m, position.sfen());
                }
                let legal = position.legal_moves();
                if choice % 16 == 0 && position.last_move().is_some() {
                    position.undo_move();
                    judge.take_back();
                    continue;
                }
                let Some(&m) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
                position.do_move(m);
                judge.play(m);
            }
        }
    }
}
