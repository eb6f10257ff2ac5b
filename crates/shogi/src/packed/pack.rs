//! From a position to bits: side to move, kings, board, hands, absent pieces.

use super::PackError;
use super::bits::{BYTES, BitWriter};
use super::codes::{Code, Codes, HAND_ORDER, NO_KING, OffBoard};
use super::stock::Tally;
use super::unpack::Reading;
use crate::{Color, Piece, SetupError, SetupWords};

/// The side to move and the squares of two kings.
const HEAD_BITS: usize = 1 + 7 + 7;

pub(super) fn pack(setup: &SetupWords, codes: &Codes) -> Result<[u8; BYTES], PackError> {
    // What stands before the board is known only behind it.
    let mut writer = BitWriter::behind(HEAD_BITS);
    let (tally, kings) = write_board(&mut writer, setup, codes);
    tally.check_kings()?;
    write_the_rest(&mut writer, setup, codes, tally)?;
    let king_missing = kings.contains(&NO_KING);
    debug_assert_eq!(writer.written(), BYTES * 8 + usize::from(king_missing));
    let [black, white] = kings.map(u16::from);
    let bytes = writer.finish(setup.side as u16 | black << 1 | white << 8);
    // The last bit is lost then; the reader can nearly always tell what it was.
    if king_missing {
        let read = Reading::new().read(&bytes, codes);
        if read.as_ref() != Ok(setup) {
            return Err(PackError::DoesNotFit);
        }
    }
    Ok(bytes)
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
    setup: &SetupWords,
    codes: &Codes,
    on_board: Tally,
) -> Result<(), SetupError> {
    if on_board.is_full() && setup.hands.iter().all(|hand| hand.is_empty()) {
        return Ok(());
    }
    let mut stock = on_board.stock()?;
    let mut repeat = |piece, count| {
        let Code { bits, len } = codes.off_board(piece);
        (0..count).for_each(|_| writer.put(bits.into(), len.into()));
    };
    for color in Color::ALL {
        let hand = setup.hands[color.index()];
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
