//! From bits to a position, from any version of a writer.

use super::UnpackError;
use super::bits::{BYTES, BitReader};
use super::codes::{Codes, NO_KING, OffBoard};
use super::stock::{Counts, Stock};
use crate::{Color, Hand, HandPiece, Piece, PieceKind, Setup, Square};

pub(super) fn unpack(bytes: &[u8; BYTES], codes: &Codes) -> Result<Setup, UnpackError> {
    let mut reader = BitReader::new(bytes);
    let mut take = |count| reader.take(count).ok_or(UnpackError::RanOut);
    let side = if take(1)? == 1 { Color::White } else { Color::Black };
    let kings = [take(7)?, take(7)?];
    check_kings(kings)?;
    let mut setup = Setup { side, ..Setup::EMPTY };
    for color in Color::ALL {
        if let Some(square) = Square::from_index(kings[color.index()]) {
            setup.board[square.index()] = Some(Piece::new(color, PieceKind::King));
        }
    }
    let mut counts = Counts::default();
    for square in setup.board.iter_mut().filter(|square| square.is_none()) {
        let word = codes.read_square(reader.peek());
        let (piece, len) = word.ok_or(UnpackError::BadCode(reader.cursor()))?;
        counts.add(piece);
        if reader.skip(len.into()).is_none() {
            // Too many large pieces are a better explanation than too few bits.
            return Err(counts.stock().err().map_or(UnpackError::RanOut, UnpackError::from));
        }
        *square = piece;
    }
    let lone_king = match kings.map(|king| king != NO_KING) {
        [true, false] => Some(Color::Black),
        [false, true] => Some(Color::White),
        _ => None,
    };
    setup.hands = read_hands(&mut reader, codes, &mut counts.stock()?, lone_king)?;
    Ok(setup)
}

/// Whether the numbers of the kings' squares are valid.
fn check_kings(kings: [u8; 2]) -> Result<(), UnpackError> {
    for color in Color::ALL {
        let square = kings[color.index()];
        if square > NO_KING {
            return Err(UnpackError::KingSquare { color, square });
        }
    }
    match Square::from_index(kings[0]) {
        Some(square) if kings[0] == kings[1] => Err(UnpackError::KingsCollide(square)),
        _ => Ok(()),
    }
}

/// Reads hands and absent pieces up to the last bit.
///
/// Three kinds of streams do not end neatly there:
/// - Old writers do not write absent pieces and leave zeros, which look like Black's pawns in hand. A stream
///   with absent pieces has a one in every piece but those pawns, so zeros up to the end in place of other
///   pieces show an old writer. Behind another piece in hand the zeros mean nothing, as pawns come first. If
///   there is none, Black has as many pawns in hand as are not on the board: handicaps leave out pawns only where
///   the king is bare.
/// - Without one king there is one bit too many, and the last, which gives the owner of the last piece in hand, was
///   never written. Writers go on with one hand until it is empty, so it belongs to the hand of the piece before;
///   an only piece belongs to the side that has a king, as all that remains does in tsume.
/// - Without both kings two bits are lost, too many to guess.
fn read_hands(
    reader: &mut BitReader,
    codes: &Codes,
    stock: &mut Stock,
    lone_king: Option<Color>,
) -> Result<[Hand; 2], UnpackError> {
    let mut hands = [Hand::EMPTY; 2];
    let start = reader.cursor();
    let mut last_owner = lone_king;
    while reader.remaining() > 0 {
        if reader.rest_is_zero() && stock.lacks_more_than_pawns() {
            if reader.cursor() == start {
                let pawns = stock.left(HandPiece::Pawn);
                (0..pawns).for_each(|_| hands[Color::Black.index()].add(HandPiece::Pawn));
            }
            break;
        }
        let word = codes.read_off_board(reader.peek());
        let (piece, len) = word.ok_or(UnpackError::BadCode(reader.cursor()))?;
        let is_cut = lone_king.is_some() && usize::from(len) == reader.remaining() + 1;
        reader.skip(usize::from(len) - usize::from(is_cut)).ok_or(UnpackError::RanOut)?;
        match piece {
            // The lost bit may have been part of the kind.
            OffBoard::Absent(_) if is_cut => {}
            OffBoard::Absent(kind) => stock.take(kind)?,
            OffBoard::Hand(color, kind) => {
                stock.take(kind)?;
                let owner = if is_cut { last_owner.unwrap_or(color) } else { color };
                hands[owner.index()].add(kind);
                last_owner = Some(owner);
            }
        }
    }
    Ok(hands)
}
