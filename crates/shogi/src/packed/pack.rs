//! From a position to bits: side to move, kings, board, hands, absent pieces.

use super::PackError;
use super::bits::{BITS, BYTES, BitWriter};
use super::codes::{Code, Codes, HAND_ORDER, NO_KING, OffBoard};
use super::stock::Counts;
use super::unpack::unpack;
use crate::{Color, Piece, PieceKind, Setup, SetupError, Square};

pub(super) fn pack(setup: &Setup, codes: &Codes) -> Result<[u8; BYTES], PackError> {
    let kings = king_squares(setup)?;
    let mut counts = Counts::default();
    for piece in setup.board {
        counts.add(piece);
    }
    // Every piece comes from one set: that bounds what is written.
    let mut stock = counts.stock()?;
    let mut writer = BitWriter::default();
    writer.put(Code { bits: setup.side as u8, len: 1 });
    for square in kings {
        writer.put(Code { bits: square, len: 7 });
    }
    for piece in setup.board {
        writer.put(codes.on_square(piece));
    }
    for color in Color::ALL {
        for piece in HAND_ORDER {
            for _ in 0..setup.hands[color.index()].count(piece) {
                stock.take(piece)?;
                writer.put(codes.off_board(OffBoard::Hand(color, piece)));
            }
        }
    }
    for piece in HAND_ORDER {
        (0..stock.left(piece)).for_each(|_| writer.put(codes.off_board(OffBoard::Absent(piece))));
    }
    let king_missing = kings.contains(&NO_KING);
    debug_assert_eq!(writer.written(), BITS + usize::from(king_missing));
    let bytes = writer.finish();
    // The last bit is lost then; the reader can nearly always reconstruct it.
    if king_missing && unpack(&bytes, codes).as_ref() != Ok(&Setup { ply: 1, ..setup.clone() }) {
        return Err(PackError::DoesNotFit);
    }
    Ok(bytes)
}

/// The squares of Black's and White's king; at most one may be missing.
fn king_squares(setup: &Setup) -> Result<[u8; 2], SetupError> {
    let mut kings = [NO_KING; 2];
    for color in Color::ALL {
        let king = Some(Piece::new(color, PieceKind::King));
        let mut squares = Square::all().filter(|square| setup.piece_at(*square) == king);
        if let Some(square) = squares.next() {
            kings[color.index()] = square as u8;
        }
        if squares.next().is_some() {
            return Err(SetupError::TwoKings(color));
        }
    }
    if kings == [NO_KING; 2] { Err(SetupError::NoKing) } else { Ok(kings) }
}
