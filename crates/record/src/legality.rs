//! Judging the moves of a record by the rules.

mod reach;

use self::reach::Reach;
use crate::board::Undo;
use crate::even::{EVEN, is_even};
use crate::{Board, Fault, Illegality, NodeId, Record};
use shogi::attacks::{self, PieceSet};
use shogi::{Bitboard, Color, HandPiece, Move, Origin, Piece, PieceKind, Position, Setup, Square};
use std::collections::HashSet;
use std::sync::LazyLock;

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
#[derive(Clone)]
pub(crate) struct Judge {
    board: Board,
    /// Where anything stands.
    occupied: Bitboard,
    reach: Reach,
    kings: [Option<Square>; 2],
    /// By king: where the enemy's pieces stand that attack it, or would on an empty board.
    threats: [Bitboard; 2],
    played: Vec<Undo>,
}

impl Judge {
    /// Ready for so many moves, and whether the position is one.
    pub fn at_start(start: &Setup, room: usize) -> (Self, bool) {
        match Self::known(start) {
            Some(judge) => (Self { played: Vec::with_capacity(room), ..judge.clone() }, true),
            None => (Self::new(start, room), start.validate().is_ok()),
        }
    }

    /// The same with the memory of one that is no longer needed.
    pub fn renew(&mut self, start: &Setup, room: usize) -> bool {
        let (played, lawful) = (std::mem::take(&mut self.played), Self::known(start));
        match lawful {
            Some(judge) => self.clone_from(judge),
            None => *self = Self::new(start, 0),
        }
        self.played = played;
        self.played.clear();
        self.played.reserve(room);
        lawful.is_some() || start.validate().is_ok()
    }

    /// How many bytes it holds for moves.
    pub fn memory(&self) -> usize {
        self.played.capacity() * size_of::<Undo>()
    }

