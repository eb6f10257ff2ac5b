//! Setups as a few numbers, for those who read and write millions of them.

use crate::{Color, Hand, Piece, Setup};

/// A [`Setup`] without its move number, in few words: each file of the board is a number with five bits for each square,
/// those of the first rank lowest, that say [`Piece::index`] or 0.
///
/// ```
/// use shogi::{Piece, Setup, SetupWords};
/// let setup: Setup = "4k4/9/9/9/9/9/9/9/4K4 b G 1".parse()?;
/// let words = SetupWords::from(&setup);
/// assert_eq!(words.files[4], (Piece::WKing.index() | Piece::BKing.index() << 40) as u64);
/// assert_eq!(words.ranks()[0], (Piece::WKing.index() << 20) as u64);
/// assert_eq!(Setup::from(&words), setup);
/// # Ok::<(), shogi::SfenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupWords {
    /// What stands on each file.
    pub files: [u64; 9],
    /// Black's and White's hand.
    pub hands: [Hand; 2],
    /// The side to move.
    pub side: Color,
}

impl SetupWords {
    /// Bits for a square.
    pub const SQUARE_BITS: usize = 5;

    /// What stands on each rank, the first file lowest.
    #[inline]
    #[must_use]
    pub fn ranks(&self) -> [u64; 9] {
        transpose(self.files)
    }

    /// A board of which the ranks are known.
    #[inline(always)]
    #[must_use]
    pub fn from_ranks(ranks: [u64; 9], hands: [Hand; 2], side: Color) -> Self {
        Self { files: transpose(ranks), hands, side }
    }
}

/// A [`Setup`] without its move number for those who spell it: each rank is a number with five bits for each square,
/// those of the first file lowest, that say [`Piece::index`] or 0.
///
/// ```
/// use shogi::{Piece, Setup, SetupRanks, SetupWords};
/// let setup: Setup = "4k3r/9/9/9/9/9/9/9/4K4 b G 1".parse()?;
/// let ranks = SetupRanks::from(&SetupWords::from(&setup));
/// assert_eq!(ranks.ranks[0], (Piece::WRook.index() | Piece::WKing.index() << 20) as u64);
/// # Ok::<(), shogi::SfenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupRanks {
    /// What stands on each rank.
    pub ranks: [u64; 9],
    /// Black's and White's hand.
    pub hands: [Hand; 2],
    /// The side to move.
    pub side: Color,
}

impl SetupRanks {
    /// Nothing on the board, and Black to move.
    pub const EMPTY: Self = Self { ranks: [0; 9], hands: [Hand::EMPTY; 2], side: Color::Black };

    /// From files, of which the first eight ranks are a number with a byte for each square and the last is another.
    #[inline(always)]
    pub(crate) fn from_files(eights: [u64; 9], lasts: [u64; 9]) -> [u64; 9] {
        let mut block: [u64; 8] = std::array::from_fn(|i| eights[i]);
        let mut exchange = |from: usize, distance: usize, squares: u64| {
            let moved = (block[from] >> (distance * 8) ^ block[from + distance]) & squares;
            block[from + distance] ^= moved;
            block[from] ^= moved << (distance * 8);
        };
        for from in [0, 1, 2, 3] {
            exchange(from, 4, 0xffff_ffff);
        }
        for from in [0, 1, 4, 5] {
            exchange(from, 2, 0xffff_0000_ffff);
        }
        for from in [0, 2, 4, 6] {
            exchange(from, 1, 0x00ff_00ff_00ff_00ff);
        }
        // Neighbours move together, three times.
        let squeeze = |ones: u64| {
            let twos = ones & 0x001f_001f_001f_001f | (ones & 0x1f00_1f00_1f00_1f00) >> 3;
            let fours = twos & 0x0000_03ff_0000_03ff | (twos & 0x03ff_0000_03ff_0000) >> 6;
            fours & 0x000f_ffff | fours >> 32 << (4 * SetupWords::SQUARE_BITS)
        };
        std::array::from_fn(|i| match block.get(i) {
            Some(squares) => {
                squeeze(*squares) | (eights[8] >> (8 * i) & 0xff) << (8 * SetupWords::SQUARE_BITS)
            }
            None => (0..9).fold(0, |rank, file| rank | lasts[file] << (file * SetupWords::SQUARE_BITS)),
        })
    }
}

