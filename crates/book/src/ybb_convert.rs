//! Between `.db` and `.ybb` where memory holds the whole book: positions become the other's key on all threads, slips
//! are sorted, and both files are written part by part.

use crate::blocks::{read_setup, read_setups};
use crate::board_text::push_place;
use crate::bytes::Bytes;
use crate::db::push_entry;
use crate::error::{At, BookError};
use crate::parallel::{gather, in_parallel, write_in_order};
use crate::slips::{Boxes, Records, Slip, boxes_for, groups, sorted_box, window_of};
use crate::text_records::{SAMPLE, cut, first_position, read_piece, sample_lines};
use crate::whole_file::WholeFile;
use crate::ybb::{MOVE, RECORD, Ybb, YbbLosses, encode, header};
use crate::{BookMove, Entry, HEADER, LineEnd, SortLimits};
use shogi::PackedSfen;
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// Records that were made piece by piece; each is its key and what belongs to it.
struct Made(Vec<Vec<u8>>);

/// What a slip of a made record says: piece, where in it, length of the key.
fn pack_slip(piece: usize, at: usize, key: usize) -> u64 {
    (piece as u64) << 32 | (at as u64) << 8 | key as u64
}

/// Records of a piece lie below this.
const MOST_PIECE: usize = 1 << 24;

impl Made {
    /// The record, from its key on.
    #[inline]
    fn record(&self, slip: Slip) -> &[u8] {
        &self.0[(slip.place >> 32) as usize][(slip.place >> 8) as usize % MOST_PIECE..]
    }
}

impl Records for Made {
    #[inline]
    fn key(&self, slip: Slip) -> &[u8] {
        &self.record(slip)[..(slip.place & 0xff) as usize]
    }
}

/// What one thread makes.
struct Making {
    filled: Vec<Vec<Slip>>,
    pieces: Vec<(usize, Vec<u8>)>,
    losses: YbbLosses,
}

/// All records, the boxes of each thread, and what was lost.
type AllMade = (Made, Vec<Vec<Vec<Slip>>>, YbbLosses);

/// Lets threads make records of all pieces; `None` if one could not.
fn make<T: Sync>(
    pieces: &[T],
    threads: usize,
    boxes: &Boxes,
    work: impl Fn(&T, &mut Vec<u8>, &mut dyn FnMut(usize, &[u8]), &mut YbbLosses) -> Option<()> + Sync,
) -> Option<AllMade> {
    let understood = AtomicBool::new(true);
    let new = || Making { filled: boxes.empty(), pieces: Vec::new(), losses: YbbLosses::default() };
    let made = gather(pieces, threads, new, |making, number, piece| {
        if !understood.load(Relaxed) {
            return;
        }
        let mut bytes = Vec::new();
        let filled = &mut making.filled;
        let mut put = |at: usize, key: &[u8]| {
            let place = pack_slip(number, at, key.len());
            boxes.put(Slip { window: window_of(key, 0), place }, filled);
        };
        let done = work(piece, &mut bytes, &mut put, &mut making.losses);
        if done.is_none() || bytes.len() >= MOST_PIECE {
            understood.store(false, Relaxed);
        }
        bytes.shrink_to_fit();
        making.pieces.push((number, bytes));
    });
    if !understood.into_inner() {
        return None;
    }
    let mut all = vec![Vec::new(); pieces.len()];
    let mut losses = YbbLosses::default();
    let mut filled = Vec::new();
    for making in made {
        losses.add(making.losses);
        filled.push(making.filled);
        for (number, bytes) in making.pieces {
            all[number] = bytes;
        }
    }
    Some((Made(all), filled, losses))
}

/// Bytes of text that become records at a time.
const TEXT_PIECE: usize = 1 << 20;