    /// Nearly all games begin alike; that start is known.
    fn known(start: &Setup) -> Option<&'static Self> {
        static KNOWN: LazyLock<Judge> = LazyLock::new(|| Judge::new(&EVEN, 0));
        is_even(start).then(|| &*KNOWN)
    }

    /// Ready for so many moves without asking for more memory.
    pub fn new(start: &Setup, room: usize) -> Self {
        let board = Board::from(start);
        let kings = Color::ALL.map(|color| board.find(Piece::new(color, PieceKind::King)));
        let reach = Reach::of(&start.board);
        let threats = Color::ALL
            .map(|side| kings[side.index()].map_or(Bitboard::EMPTY, |king| reach.attackers(!side, king)));
        let occupied = Square::all().filter(|square| board.piece_at(*square).is_some()).collect();
        Self { board, occupied, reach, kings, threats, played: Vec::with_capacity(room) }
    }

    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plays a move, legal or not; without a piece to move nothing happens.
    pub fn play(&mut self, m: Move) {
        let us = self.board.side();
        if self.board.moving(m).is_some_and(|piece| piece.kind() == PieceKind::King) {
            self.play_with(m, self.reach.attackers(!us, m.to()));
        } else {
            self.play_with(m, self.threats[us.index()] - m.to().into());
        }
    }

    /// Plays a move unless the rules forbid it.
    #[inline(always)]
    pub fn play_if_legal(&mut self, m: Move) -> bool {
        match m.origin() {
            Origin::Board(from) => self.move_if_legal(from, m.to(), m.is_promotion()),
            Origin::Hand(piece) => self.drop_if_legal(piece, m.to()),
        }
    }

    /// The same for a move on the board. Files hold little else, so this looks at everything once only.
    #[inline(always)]
    pub fn move_if_legal(&mut self, from: Square, to: Square, promote: bool) -> bool {
        let (us, them) = (self.board.side(), !self.board.side());
        let there = self.board.piece_at(to);
        let Ok((piece, moved)) = self.moving_on_board(from, to, promote) else { return false };
        let guarded = piece.kind() == PieceKind::King || !self.threats[us.index()].is_empty();
        if guarded && !self.guard(piece, from, to) {
            return false;
        }
        self.board.shift(from, to, moved, there);
        self.occupied = (self.occupied - from.into()) | to.into();
        self.reach.set(from, None);
        self.reach.set(to, Some(moved));
        self.threats[them.index()] -= from.into();
        self.threaten(them, to, moved);
        self.played.push(Undo { played: Move::board(from, to, promote), moved: piece, captured: there });
        true
    }

    /// The same for a drop.
    #[inline(always)]
    pub fn drop_if_legal(&mut self, held: HandPiece, to: Square) -> bool {
        let (us, them) = (self.board.side(), !self.board.side());
        let Ok(threats) = self.judged_drop(held, to) else { return false };
        let piece = Piece::new(us, held.kind());
        self.board.put(held, to, piece);
        self.occupied |= to.into();
        self.reach.set(to, Some(piece));
        self.threats[us.index()] = threats;
        self.threaten(them, to, piece);
        self.played.push(Undo { played: Move::drop(held, to), moved: piece, captured: None });
        true
    }

    /// Adds a piece to the threats to a king if it is one.
    #[inline(always)]
    fn threaten(&mut self, side: Color, square: Square, piece: Piece) {
        if self.kings[side.index()].is_some_and(|king| attacks::reaching(square, king).has(piece)) {
            self.threats[side.index()] |= square.into();
        }
    }

    /// Keeps the king of the mover safe from a move: notes what threatens it then, unless it would be in check.
    #[inline(never)]
    fn guard(&mut self, piece: Piece, from: Square, to: Square) -> bool {
        let us = self.board.side().index();
        let threats = if piece.kind() == PieceKind::King {
            self.safe_king(from, to)
        } else {
            self.safe_from(self.threats[us] - to.into(), Some(from), to)
        };
        if let Ok(threats) = threats {
            self.threats[us] = threats;
            self.move_king(piece, to);
        }
        threats.is_ok()
    }

    /// Plays a move behind which these threaten the king of the mover.
    #[inline(always)]
    fn play_with(&mut self, m: Move, threats: Bitboard) {
        let (us, to) = (self.board.side(), m.to());
        let Some(undo) = self.board.play(m) else { return };
        self.threats[us.index()] = threats;
        self.occupied |= to.into();
        if let Origin::Board(from) = m.origin() {
            self.occupied -= from.into();
            self.reach.set(from, None);
            self.threats[(!us).index()] -= from.into();
            self.move_king(undo.moved, to);
        }
        self.reach.set(to, self.board.piece_at(to));
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
        self.reach.set(to, undo.captured);
        if undo.captured.is_none() {
            self.occupied -= to.into();
        }
        self.threats = self.threats.map(|threats| threats - to.into());
        self.look_at(to);
        if let Origin::Board(from) = undo.played.origin() {
            self.reach.set(from, Some(undo.moved));
            self.occupied |= from.into();
            self.look_at(from);
            self.move_king(undo.moved, from);
            if undo.moved.kind() == PieceKind::King {
                let side = undo.moved.color();
                self.threats[side.index()] = self.reach.attackers(!side, from);
            }
        }
    }

    #[inline(always)]
    fn move_king(&mut self, moved: Piece, to: Square) {
        if moved.kind() == PieceKind::King {
            self.kings[moved.color().index()] = Some(to);
        }
    }

    /// Adds what stands on a square to the threats if it is one.
    #[inline(always)]
    fn look_at(&mut self, square: Square) {
        if let Some(piece) = self.board.piece_at(square) {
            self.threaten(!piece.color(), square, piece);
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
            Origin::Hand(piece) => self.judged_drop(piece, m.to()),
        }
    }

    fn judged_on_board(&self, from: Square, m: Move) -> Result<Bitboard, Illegality> {
        let (piece, _) = self.moving_on_board(from, m.to(), m.is_promotion())?;
        if piece.kind() == PieceKind::King {
            self.safe_king(from, m.to())
        } else {
            self.safe(Some(from), m.to())
        }
    }

    /// The piece of the side to move that may go there, whatever becomes of its king, and what it is then.
    #[inline(always)]
    fn moving_on_board(&self, from: Square, to: Square, promote: bool) -> Result<(Piece, Piece), Illegality> {
        let us = self.board.side();
        let (piece, there) = (self.board.piece_at(from), self.board.piece_at(to));
        let route = attacks::route(from, to);
        let sound = route.pieces.contains(piece) && PieceSet::yielding_to(us).contains(there);
        let Some(piece) =
            piece.filter(|piece| sound && piece.color() == us && (route.is_step() || self.is_open(from, to)))
        else {
            return Err(self.misled(piece, there));
        };
        if promote {
            let zone = Bitboard::far_ranks(us, 3);
            if piece.kind().promoted().is_none() || !(zone.contains(from) || zone.contains(to)) {
                return Err(Illegality::Promotion);
            }
            Ok((piece, piece.promoted()))
        } else if attacks::stuck(to).has(piece) {
            Err(Illegality::DeadEnd)
        } else {
            Ok((piece, piece))
        }
    }

    /// Whether nothing stands between two squares of a line.
    #[inline(never)]
    fn is_open(&self, from: Square, to: Square) -> bool {
        !attacks::between(from, to).intersects(self.occupied)
    }

    /// The rule against a piece that does not get where it should.
    #[cold]
    fn misled(&self, piece: Option<Piece>, there: Option<Piece>) -> Illegality {
        let us = self.board.side();
        match piece {
            None => Illegality::EmptyOrigin,
            Some(piece) if piece.color() != us => Illegality::NotYours,
            _ if !PieceSet::yielding_to(us).contains(there) => Illegality::Taken,
            _ => Illegality::Unreachable,
        }
    }

    #[inline(always)]
    fn judged_drop(&self, piece: HandPiece, to: Square) -> Result<Bitboard, Illegality> {
        let us = self.board.side();
        if !self.board.holds(piece) {
            return Err(Illegality::EmptyHand);
        }
        if self.board.piece_at(to).is_some() {
            return Err(Illegality::Taken);
        }
        let dropped = Piece::new(us, piece.kind());
        if attacks::stuck(to).has(dropped) {
            return Err(Illegality::DeadEnd);
        }
        let is_pawn = piece == HandPiece::Pawn;
        if is_pawn && self.board.file_holds(to.file(), dropped) {
            return Err(Illegality::TwoPawns);
        }
        let threats = self.safe(None, to)?;
        if is_pawn
            && let Some(king) = self.kings[(!us).index()]
            && attacks::reaching(to, king).has(dropped)
            && self.is_mate_by_drop(Move::drop(piece, to), king)
        {
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
                && !self.is_seen(self.reach.attackers(us, to) - to.into(), to, Some(king), pawn)
        })
    }

    /// The threats to a king that goes to a square, unless it would be in check there.
    #[inline(never)]
    fn safe_king(&self, from: Square, to: Square) -> Result<Bitboard, Illegality> {
        let threats = self.reach.attackers(!self.board.side(), to) - to.into();
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
        let occupied = (self.occupied - gap.map_or(Bitboard::EMPTY, Bitboard::from)) | wall.into();
        attackers.into_iter().any(|from| !attacks::between(square, from).intersects(occupied))
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
