//! From bits to a position, whichever version of a writer they come from.

use super::UnpackError;
use super::bits::{BYTES, BitReader};
use super::codes::{Codes, NO_KING, OffBoard, RUN_BITS};
use super::stock::{Stock, Tally};
use crate::{Color, Hand, HandPiece, Piece, Setup, Square};

/// Where a word begins, and how many squares are known there; those of the kings do not count.
#[derive(Clone, Copy)]
struct Mark {
    cursor: u16,
    squares: u8,
}

/// What is known of the position that was read last, so that the next need be read only from where they differ.
#[derive(Clone)]
pub(super) struct Reading {
    bytes: [u8; BYTES],
    /// All squares but those of the kings.
    squares: [Option<Piece>; ROOM],
    marks: [Mark; Square::COUNT],
    marked: usize,
}

impl Reading {
    pub(super) const fn new() -> Self {
        Self {
            bytes: [0; BYTES],
            squares: [None; ROOM],
            marks: [Mark { cursor: 0, squares: 0 }; Square::COUNT],
            marked: 0,
        }
    }

    pub(super) fn read(&mut self, bytes: &[u8; BYTES], codes: &Codes) -> Result<Setup, UnpackError> {
        let same = same_bits(bytes, &self.bytes);
        let known = self.marks[..self.marked].partition_point(|mark| usize::from(mark.cursor) <= same);
        // If something is wrong with this one, nothing is known of it.
        self.marked = 0;
        self.bytes = *bytes;
        let mut reader = BitReader::new(bytes);
        let mut setup = Setup::EMPTY;
        if reader.take(1) == Some(1) {
            setup.side = Color::White;
        }
        let kings = read_kings(&mut reader)?;
        let count = Square::COUNT - kings.iter().filter(|king| **king != NO_KING).count();
        self.marked = self.read_squares(&mut reader, codes, known.checked_sub(1), count)?;
        setup.board = with_kings(&self.squares, kings);
        let lone_king = match kings.map(|king| king != NO_KING) {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        };
        let mut stock = Tally::of(&setup.board).stock()?;
        setup.hands = read_hands(&mut reader, codes, &mut stock, lone_king)?;
        Ok(setup)
    }

    /// Reads what stands on so many squares, several at a time where their words are short, from a mark on if there is
    /// one. Tells how many marks there are then.
    fn read_squares(
        &mut self,
        reader: &mut BitReader,
        codes: &Codes,
        resume: Option<usize>,
        count: usize,
    ) -> Result<usize, UnpackError> {
        let (mut squares, mut marked) = (0, 0);
        if let Some(mark) = resume {
            let Mark { cursor, squares: known } = self.marks[mark];
            reader.go_to(cursor.into());
            (squares, marked) = (usize::from(known), mark);
        }
        while squares < count {
            let (mut ahead, mut used) = (reader.ahead(), 0u8);
            let mut mark = |squares: usize, used: u8| {
                self.marks[marked] =
                    Mark { cursor: reader.cursor() as u16 + u16::from(used), squares: squares as u8 };
                marked += 1;
            };
            for _ in 0..RUNS_AHEAD {
                let run = codes.read_run(ahead);
                let behind = squares + usize::from(run.count);
                if run.count == 0 || behind > count {
                    break;
                }
                mark(squares, used);
                self.squares[squares..squares + RUN_BITS].copy_from_slice(&run.pieces);
                squares = behind;
                ahead >>= run.len;
                used += run.len;
            }
            if used == 0 {
                let word = codes.read_on_board(reader.peek());
                let (piece, len) = word.ok_or(UnpackError::BadCode(reader.cursor()))?;
                mark(squares, used);
                self.squares[squares] = piece;
                squares += 1;
                used = len;
            }
            reader.skip(used).ok_or_else(|| ran_out(&self.squares[..squares]))?;
        }
        Ok(marked)
    }
}

/// A board of which all but the kings is known.
fn with_kings(squares: &[Option<Piece>; ROOM], kings: [u8; 2]) -> [Option<Piece>; Square::COUNT] {
    let [black, white] = [(kings[0], Piece::BKing), (kings[1], Piece::WKing)];
    let (first, second) = if black.0 < white.0 { (black, white) } else { (white, black) };
    let mut board = [None; ROOM];
    board[..Square::COUNT].copy_from_slice(&squares[..Square::COUNT]);
    // Each king moves all behind it on by one. Always copying a whole board is quicker than counting.
    for (before, (king, piece)) in [first, second].into_iter().enumerate() {
        let king = usize::from(king);
        let behind = (king + 1).min(Square::COUNT);
        board[king] = Some(piece);
        board[behind..behind + Square::COUNT]
            .copy_from_slice(&squares[behind - 1 - before..][..Square::COUNT]);
    }
    std::array::from_fn(|square| board[square])
}

/// How many bits are the same from the beginning on.
fn same_bits(one: &[u8; BYTES], other: &[u8; BYTES]) -> usize {
    let words = |bytes: &[u8; BYTES]| [0, 1, 2, 3].map(|i| u64::from_le_bytes(bytes.as_chunks::<8>().0[i]));
    let pairs = words(one).into_iter().zip(words(other));
    let mut same = 0;
    for (one, other) in pairs {
        same += (one ^ other).trailing_zeros() as usize;
        if one != other {
            break;
        }
    }
    same
}

/// Too many large pieces are a better reason than too few bits.
#[cold]
fn ran_out(pieces: &[Option<Piece>]) -> UnpackError {
    Tally::of(pieces).stock().err().map_or(UnpackError::RanOut, UnpackError::from)
}

/// All squares, and whatever is read or copied beyond them.
const ROOM: usize = 2 * Square::COUNT;

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

#[cfg(test)]
mod tests {
    use super::super::codes::PACKED_SFEN;
    use super::super::pack::pack;
    use super::*;
    use crate::Position;
    use proptest::prelude::*;

    proptest! {
        /// Whatever was read before, and whether it could be: the same as read alone.
        #[test]
        fn one_after_the_other_is_read_as_one_alone(
            steps in prop::collection::vec((any::<usize>(), prop::option::weighted(0.4, 0usize..256)), 1..120),
        ) {
            let mut reading = Reading::new();
            let mut position = Position::startpos();
            for (choice, damage) in steps {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.do_move(moves[choice % moves.len()]);
                let mut bytes = pack(&position.setup(), &PACKED_SFEN).expect("positions of play can be packed");
                if let Some(bit) = damage {
                    bytes[bit / 8] ^= 1 << (bit % 8);
                }
                let alone = Reading::new().read(&bytes, &PACKED_SFEN);
                prop_assert_eq!(reading.read(&bytes, &PACKED_SFEN), alone.clone());
                // Again, with everything in common.
                prop_assert_eq!(reading.read(&bytes, &PACKED_SFEN), alone);
            }
        }
    }
}
