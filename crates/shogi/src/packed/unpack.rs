//! From bits to a position, whichever version of a writer they come from.

use super::UnpackError;
use super::bits::{BYTES, BitReader};
use super::codes::{Codes, NO_KING, OffBoard};
use super::stock::{Stock, Tally};
use crate::{Color, Hand, HandPiece, Piece, PieceKind, Setup, Square};

pub(super) fn unpack(bytes: &[u8; BYTES], codes: &Codes) -> Result<Setup, UnpackError> {
    let mut reader = BitReader::new(bytes);
    let mut setup = Setup::EMPTY;
    if reader.take(1) == Some(1) {
        setup.side = Color::White;
    }
    let lone_king = read_kings(&mut reader, &mut setup)?;
    let squares = setup.board.iter().filter(|square| square.is_none()).count();
    let pieces = read_board(&mut reader, codes, squares)?;
    let mut rest = pieces.as_slice();
    // Squares that are taken already hold a king.
    for gap in setup.board.split_mut(Option::is_some) {
        let (here, behind) = rest.split_at(gap.len());
        gap.copy_from_slice(here);
        rest = behind;
    }
    let mut stock = tally_of(&pieces[..squares]).stock()?;
    setup.hands = read_hands(&mut reader, codes, &mut stock, lone_king)?;
    Ok(setup)
}

/// Reads what stands on so many squares, several at a time where their words are short.
fn read_board(
    reader: &mut BitReader,
    codes: &Codes,
    squares: usize,
) -> Result<[Option<Piece>; ROOM], UnpackError> {
    let mut pieces = [None; ROOM];
    let mut count = 0;
    while count < squares {
        let run = codes.read_run(reader.ahead());
        let behind = count + usize::from(run.count);
        if run.count > 0 && behind <= squares {
            pieces[count..count + run.pieces.len()].copy_from_slice(&run.pieces);
            reader.skip(run.len).ok_or_else(|| ran_out(&pieces[..behind]))?;
            count = behind;
            continue;
        }
        let word = codes.read_on_board(reader.peek());
        let (piece, len) = word.ok_or(UnpackError::BadCode(reader.cursor()))?;
        pieces[count] = piece;
        count += 1;
        reader.skip(len).ok_or_else(|| ran_out(&pieces[..count]))?;
    }
    Ok(pieces)
}

/// Too many large pieces are a better reason than too few bits.
#[cold]
fn ran_out(pieces: &[Option<Piece>]) -> UnpackError {
    tally_of(pieces).stock().err().map_or(UnpackError::RanOut, UnpackError::from)
}

fn tally_of(pieces: &[Option<Piece>]) -> Tally {
    let mut tally = Tally::default();
    for piece in pieces {
        tally.count(*piece);
    }
    tally
}

/// All squares, and what a run says beyond them.
const ROOM: usize = 96;

/// Puts the kings on the board; tells whose it is if there is only one.
fn read_kings(reader: &mut BitReader, setup: &mut Setup) -> Result<Option<Color>, UnpackError> {
    let mut present = [false; 2];
    for color in Color::ALL {
        let number = reader.take(7).ok_or(UnpackError::RanOut)?;
        if number == NO_KING {
            continue;
        }
        let square = Square::from_index(number).ok_or(UnpackError::KingSquare { color, square: number })?;
        let king = Piece::new(color, PieceKind::King);
        if setup.board[square.index()].replace(king).is_some() {
            return Err(UnpackError::KingsCollide(square));
        }
        present[color.index()] = true;
    }
    Ok(match present {
        [true, false] => Some(Color::Black),
        [false, true] => Some(Color::White),
        _ => None,
    })
}

/// Reads hands and absent pieces up to the last bit.
///
/// Three kinds of streams do not end neatly there:
/// - Old writers say nothing about absent pieces and leave zeros, which look like Black's pawns in hand. A stream
///   that says what is absent has a one in every piece but those pawns, so zeros up to the end in place of other
///   pieces give the old ones away. Behind another piece in hand the zeros mean nothing, as pawns come first. If
///   there is none, Black has as many pawns in hand as are not on the board: handicaps leave out pawns only where
///   the king is bare.
/// - Without one king there is one bit too many, and the last, which tells whose the last piece in hand is, was
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
        reader.skip(len - u8::from(is_cut)).ok_or(UnpackError::RanOut)?;
        match piece {
            // The lost bit may have told the kind.
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
