//! From bits to a position, whichever version of a writer they come from.

use super::UnpackError;
use super::bits::{BYTES, BitReader};
use super::codes::{Codes, NO_KING, OffBoard, RUN_WORDS};
use super::stock::{Stock, Tally};
use super::wide::{Rooms, SIDE_BY_SIDE, Wide, WideRead};
use crate::{Color, Hand, HandPiece, Piece, SetupRanks, SetupWords, Square};

const SQUARE_BITS: usize = SetupWords::SQUARE_BITS;

/// So many runs are in the bits that can be seen ahead.
const RUNS_AHEAD: usize = 5;
/// As many as most boards need.
const MARKS: usize = 8;

/// How many squares are known where a word begins, and which pieces stand on them; the kings do not count.
#[derive(Clone, Copy)]
struct Mark {
    tally: Tally,
    squares: u8,
}

/// What is known of the position that was read last, so that the next need be read only from where they differ.
#[derive(Clone)]
pub(super) struct Reading {
    bytes: [u8; BYTES],
    squares: SquareBytes,
    /// Every few words.
    marks: [Mark; MARKS],
    /// Where the words of marks begin; [`NOWHERE`] behind the last.
    cursors: [u16; MARKS],
    wide: Option<Wide>,
}

/// Beyond all bits.
const NOWHERE: u16 = u16::MAX;

impl Reading {
    pub(super) fn new() -> Self {
        Self {
            bytes: [0; BYTES],
            squares: [0; Square::COUNT + 2 * RUN_WORDS],
            marks: [Mark { tally: Tally::of(0), squares: 0 }; MARKS],
            cursors: [NOWHERE; MARKS],
            wide: Wide::detect(),
        }
    }

    pub(super) fn read(&mut self, bytes: &[u8; BYTES], codes: &Codes) -> Result<SetupWords, UnpackError> {
        let Rest { kings, hands, side } = self.read_all(bytes, codes)?;
        Ok(SetupWords { files: with_kings(&self.squares, kings), hands, side })
    }

    pub(super) fn read_ranks(
        &mut self,
        bytes: &[u8; BYTES],
        codes: &Codes,
    ) -> Result<SetupRanks, UnpackError> {
        let Rest { kings, hands, side } = self.read_all(bytes, codes)?;
        Ok(SetupRanks { ranks: ranks_with_kings(&self.squares, kings), hands, side })
    }

    /// Positions that need not be like each other, read at once if the processor can. Written to where they shall be:
    /// whoever moved them at once would have to wait for them.
    #[inline]
    pub(super) fn read_ranks_at_once(
        &mut self,
        bytes: [&[u8; BYTES]; SIDE_BY_SIDE],
        codes: &Codes,
        rooms: &mut Rooms,
        setups: &mut [SetupRanks; SIDE_BY_SIDE],
    ) -> Result<(), (usize, UnpackError)> {
        let read = self.wide.map_or([None; SIDE_BY_SIDE], |wide| wide.boards(bytes, codes, rooms, setups));
        for (i, setup) in setups.iter_mut().enumerate() {
            setup.side = side_of(head_of(bytes[i]));
            match read[i] {
                Some(WideRead { tally, .. }) if tally.is_complete() => setup.hands = [Hand::EMPTY; 2],
                read => match read.and_then(|read| hands_behind(read, bytes[i], codes)) {
                    Some(hands) => setup.hands = hands,
                    None => *setup = self.read_ranks(bytes[i], codes).map_err(|error| (i, error))?,
                },
            }
        }
        Ok(())
    }

    /// Begins another position; tells up to which mark it is the same as the last.
    #[inline(always)]
    fn begin(&mut self, bytes: &[u8; BYTES]) -> Option<usize> {
        let same = same_bits(bytes, &self.bytes) as u16;
        let known = usize::from(self.cursors.iter().map(|cursor| u16::from(*cursor <= same)).sum::<u16>());
        // Of what is behind it nothing is known.
        for (number, cursor) in (0u16..).zip(&mut self.cursors) {
            *cursor = if usize::from(number) < known { *cursor } else { NOWHERE };
        }
        self.bytes = *bytes;
        known.checked_sub(1)
    }

