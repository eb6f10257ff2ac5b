//! Positions and moves as a `.ybb` has them, straight to lines of text.

use crate::LineEnd;
use crate::usi_bytes::SMALL_NUMBERS;
use crate::ybb::MOVE;
use shogi::{HandPiece, Move, Square};

/// Text in memory that is used again without being cleared.
#[derive(Default)]
pub(crate) struct Page {
    bytes: Vec<u8>,
    length: usize,
}

impl Page {
    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    pub(crate) fn text(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    pub(crate) fn push_all(&mut self, text: &[u8]) {
        self.bytes.truncate(self.length);
        self.bytes.extend_from_slice(text);
        self.length = self.bytes.len();
    }

    /// Appends what `push` makes.
    #[inline(always)]
    pub(crate) fn write(&mut self, push: impl FnOnce(&mut Tail<'_>)) {
        if self.bytes.len() < self.length + Tail::ROOM + Tail::MOST {
            self.grow();
        }
        if let Some(room) = self.bytes.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut) {
            let mut tail = Tail { room, length: 0 };
            push(&mut tail);
            self.length += tail.length;
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.bytes.resize(2 * self.length + (1 << 16), 0);
    }
}

/// Text that is put together where it will be, so that nothing need be copied.
pub(crate) struct Tail<'a> {
    room: &'a mut [u8; Tail::ROOM + Tail::MOST],
    length: usize,
}

impl Tail<'_> {
    /// As long as it can become: the longest place takes less than half of it.
    const ROOM: usize = 512;
    /// So many bytes can be appended at once.
    const MOST: usize = 32;
    /// As many moves fit behind any place.
    const MOVES: usize = 7;

    /// Appends the first `count` bytes; what does not count is written over.
    #[inline(always)]
    pub(crate) fn push<const N: usize>(&mut self, bytes: [u8; N], count: usize) {
        const { assert!(N <= Self::MOST) };
        if let Some(room) = self.room[self.length % Self::ROOM..].first_chunk_mut() {
            *room = bytes;
        }
        self.length += count;
    }

    /// Appends letters, the last of which says how many of them count. They are one number: letters that are moved
    /// one by one take longer.
    #[inline(always)]
    pub(crate) fn push_letters(&mut self, letters: [u8; 16]) {
        let letters = u128::from_le_bytes(letters);
        self.push(letters.to_le_bytes(), (letters >> 120) as usize);
    }

    #[inline(always)]
    pub(crate) fn push_all(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.push([*byte], 1);
        }
    }

    pub(crate) fn pop(&mut self) {
        self.length = self.length.saturating_sub(1);
    }

    #[inline(always)]
    fn push_number(&mut self, number: u16) {
        let number = usize::from(number);
        if let Some([letters @ .., length]) = SMALL_NUMBERS.get(number) {
            self.push(*letters, (*length).into());
        } else {
            // Up to 99 thousands, and three digits more.
            let [thousands @ .., length] = SMALL_NUMBERS[number / 1000];
            self.push(thousands, length.into());
            let rest = number % 1000;
            self.push([rest / 100, rest / 10 % 10, rest % 10].map(|digit| b'0' + digit as u8), 3);
        }
    }

    /// A number at the end of a line.
    #[inline(always)]
    fn push_last_number(&mut self, number: u16, end: LineEnd) {
        if let Some(column) = LAST_NUMBERS[end as usize].get(usize::from(number)) {
            let column = u64::from_le_bytes(*column);
            self.push(column.to_le_bytes(), (column >> 56) as usize);
        } else {
            self.push_number(number);
            self.push_end(end);
        }
    }

    #[inline(always)]
    fn push_end(&mut self, end: LineEnd) {
        match end {
            LineEnd::CrLf => self.push(*b"\r\n", 2),
            LineEnd::Lf => self.push(*b"\n", 1),
        }
    }
}

/// A column of a line: letters, and in the last byte how many of them count.
type Column<const N: usize> = [u8; N];

/// By a value, beginning with [`LEAST_VALUE`]: what stands between a move and its depth.
static VALUES: [Column<16>; 2048] = {
    let mut table = [*b" none -\0\0\0\0\0\0\0\0\0"; 2048];
    let mut i = 0;
    while i < table.len() {
        let value = i as i32 + LEAST_VALUE as i32;
        let [digits @ .., count] = SMALL_NUMBERS[(value.unsigned_abs() % 1000) as usize];
        let column = &mut table[i];
        let mut length = if value < 0 { 7 } else { 6 };
        let mut digit = 0;
        while digit < count as usize {
            column[length] = digits[digit];
            length += 1;
            digit += 1;
        }
        column[length] = b' ';
        column[15] = length as u8 + 1;
        i += 1;
    }
    table
};

/// By the end of a line and a number: both, and in the last byte how long that is.
static LAST_NUMBERS: [[Column<8>; 1000]; 2] = {
    let mut table = [[[0; 8]; 1000]; 2];
    let mut number = 0;
    while number < 1000 {
        let [digits @ .., count] = SMALL_NUMBERS[number];
        let mut end = 0;
        while end < 2 {
            let mut column = [digits[0], digits[1], digits[2], 0, 0, 0, 0, 0];
            let mut length = count as usize;
            if end == LineEnd::CrLf as usize {
                column[length] = b'\r';
                length += 1;
            }
            column[length] = b'\n';
            column[7] = length as u8 + 1;
            table[end][number] = column;
            end += 1;
        }
        number += 1;
    }
    table
};

