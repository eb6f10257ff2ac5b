//! Counting the pieces of a set that have not been placed yet.

use crate::{HandPiece, Piece, SetupError};

/// How many pieces of each kind stand on a board, promoted ones with the others; kings do not count.
#[derive(Default)]
pub(super) struct Counts([u32; 8]);

impl Counts {
    pub(super) fn add(&mut self, piece: Option<Piece>) {
        if let Some(kind) = piece.and_then(|piece| piece.kind().to_hand()) {
            self.0[kind.index()] += 1;
        }
    }

    /// The pieces of a set that are left.
    pub(super) fn stock(&self) -> Result<Stock, SetupError> {
        let mut left = [0; 8];
        for piece in HandPiece::ALL {
            let (placed, most) = (self.0[piece.index()], piece.set_size());
            left[piece.index()] =
                most.checked_sub(placed).ok_or(SetupError::TooManyPieces { piece, most })?;
        }
        Ok(Stock(left))
    }
}

/// The pieces of a set that are left, by [`HandPiece::index`].
pub(super) struct Stock([u32; 8]);

impl Stock {
    pub(super) fn take(&mut self, piece: HandPiece) -> Result<(), SetupError> {
        let left = &mut self.0[piece.index()];
        *left = left.checked_sub(1).ok_or(SetupError::TooManyPieces { piece, most: piece.set_size() })?;
        Ok(())
    }

    pub(super) fn left(&self, piece: HandPiece) -> u32 {
        self.0[piece.index()]
    }

    pub(super) fn lacks_more_than_pawns(&self) -> bool {
        HandPiece::ALL.into_iter().any(|piece| piece != HandPiece::Pawn && self.left(piece) > 0)
    }
}
