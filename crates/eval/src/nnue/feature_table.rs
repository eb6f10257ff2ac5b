//! Features by table: what [`Features::index`] computes, for loops that must not think.

use super::Features;
use crate::BonaPiece;

/// The feature of a piece is a number of the king's square plus a number of the piece, of which there are two for sets
/// that mirror the board.
#[derive(Clone, Debug)]
pub(super) struct FeatureTable {
    first: Vec<u32>,
    pieces: [Vec<u16>; 2],
    mirrors: [bool; 81],
}

/// The features of a player whose king stands somewhere.
#[derive(Clone, Copy)]
pub(super) struct KingFeatures<'a> {
    first: u32,
    pieces: &'a [u16; BonaPiece::COUNT],
}

impl KingFeatures<'_> {
    #[inline]
    pub(super) fn feature(self, piece: BonaPiece) -> u32 {
        self.first + u32::from(self.pieces[piece.index()])
    }
}

impl FeatureTable {
    pub(super) fn new(features: Features) -> Self {
        // Nothing moves the piece that is nowhere.
        let first = |king| features.index(king, BonaPiece::ZERO);
        let pieces = |king| {
            let piece = |index| BonaPiece::from_index(index).expect("there are so many");
            (0..BonaPiece::COUNT)
                .map(|index| (features.index(king, piece(index)) - first(king)) as u16)
                .collect()
        };
        Self {
            first: (0..81).map(|king| first(king) as u32).collect(),
            pieces: [pieces(0), pieces(80)],
            mirrors: std::array::from_fn(|king| features.mirrors(king)),
        }
    }

    #[inline]
    pub(super) fn of_king(&self, king: usize) -> KingFeatures<'_> {
        let pieces = &self.pieces[usize::from(self.mirrors[king])];
        let pieces = pieces.first_chunk().expect("there is a number for each piece");
        KingFeatures { first: self.first[king], pieces }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_say_what_is_computed() {
        for features in Features::ALL {
            let table = FeatureTable::new(features);
            for king in 0..81 {
                for piece in (0..BonaPiece::COUNT).map(|index| BonaPiece::from_index(index).unwrap()) {
                    let feature = table.of_king(king).feature(piece) as usize;
                    assert_eq!(feature, features.index(king, piece), "{features:?} {king} {piece:?}");
                }
            }
        }
    }
}