/// Writes a text book as a `.ybb`; `None` if it must be done the other way.
pub(crate) fn db_to_ybb(
    input: &Path,
    output: &Path,
    limits: &SortLimits,
) -> Result<Option<(u64, YbbLosses)>, BookError> {
    let text = Bytes::map(input)?;
    let packed_window = |sfen: &[u8]| {
        let packed = PackedSfen::try_from(&read_setup(sfen).ok()?).ok()?;
        Some(window_of(packed.bytes(), 0))
    };
    let Some(begin) = first_position(&text).filter(|_| text.len() < limits.memory) else { return Ok(None) };
    let pieces = cut(&text, begin, TEXT_PIECE);
    let sample = sample_lines(&text, SAMPLE).filter_map(packed_window).collect();
    let boxes = Boxes::new(sample, boxes_for(text.len() / 128));
    // From here on it is read piece by piece, so that memory does not fill with it.
    drop(text);
    let work = |piece: &Range<usize>,
                bytes: &mut Vec<u8>,
                put: &mut dyn FnMut(usize, &[u8]),
                losses: &mut YbbLosses| {
        let text = read_piece(input, piece)?;
        let (mut payload, mut all_packed) = (Vec::new(), true);
        let understood = read_setups(&text, |setup, moves| {
            if moves.is_empty() {
                return;
            }
            let lost = losses.positions;
            let Some(packed) = encode(&setup, setup.ply, moves, &mut payload, losses) else {
                all_packed &= losses.positions == lost;
                return;
            };
            all_packed &= moves.len() <= u16::MAX.into();
            put(bytes.len(), &packed);
            bytes.extend_from_slice(&packed);
            bytes.extend_from_slice(&(moves.len() as u16).to_le_bytes());
            bytes.extend_from_slice(&payload);
        });
        (understood.is_ok() && all_packed).then_some(())
    };
    let Some((records, filled, losses)) = make(&pieces, limits.threads, &boxes, work) else {
        return Ok(None);
    };
    let numbers: Vec<usize> = (0..boxes.count()).collect();
    let sorted = in_parallel(&numbers, limits.threads, |number| {
        let slips = sorted_box(&filled, *number, &records);
        let kept = groups(&slips, &records).map(|group| {
            *group.iter().min_by_key(|slip| MadeRecord::of(&records, **slip).ply).unwrap_or(&group[0])
        });
        kept.collect::<Vec<Slip>>()
    });
    drop(filled);
    let written = write_index_and_moves(output, &records, &sorted, limits.threads)?;
    Ok(written.map(|written| (written, losses)))
}

/// A record as [`db_to_ybb`] makes it.
struct MadeRecord<'a> {
    packed: &'a [u8],
    ply: u16,
    moves: &'a [u8],
}

impl<'a> MadeRecord<'a> {
    #[inline]
    fn of(records: &'a Made, slip: Slip) -> Self {
        let record = records.record(slip);
        let number = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
        let moves = usize::from(number(32)) * MOVE;
        Self { packed: &record[..32], ply: number(34), moves: &record[36..36 + moves] }
    }
}

fn write_index_and_moves(
    output: &Path,
    records: &Made,
    sorted: &[Vec<Slip>],
    threads: usize,
) -> Result<Option<u64>, BookError> {
    let sizes = in_parallel(sorted, threads, |slips| {
        slips.iter().map(|slip| MadeRecord::of(records, *slip).moves.len() as u64).sum::<u64>()
    });
    let count = sorted.iter().map(|slips| slips.len() as u64).sum();
    let begins: Vec<u64> = sizes
        .iter()
        .scan(0, |sum, bytes| {
            let begin = *sum;
            *sum += bytes;
            Some(begin)
        })
        .collect();
    let mut file = WholeFile::create(output)?;
    file.write_all(&header(count)).at(output)?;
    let render = |part: usize, out: &mut Vec<u8>| {
        // First the index of all boxes, then the moves of all.
        let slips = &sorted[part % sorted.len()];
        let mut offset = begins[part % sorted.len()];
        for slip in slips {
            let MadeRecord { packed, ply, moves } = MadeRecord::of(records, *slip);
            if part >= sorted.len() {
                out.extend_from_slice(moves);
                continue;
            }
            let mut index = [0; RECORD];
            index[..32].copy_from_slice(packed);
            index[32..40].copy_from_slice(&offset.to_le_bytes());
            index[40..42].copy_from_slice(&ply.to_le_bytes());
            index[42..].copy_from_slice(&((moves.len() / MOVE) as u16).to_le_bytes());
            out.extend_from_slice(&index);
            offset += moves.len() as u64;
        }
        Some(())
    };
    if write_in_order(&mut file, 2 * sorted.len(), threads, render).at(output)?.is_none() {
        return Ok(None);
    }
    file.finish()?;
    Ok(Some(count))
}

/// Records of a `.ybb` that become text at a time.
const YBB_PIECE: usize = 1 << 13;
/// Memory that a position takes on its way.
const YBB_ROOM: usize = 200;

/// What [`ybb_to_db`] keeps behind a place, so that nothing need be looked for in the book again: the move number, how
/// many bytes of moves follow, and these.
struct Behind<'a> {
    ply: u32,
    moves: &'a [u8],
}

impl<'a> Behind<'a> {
    fn push(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.ply.to_le_bytes());
        bytes.extend_from_slice(&(self.moves.len() as u32).to_le_bytes());
        bytes.extend_from_slice(self.moves);
    }

    fn of(records: &'a Made, slip: Slip) -> Self {
        let behind = &records.record(slip)[(slip.place & 0xff) as usize..];
        let number = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| behind[at + i]));
        Self { ply: number(0), moves: &behind[8..8 + number(4) as usize] }
    }
}

