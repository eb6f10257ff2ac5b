//! From bits to a position, whichever version of a writer they come from.

use super::UnpackError;
use super::bits::{BYTES, BitReader};
use super::codes::{Codes, NO_KING, OffBoard, RUN_BITS};
use super::stock::{Stock, Tally};
use crate::{Color, Hand, HandPiece, Piece, Setup, Square};

pub(super) fn unpack(bytes: &[u8; BYTES], codes: &Codes) -> Result<Setup, UnpackError> {
    let mut reader = BitReader::new(bytes);
    let mut setup = Setup::EMPTY;
    if reader.take(1) == Some(1) {
        setup.side = Color::White;
    }
    let kings = read_kings(&mut reader)?;
    let board = read_board(&mut reader, codes, kings)?;
    setup.board.copy_from_slice(&board[..Square::COUNT]);
    let lone_king = match kings.map(|king| king != NO_KING) {
        [true, false] => Some(Color::Black),
        [false, true] => Some(Color::White),
        _ => None,
    };
    let mut stock = tally_of(&setup.board).stock()?;
    setup.hands = read_hands(&mut reader, codes, &mut stock, lone_king)?;
    Ok(setup)
}

/// Reads what stands on all squares but those of the kings, several at a time where their words are short.
fn read_board(
    reader: &mut BitReader,
    codes: &Codes,
    kings: [u8; 2],
) -> Result<[Option<Piece>; ROOM], UnpackError> {
    let mut board = [None; ROOM];
    let mut count = 0;
    let mut stops = [(kings[0], Piece::BKing), (kings[1], Piece::WKing)];
    stops.sort_unstable_by_key(|(square, _)| *square);
    let mut squares = Square::COUNT - kings.iter().filter(|king| **king != NO_KING).count();
    for (square, king) in stops.into_iter().filter(|(square, _)| *square != NO_KING) {
        let square = usize::from(square);
        read_squares(reader, codes, &mut board, &mut count, square, squares)?;
        // Squares behind the king that are read already move on by one.
        board.copy_within(square..square + RUN_BITS, square + 1);
        board[square] = Some(king);
        count += 1;
        squares += 1;
    }
    read_squares(reader, codes, &mut board, &mut count, Square::COUNT, squares)?;
    Ok(board)
}

/// Reads squares up to `stop` or a few more, but no more than `most`.
#[inline(always)]
fn read_squares(
    reader: &mut BitReader,
    codes: &Codes,
    board: &mut [Option<Piece>; ROOM],
    count: &mut usize,
    stop: usize,
    most: usize,
) -> Result<(), UnpackError> {
    let stop = stop.min(most);
    while *count < stop {
        let (mut ahead, mut used) = (reader.ahead(), 0);
        for _ in 0..RUNS_AHEAD {
            let run = codes.read_run(ahead);
            let behind = *count + usize::from(run.count);
            if run.count == 0 || behind > most {
                break;
            }
            board[*count..*count + RUN_BITS].copy_from_slice(&run.pieces);
            *count = behind;
            ahead >>= run.len;
            used += run.len;
            if behind >= stop {
                break;
            }
        }
        if used == 0 {
            let word = codes.read_on_board(reader.peek());
            let (piece, len) = word.ok_or(UnpackError::BadCode(reader.cursor()))?;
            board[*count] = piece;
            *count += 1;
            used = len;
        }
        reader.skip(used).ok_or_else(|| ran_out(&board[..*count]))?;
    }
    Ok(())
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

/// So many runs are in the bits that can be seen ahead.
const RUNS_AHEAD: usize = 5;

/// The squares of the kings.
fn read_kings(reader: &mut BitReader) -> Result<[u8; 2], UnpackError> {
    let mut kings = [NO_KING; 2];
    for color in Color::ALL {
        let number = reader.take(7).ok_or(UnpackError::RanOut)?;
        if number > NO_KING {
            return Err(UnpackError::KingSquare { color, square: number });
        }
        kings[color.index()] = number;
    }
    match Square::from_index(kings[0]) {
        Some(square) if kings[0] == kings[1] => Err(UnpackError::KingsCollide(square)),
        _ => Ok(kings),
    }
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