    /// Makes a mark; tells how many there are more.
    #[inline(always)]
    fn mark(&mut self, number: usize, cursor: usize, tally: Tally, squares: usize) -> usize {
        let (Some(mark), Some(place)) = (self.marks.get_mut(number), self.cursors.get_mut(number)) else {
            return 0;
        };
        *mark = Mark { tally, squares: squares as u8 };
        *place = cursor as u16;
        1
    }

    /// Reads all; the squares without kings are left where they are.
    #[inline]
    fn read_all(&mut self, bytes: &[u8; BYTES], codes: &Codes) -> Result<Rest, UnpackError> {
        let known = self.begin(bytes);
        let mut reader = BitReader::new(bytes);
        let head = reader.ahead() as u16;
        let kings = read_kings(head)?;
        reader.go_to(HEAD_BITS);
        let tally = self.read_squares(&mut reader, codes, known, squares_beside(kings))?;
        let hands = rest_of(&mut reader, codes, kings, tally)?;
        Ok(Rest { kings, hands, side: side_of(head) })
    }

    /// Reads what stands on so many squares, several at a time, from a mark on if there is one. Tells which pieces they
    /// are.
    fn read_squares(
        &mut self,
        reader: &mut BitReader,
        codes: &Codes,
        resume: Option<usize>,
        count: usize,
    ) -> Result<Tally, UnpackError> {
        let (mut squares, mut tally, mut marked) = (0, Tally::default(), 0);
        if let Some(mark) = resume {
            reader.go_to(self.cursors[mark].into());
            (squares, tally) = (self.marks[mark].squares.into(), self.marks[mark].tally);
            marked = mark;
        }
        loop {
            marked += self.mark(marked, reader.cursor(), tally, squares);
            let (mut ahead, mut used) = (reader.ahead(), 0);
            for _ in 0..RUNS_AHEAD {
                let run = Codes::run(ahead);
                let step = codes.step(run);
                if let Some(room) = self.squares[squares..].first_chunk_mut() {
                    *room = codes.squares(run);
                }
                let behind = squares + step.words();
                if behind >= count {
                    let (counted, len) = codes.first_words(run, count - squares);
                    tally = tally.and(counted);
                    reader.skip(used + len).ok_or_else(|| ran_out(tally))?;
                    return Ok(tally);
                }
                squares = behind;
                tally = tally.and(codes.tally(run));
                ahead >>= step.bits();
                used += step.bits();
            }
            reader.skip(used).ok_or_else(|| ran_out(tally))?;
        }
    }
}

/// The hands behind a board with both kings; `None` if something is wrong with them, which others will tell.
fn hands_behind(read: WideRead, bytes: &[u8; BYTES], codes: &Codes) -> Option<[Hand; 2]> {
    let mut reader = BitReader::new(bytes);
    reader.go_to(read.end);
    rest_of(&mut reader, codes, kings_of(head_of(bytes)), read.tally).ok()
}

/// What is known beside the other squares.
struct Rest {
    kings: [u8; 2],
    hands: [Hand; 2],
    side: Color,
}

/// All squares but those of the kings, a byte each, and room for what is read or written beyond them.
type SquareBytes = [u8; Square::COUNT + 2 * RUN_WORDS];

/// Nine squares as one number.
#[inline]
fn nine(squares: &SquareBytes, first: usize) -> u64 {
    let (eight, behind) = squares[first..].split_first_chunk().unwrap_or((&[0; 8], &[]));
    // Neighbours move together, three times.
    let bytes = u64::from_le_bytes(*eight);
    let twos = bytes & 0x001f_001f_001f_001f | bytes >> 3 & 0x03e0_03e0_03e0_03e0;
    let fours = twos & 0x0000_03ff_0000_03ff | twos >> 6 & 0x000f_fc00_000f_fc00;
    let all = fours & 0x000f_ffff | fours >> 12 & 0x00ff_fff0_0000;
    all | behind.first().map_or(0, |last| u64::from(*last) << (8 * SQUARE_BITS))
}

