//! Attacks on squares, pins and checks.

use super::Position;
use super::state::Movement;
use crate::attacks::{self, Direction};
use crate::bitboard::Wide;
use crate::movegen::checking_candidates;
use crate::{Bitboard, Color, HandPiece, Move, Origin, Piece, PieceKind, Square};

impl Position {
    /// The pieces of `color` that attack `square` when `occupied` squares block slides.
    #[inline]
    #[must_use]
    pub fn attackers_to(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        // A piece attacks `square` if the same piece of the other colour on `square` would attack it.
        let seen = |kind| Wide::from(attacks::steps(Piece::new(!color, kind), square));
        let crowned = Wide::from(self.promoted)
            & (Wide::from(self.moving_like(Movement::Bishop)) | self.moving_like(Movement::Rook));
        let steppers = seen(PieceKind::Pawn) & self.moving_like(Movement::Pawn)
            | seen(PieceKind::Knight) & self.moving_like(Movement::Knight)
            | seen(PieceKind::Silver) & self.moving_like(Movement::Silver)
            | seen(PieceKind::Gold) & self.moving_like(Movement::Gold)
            | Wide::from(attacks::king(square)) & (crowned | self.moving_like(Movement::King));
        (Bitboard::from(steppers) | self.sliders_to(square, color, occupied)) & self.pieces(color)
    }

