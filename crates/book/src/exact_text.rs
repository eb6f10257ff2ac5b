//! Entries of a text book that are written as we write them, straight to what a `.ybb` holds of them.
//!
//! Nearly all entries are. What is spelled in any other way, and what cannot be packed, is left to those who read line
//! by line and tell what is wrong with it.

use crate::board_text::{read_hands, read_row};
use crate::usi_bytes::{exact_move, few_digits};
use crate::ybb::{PACKED, YbbLosses};
use shogi::{Color, Hand, Move, PackedSfen, SetupWords};

/// A row of text and what stands on it, in few bytes, so that many of them fit into a cache.
#[derive(Clone, Copy)]
struct Row {
    /// The first eight letters, zeros behind them.
    first: u64,
    /// What stands there, and the other letters above it.
    rest: u64,
}

impl Row {
    /// Like no row: there are not so many letters.
    const NONE: Self = Self { first: 0, rest: u64::MAX };
}

/// As many bits of a number as rows are remembered.
const REMEMBERED: u32 = 15;

/// The longest row that is read here; promoted pieces can make longer ones.
const LONGEST_ROW: usize = 10;
/// Bits of what stands on a row.
const ROW_BITS: usize = 9 * SetupWords::SQUARE_BITS;

/// Bytes that can be seen of an `sfen` line, and of a line with a move. Offsets into them are below half of that, so
/// that a row or a number is never cut off.
const LINE: usize = 256;
const MOVE_LINE: usize = 128;

/// Reads entries. Rows come again and again, so that most of them need only be looked up.
pub(crate) struct ExactReader {
    rows: Vec<Row>,
    /// The rows of the entry before. In sorted books the first rows of the next are the same.
    last: [LastRow; 8],
}

/// A row with the slash behind it.
#[derive(Clone, Copy)]
struct LastRow {
    text: [u64; 2],
    length: usize,
    squares: u64,
}

impl LastRow {
    /// Like no row.
    const NONE: Self = Self { text: [u64::MAX; 2], length: 1, squares: 0 };
}

impl ExactReader {
    pub(crate) fn new() -> Self {
        Self { rows: vec![Row::NONE; 1 << REMEMBERED], last: [LastRow::NONE; 8] }
    }

    /// Reads the entry that a text begins with, makes `record` of it and tells how long it is. `None` if it is not
    /// exactly as we would write it, or so near to the end of the text that one cannot tell.
    #[inline]
    pub(crate) fn take(
        &mut self,
        text: &[u8],
        record: &mut Vec<u8>,
        losses: &mut YbbLosses,
    ) -> Option<usize> {
        let behind = text.strip_prefix(b"sfen ")?;
        let line = behind.first_chunk::<LINE>()?;
        // Found without reading the line: whoever reads the next one need not wait for that.
        let end = next_line(line);
        let mut ranks = [0; 9];
        let board = self.take_board(line, &mut ranks)?;
        let [b' ', side, b' ', first, ..] = sixteen(line, board).to_le_bytes() else { return None };
        let side = match side {
            b'b' => Color::Black,
            b'w' => Color::White,
            _ => return None,
        };
        let mut hands = [Hand::EMPTY; 2];
        let hands_length = if first == b'-' { 1 } else { read_hands(&line[board + 3..], &mut hands)? };
        let mut at = board + 3 + hands_length;
        if line[at % (LINE / 2)] != b' ' {
            return None;
        }
        at += 1;
        let ply = take_number(line, &mut at).filter(|ply| *ply > 0)?;
        if at + line_end(line, at)? != end {
            return None;
        }
        record.clear();
        record.extend_from_slice(&[0; PACKED]);
        record.extend_from_slice(&(ply.min(u16::MAX.into()) as u16).to_le_bytes());
        let mut lost = YbbLosses::default();
        let mut rest = behind.get(end..)?;
        while !rest.starts_with(b"sfen ") {
            if rest.is_empty() {
                break;
            }
            let (encoded, length) = take_move(rest.first_chunk()?, &mut lost)?;
            record.extend_from_slice(&encoded);
            rest = &rest[length..];
        }
        // Last: whoever looked at the ranks sooner would have to wait for them.
        let packed = PackedSfen::from_ranks(&ranks, hands, side).ok()?;
        losses.add(lost);
        *record.first_chunk_mut()? = *packed.bytes();
        Some(text.len() - rest.len())
    }

