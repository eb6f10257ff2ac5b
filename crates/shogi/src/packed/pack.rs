//! From a position to bits: side to move, kings, board, hands, absent pieces.

use super::PackError;
use super::bits::{BYTES, BitWriter};
use super::codes::{Code, Codes, HAND_ORDER, NO_KING, OffBoard};
use super::stock::Tally;
use super::unpack::Reading;
use super::wide::Wide;
use crate::{Color, Hand, Piece, SetupError, SetupWords};

/// The side to move and the squares of two kings.
pub(super) const HEAD_BITS: usize = 1 + 7 + 7;

pub(super) fn pack(setup: &SetupWords, codes: &Codes) -> Result<[u8; BYTES], PackError> {
    // What stands before the board is known only behind it.
    let mut writer = BitWriter::behind(HEAD_BITS);
    let (tally, kings) = write_board(&mut writer, setup, codes);
    tally.check_kings()?;
    write_the_rest(&mut writer, setup.hands, codes, tally)?;
    let king_missing = kings.contains(&NO_KING);
    debug_assert_eq!(writer.written(), BYTES * 8 + usize::from(king_missing));
    let bytes = writer.finish(head(setup.side, kings));
    // The last bit is lost then; the reader can nearly always tell what it was.
    if king_missing {
        let read = Reading::new().read(&bytes, codes);
        if read.as_ref() != Ok(setup) {
            return Err(PackError::DoesNotFit);
        }
    }
    Ok(bytes)
}

/// The same for a board of which the ranks are known.
#[inline]
pub(super) fn pack_ranks(
    ranks: &[u64; 9],
    hands: [Hand; 2],
    side: Color,
    codes: &Codes,
) -> Result<[u8; BYTES], PackError> {
    if let Some(mut board) = Wide::detect().map(|wide| wide.board(ranks, side, codes))
        && board.kings.iter().all(|king| *king < NO_KING)
    {
        if !is_all(board.tally, hands) {
            board.tally.check_kings()?;
            let mut writer = BitWriter::behind(board.end);
            write_the_rest(&mut writer, hands, codes, board.tally)?;
            board.bytes.iter_mut().zip(writer.finish(0)).for_each(|(byte, rest)| *byte |= rest);
        }
        return Ok(board.bytes);
    }
    pack(&SetupWords::from_ranks(*ranks, hands, side), codes)
}

/// What stands before the board.
#[inline]
pub(super) fn head(side: Color, kings: [u8; 2]) -> u16 {
    let [black, white] = kings.map(u16::from);
    side as u16 | black << 1 | white << 8
}

/// Whether nothing is left to be written behind a board.
#[inline]
fn is_all(on_board: Tally, hands: [Hand; 2]) -> bool {
    on_board.is_full() && hands == [Hand::EMPTY; 2]
}

/// Writes all squares, counts what stands there and finds the kings, three squares at a time.
#[inline(always)]
fn write_board(writer: &mut BitWriter, setup: &SetupWords, codes: &Codes) -> (Tally, [u8; 2]) {
    const BITS: usize = 3 * SetupWords::SQUARE_BITS;
    let triples = codes.triples();
    let (mut tally, mut kings) = (Tally::default(), [NO_KING; 2]);
    for (file, squares) in (0..).zip(setup.files) {
        let [a, b, c] = [0, 1, 2].map(|i| &triples[(squares >> (BITS * i)) as usize % triples.len()]);
        let (two, three) = (a.len + b.len, a.len + b.len + c.len);
        if three <= BitWriter::MOST {
            writer.put(u64::from(a.bits) | u64::from(b.bits) << a.len | u64::from(c.bits) << two, three);
        } else {
            for triple in [a, b, c] {
                writer.put(triple.bits.into(), triple.len);
            }
        }
        let counted = a.tally.and(b.tally).and(c.tally);
        if counted.has_king() {
            for (king, piece) in kings.iter_mut().zip([Piece::BKing, Piece::WKing]) {
                if let Some(rank) = rank_of(squares, piece) {
                    *king = file * 9 + rank;
                }
            }
        }
        tally = tally.and(counted);
    }
    (tally, kings)
}