impl From<&SetupWords> for SetupRanks {
    fn from(words: &SetupWords) -> Self {
        Self { ranks: words.ranks(), hands: words.hands, side: words.side }
    }
}

/// The move number is 1.
impl From<&SetupWords> for Setup {
    fn from(words: &SetupWords) -> Self {
        let mut setup = Self { hands: words.hands, side: words.side, ..Self::EMPTY };
        for (squares, file) in setup.board.as_chunks_mut::<9>().0.iter_mut().zip(words.files) {
            for (rank, square) in squares.iter_mut().enumerate() {
                *square = Piece::from_index((file >> (SetupWords::SQUARE_BITS * rank)) as usize);
            }
        }
        setup
    }
}

impl From<&Setup> for SetupWords {
    fn from(setup: &Setup) -> Self {
        let mut files = [0; 9];
        for (squares, file) in setup.board.as_chunks::<9>().0.iter().zip(&mut files) {
            for (rank, square) in squares.iter().enumerate() {
                *file |= (square.map_or(0, Piece::index) as u64) << (Self::SQUARE_BITS * rank);
            }
        }
        Self { files, hands: setup.hands, side: setup.side }
    }
}

/// Files become ranks, ranks become files: blocks of four squares by four change places, then of two, then squares. What
/// is left beyond eight by eight is moved one by one.
#[inline(always)]
fn transpose(lines: [u64; 9]) -> [u64; 9] {
    const BITS: usize = SetupWords::SQUARE_BITS;
    const LAST: usize = 8 * BITS;
    const SQUARE: u64 = (1 << BITS) - 1;
    let mut block: [u64; 8] = std::array::from_fn(|i| lines[i] & ((1 << LAST) - 1));
    let mut exchange = |from: usize, distance: usize, squares: u64| {
        let moved = (block[from] >> (distance * BITS) ^ block[from + distance]) & squares;
        block[from + distance] ^= moved;
        block[from] ^= moved << (distance * BITS);
    };
    for from in [0, 1, 2, 3] {
        exchange(from, 4, (1 << (4 * BITS)) - 1);
    }
    for from in [0, 1, 4, 5] {
        exchange(from, 2, ((1 << (2 * BITS)) - 1) * (1 | 1 << (4 * BITS)));
    }
    for from in [0, 2, 4, 6] {
        exchange(from, 1, SQUARE * (1 | 1 << (2 * BITS) | 1 << (4 * BITS) | 1 << (6 * BITS)));
    }
    let last = (0..9).fold(0, |last, i| last | (lines[i] >> LAST & SQUARE) << (i * BITS));
    std::array::from_fn(|i| match block.get(i) {
        Some(squares) => squares | (lines[8] >> (i * BITS) & SQUARE) << LAST,
        None => last,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_square_finds_its_place(lines in prop::array::uniform9(0u64..1 << 45)) {
            let across = transpose(lines);
            for (i, line) in lines.into_iter().enumerate() {
                for (j, other) in across.into_iter().enumerate() {
                    prop_assert_eq!(line >> (5 * j) & 31, other >> (5 * i) & 31);
                }
            }
            prop_assert_eq!(transpose(across), lines);
        }

        /// Nothing is lost, whatever stands on the board.
        #[test]
        fn words_are_the_setup(codes in prop::collection::vec(0usize..32, 81), hands in prop::array::uniform2(0u32..19)) {
            let mut setup = Setup::EMPTY;
            for (square, code) in setup.board.iter_mut().zip(codes) {
                *square = Piece::from_index(code);
            }
            setup.hands = hands.map(|pawns| Hand::EMPTY.with_count(crate::HandPiece::Pawn, pawns));
            let words = SetupWords::from(&setup);
            prop_assert_eq!(Setup::from(&words), setup);
            prop_assert_eq!(SetupWords::from_ranks(words.ranks(), words.hands, words.side), words);
        }
    }
}
