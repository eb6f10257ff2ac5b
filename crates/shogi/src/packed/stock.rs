//! The pieces of a set that have not yet been placed.

use crate::{HandPiece, SetupError};

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

    #[inline]
    pub(super) fn left(&self, piece: HandPiece) -> u32 {
        self.0[piece.index()].into()
    }

    pub(super) fn lacks_more_than_pawns(&self) -> bool {
        HandPiece::ALL.into_iter().any(|piece| piece != HandPiece::Pawn && self.left(piece) > 0)
    }
}
