//! Features of pieces as the owner of a king sees them, as table look-ups without branches.

use crate::BonaPiece;
use crate::nnue::Features;

/// The result of [`Features::index`] for all pieces but kings, split into a term of the king's square and a term of the
/// piece, the board mirrored or not.
#[derive(Clone, Copy, Debug)]
pub(in crate::nnue) struct KingView {
    first: u32,
    /// Where the king is, see [`Features::king`].
    king: u8,
    mirrored: bool,
}

/// The number of each piece with the files reversed.
static MIRROR: [u16; BonaPiece::KING] = {
    let mut table = [0; BonaPiece::KING];
    let mut index = 0;
    while index < BonaPiece::KING {
        table[index] = match BonaPiece::from_index(index) {
            Some(piece) => piece.mirror().index() as u16,
            None => 0,
        };
        index += 1;
    }
    table
};

impl KingView {
    pub(in crate::nnue) const EMPTY: Self = Self { first: 0, king: 0, mirrored: false };

    pub(in crate::nnue) fn new(features: Features, king: usize) -> Self {
        // [`BonaPiece::ZERO`] is not changed by mirroring.
        let first = features.index(king, BonaPiece::ZERO) as u32;
        Self { first, king: king as u8, mirrored: features.mirrors(king) }
    }

    /// The view from another king square. On the middle file the board stays mirrored, or not, as before: which of both
    /// is right depends on the other pieces.
    pub(in crate::nnue) fn moved(self, features: Features, square: usize) -> Self {
        Self::new(features, features.king_on(square, self.mirrored))
    }

    /// Whether the features of all pieces are the same as those of another view.
    #[inline]
    pub(in crate::nnue) fn sees_as(self, other: Self) -> bool {
        (self.first, self.mirrored) == (other.first, other.mirrored)
    }

    /// Where the king is, see [`Features::king`].
    pub(in crate::nnue) fn king(self) -> usize {
        self.king.into()
    }

    /// The feature of any piece but a king.
    #[inline]
    pub(in crate::nnue) fn feature(self, piece: BonaPiece) -> u32 {
        let number = if self.mirrored { MIRROR[piece.index()].into() } else { piece.index() as u32 };
        self.first + number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::KingZones;

    #[test]
    fn sums_say_what_is_computed() {
        let zones = [KingZones::ONE, KingZones::NINE].map(Features::HalfKaHm2Zones);
        for features in Features::ALL.into_iter().chain(zones) {
            for king in features.kings() {
                for piece in (0..BonaPiece::KING).map(|index| BonaPiece::from_index(index).unwrap()) {
                    let feature = KingView::new(features, king).feature(piece) as usize;
                    assert_eq!(feature, features.index(king, piece), "{features:?} {king} {piece:?}");
                }
            }
        }
    }
}
