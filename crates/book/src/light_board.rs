//! A board for those who only follow games: whether a move is legal, and what stands where afterwards. It has no keys, no
//! history and nothing to take back, for it is copied before each move.

use shogi::{Bitboard, Color, Hand, HandPiece, Move, Origin, Piece, PieceKind, Position, Setup, SetupWords};
use shogi::{Square, attacks};

/// What stands on the board and in the hands.
#[derive(Clone, Copy)]
pub(crate) struct LightBoard {
    /// As in [`SetupWords::ranks`].
    pub(crate) ranks: [u64; 9],
    pub(crate) hands: [Hand; 2],
    pub(crate) side: Color,
    pieces: [Bitboard; 2],
    kings: [Option<Square>; 2],
    /// The king of the side to move may be in check. If this is not set, it is not.
    exposed: bool,
    /// Nothing is known yet about the other king, as in diagrams.
    fresh: bool,
}

const SQUARE_BITS: usize = SetupWords::SQUARE_BITS;
const SQUARE: u64 = (1 << SQUARE_BITS) - 1;

/// The row of a square, and where in it the square is.
#[inline]
pub(crate) fn row_and_shift(square: Square) -> (usize, usize) {
    (square.index() % 9, square.index() / 9 * SQUARE_BITS)
}

impl LightBoard {
    pub(crate) fn new(position: &Position) -> Self {
        Self {
            ranks: SetupWords::from(&position.setup()).ranks(),
            hands: Color::ALL.map(|color| position.hand(color)),
            side: position.side(),
            pieces: Color::ALL.map(|color| position.pieces(color)),
            kings: Color::ALL.map(|color| position.king(color)),
            exposed: true,
            fresh: true,
        }
    }

    #[inline]
    fn at(&self, square: Square) -> Option<Piece> {
        let (row, shift) = row_and_shift(square);
        Piece::from_index((self.ranks[row] >> shift) as usize)
    }

    fn occupied(&self) -> Bitboard {
        self.pieces[0] | self.pieces[1]
    }

    /// Like [`Position::is_legal`].
    #[inline]
    pub(crate) fn is_legal(&self, m: Move) -> bool {
        match m.origin() {
            Origin::Board(from) => self.is_legal_on_board(from, m.to(), m.is_promotion()),
            Origin::Hand(piece) => self.is_legal_drop(m, piece, m.to()),
        }
    }

    #[inline]
    fn is_legal_on_board(&self, from: Square, to: Square, promote: bool) -> bool {
        let us = self.side;
        let Some(piece) = self.at(from).filter(|piece| piece.color() == us) else { return false };
        let takes_wrongly =
            self.at(to).is_some_and(|taken| taken.color() == us || taken.kind() == PieceKind::King);
        if takes_wrongly
            || !attacks::reaching(from, to).contains(Some(piece))
            || attacks::between(from, to).intersects(self.occupied())
        {
            return false;
        }
        let zone = Bitboard::far_ranks(us, 3);
        let can_be = if promote {
            piece.kind().promoted().is_some() && (zone.contains(from) || zone.contains(to))
        } else {
            // It must be able to move on.
            !attacks::on_empty_board(piece, to).is_empty()
        };
        can_be
            && self.kings[us.index()].is_none_or(|king| {
                let is_king = piece.kind() == PieceKind::King;
                let may_open = || self.exposed || attacks::direction_between(king, from).is_some();
                !(is_king || may_open())
                    || self.is_safe(
                        if is_king { to } else { king },
                        (self.occupied() - from.into()) | to.into(),
                        self.pieces[(!us).index()] - to.into(),
                    )
            })
    }

    fn is_legal_drop(&self, m: Move, piece: HandPiece, to: Square) -> bool {
        let us = self.side;
        let placed = Piece::new(us, piece.kind());
        if !self.hands[us.index()].has(piece)
            || self.at(to).is_some()
            || attacks::on_empty_board(placed, to).is_empty()
        {
            return false;
        }
        if piece == HandPiece::Pawn {
            let (_, shift) = row_and_shift(to);
            if self.ranks.iter().any(|row| row >> shift & SQUARE == placed.index() as u64) {
                return false;
            }
            // It must not mate, which is rare enough to be left to those who know.
            if self.kings[(!us).index()].is_some_and(|king| attacks::pawn(us, to).contains(king)) {
                let setup = Setup::from(&SetupWords::from_ranks(self.ranks, self.hands, us));
                return Position::with_room(&setup, 1).is_ok_and(|position| position.is_legal(m));
            }
        }
        !self.exposed
            || self.kings[us.index()].is_none_or(|king| {
                self.is_safe(king, self.occupied() | to.into(), self.pieces[(!us).index()])
            })
    }

