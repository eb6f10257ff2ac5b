//! From a position to bits: side to move, kings, board, hands, absent pieces.

use super::PackError;
use super::bits::{BYTES, BitWriter};
use super::codes::{Codes, HAND_ORDER, NO_KING, OffBoard};
use super::stock::Stock;
use crate::{Color, PieceKind, Setup, SetupError, Square};

pub(super) fn pack(setup: &Setup, codes: &Codes) -> Result<[u8; BYTES], PackError> {
    let kings = kings_of(setup)?;
    let mut writer = BitWriter::new();
    writer.put(setup.side as u8, 1);
    for king in kings {
        writer.put(king.map_or(NO_KING, |square| square as u8), 7);
    }
    write_pieces(&mut writer, setup, codes)?;
    let king_missing = kings.contains(&None);
    debug_assert_eq!(writer.written(), BYTES * 8 + usize::from(king_missing));
    let bytes = writer.finish();
    // The last bit is lost then; the reader can nearly always tell what it was.
    if king_missing {
        let read = super::unpack::unpack(&bytes, codes).ok();
        if read != Some(Setup { ply: Setup::EMPTY.ply, ..setup.clone() }) {
            return Err(PackError::DoesNotFit);
        }
    }
    Ok(bytes)
}

fn kings_of(setup: &Setup) -> Result<[Option<Square>; 2], SetupError> {
    let mut kings = [None; 2];
    for (square, piece) in Square::all().zip(setup.board) {
        let Some(piece) = piece.filter(|piece| piece.kind() == PieceKind::King) else { continue };
        if kings[piece.color().index()].replace(square).is_some() {
            return Err(SetupError::TwoKings(piece.color()));
        }
    }
    if kings == [None; 2] { Err(SetupError::NoKing) } else { Ok(kings) }
}

/// Taking every piece from one set bounds what is written.
fn write_pieces(writer: &mut BitWriter, setup: &Setup, codes: &Codes) -> Result<(), SetupError> {
    let mut stock = Stock::FULL;
    for piece in setup.board {
        if let Some(piece) = piece {
            match piece.kind().to_hand() {
                None => continue, // a king
                Some(kind) => stock.take(kind)?,
            }
        }
        let code = codes.on_board(piece);
        writer.put(code.bits, code.len);
    }
    let mut repeat = |piece, count| {
        let code = codes.off_board(piece);
        (0..count).for_each(|_| writer.put(code.bits, code.len));
    };
    for color in Color::ALL {
        for piece in HAND_ORDER {
            let count = setup.hands[color.index()].count(piece);
            (0..count).try_for_each(|_| stock.take(piece))?;
            repeat(OffBoard::Hand(color, piece), count);
        }
    }
    for piece in HAND_ORDER {
        repeat(OffBoard::Absent(piece), stock.left(piece));
    }
    Ok(())
}