    /// The pieces of both colours that attack `square`.
    #[inline]
    #[must_use]
    pub fn all_attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        use PieceKind as Kind;
        let steps = |color, kind| Wide::from(attacks::steps(Piece::new(color, kind), square));
        let [black, white] = self.colors;
        // A piece attacks `square` if the same piece of the other colour on `square` would attack it.
        let sided = |kind| steps(Color::White, kind) & black | steps(Color::Black, kind) & white;
        let bishops = self.moving_like(Movement::Bishop);
        let rooks = self.moving_like(Movement::Rook);
        let crowned = Wide::from(self.promoted) & (Wide::from(bishops) | rooks);
        let steppers = sided(Kind::Pawn) & self.moving_like(Movement::Pawn)
            | sided(Kind::Knight) & self.moving_like(Movement::Knight)
            | sided(Kind::Silver) & self.moving_like(Movement::Silver)
            | sided(Kind::Gold) & self.moving_like(Movement::Gold)
            | Wide::from(attacks::king(square)) & (crowned | self.moving_like(Movement::King));
        let line = |piece| Wide::from(attacks::on_empty_board(piece, square));
        let sliders = line(Piece::BBishop) & bishops
            | line(Piece::BRook) & rooks
            | (line(Piece::WLance) & black | line(Piece::BLance) & white) & self.moving_like(Movement::Lance);
        Bitboard::from(steppers) | unblocked(square, sliders.into(), occupied)
    }

    /// The sliding part of [`Position::attackers_to`], not yet masked by colour.
    #[inline]
    pub(super) fn sliders_to(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        unblocked(square, self.snipers(square, color), occupied)
    }

    /// Whether `color` attacks `square`.
    #[inline]
    #[must_use]
    pub fn is_attacked(&self, square: Square, color: Color, occupied: Bitboard) -> bool {
        self.attackers_to(square, color, occupied).any()
    }

    /// The pieces of either colour that alone stand between `color`'s king and an enemy slider: `color`'s own
    /// are pinned, the enemy's can discover a check.
    #[inline]
    #[must_use]
    pub fn shields(&self, color: Color) -> Bitboard {
        let Some(king) = self.king(color) else { return Bitboard::EMPTY };
        let mut shields = Bitboard::EMPTY;
        let occupied = self.occupied();
        self.snipers(king, !color).for_each(|sniper| {
            let inner = attacks::between(king, sniper) & occupied;
            if !inner.many() {
                shields |= inner;
            }
        });
        shields
    }

    /// `color`'s pieces that may not leave the line between their king and a slider.
    #[inline]
    #[must_use]
    pub fn pinned(&self, color: Color) -> Bitboard {
        self.shields(color) & self.pieces(color)
    }

    /// `color`'s sliders that would attack `square` on an empty board.
    #[inline(always)]
    fn snipers(&self, square: Square, color: Color) -> Bitboard {
        let line = |piece| Wide::from(attacks::on_empty_board(piece, square));
        let sliders = line(Piece::BBishop) & self.moving_like(Movement::Bishop)
            | line(Piece::BRook) & self.moving_like(Movement::Rook)
            | line(Piece::new(!color, PieceKind::Lance)) & self.moving_like(Movement::Lance);
        (sliders & self.pieces(color)).into()
    }

    /// `color`'s sliders that attack along `direction` reversed: towards a king that looks out along it.
    #[inline(always)]
    pub(super) fn sliders_against(&self, direction: Direction, color: Color) -> Bitboard {
        let sliders = if direction.is_diagonal() {
            self.moving_like(Movement::Bishop)
        } else {
            let lance_direction = match color {
                Color::Black => Direction::South,
                Color::White => Direction::North,
            };
            if direction == lance_direction {
                self.moving_like(Movement::Rook) | self.moving_like(Movement::Lance)
            } else {
                self.moving_like(Movement::Rook)
            }
        };
        sliders & self.pieces(color)
    }

    /// The pieces that give check to `king` once `piece` has come to `to` (from `from`, unless dropped); `occupied` is
    /// the board after the move. Called only if the king is in line, which is rare: right after a move, reading the
    /// sets means waiting for them to be written.
    #[inline(always)]
    pub(super) fn checkers_after(
        &self,
        king: Square,
        piece: Piece,
        from: Option<Square>,
        to: Square,
        occupied: impl Fn() -> Bitboard,
    ) -> Bitboard {
        let mut checkers = Bitboard::EMPTY;
        if self.opponent_in_check() {
            // Other lines may give check: examine the whole board.
            let moved = Bitboard::from(to) | from.map_or(Bitboard::EMPTY, Bitboard::square);
            checkers = self.attackers_to(king, piece.color(), occupied()) - moved;
        }
        if attacks::on_empty_board(piece, to).contains(king)
            && !attacks::between(to, king).intersects(occupied())
        {
            checkers |= to.into();
        }
        if let Some(from) = from
            && let Some(direction) = attacks::direction_between(king, from)
        {
            let ray = attacks::ray(direction, king);
            let sliders = self.sliders_against(direction, piece.color()) & ray;
            if sliders.any() {
                let seen = ray & occupied();
                let nearest = if direction.is_increasing() { seen.first() } else { seen.last() };
                checkers |= nearest.map_or(Bitboard::EMPTY, Bitboard::square) & sliders;
            }
        }
        checkers
    }

    /// Whether a legal move gives check.
    #[inline]
    #[must_use]
    pub fn gives_check(&self, m: Move) -> bool {
        let Some(king) = self.king(!self.side) else { return false };
        let Some(piece) = self.piece_after(m) else { return false };
        let (from, occupied) = match m.origin() {
            Origin::Board(from) => (Some(from), (self.occupied() - from.into()) | m.to().into()),
            Origin::Hand(_) => (None, self.occupied() | m.to().into()),
        };
        self.checkers_after(king, piece, from, m.to(), || occupied).any()
    }

    /// [`Piece::index`] of [`Position::piece_after`] of a legal move, or 0 if there is none; computed without a branch.
    #[inline(always)]
    pub(crate) fn index_after(&self, m: Move) -> usize {
        // Harmless if the move is a drop: the number of a kind is also that of some square.
        let dropped = self.side.index() << 4 | usize::from(m.origin_number());
        std::hint::select_unpredictable(m.is_drop(), dropped, self.index_after_on_board(m))
    }

    /// Like [`Position::index_after`], for a move that is not a drop.
    #[inline(always)]
    pub(crate) fn index_after_on_board(&self, m: Move) -> usize {
        let standing = self.piece_at(Square::from_index_unchecked(m.origin_number())).map_or(0, Piece::index);
        // The index of a promoted piece is that of the plain one plus 8.
        standing + (usize::from(m.is_promotion()) << 3)
    }

    /// The piece that will stand on the target square; `None` if there is no piece to move.
    #[inline]
    #[must_use]
    pub fn piece_after(&self, m: Move) -> Option<Piece> {
        match m.origin() {
            Origin::Hand(piece) => Some(Piece::new(self.side, piece.kind())),
            Origin::Board(from) => {
                let piece = self.piece_at(from)?;
                if m.is_promotion() {
                    Some(Piece::new(piece.color(), piece.kind().promoted()?))
                } else {
                    Some(piece)
                }
            }
        }
    }
}

/// Those of `sliders`, each in line with `square`, that reach it. They are few: testing the lines between is cheaper
/// than sliding in all directions.
#[inline]
fn unblocked(square: Square, sliders: Bitboard, occupied: Bitboard) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    sliders.for_each(|slider| {
        if !attacks::between(square, slider).intersects(occupied) {
            found |= slider.into();
        }
    });
    found
}

/// The squares from which the side to move gives check, by kind of piece, and the pieces that discover a check by
/// moving.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checks {
    king: Option<Square>,
    /// By [`PieceKind`], padded to the range of four bits.
    squares: [Bitboard; 16],
    discoverers: Bitboard,
    /// The opponent's pieces that may not leave the line to their king.
    pinned: Bitboard,
    /// Whether both kings are in check, as in some diagrams: only the slow test is right then.
    odd: bool,
}