/// Values from here on, as many as there are in the table of small numbers.
const LEAST_VALUE: i16 = -999;
const VALUE_COUNT: usize = 1999;

/// The letters of a square.
const fn letters_of(square: usize) -> [u8; 2] {
    [b'1' + (square / 9) as u8, b'a' + (square % 9) as u8]
}

/// The letters of squares, by their numbers.
const fn letters<const N: usize>() -> [[u8; 2]; N] {
    let mut table = [[b'?'; 2]; N];
    let mut square = 0;
    while square < Square::COUNT {
        table[square] = letters_of(square);
        square += 1;
    }
    table
}

/// By what a move has above its target: the letters of the square it comes from, or of the piece that is dropped.
static ORIGINS: [[u8; 2]; 256] = {
    let mut table = letters();
    let mut i = 0;
    while i < HandPiece::ALL.len() {
        let piece = HandPiece::ALL[i];
        let bits = Move::drop(piece, Square::Sq11).bits();
        table[(bits >> 7) as usize] = [piece.kind().letter() as u8, b'*'];
        i += 1;
    }
    table
};

static TARGETS: [[u8; 2]; 128] = letters();

/// Whether all are moves, none of them listed twice.
#[inline(always)]
fn all_different(moves: &[[u8; MOVE]]) -> bool {
    let play = |m: &[u8; MOVE]| u16::from_le_bytes([m[0], m[1]]);
    let is_move = |m: &[u8; MOVE]| Move::from_bits(play(m)).is_some();
    match moves {
        // Most have few, for which nothing need be asked before all is known.
        [a] => is_move(a),
        [a, b] => is_move(a) & is_move(b) & (play(a) != play(b)),
        _ => moves
            .iter()
            .enumerate()
            .all(|(i, m)| is_move(m) && moves[..i].iter().all(|earlier| play(earlier) != play(m))),
    }
}

/// Appends a position with moves that have depths; false if nothing was done: some are no moves, or must be
/// united first.
#[inline]
pub(crate) fn push_raw(
    out: &mut Page,
    push_place: impl FnOnce(&mut Tail<'_>),
    ply: u16,
    moves: &[u8],
    end: LineEnd,
) -> bool {
    let (moves, []) = moves.as_chunks::<MOVE>() else { return false };
    if moves.is_empty() || !all_different(moves) {
        return false;
    }
    let (first, others) = moves.split_at(moves.len().min(Tail::MOVES));
    out.write(|tail| {
        tail.push(*b"sfen ", 5);
        push_place(tail);
        tail.push([b' '], 1);
        tail.push_last_number(ply, end);
        for m in first {
            push_move(tail, *m, end);
        }
    });
    for m in others {
        out.write(|tail| push_move(tail, *m, end));
    }
    true
}

#[inline(always)]
fn push_move(line: &mut Tail<'_>, m: [u8; MOVE], end: LineEnd) {
    let [play, value, depth] = [0, 2, 4].map(|at| u16::from_le_bytes([m[at], m[at + 1]]));
    let origin = ORIGINS[usize::from(play >> 7 & 0xff)];
    let target = TARGETS[usize::from(play & 0x7f)];
    line.push([origin[0], origin[1], target[0], target[1], b'+'], 4 + usize::from(play >> 15));
    let value = value as i16;
    let small = usize::from((value as u16).wrapping_sub(LEAST_VALUE as u16));
    if small < VALUE_COUNT {
        line.push_letters(VALUES[small]);
    } else {
        line.push(*b" none -", 6 + usize::from(value < 0));
        line.push_number(value.unsigned_abs());
        line.push([b' '], 1);
    }
    line.push_last_number(depth, end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BookMove;
    use crate::db::push_position;
    use proptest::prelude::*;

    proptest! {
        /// Any moves: as the others write them, or left to them.
        #[test]
        fn like_the_others(
            ply in 1u16..,
            raw in prop::collection::vec((any::<u16>(), any::<i16>(), any::<u16>()), 0..12),
            small in any::<bool>(),
            line_end in prop::sample::select(vec![LineEnd::Lf, LineEnd::CrLf]),
        ) {
            let raw: Vec<_> = raw
                .into_iter()
                .map(|(play, value, depth)| if small { (play, value % 300, depth % 40) } else { (play, value, depth) })
                .collect();
            let bytes: Vec<u8> = raw
                .iter()
                .flat_map(|(play, value, depth)| [*play, *value as u16, *depth].map(u16::to_le_bytes).concat())
                .collect();
            let moves: Vec<BookMove> = raw
                .iter()
                .map(|(play, value, depth)| BookMove {
                    play: Move::from_bits(*play),
                    reply: None,
                    value: (*value).into(),
                    depth: (*depth).into(),
                    count: 0,
                })
                .collect();
            let twice = (1..moves.len()).any(|i| moves[..i].iter().any(|m| m.play == moves[i].play));
            let place = |tail: &mut Tail<'_>| tail.push_all(b"9/9");
            let (mut out, mut expected) = (Page::default(), b"x".to_vec());
            out.push_all(b"x");
            let exact = !twice && moves.iter().all(|m| m.play.is_some());
            prop_assert_eq!(push_raw(&mut out, place, ply, &bytes, line_end), !moves.is_empty() && exact);
            if exact {
                push_position(&mut expected, b"9/9", ply.into(), &moves, line_end, BookMove::write_without_count);
            }
            prop_assert_eq!(String::from_utf8_lossy(out.text()), String::from_utf8_lossy(&expected));
        }
    }
}
