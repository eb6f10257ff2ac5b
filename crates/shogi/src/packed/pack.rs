//! From a position to bits: side to move, kings, board, hands, absent pieces.

use super::PackError;
use super::bits::{BYTES, BitWriter};
use super::codes::{Code, Codes, HAND_ORDER, NO_KING, OffBoard, Pair};
use super::stock::Tally;
use super::unpack::Reading;
use crate::{Color, Piece, Setup, SetupError};

/// The side to move and the squares of two kings.
const HEAD_BITS: usize = 1 + 7 + 7;

pub(super) fn pack(setup: &Setup, codes: &Codes) -> Result<[u8; BYTES], PackError> {
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
        let read = Reading::new().read(&bytes, codes).ok();
        if read != Some(Setup { ply: Setup::EMPTY.ply, ..setup.clone() }) {
            return Err(PackError::DoesNotFit);
        }
    }
    Ok(bytes)
}

/// Writes all squares, counts what stands there and finds the kings, without asking for any piece what it is.
fn write_board(writer: &mut BitWriter, setup: &Setup, codes: &Codes) -> (Tally, [u8; 2]) {
    let (pairs, last) = setup.board.as_chunks::<2>();
    // So many can be put before they must be stored.
    let (threes, pairs) = pairs.as_chunks::<3>();
    for three in threes {
        for [first, second] in three {
            let Pair { bits, len } = codes.on_board(*first, *second);
            writer.put(bits, len);
        }
        writer.store();
    }
    for [first, second] in pairs {
        let Pair { bits, len } = codes.on_board(*first, *second);
        writer.put(bits, len);
    }
    for piece in last {
        let Code { bits, len } = codes.on_last_square(*piece);
        writer.put(bits.into(), len);
    }
    writer.store();
    (Tally::of(&setup.board), [square_of(setup, Piece::BKing), square_of(setup, Piece::WKing)])
}

/// Where a piece of which there is one at most stands. Without a way out of the loop it takes several squares at a time.
fn square_of(setup: &Setup, piece: Piece) -> u8 {
    let mark = |(square, found): (u8, &Option<Piece>)| if *found == Some(piece) { square } else { 0 };
    (1..).zip(&setup.board).map(mark).fold(0, |all, square| all | square).checked_sub(1).unwrap_or(NO_KING)
}

/// Taking every piece from one set bounds what is written.
fn write_the_rest(
    writer: &mut BitWriter,
    setup: &Setup,
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
