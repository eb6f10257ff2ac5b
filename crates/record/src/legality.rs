//! Judging the moves of a record by the rules.

use crate::board::Undo;
use crate::{Board, Fault, Illegality, NodeId, Record};
use shogi::attacks::{self, PieceSet};
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
/// It knows which pieces would attack a king if nothing stood between: mostly none, and then no move but the king's own can
/// expose it. That is a fraction of what [`Position`] keeps up to date for a search; the tests compare the two.
pub(crate) struct Judge {
    board: Board,
    kings: [Option<Square>; 2],
    /// By king: where the enemy's pieces stand that attack it, or would on an empty board.
    threats: [Bitboard; 2],
    played: Vec<Undo>,
}

impl Judge {
    /// Ready for so many moves without asking for more memory.
    pub fn new(start: &Setup, room: usize) -> Self {
        let board = Board::from(start);
        let kings = Color::ALL.map(|color| board.find(Piece::new(color, PieceKind::King)));
        let mut judge =
            Self { board, kings, threats: [Bitboard::EMPTY; 2], played: Vec::with_capacity(room) };
        for side in Color::ALL {
            judge.look_around(side);
        }
        judge
    }

    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plays a move, legal or not; without a piece to move nothing happens.
    pub fn play(&mut self, m: Move) {
        let us = self.board.side();
        if self.board.moving(m).is_some_and(|piece| piece.kind() == PieceKind::King) {
            self.play_with(m, self.attackers(!us, m.to()));
        } else {
            self.play_with(m, self.threats[us.index()] - m.to().into());
        }
    }

    /// Plays a move unless the rules forbid it.
    #[inline(never)]
    pub fn play_if_legal(&mut self, m: Move) -> bool {
        let verdict = self.judged(m);
        if let Ok(threats) = verdict {
            self.play_with(m, threats);
        }
        verdict.is_ok()
    }