    /// What stands on the ranks of a board, and how long its text is. The ranks are left where they were put: whoever
    /// moved them at once would have to wait for them.
    #[inline(always)]
    fn take_board(&mut self, line: &[u8; LINE], ranks: &mut [u64; 9]) -> Option<usize> {
        let (mut begin, mut same) = (0, true);
        let [first, second] = halves(line);
        let (mut slashes, mut before, mut later) = (sixty_four(first, b'/'), 0, Some(second));
        for (rank, last) in ranks.iter_mut().zip(0..self.last.len()) {
            if slashes == 0 {
                (slashes, before) = (sixty_four(later.take()?, b'/'), first.len());
                if slashes == 0 {
                    return None;
                }
            }
            let slash = before + slashes.trailing_zeros() as usize;
            slashes &= slashes.wrapping_sub(1);
            let text = sixteen(line, begin);
            let known = self.last[last];
            if same {
                let [low, high] = MASKS[known.length % MASKS.len()];
                same = [text as u64 & low, (text >> 64) as u64 & high] == known.text;
            }
            if same {
                *rank = known.squares;
                begin = slash + 1;
                continue;
            }
            let length = slash - begin;
            *rank = self.row(text, length)?;
            let [low, high] = MASKS[(length + 1) % MASKS.len()];
            self.last[last] = LastRow {
                text: [text as u64 & low, (text >> 64) as u64 & high],
                length: length + 1,
                squares: *rank,
            };
            begin = slash + 1;
        }
        let last = sixteen(line, begin);
        let length = equal(last, b' ').trailing_zeros() as usize;
        ranks[8] = self.row(last, length)?;
        Some(begin + length)
    }

    /// What stands on the row that some text begins with.
    #[inline(always)]
    fn row(&mut self, text: u128, length: usize) -> Option<u64> {
        if length > LONGEST_ROW {
            return None;
        }
        let [first_mask, other_mask] = MASKS[length];
        let (first, others) = (text as u64 & first_mask, (text >> 64) as u64 & other_mask);
        let mixed = (first ^ others.rotate_left(60)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let row = &mut self.rows[(mixed >> (64 - REMEMBERED)) as usize];
        if row.first != first || row.rest >> ROW_BITS != others {
            *row = unknown_row(first, others, length)?;
        }
        Some(row.rest % (1 << ROW_BITS))
    }
}

#[cold]
fn unknown_row(first: u64, others: u64, length: usize) -> Option<Row> {
    let bytes = (u128::from(others) << 64 | u128::from(first)).to_le_bytes();
    Some(Row { first, rest: read_row(&bytes[..length])? | others << ROW_BITS })
}

/// By length: what of sixteen bytes belongs to a row. There is no row without letters.
static MASKS: [[u64; 2]; 16] = {
    let mut masks = [[u64::MAX, 0xffff]; 16];
    let mut length = 1;
    while length < masks.len() {
        let mask = u128::MAX >> (128 - 8 * length);
        masks[length] = [mask as u64, (mask >> 64) as u64];
        length += 1;
    }
    masks
};

/// Sixteen bytes of the first half of a line.
#[inline]
fn sixteen(line: &[u8; LINE], at: usize) -> u128 {
    line[at % (LINE / 2)..].first_chunk().map_or(0, |bytes| u128::from_le_bytes(*bytes))
}

/// Eight bytes of the first half.
#[inline]
fn eight<const N: usize>(line: &[u8; N], at: usize) -> u64 {
    line[at % (N / 2)..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The first half of a line, in halves.
#[inline(always)]
fn halves(line: &[u8; LINE]) -> [&[u8; LINE / 4]; 2] {
    let (parts, _) = line.as_chunks();
    [&parts[0], &parts[1]]
}

/// A bit for each of so many bytes that is `byte`.
#[inline(always)]
fn sixty_four(bytes: &[u8; 64], byte: u8) -> u64 {
    let (parts, _) = bytes.as_chunks();
    let part = |i: usize| u64::from(equal(u128::from_le_bytes(parts[i]), byte)) << (16 * i);
    part(0) | part(1) | part(2) | part(3)
}

/// Where the line behind an `sfen` line begins, if it is not longer than others.
#[inline(always)]
fn next_line(line: &[u8; LINE]) -> usize {
    let [low, high] = halves(line).map(|half| sixty_four(half, b'\n'));
    let end = if low != 0 { low.trailing_zeros() } else { u64::BITS + high.trailing_zeros() };
    end as usize + 1
}

/// A bit for each of sixteen bytes that is `byte`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn equal(bytes: u128, byte: u8) -> u32 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8};
    // SAFETY: every such processor has SSE2.
    unsafe {
        let bytes = _mm_set_epi64x((bytes >> 64) as i64, bytes as i64);
        _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8))) as u32
    }
}

