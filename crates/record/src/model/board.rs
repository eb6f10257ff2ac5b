//! A board that plays the moves of a record, legal or not.

use shogi::attacks;
use shogi::{Color, Hand, HandPiece, Move, Origin, Piece, PieceKind, Setup, Square};

/// Pieces, hands and side to move, without rules.
///
/// Readers use it: it has the pieces, which is all that parsing needs, and accepts every move whose piece exists.
/// [`crate::legality`] checks the moves afterwards.
#[derive(Clone, Debug)]
pub struct Board {
    squares: [Option<Piece>; Square::COUNT],
    /// May be negative, if a record drops a piece that is not in hand.
    hands: [[i16; 8]; 2],
    side: Color,
}

/// The data to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    pub(crate) played: Move,
    pub(crate) moved: Piece,
    pub(crate) captured: Option<Piece>,
}

impl From<&Setup> for Board {
    fn from(setup: &Setup) -> Self {
        let mut hands = [[0; 8]; 2];
        for color in Color::ALL {
            for (piece, count) in setup.hands[color.index()].iter() {
                hands[color.index()][piece.index()] = count as i16;
            }
        }
        Self { squares: setup.board, hands, side: setup.side }
    }
}

impl Board {
    /// The side to move.
    #[must_use]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The piece on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// Whether the side to move has such a piece in hand.
    #[must_use]
    pub fn holds(&self, piece: HandPiece) -> bool {
        self.hands[self.side.index()][piece.index()] > 0
    }

    /// The piece that a move moves; `None` if its square is empty.
    #[must_use]
    pub fn moving(&self, m: Move) -> Option<Piece> {
        match m.origin() {
            Origin::Board(from) => self.piece_at(from),
            Origin::Hand(piece) => Some(Piece::new(self.side, piece.kind())),
        }
    }

    /// The squares from which a piece of this kind of the side to move reaches `to`, ignoring pins.
    pub fn sources(&self, kind: PieceKind, to: Square) -> impl Iterator<Item = Square> {
        let piece = Piece::new(self.side, kind);
        // A piece reaches `to` if the same piece of the other colour on `to` would reach it.
        let reach = attacks::on_empty_board(piece.flip(), to);
        let is_empty = |square: Square| self.piece_at(square).is_none();
        reach.into_iter().filter(move |from| {
            self.piece_at(*from) == Some(piece) && attacks::between(*from, to).into_iter().all(is_empty)
        })
    }

    /// Plays a move; returns `None` and changes nothing if there is no piece to move. The moved piece becomes the
    /// mover's.
    pub fn play(&mut self, m: Move) -> Option<Undo> {
        let moved = self.moving(m)?;
        let captured = self.piece_at(m.to());
        match m.origin() {
            Origin::Board(from) => {
                self.squares[from.index()] = None;
                if let Some(piece) = captured.and_then(|piece| piece.kind().to_hand()) {
                    self.hands[self.side.index()][piece.index()] += 1;
                }
            }
            Origin::Hand(piece) => self.hands[self.side.index()][piece.index()] -= 1,
        }
        let kind = moved.kind();
        let kind = if m.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind };
        self.squares[m.to().index()] = Some(Piece::new(self.side, kind));
        self.side = !self.side;
        Some(Undo { played: m, moved, captured })
    }

    /// Takes the last move back.
    pub fn take_back(&mut self, undo: Undo) {
        self.side = !self.side;
        self.squares[undo.played.to().index()] = undo.captured;
        match undo.played.origin() {
            Origin::Board(from) => {
                self.squares[from.index()] = Some(undo.moved);
                if let Some(piece) = undo.captured.and_then(|p| p.kind().to_hand()) {
                    self.hands[self.side.index()][piece.index()] -= 1;
                }
            }
            Origin::Hand(piece) => self.hands[self.side.index()][piece.index()] += 1,
        }
    }

    /// The position before the `ply`-th move; hands are limited to what SFEN can express.
    #[must_use]
    pub fn setup(&self, ply: u32) -> Setup {
        let mut setup = Setup { board: self.squares, side: self.side, ply, ..Setup::EMPTY };
        for color in Color::ALL {
            for piece in HandPiece::ALL {
                let most = Hand::max_count(piece) as i16;
                let count = self.hands[color.index()][piece.index()].clamp(0, most);
                (0..count).for_each(|_| setup.hands[color.index()].add(piece));
            }
        }
        setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_and_takes_back_anything() {
        let mut board = Board::from(&shogi::Handicap::Even.setup());
        let before = board.setup(1).to_string();
        let mut undos = Vec::new();
        // Capturing own pieces, moving an enemy's piece, dropping from an empty hand: all of it occurs in files.
        for word in ["2h2g", "2c2b", "R*5e", "7g7f", "5e5a"] {
            undos.push(board.play(word.parse().unwrap()).expect(word));
        }
        assert!(board.play("5e5d".parse().unwrap()).is_none());
        while let Some(undo) = undos.pop() {
            board.take_back(undo);
        }
        assert_eq!(board.setup(1).to_string(), before);
        // The moved piece now belongs to the mover, also if the opponent owned it.
        board.play("3c3d".parse().unwrap()).unwrap();
        assert_eq!(board.piece_at(Square::Sq34), Some(Piece::BPawn));
    }

    #[test]
    fn finds_where_a_piece_comes_from() {
        let board = Board::from(&shogi::Handicap::Even.setup());
        let sources = |kind, to: &str| board.sources(kind, to.parse().unwrap()).collect::<Vec<_>>();
        assert_eq!(sources(PieceKind::Gold, "5h"), [Square::Sq49, Square::Sq69]);
        assert_eq!(sources(PieceKind::Rook, "5h"), [Square::Sq28]);
        assert_eq!(sources(PieceKind::Rook, "9h"), []);
        assert_eq!(sources(PieceKind::Knight, "7h"), []);
        assert_eq!(sources(PieceKind::Lance, "9h"), [Square::Sq99]);
    }
}