    /// Plays a move behind which these threaten the king of the mover.
    #[inline(always)]
    fn play_with(&mut self, m: Move, threats: Bitboard) {
        let (us, to) = (self.board.side(), m.to());
        let Some(undo) = self.board.play(m) else { return };
        self.threats[us.index()] = threats;
        if let Origin::Board(from) = m.origin() {
            self.threats[(!us).index()] -= from.into();
            self.move_king(undo.moved, to);
        }
        self.look_at(to);
        self.played.push(undo);
    }

    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.played.last().map(|undo| undo.played)
    }

    pub fn take_back(&mut self) {
        let Some(undo) = self.played.pop() else { return };
        self.board.take_back(undo);
        let to = undo.played.to();
        self.threats = self.threats.map(|threats| threats - to.into());
        self.look_at(to);
        if let Origin::Board(from) = undo.played.origin() {
            self.look_at(from);
            self.move_king(undo.moved, from);
            if undo.moved.kind() == PieceKind::King {
                self.look_around(undo.moved.color());
            }
        }
    }

    #[inline(always)]
    fn move_king(&mut self, moved: Piece, to: Square) {
        if moved.kind() == PieceKind::King {
            self.kings[moved.color().index()] = Some(to);
        }
    }

    /// Finds the threats to a king anew.
    fn look_around(&mut self, side: Color) {
        let king = self.kings[side.index()];
        self.threats[side.index()] = king.map_or(Bitboard::EMPTY, |king| self.attackers(!side, king));
    }

    /// Adds what stands on a square to the threats if it is one.
    #[inline(always)]
    fn look_at(&mut self, square: Square) {
        let Some(piece) = self.board.piece_at(square) else { return };
        let enemy = (!piece.color()).index();
        if self.kings[enemy].is_some_and(|king| attacks::reaching(square, king).contains(Some(piece))) {
            self.threats[enemy] |= square.into();
        }
    }

    /// Whether a move is legal, or which rule forbids it.
    #[inline(always)]
    pub fn verdict(&self, m: Move) -> Result<(), Illegality> {
        self.judged(m).map(|_| ())
    }

    /// The threats to the king of the mover behind a legal move, or the rule that forbids it.
    #[inline(always)]
    fn judged(&self, m: Move) -> Result<Bitboard, Illegality> {
        match m.origin() {
            Origin::Board(from) => self.judged_on_board(from, m),
            Origin::Hand(piece) => self.judged_drop(piece, m),
        }
    }

    #[inline(always)]
    fn judged_on_board(&self, from: Square, m: Move) -> Result<Bitboard, Illegality> {
        let (us, to) = (self.board.side(), m.to());
        let piece = self.board.piece_at(from).ok_or(Illegality::EmptyOrigin)?;
        if piece.color() != us {
            return Err(Illegality::NotYours);
        }
        if self.board.piece_at(to).is_some_and(|p| p.color() == us || p.kind() == PieceKind::King) {
            return Err(Illegality::Taken);
        }
        if !attacks::reaching(from, to).contains(Some(piece))
            || slides(piece.kind()) && self.is_blocked(from, to)
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
        if piece.kind() == PieceKind::King { self.safe_king(from, to) } else { self.safe(Some(from), to) }
    }

    #[inline(never)]
    fn judged_drop(&self, piece: HandPiece, m: Move) -> Result<Bitboard, Illegality> {
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
        let threats = self.safe(None, to)?;
        let checked =
            self.kings[(!us).index()].filter(|king| is_pawn && attacks::pawn(us, to).contains(*king));
        if checked.is_some_and(|king| self.is_mate_by_drop(m, king)) {
            return Err(Illegality::PawnDropMate);
        }
        Ok(threats)
    }

    #[cold]
    fn is_mate_by_drop(&self, m: Move, king: Square) -> bool {
        !self.can_flee(king, m.to())
            && Position::with_room(&self.board.setup(1), 0).is_ok_and(|position| !position.is_legal(m))
    }

    /// Whether the enemy's king can leave its square, or take there, once a pawn is dropped.
    fn can_flee(&self, king: Square, pawn: Square) -> bool {
        let us = self.board.side();
        attacks::king(king).into_iter().any(|to| {
            self.board.piece_at(to).is_none_or(|piece| piece.color() == us)
                && !self.is_seen(self.attackers(us, to) - to.into(), to, Some(king), pawn)
        })
    }

    #[inline(never)]
    fn is_blocked(&self, from: Square, to: Square) -> bool {
        !self.board.is_open(from, to)
    }

    /// The threats to a king that goes to a square, unless it would be in check there.
    #[inline(never)]
    fn safe_king(&self, from: Square, to: Square) -> Result<Bitboard, Illegality> {
        let threats = self.attackers(!self.board.side(), to) - to.into();
        if self.is_seen(threats, to, Some(from), to) { Err(Illegality::KingInCheck) } else { Ok(threats) }
    }

    /// The threats to the king behind a move of another piece, unless it would be in check.
    #[inline(always)]
    fn safe(&self, from: Option<Square>, to: Square) -> Result<Bitboard, Illegality> {
        let threats = self.threats[self.board.side().index()];
        if threats.is_empty() { Ok(threats) } else { self.safe_from(threats - to.into(), from, to) }
    }

    #[inline(never)]
    fn safe_from(&self, threats: Bitboard, from: Option<Square>, to: Square) -> Result<Bitboard, Illegality> {
        let king = self.kings[self.board.side().index()];
        let exposed = king.is_some_and(|king| self.is_seen(threats, king, from, to));
        if exposed { Err(Illegality::KingInCheck) } else { Ok(threats) }
    }

    /// Whether one of these attackers sees a square once a piece has left `gap` and one has come to `wall`.
    #[inline(always)]
    fn is_seen(&self, attackers: Bitboard, square: Square, gap: Option<Square>, wall: Square) -> bool {
        attackers.into_iter().any(|from| {
            let between = attacks::between(from, square);
            !between.contains(wall)
                && between.into_iter().all(|at| Some(at) == gap || self.board.piece_at(at).is_none())
        })
    }

    /// Where the pieces of a side stand that attack a square when nothing is between.
    fn attackers(&self, by: Color, square: Square) -> Bitboard {
        let mut hits = 0u64;
        for (number, from) in around(square).iter().enumerate() {
            let attackers = attacks::reaching(*from, square).and(PieceSet::of(by));
            hits |= u64::from(attackers.contains(self.board.piece_at(*from))) << number;
        }
        let mut found = Bitboard::EMPTY;
        while hits != 0 {
            found |= around(square)[hits.trailing_zeros() as usize].into();
            hits &= hits - 1;
        }
        found
    }
}

/// The squares from which any piece can attack another on an empty board.
#[inline]
fn around(square: Square) -> &'static [Square] {
    const MOST: usize = 36;
    static AROUND: [([Square; MOST], usize); Square::COUNT] = {
        let mut table = [([Square::Sq11; MOST], 0); Square::COUNT];
        let mut s = 0;
        while let Some(square) = Square::from_index(s) {
            let mut f = 0;
            while let Some(from) = Square::from_index(f) {
                if !attacks::reaching(from, square).is_empty() {
                    let (list, count) = &mut table[square.index()];
                    list[*count] = from;
                    *count += 1;
                }
                f += 1;
            }
            s += 1;
        }
        table
    };
    let (list, count) = &AROUND[square.index()];
    &list[..*count]
}

#[inline(always)]
fn slides(kind: PieceKind) -> bool {
    use PieceKind::{Bishop, Dragon, Horse, Lance, Rook};
    matches!(kind, Lance | Bishop | Rook | Horse | Dragon)
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