/// A bit for each of sixteen bytes that is `byte`.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn equal(bytes: u128, byte: u8) -> u32 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const LOWER: u64 = 0x7f * EACH;
    let of_eight = |eight: u64| {
        let others = eight ^ (EACH * u64::from(byte));
        // Something is carried into the highest bit of a byte unless all below it are zero.
        let found = !(((others & LOWER) + LOWER) | others) & !LOWER;
        // Each of the eight bits moves to its own place in the highest byte.
        (found >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    (of_eight(bytes as u64) | of_eight((bytes >> 64) as u64) << 8) as u32
}

/// How long the end of a line is that must be here.
#[inline]
fn line_end<const N: usize>(line: &[u8; N], at: usize) -> Option<usize> {
    match eight(line, at).to_le_bytes() {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// A number of up to seven digits.
#[inline(always)]
fn take_number<const N: usize>(line: &[u8; N], at: &mut usize) -> Option<i32> {
    let word = eight(line, *at);
    let negative = word as u8 == b'-';
    let digits = word >> (8 * u32::from(negative));
    let (number, length) = three_digits(digits as u32).or_else(|| few_digits(digits.to_le_bytes()))?;
    if digits as u8 == b'0' && (length > 1 || negative) {
        return None;
    }
    *at += length + usize::from(negative);
    Some(if negative { -number } else { number })
}

/// The number that four letters begin with, and how many digits it has: one to three.
#[inline(always)]
fn three_digits(letters: u32) -> Option<(i32, usize)> {
    const EACH: u32 = 0x0101_0101;
    let values = letters ^ (EACH * u32::from(b'0'));
    // The highest bit of each byte up to the first that is no digit tells whether it is one.
    let others = (values.wrapping_add((0x7f - 9) * EACH) | values) & (0x80 * EACH);
    let length = others.trailing_zeros() / 8;
    if length == 0 || length == 4 {
        return None;
    }
    // As if zeros came before; then neighbours are put together, twice.
    let digits = values << (32 - 8 * length);
    let twos = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff;
    let number = twos.wrapping_mul(100).wrapping_add(twos >> 16) & 0xffff;
    Some((number as i32, length as usize))
}

/// The move that a text begins with, as it is stored, and how long its line is.
#[inline]
fn take_move(line: &[u8; MOVE_LINE], losses: &mut YbbLosses) -> Option<([u8; 6], usize)> {
    /// Where board squares and letters begin, for two squares.
    const BASE: u32 = u32::from_le_bytes(*b"1a1a");
    const NONE: u64 = u64::from_le_bytes(*b" none \0\0");
    // Found without reading the line: whoever reads the next one need not wait for that.
    let (parts, _) = line.as_chunks();
    let ends = [0, 1].map(|i: usize| equal(u128::from_le_bytes(parts[i]), b'\n') << (16 * i));
    let end = (ends[0] | ends[1]).trailing_zeros() as usize + 1;
    let four = eight(line, 0) as u32;
    let squares = four.wrapping_sub(BASE);
    // Less than nine, each of them: what is less than the base becomes large.
    let on_board = (squares | squares.wrapping_add(0x7777_7777)) & 0x8080_8080 == 0;
    let [from_file, from_rank, to_file, to_rank] = squares.to_le_bytes().map(u16::from);
    let (from, to) = (from_file * 9 + from_rank, to_file * 9 + to_rank);
    let promotes = line[4] == b'+';
    let mut at = 4 + usize::from(promotes);
    let play = if on_board && from != to {
        to | from << 7 | u16::from(promotes) << 15
    } else {
        // Drops and `none`.
        exact_move(&mut line.as_slice())?.map_or(0, Move::bits)
    };
    if eight(line, at) << 16 == NONE << 16 {
        at += 6;
    } else {
        let mut rest = line[at..].strip_prefix(b" ")?;
        losses.replies += u64::from(exact_move(&mut rest)?.is_some());
        at = line.len() - rest.strip_prefix(b" ")?.len();
    }
    let value = take_number(line, &mut at)?;
    if line[at % (MOVE_LINE / 2)] != b' ' {
        return None;
    }
    at += 1;
    let depth = take_number(line, &mut at)?;
    // Most moves were chosen once.
    at += match eight(line, at).to_le_bytes() {
        [b' ', b'1', b'\n', ..] => 3,
        [b' ', b'1', b'\r', b'\n', ..] => 4,
        [b' ', ..] => {
            let mut end = at + 1;
            let count = take_number(line, &mut end).filter(|count| *count >= 0)?;
            losses.counts += u64::from(count > 1);
            end - at + line_end(line, end)?
        }
        _ => line_end(line, at)?,
    };
    let (cut_value, cut_depth) = (value.clamp(-32768, 32767), depth.clamp(0, 65535));
    losses.cut += u64::from((value, depth) != (cut_value, cut_depth));
    let [play, value, depth] = [play, cut_value as u16, cut_depth as u16].map(u16::to_le_bytes);
    // Long lines are left to others.
    (at == end).then_some(([play[0], play[1], value[0], value[1], depth[0], depth[1]], end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::read_packed;
    use crate::db::push_entry;
    use crate::ybb::encode;
    use crate::{BookMove, LineEnd, SynthOptions, synthesize};
    use proptest::prelude::*;

    /// What those who read line by line make of a text: all records, and what is lost.
    fn line_by_line(text: &[u8]) -> Option<(Vec<Vec<u8>>, YbbLosses)> {
        let (mut records, mut losses) = (Vec::new(), YbbLosses::default());
        let understood = read_packed(text, |packed, ply, moves| {
            let mut record = Vec::new();
            if encode(packed, ply, moves, &mut record, &mut losses) {
                records.push(record);
            }
        });
        understood.is_ok().then_some((records, losses))
    }

    /// A text with so much behind it that all of it can be seen.
    fn padded(text: &[u8]) -> Vec<u8> {
        [text, b"sfen ", &[b'#'; LINE]].concat()
    }

    #[test]
    fn what_we_write_is_read_as_line_by_line() {
        let mut entries = Vec::new();
        synthesize(SynthOptions { positions: 3_000, seed: 9, moves: 4 }, |entry| entries.push(entry.clone()));
        let (mut reader, mut record) = (ExactReader::new(), Vec::new());
        for (number, entry) in entries.iter_mut().enumerate() {
            if number % 3 == 0 {
                entry.moves[0].reply = "3c3d".parse().ok();
                entry.moves[0].value = -40_000;
                entry.moves[0].count = 7;
            }
            let mut text = Vec::new();
            push_entry(&mut text, entry, [LineEnd::Lf, LineEnd::CrLf][number % 2], BookMove::write);
            let mut losses = YbbLosses::default();
            let length = reader.take(&padded(&text), &mut record, &mut losses);
            assert_eq!(length, Some(text.len()), "{}", entry.sfen());
            assert_eq!(line_by_line(&text), Some((vec![record.clone()], losses)));
        }
    }

    /// Rows so long that slashes are in both halves, and then no more of them.
    #[test]
    fn rows_that_are_missing() {
        let mut reader = ExactReader::new();
        for rows in 1..=12 {
            let board = vec!["+ppppppppp"; rows].join("/");
            let text = padded(format!("sfen {board} b - 1\n7g7f none 0 0 1\n").as_bytes());
            assert_eq!(reader.take(&text, &mut Vec::new(), &mut YbbLosses::default()), None, "{board}");
        }
    }

    proptest! {
        /// With some letters changed it is left alone, or still says the same as line by line.
        #[test]
        fn changed_letters(
            seed in 0u64..50,
            changes in prop::collection::vec((any::<prop::sample::Index>(), "[ 0-9a-zA-Z+*/\r\n-]"), 1..4),
        ) {
            let mut text = Vec::new();
            let mut add = |entry: &crate::Entry| {
                text.clear();
                push_entry(&mut text, entry, LineEnd::Lf, BookMove::write);
            };
            synthesize(SynthOptions { positions: 40, seed, moves: 4 }, &mut add);
            let end = text.len() - 1;
            for (place, letter) in changes {
                let place = place.index(end);
                text[place] = letter.as_bytes()[0];
            }
            let (mut record, mut losses) = (Vec::new(), YbbLosses::default());
            if ExactReader::new().take(&padded(&text), &mut record, &mut losses) == Some(text.len()) {
                let records = if record.len() > 34 { vec![record] } else { Vec::new() };
                prop_assert_eq!(line_by_line(&text), Some((records, losses)));
            }
        }

        #[test]
        fn nothing_panics(text in "sfen [1-9pPkK+/ bw\n-]{0,400}") {
            ExactReader::new().take(text.as_bytes(), &mut Vec::new(), &mut YbbLosses::default());
        }
    }
}