/// The files of a board of which all but the kings is known.
#[inline]
fn with_kings(squares: &SquareBytes, kings: [u8; 2]) -> [u64; 9] {
    let [black, white] = [(kings[0], Piece::BKing), (kings[1], Piece::WKing)];
    let (first, second) = if black.0 < white.0 { (black, white) } else { (white, black) };
    let mut files = std::array::from_fn(|file| {
        let begin = file * 9;
        // Each king moves all behind it on by one.
        let before = usize::from(usize::from(first.0) < begin) + usize::from(usize::from(second.0) < begin);
        nine(squares, begin - before)
    });
    for (king, piece) in [first, second] {
        if let Some(file) = files.get_mut(usize::from(king / 9)) {
            let at = usize::from(king % 9) * SQUARE_BITS;
            let before = *file & ((1 << at) - 1);
            let behind = (*file ^ before) << SQUARE_BITS;
            *file = (before | (piece.index() as u64) << at | behind) & ((1 << (9 * SQUARE_BITS)) - 1);
        }
    }
    files
}

/// The ranks of a board of which all but the kings is known.
#[inline]
fn ranks_with_kings(squares: &SquareBytes, kings: [u8; 2]) -> [u64; 9] {
    let [black, white] = [(kings[0], Piece::BKing), (kings[1], Piece::WKing)];
    let (first, second) = if black.0 < white.0 { (black, white) } else { (white, black) };
    // Eight ranks of each file, and the last one.
    let (mut eights, mut lasts) = ([0; 9], [0; 9]);
    for (file, (eight, last)) in eights.iter_mut().zip(&mut lasts).enumerate() {
        let begin = file * 9;
        // Each king moves all behind it on by one.
        let before = usize::from(usize::from(first.0) < begin) + usize::from(usize::from(second.0) < begin);
        if let Some((ranks, [behind, ..])) = squares[begin - before..].split_first_chunk() {
            (*eight, *last) = (u64::from_le_bytes(*ranks), u64::from(*behind));
        }
    }
    for (king, piece) in [first, second] {
        let (file, rank) = (usize::from(king / 9), u32::from(king % 9));
        let (Some(eight), Some(last)) = (eights.get_mut(file), lasts.get_mut(file)) else { continue };
        if rank == 8 {
            *last = piece.index() as u64;
        } else {
            let before = *eight & ((1 << (8 * rank)) - 1);
            *last = *eight >> 56;
            *eight = before | (piece.index() as u64) << (8 * rank) | (*eight ^ before) << 8;
        }
    }
    SetupRanks::from_files(eights, lasts)
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
fn ran_out(tally: Tally) -> UnpackError {
    tally.stock().err().map_or(UnpackError::RanOut, UnpackError::from)
}

/// Where the board begins: behind the side to move and two kings.
const HEAD_BITS: usize = 1 + 7 + 7;

#[inline(always)]
fn side_of(head: u16) -> Color {
    if head & 1 == 1 { Color::White } else { Color::Black }
}

/// What is before the board.
#[inline(always)]
pub(super) fn head_of(bytes: &[u8; BYTES]) -> u16 {
    u16::from_le_bytes([bytes[0], bytes[1]])
}

/// The numbers of the kings' squares.
#[inline(always)]
fn kings_of(head: u16) -> [u8; 2] {
    [head >> 1, head >> 8].map(|number| number as u8 & 0x7f)
}

/// How many squares there are beside those of kings.
#[inline(always)]
fn squares_beside(kings: [u8; 2]) -> usize {
    Square::COUNT - kings.iter().filter(|king| **king != NO_KING).count()
}

/// The squares of the kings.
#[inline]
pub(super) fn read_kings(head: u16) -> Result<[u8; 2], UnpackError> {
    let kings = kings_of(head);
    for color in Color::ALL {
        let square = kings[color.index()];
        if square > NO_KING {
            return Err(UnpackError::KingSquare { color, square });
        }
    }
    match Square::from_index(kings[0]) {
        Some(square) if kings[0] == kings[1] => Err(UnpackError::KingsCollide(square)),
        _ => Ok(kings),
    }
}

/// What is behind the board.
#[inline(always)]
fn rest_of(
    reader: &mut BitReader,
    codes: &Codes,
    kings: [u8; 2],
    tally: Tally,
) -> Result<[Hand; 2], UnpackError> {
    if tally.is_complete() && reader.remaining() == 0 && !kings.contains(&NO_KING) {
        return Ok([Hand::EMPTY; 2]);
    }
    let lone_king = match kings.map(|king| king != NO_KING) {
        [true, false] => Some(Color::Black),
        [false, true] => Some(Color::White),
        _ => None,
    };
    read_hands(reader, codes, &mut tally.stock()?, lone_king)
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
        reader.skip(usize::from(len) - usize::from(is_cut)).ok_or(UnpackError::RanOut)?;
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
    use super::super::codes::{HUFFMAN_CODED_POS, PACKED_SFEN};
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
                let mut bytes = pack(&SetupWords::from(&position.setup()), &PACKED_SFEN).expect("positions of play can be packed");
                if let Some(bit) = damage {
                    bytes[bit / 8] ^= 1 << (bit % 8);
                }
                let alone = Reading::new().read(&bytes, &PACKED_SFEN);
                prop_assert_eq!(reading.read(&bytes, &PACKED_SFEN), alone.clone());
                // Again, with everything in common.
                prop_assert_eq!(reading.read(&bytes, &PACKED_SFEN), alone.clone());
                let ranks = alone.as_ref().map(SetupRanks::from).map_err(Clone::clone);
                prop_assert_eq!(reading.read_ranks(&bytes, &PACKED_SFEN), ranks);
            }
        }

        /// Whatever is beside it, and in either format: the same as read alone.
        #[test]
        fn at_once_is_read_as_one_alone(
            boards in prop::array::uniform4((
                prop::collection::vec(any::<usize>(), 0..150),
                prop::collection::vec(0usize..256, 0..3),
            )),
            rooms in any::<u8>(),
        ) {
            for codes in [&PACKED_SFEN, &HUFFMAN_CODED_POS] {
                let bytes = boards.each_ref().map(|(choices, damage)| {
                    let mut position = Position::startpos();
                    for choice in choices {
                        let moves = position.legal_moves();
                        if let Some(chosen) = moves.get(choice % moves.len().max(1)) {
                            position.do_move(*chosen);
                        }
                    }
                    let mut bytes =
                        pack(&SetupWords::from(&position.setup()), codes).expect("positions of play can be packed");
                    for bit in damage {
                        bytes[bit / 8] ^= 1 << (bit % 8);
                    }
                    bytes
                });
                let mut setups = [SetupRanks::EMPTY; SIDE_BY_SIDE];
                let read = Reading::new().read_ranks_at_once(
                    bytes.each_ref(),
                    codes,
                    &mut [[rooms; _]; SIDE_BY_SIDE],
                    &mut setups,
                );
                let alone = bytes.map(|bytes| Reading::new().read_ranks(&bytes, codes));
                let wrong = (0..).zip(&alone).find_map(|(i, read)| Some((i, read.clone().err()?)));
                prop_assert_eq!(read.err(), wrong.clone());
                for (setup, alone) in setups.iter().zip(alone).take(wrong.map_or(SIDE_BY_SIDE, |(i, _)| i)) {
                    prop_assert_eq!(Ok(setup), alone.as_ref());
                }
            }
        }
    }
}
