//! From a position to bits: side to move, kings, board, hands, absent pieces.

use super::PackError;
use super::bits::{BYTES, BitWriter};
use super::codes::{Code, Codes, HAND_ORDER, NO_KING, OffBoard, Pair};
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

/// Writes all squares, counts what stands there and finds the kings, without asking for any piece what it is.
fn write_board(writer: &mut BitWriter, setup: &SetupWords, codes: &Codes) -> (Tally, [u8; 2]) {
    const PAIR_BITS: usize = 2 * SetupWords::SQUARE_BITS;
    let mut tally = Tally::default();
    for file in setup.files {
        for pair in 0..4 {
            let Pair { tally: counted, bits, len } = codes.on_board(file >> (PAIR_BITS * pair));
            writer.put(bits, len);
            tally = tally.and(counted);
            // No more can be put before they must be stored.
            if pair == 2 {
                writer.store();
            }
        }
        let last = file >> (PAIR_BITS * 4);
        let Code { bits, len } = codes.on_square(last);
        writer.put(bits.into(), len);
        writer.store();
        tally = tally.and(Tally::of(last as usize));
    }
    (tally, [square_of(setup, Piece::BKing), square_of(setup, Piece::WKing)])
}

/// Where a piece of which there is one at most stands.
fn square_of(setup: &SetupWords, piece: Piece) -> u8 {
    /// The lowest bit of each square, the highest, and those below it.
    const EACH: u64 = ((1 << (9 * SetupWords::SQUARE_BITS)) - 1) / ((1 << SetupWords::SQUARE_BITS) - 1);
    const HIGHEST: u64 = EACH << (SetupWords::SQUARE_BITS - 1);
    const LOWER: u64 = HIGHEST - EACH;
    for (file, squares) in (0..).zip(&setup.files) {
        let others = squares ^ (EACH * piece.index() as u64);
        // Something is carried into the highest bit unless all below it are zero.
        let found = !(((others & LOWER) + LOWER) | others) & HIGHEST;
        if found != 0 {
            return file * 9 + (found.trailing_zeros() / SetupWords::SQUARE_BITS as u32) as u8;
        }
    }
    NO_KING
}

/// Taking every piece from one set bounds what is written.
fn write_the_rest(
    writer: &mut BitWriter,
    setup: &SetupWords,
    codes: &Codes,
    on_board: Tally,
) -> Result<(), SetupError> {
    let mut stock = on_board.stock()?;
    let mut repeat = |piece, count| {
        let Code { bits, len } = codes.off_board(piece);
        (0..count).for_each(|_| {
            writer.put(bits.into(), len);
            writer.store();
        });
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