    /// Whether none of some enemies attacks our king on a square.
    fn is_safe(&self, king: Square, occupied: Bitboard, enemies: Bitboard) -> bool {
        let seen = attacks::rook(king, occupied)
            | attacks::bishop(king, occupied)
            | attacks::knight(self.side, king);
        // Whoever is seen has nothing before him.
        (seen & enemies).into_iter().all(|enemy| !attacks::reaching(enemy, king).contains(self.at(enemy)))
    }

    /// Makes a legal move.
    #[inline]
    pub(crate) fn play(&mut self, m: Move) {
        let us = self.side;
        let to = m.to();
        let (row, shift) = row_and_shift(to);
        let mut opens = std::mem::replace(&mut self.fresh, false);
        let their_king = self.kings[(!us).index()];
        let placed = match m.origin() {
            Origin::Hand(piece) => {
                self.hands[us.index()].remove(piece);
                Some(Piece::new(us, piece.kind()))
            }
            Origin::Board(from) => {
                let moved = self.at(from);
                let (from_row, from_shift) = row_and_shift(from);
                if let Some(taken) = self.at(to).and_then(|taken| taken.kind().to_hand()) {
                    self.hands[us.index()].add(taken);
                    self.pieces[(!us).index()] ^= to.into();
                    self.ranks[row] &= !(SQUARE << shift);
                }
                self.ranks[from_row] &= !(SQUARE << from_shift);
                self.pieces[us.index()] ^= from.into();
                opens |= their_king.is_some_and(|king| attacks::direction_between(king, from).is_some());
                if moved.is_some_and(|piece| piece.kind() == PieceKind::King) {
                    self.kings[us.index()] = Some(to);
                }
                if m.is_promotion() { moved.map(Piece::promoted) } else { moved }
            }
        };
        self.ranks[row] |= (placed.map_or(0, Piece::index) as u64) << shift;
        self.pieces[us.index()] ^= to.into();
        self.exposed = opens || their_king.is_some_and(|king| attacks::reaching(to, king).contains(placed));
        self.side = !us;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Agrees with a position on every move that can be written.
    fn agrees(board: &LightBoard, position: &Position) -> Result<(), TestCaseError> {
        let setup = position.setup();
        let words = SetupWords::from(&setup);
        prop_assert_eq!((board.ranks, board.hands, board.side), (words.ranks(), words.hands, words.side));
        for m in (0..=u16::MAX).filter_map(Move::from_bits) {
            prop_assert_eq!(board.is_legal(m), position.is_legal(m), "{} {}", setup, m);
        }
        Ok(())
    }

    /// A king that was left in check is in check after the first move.
    #[test]
    fn diagrams_with_the_other_king_in_check() {
        let mut position = Position::from_sfen("4k4/9/9/9/4R4/9/9/9/4K4 b 2P 1").unwrap();
        let start = LightBoard::new(&position);
        for m in &position.legal_moves() {
            let mut board = start;
            position.do_move(m);
            board.play(m);
            agrees(&board, &position).unwrap();
            position.undo_move();
        }
    }

    proptest! {
        #[test]
        fn like_a_position(choices in prop::collection::vec(any::<usize>(), 0..160), start in 0usize..5) {
            let start = [
                shogi::STARTPOS_SFEN,
                "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
                // Black gives check and is to move, or is in check.
                "4k4/9/9/9/4R4/9/9/9/4K4 b 2P 1",
                "4k4/9/9/9/4r4/9/9/9/4K4 b 2P 999998",
                // No king, as in tsume.
                "7nk/9/7G1/9/9/9/9/9/9 b 2P2L2N 1",
            ][start];
            let mut position = Position::from_sfen(start).unwrap();
            let mut board = LightBoard::new(&position);
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // Checks are what it is about.
                let checks: Vec<Move> = moves.into_iter().filter(|m| position.gives_check(*m)).collect();
                let some = if choice % 2 == 0 && !checks.is_empty() { checks } else { moves.into_iter().collect() };
                let m = some[choice / 2 % some.len()];
                if choice % 8 == 0 {
                    agrees(&board, &position)?;
                }
                position.do_move(m);
                board.play(m);
            }
            agrees(&board, &position)?;
        }
    }
}