/// Writes a `.ybb` as text; `None` if it must be done the other way.
pub(crate) fn ybb_to_db(
    book: &Ybb,
    output: &Path,
    line_end: LineEnd,
    limits: &SortLimits,
) -> Result<Option<u64>, BookError> {
    if book.len().saturating_mul(YBB_ROOM) > limits.memory {
        return Ok(None);
    }
    let mut place = Vec::new();
    let mut window = |index: usize| {
        place.clear();
        push_place(&mut place, &book.setup(index).ok()?);
        Some(window_of(&place, 0))
    };
    let sample = (0..book.len()).step_by(book.len() / SAMPLE + 1).filter_map(&mut window).collect();
    let boxes = Boxes::new(sample, boxes_for(book.len()));
    let pieces: Vec<Range<usize>> =
        (0..book.len()).step_by(YBB_PIECE).map(|begin| begin..(begin + YBB_PIECE).min(book.len())).collect();
    // Records may say that they have the same moves, and far more of them than the file is long.
    let share = limits.memory / pieces.len().max(1);
    let work =
        |piece: &Range<usize>, bytes: &mut Vec<u8>, put: &mut dyn FnMut(usize, &[u8]), _: &mut YbbLosses| {
            for index in piece.clone() {
                let at = bytes.len();
                push_place(bytes, &book.setup(index).ok()?);
                put(at, &bytes[at..]);
                Behind { ply: book.ply(index).max(1), moves: book.move_bytes(index).ok()? }.push(bytes);
                if bytes.len() > share {
                    return None;
                }
            }
            Some(())
        };
    let Some((records, filled, _)) = make(&pieces, limits.threads, &boxes, work) else {
        return Ok(None);
    };
    let render = |number: usize, text: &mut Vec<u8>| {
        let mut written = 0u64;
        let mut entry = Entry::default();
        for group in groups(&sorted_box(&filled, number, &records), &records) {
            let read = |slip: Slip, entry: &mut Entry| {
                let Behind { ply, moves } = Behind::of(&records, slip);
                entry.ply = ply;
                entry.moves.clear();
                book.read_moves(moves, &mut entry.moves);
            };
            read(group[0], &mut entry);
            entry.place.clear();
            entry.place.extend_from_slice(records.key(group[0]));
            for slip in &group[1..] {
                let mut later = Entry::default();
                read(*slip, &mut later);
                later.place.clone_from(&entry.place);
                entry.unite(later);
            }
            entry.unite_moves();
            push_entry(text, &entry, line_end, BookMove::write_without_count);
            written += u64::from(!entry.moves.is_empty());
        }
        Some(written)
    };
    let mut file = WholeFile::create(output)?;
    let end = std::str::from_utf8(line_end.bytes()).unwrap_or("\n");
    file.write_all(format!("{HEADER}{end}# NOE:{}{end}", book.len()).as_bytes()).at(output)?;
    let Some(written) = write_in_order(&mut file, boxes.count(), limits.threads, render).at(output)? else {
        return Ok(None);
    };
    file.finish()?;
    Ok(Some(written.into_iter().sum()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BookFormat, Problems, SynthOptions, WorkOptions, convert_book, synthesize};

    fn convert(input: &Path, output: &Path, problems: Problems) -> Vec<u8> {
        // Leniently, or with little memory, it goes the other way.
        let limits = SortLimits {
            memory: if problems == Problems::Stop { usize::MAX } else { 1 << 20 },
            threads: 2,
            folder: output.parent().unwrap().to_owned(),
        };
        convert_book(input, output, &WorkOptions { problems, limits, ..WorkOptions::default() }, &mut |_| {})
            .unwrap();
        std::fs::read(output).unwrap()
    }

    #[test]
    fn both_ways_write_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut text = format!("{HEADER}\r\n").into_bytes();
        synthesize(SynthOptions { positions: 20_000, seed: 5, moves: 4 }, |entry| {
            push_entry(&mut text, entry, LineEnd::CrLf, BookMove::write);
            if entry.ply % 7 == 0 {
                let again = Entry { ply: entry.ply % 3 + 6, ..entry.clone() };
                push_entry(&mut text, &again, LineEnd::CrLf, BookMove::write);
            }
        });
        std::fs::write(path("a.db"), text).unwrap();
        assert_eq!(BookFormat::of_path(&path("a.db")).unwrap(), BookFormat::Db);
        let ybb = convert(&path("a.db"), &path("a.ybb"), Problems::Stop);
        assert!(ybb == convert(&path("a.db"), &path("b.ybb"), Problems::skip()), "to .ybb");
        let db = convert(&path("a.ybb"), &path("b.db"), Problems::Stop);
        assert!(db == convert(&path("a.ybb"), &path("c.db"), Problems::skip()), "to .db");
        assert!(db.len() > 1 << 20);
    }
}