/// Where on a file a piece stands.
fn rank_of(squares: u64, piece: Piece) -> Option<u8> {
    /// The lowest bit of each square, the highest, and those below it.
    const EACH: u64 = ((1 << (9 * SetupWords::SQUARE_BITS)) - 1) / ((1 << SetupWords::SQUARE_BITS) - 1);
    const HIGHEST: u64 = EACH << (SetupWords::SQUARE_BITS - 1);
    const LOWER: u64 = HIGHEST - EACH;
    let others = squares ^ (EACH * piece.index() as u64);
    // Something is carried into the highest bit unless all below it are zero.
    let found = !(((others & LOWER) + LOWER) | others) & HIGHEST;
    (found != 0).then(|| (found.trailing_zeros() / SetupWords::SQUARE_BITS as u32) as u8)
}

/// Taking every piece from one set bounds what is written.
fn write_the_rest(
    writer: &mut BitWriter,
    hands: [Hand; 2],
    codes: &Codes,
    on_board: Tally,
) -> Result<(), SetupError> {
    if is_all(on_board, hands) {
        return Ok(());
    }
    let mut stock = on_board.stock()?;
    let mut repeat = |piece, count| {
        let Code { bits, len } = codes.off_board(piece);
        (0..count).for_each(|_| writer.put(bits.into(), len.into()));
    };
    for color in Color::ALL {
        let hand = hands[color.index()];
        for piece in HAND_ORDER.into_iter().filter(|_| !hand.is_empty()) {
            let count = hand.count(piece);
            (0..count).try_for_each(|_| stock.take(piece))?;
            repeat(OffBoard::Hand(color, piece), count);
        }
    }
    for piece in HAND_ORDER.into_iter().filter(|_| !stock.is_empty()) {
        repeat(OffBoard::Absent(piece), stock.left(piece));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::codes::{HUFFMAN_CODED_POS, PACKED_SFEN};
    use super::*;
    use crate::Position;
    use proptest::prelude::*;

    proptest! {
        /// A whole board at once or square by square, whether it can be packed or not.
        #[test]
        fn ranks_are_packed_like_files(
            choices in prop::collection::vec(any::<usize>(), 0..200),
            changes in prop::collection::vec((0usize..81, 0usize..Piece::INDEX_COUNT), 0..4),
            keep_hands in any::<bool>(),
        ) {
            let mut position = Position::startpos();
            for choice in choices {
                let moves = position.legal_moves();
                if let Some(chosen) = moves.get(choice % moves.len().max(1)) {
                    position.do_move(*chosen);
                }
            }
            let mut setup = position.setup();
            for (square, piece) in changes {
                setup.board[square] = Piece::from_index(piece);
            }
            let mut words = SetupWords::from(&setup);
            if !keep_hands {
                words.hands = [Hand::EMPTY; 2];
            }
            for codes in [&PACKED_SFEN, &HUFFMAN_CODED_POS] {
                let packed = pack_ranks(&words.ranks(), words.hands, words.side, codes);
                prop_assert_eq!(packed, pack(&words, codes));
            }
        }

        /// Any pieces on any squares.
        #[test]
        fn hopeless_boards(squares in prop::collection::vec(0usize..Piece::INDEX_COUNT, 81)) {
            let files = std::array::from_fn(|file| {
                (0..9).fold(0, |line, rank| {
                    let index = Piece::from_index(squares[file * 9 + rank]).map_or(0, Piece::index);
                    line | (index as u64) << (SetupWords::SQUARE_BITS * rank)
                })
            });
            let words = SetupWords { files, hands: [Hand::EMPTY; 2], side: Color::Black };
            let packed = pack_ranks(&words.ranks(), words.hands, words.side, &PACKED_SFEN);
            prop_assert_eq!(packed, pack(&words, &PACKED_SFEN));
        }
    }
}
