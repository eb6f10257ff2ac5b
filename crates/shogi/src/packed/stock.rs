//! The pieces of a set that have not yet been placed.

use crate::{Color, HandPiece, Piece, PieceKind, SetupError};

pub(super) struct Stock([u8; 8]);

impl Stock {
    /// A whole set.
    pub(super) const FULL: Self = {
        let mut left = [0; 8];
        let mut i = 0;
        while i < 7 {
            let piece = HandPiece::ALL[i];
            left[piece.index()] = piece.set_size() as u8;
            i += 1;
        }
        Self(left)
    };

    #[inline]
    pub(super) fn take(&mut self, piece: HandPiece) -> Result<(), SetupError> {
        let left = &mut self.0[piece.index()];
        *left = left.checked_sub(1).ok_or(SetupError::TooManyPieces { piece, most: piece.set_size() })?;
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; 8]
    }

    #[inline]
    pub(super) fn left(&self, piece: HandPiece) -> u32 {
        self.0[piece.index()].into()
    }

    pub(super) fn lacks_more_than_pawns(&self) -> bool {
        HandPiece::ALL.into_iter().any(|piece| piece != HandPiece::Pawn && self.left(piece) > 0)
    }
}

/// How many pieces of each kind stand on a board, and kings by colour: nine counters of seven bits, each of which can
/// count all squares.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally(u64);

/// Bits of a counter.
pub(super) const COUNTER: usize = 7;

const fn counter_of(color: Color, kind: PieceKind) -> usize {
    match (kind.to_hand(), color) {
        (Some(piece), _) => piece.index(),
        (None, Color::Black) => 0,
        (None, Color::White) => 8,
    }
}

/// What a piece adds, by [`Piece::index`]; an empty square adds nothing.
const ONES: [u64; Piece::INDEX_COUNT] = {
    let mut ones = [0; Piece::INDEX_COUNT];
    let mut i = 0;
    while i < PieceKind::ALL.len() {
        let mut side = 0;
        while side < 2 {
            let (color, kind) = (Color::ALL[side], PieceKind::ALL[i]);
            ones[Piece::new(color, kind).index()] = 1 << (COUNTER * counter_of(color, kind));
            side += 1;
        }
        i += 1;
    }
    ones
};

impl Tally {
    /// What stands on one square, by [`Piece::index`]; nothing counts nothing.
    pub(super) const fn of(index: usize) -> Self {
        Self(if index < ONES.len() { ONES[index] } else { 0 })
    }

    /// All counters as one number.
    pub(super) const fn number(self) -> u64 {
        self.0
    }

    pub(super) const fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// The sum of two; together they must not count more than a board.
    #[inline]
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Whether there is a king.
    #[inline]
    pub(super) const fn has_king(self) -> bool {
        const KINGS: u64 = 0x7f << (COUNTER * counter_of(Color::Black, PieceKind::King))
            | 0x7f << (COUNTER * counter_of(Color::White, PieceKind::King));
        self.0 & KINGS != 0
    }

    /// A whole set without the kings.
    const COMPLETE: u64 = {
        let mut sum = 0;
        let mut i = 0;
        while i < 7 {
            let piece = HandPiece::ALL[i];
            sum += (piece.set_size() as u64) << (COUNTER * piece.index());
            i += 1;
        }
        sum
    };

    /// Whether a whole set stands there, with both kings.
    #[inline]
    pub(super) const fn is_full(self) -> bool {
        const KINGS: u64 = 1 << (COUNTER * counter_of(Color::Black, PieceKind::King))
            | 1 << (COUNTER * counter_of(Color::White, PieceKind::King));
        self.0 == Self::COMPLETE + KINGS
    }

    /// Whether a whole set stands there, kings not counted.
    #[inline]
    pub(super) const fn is_complete(self) -> bool {
        self.0 == Self::COMPLETE
    }

    fn counted(self, counter: usize) -> u8 {
        (self.0 >> (COUNTER * counter)) as u8 & 0x7f
    }

    /// One king for each side at most, and one in all at least.
    pub(super) fn check_kings(self) -> Result<(), SetupError> {
        let kings = Color::ALL.map(|color| self.counted(counter_of(color, PieceKind::King)));
        for color in Color::ALL {
            if kings[color.index()] > 1 {
                return Err(SetupError::TwoKings(color));
            }
        }
        if kings == [0, 0] { Err(SetupError::NoKing) } else { Ok(()) }
    }

    /// What is left of a set.
    pub(super) fn stock(self) -> Result<Stock, SetupError> {
        let mut stock = Stock::FULL;
        for piece in HandPiece::ALL {
            let left = &mut stock.0[piece.index()];
            let error = SetupError::TooManyPieces { piece, most: piece.set_size() };
            *left = left.checked_sub(self.counted(piece.index())).ok_or(error)?;
        }
        Ok(stock)
    }
}