impl Position {
    /// The checks of the side to move; see [`Checks::contains`].
    #[inline]
    #[must_use]
    pub fn checks(&self) -> Checks {
        let mut checks = Checks::default();
        self.checks_into(&mut checks);
        checks
    }

    /// Like [`Position::checks`], but written in place: the result is too large to be copied.
    pub fn checks_into(&self, checks: &mut Checks) {
        use PieceKind as Kind;
        let us = self.side;
        checks.king = self.king(!us);
        checks.odd = self.opponent_in_check();
        let Some(king) = checks.king else {
            checks.squares = [Bitboard::EMPTY; 16];
            checks.discoverers = Bitboard::EMPTY;
            checks.pinned = Bitboard::EMPTY;
            return;
        };
        let shields = self.shields(!us);
        checks.discoverers = shields & self.pieces(us);
        checks.pinned = shields & self.pieces(!us);
        let occupied = self.occupied();
        // A piece attacks the king if the same piece of the other colour on the king's square would attack it.
        let seen = |kind| attacks::steps(Piece::new(!us, kind), king);
        let bishop = attacks::bishop(king, occupied);
        let rook = attacks::rook(king, occupied);
        let gold = seen(Kind::Gold);
        let around = attacks::king(king);
        let squares = &mut checks.squares;
        squares[Kind::Pawn.index()] = seen(Kind::Pawn);
        squares[Kind::Lance.index()] = rook & attacks::on_empty_board(Piece::new(!us, Kind::Lance), king);
        squares[Kind::Knight.index()] = seen(Kind::Knight);
        squares[Kind::Silver.index()] = seen(Kind::Silver);
        squares[Kind::Bishop.index()] = bishop;
        squares[Kind::Rook.index()] = rook;
        for kind in [Kind::Gold, Kind::ProPawn, Kind::ProLance, Kind::ProKnight, Kind::ProSilver] {
            squares[kind.index()] = gold;
        }
        squares[Kind::Horse.index()] = bishop | around;
        squares[Kind::Dragon.index()] = rook | around;
        // A king gives no check; entry 0 and the last one are never written and stay empty.
        squares[Kind::King.index()] = Bitboard::EMPTY;
    }
}

impl Checks {
    /// The squares from which a piece of this kind gives check.
    #[inline(always)]
    pub(crate) fn squares(&self, kind: PieceKind) -> Bitboard {
        self.squares[kind.index()]
    }

    /// The squares from which a piece with this [`Piece::index`] gives check.
    #[inline(always)]
    pub(crate) fn squares_of_index(&self, index: usize) -> Bitboard {
        self.squares[index % 16]
    }

    /// The opponent's pieces that may not leave the line to their king.
    #[inline(always)]
    pub(crate) fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Whether no piece can discover a check, and none is given already.
    #[inline(always)]
    pub(crate) fn are_all_direct(&self) -> bool {
        self.discoverers.is_empty() && !self.odd
    }

    /// Whether any move may give check; `false` is certain.
    #[must_use]
    pub fn are_conceivable(&self, position: &Position) -> bool {
        let us = position.side;
        let Some(king) = self.king else { return false };
        let empty = !position.occupied();
        let own_pawns = position.moving_like(Movement::Pawn) & position.pieces(us);
        let by_drop = position.hand(us).iter().any(|(piece, _)| {
            let closed = piece == HandPiece::Pawn && own_pawns.intersects(king.file().into());
            !closed && self.squares(piece.kind()).intersects(empty)
        });
        by_drop || self.odd || checking_candidates(position, us, king, self.discoverers).any()
    }

    /// Whether a legal move gives check; `position` must be the one that this was made from.
    #[inline(always)]
    #[must_use]
    pub fn contains(&self, position: &Position, m: Move) -> bool {
        self.contains_piece(position, position.index_after(m), m)
    }

    /// Like [`Checks::contains`], given the [`Piece::index`] of the piece that will stand on the target square.
    #[inline(always)]
    pub(crate) fn contains_piece(&self, position: &Position, index: usize, m: Move) -> bool {
        self.squares_of_index(index).contains(m.to())
            || (self.discoverers.any() || self.odd) && self.uncovers(position, m)
    }

    #[cold]
    fn uncovers(&self, position: &Position, m: Move) -> bool {
        match (m.origin(), self.king) {
            (Origin::Board(from), Some(king)) if !self.odd => {
                self.discoverers.contains(from) && !attacks::line_through(king, from).contains(m.to())
            }
            _ => position.gives_check(m),
        }
    }
}
