//! Between `.db` and `.ybb` where memory holds the whole book: positions become the other's key on all threads, slips
//! are sorted, and both files are written part by part.

use crate::blocks::{read_packed, read_setup};
use crate::bytes::Bytes;
use crate::db::push_position;
use crate::error::{At, BookError};
use crate::exact_text::ExactReader;
use crate::lock::create_book;
use crate::row_codes::{Key, RowCodes, RowCounts};
use crate::shelf::{MOST_ORDERS, MOST_SHELVES, NewRecord, Record, Shelf, Shelves};
use crate::short::Ahead;
use crate::slips::{Boxes, Slip, Window, boxes_for, window_of};
use crate::text_records::{SAMPLE, first_position};
use crate::ybb::{AT_ONCE, HEADER as HEADER_SIZE, MOVE, PACKED, RECORD, Ybb, YbbLosses, encode, header};
use crate::ybb_text::{Page, push_raw};
use crate::{BookMove, Entry, HEADER, LineEnd, SortLimits};
use platform::workers::{Pool, gather, in_order};
use shogi::{PackedSfen, SetupRanks, Unpacker};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// What one thread makes.
struct Making<'a> {
    shelf: Shelf<'a>,
    key: Key,
    reader: ExactReader,
    losses: YbbLosses,
    input: Input,
}

/// A file of which pieces are read, one after the other into the same memory.
#[derive(Default)]
struct Input {
    file: Option<File>,
    text: Vec<u8>,
}

impl Input {
    fn read(&mut self, path: &Path, piece: &Range<usize>) -> Option<&[u8]> {
        if self.file.is_none() {
            self.file = File::open(path).ok();
        }
        let file = self.file.as_mut()?;
        if self.text.len() < piece.len() {
            self.text.resize(piece.len(), 0);
        }
        let text = &mut self.text[..piece.len()];
        file.seek(SeekFrom::Start(piece.start as u64)).ok()?;
        file.read_exact(text).ok()?;
        Some(text)
    }
}

/// Lets threads make records of all pieces; `None` if one could not.
fn make<'a, T: Sync>(
    pieces: &[T],
    threads: usize,
    boxes: &'a Boxes,
    work: impl Fn(&T, &mut Making<'a>, u32) -> Option<()> + Sync,
) -> Option<(Shelves<'a>, YbbLosses)> {
    if pieces.len() > MOST_ORDERS {
        return None;
    }
    let understood = AtomicBool::new(true);
    let new = || Making {
        shelf: Shelf::new(boxes),
        key: Key::new(),
        reader: ExactReader::new(),
        losses: YbbLosses::default(),
        input: Input::default(),
    };
    let made = gather(pieces, threads.min(MOST_SHELVES), new, |making, number, piece| {
        if understood.load(Relaxed) && work(piece, making, number as u32).is_none() {
            understood.store(false, Relaxed);
        }
    });
    let mut losses = YbbLosses::default();
    for making in &made {
        losses.add(making.losses);
    }
    let shelves = made.into_iter().map(|making| making.shelf).collect();
    if !understood.into_inner() {
        return None;
    }
    Some((Shelves::new(shelves)?, losses))
}

/// Bytes of text that become records at a time.
const TEXT_PIECE: usize = 1 << 18;
/// So often a piece is looked at beforehand, and so many bytes each time: one position of each says how all of them are spread.
const LOOKS: usize = 3;
const LOOK: usize = 1 << 12;

/// What there is to know of a text before it is read.
#[derive(Default)]
struct LookedOver {
    input: Input,
    /// Where entries begin that pieces can begin with.
    begins: Vec<usize>,
    sample: Vec<Window>,
}

/// Pieces of a text that begin with `sfen` lines, from the first of all, and how its positions are spread. It is read here
/// and there and not mapped, which would take longer for so little of each page.
fn look_over(path: &Path, text: Range<usize>, threads: usize) -> (Vec<Range<usize>>, Vec<Window>) {
    let looks: Vec<usize> = text.clone().step_by(TEXT_PIECE / LOOKS).collect();
    let looked = gather(&looks, threads, LookedOver::default, |looked, number, from| {
        let seen = looked.input.read(path, &(*from..(from + LOOK).min(text.end)));
        let Some((seen, at)) = seen.and_then(|seen| Some((seen, memchr::memmem::find(seen, b"\nsfen ")?)))
        else {
            return;
        };
        if number > 0 && number.is_multiple_of(LOOKS) {
            looked.begins.push(from + at + 1);
        }
        let line = &seen[at + b"\nsfen ".len()..];
        let line = memchr::memchr2(b'\r', b'\n', line).map(|end| &line[..end]);
        looked.sample.extend(line.and_then(packed_window));
    });
    let mut begins = vec![text.start];
    begins.extend(looked.iter().flat_map(|looked| &looked.begins));
    begins.sort_unstable();
    let ends = begins[1..].iter().chain([&text.end]);
    let pieces = begins.iter().zip(ends).map(|(begin, end)| *begin..*end).collect();
    (pieces, looked.into_iter().flat_map(|looked| looked.sample).collect())
}

fn packed_window(sfen: &[u8]) -> Option<Window> {
    let packed = PackedSfen::try_from(&read_setup(sfen).ok()?).ok()?;
    Some(window_of(packed.bytes(), 0))
}

/// Writes a text book as a `.ybb`; `None` if it must be done the other way.
pub(crate) fn db_to_ybb(
    input: &Path,
    output: &Path,
    limits: &SortLimits,
) -> Result<Option<(u64, YbbLosses)>, BookError> {
    let text = Bytes::map(input)?;
    let Some(begin) = first_position(&text).filter(|_| text.len() < limits.memory) else { return Ok(None) };
    let (pieces, sample) = look_over(input, begin..text.len(), limits.threads);
    let boxes = Boxes::new(sample, boxes_for(text.len() / 128));
    // From here on it is read piece by piece, so that memory does not fill with it.
    drop(text);
    let work = |piece: &Range<usize>, making: &mut Making<'_>, number: u32| {
        let (mut record, mut rest) = (Vec::new(), making.input.read(input, piece)?);
        while !rest.is_empty() {
            if let Some(length) = making.reader.take(rest, &mut record, &mut making.losses) {
                if record.len() > PACKED + PLY {
                    let record = split(&mut record)?;
                    making.shelf.put(number, window_of(record.key.bytes(), 0), record)?;
                }
                rest = &rest[length..];
                continue;
            }
            let end = memchr::memmem::find(rest, b"\nsfen ").map_or(rest.len(), |at| at + 1);
            let mut all_put = true;
            let understood = read_packed(&rest[..end], |packed, ply, moves| {
                let lost = making.losses.positions;
                if encode(packed, ply, moves, &mut record, &mut making.losses) {
                    let record = split(&mut record);
                    let put = |record: NewRecord<'_>| {
                        making.shelf.put(number, window_of(record.key.bytes(), 0), record)
                    };
                    all_put &= record.and_then(put).is_some();
                } else {
                    all_put &= making.losses.positions == lost;
                }
            });
            if understood.is_err() || !all_put {
                return None;
            }
            rest = &rest[end..];
        }
        Some(())
    };
    let Some((records, losses)) = make(&pieces, limits.threads, &boxes, work) else { return Ok(None) };
    let written = write_index_and_moves(output, records, boxes.count(), limits.threads)?;
    Ok(Some((written, losses)))
}

/// Bytes of the move number behind the key.
const PLY: usize = 2;

/// What [`encode`] makes, in parts; something to be copied with them comes behind it.
#[inline]
fn split(record: &mut Vec<u8>) -> Option<NewRecord<'_>> {
    let length = record.len().checked_sub(PACKED + PLY)?;
    record.extend_from_slice(&[0; Ahead::WIDTH]);
    let (ply, moves) = record.get(PACKED..)?.split_first_chunk()?;
    Some(NewRecord {
        key: Ahead::new(record, PACKED)?,
        ply: u16::from_le_bytes(*ply),
        moves: Ahead::new(moves, length)?,
    })
}

/// A part of the index and the moves that belong to it.
#[derive(Default)]
struct Written {
    index: Vec<u8>,
    moves: Vec<u8>,
    /// Where the index says that these moves begin.
    begin: u64,
}

impl Written {
    /// Lets the index say where the moves really begin.
    fn begin_at(&mut self, offset: u64) {
        if self.begin == offset {
            return;
        }
        for line in self.index.as_chunks_mut::<RECORD>().0 {
            let said = u64::from_le_bytes(std::array::from_fn(|i| line[32 + i]));
            line[32..40].copy_from_slice(&(said - self.begin + offset).to_le_bytes());
        }
        self.begin = offset;
    }
}

/// Writes index and moves as boxes are sorted. Where everything goes is known as long as no position comes twice; otherwise
/// offsets have to be mended on the way, and the moves have to be put behind the index in the end.
fn write_index_and_moves(
    output: &Path,
    records: Shelves<'_>,
    boxes: usize,
    threads: usize,
) -> Result<u64, BookError> {
    let mut file = create_book(output)?;
    let expected = records.count();
    file.write_all(&header(expected)).at(output)?;
    let begins: Vec<u64> = (0..boxes)
        .scan(0, |end, number| {
            let begin = *end;
            *end += records.move_bytes(number);
            Some(begin)
        })
        .collect();
    let pool = Pool::<Written>::default();
    let work = |number: usize| {
        let mut written = pool.take();
        let Written { index, moves: all_moves, begin } = &mut written;
        index.clear();
        all_moves.clear();
        *begin = begins[number];
        records.with_box(number, |slips| {
            for group in records.groups(slips) {
                let chosen = match group {
                    [only] => only,
                    _ => group.iter().min_by_key(|slip| records.record(**slip).ply).unwrap_or(&group[0]),
                };
                let Record { key, ply, moves } = records.record(*chosen);
                let mut line = [0; RECORD];
                line[..PACKED].copy_from_slice(&key[..PACKED]);
                line[32..40].copy_from_slice(&(*begin + all_moves.len() as u64).to_le_bytes());
                line[40..42].copy_from_slice(&ply.to_le_bytes());
                line[42..].copy_from_slice(&((moves.len() / MOVE) as u16).to_le_bytes());
                index.extend_from_slice(&line);
                all_moves.extend_from_slice(moves);
            }
        });
        Ok(written)
    };
    let end_of_index = |count: u64| (HEADER_SIZE + count as usize * RECORD) as u64;
    let (mut count, mut offset) = (0, 0);
    let mut moves_section = file.section(end_of_index(expected))?;
    let take = |mut written: Written| {
        written.begin_at(offset);
        file.write_all(&written.index)?;
        moves_section.write_all(&written.moves)?;
        count += (written.index.len() / RECORD) as u64;
        offset += written.moves.len() as u64;
        pool.give(written);
        Ok(())
    };
    in_order(boxes, threads, work, take).and_then(|()| moves_section.flush()).at(output)?;
    // To give so much memory back takes a while, in which the disk can be at work.
    std::thread::scope(|scope| {
        scope.spawn(move || drop(records));
        if count < expected {
            file.move_end(end_of_index(expected), end_of_index(count))?;
            file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&header(count))).at(output)?;
        }
        file.commit().map_err(BookError::from)
    })?;
    Ok(count)
}

/// Records of a `.ybb` that become text at a time.
const YBB_PIECE: usize = 1 << 13;
/// Memory that a position takes on its way.
const YBB_ROOM: usize = 200;
/// So many positions say which rows there are, and some of them how all are spread.
const YBB_SAMPLE: usize = 8 * SAMPLE;
/// Threads look at them in so many parts.
const SAMPLE_PARTS: usize = 16;

/// So many times as many are on their way meanwhile: they lie far from each other.
const SAMPLES_AHEAD: usize = 4;

/// Which rows there are, and some of the positions that were looked at.
fn sample(book: &Ybb, threads: usize) -> (Vec<RowCounts>, Vec<SetupRanks>) {
    let step = book.len() / YBB_SAMPLE + 1;
    let parts: Vec<Range<usize>> = (0..SAMPLE_PARTS)
        .map(|part| part * book.len() / SAMPLE_PARTS..(part + 1) * book.len() / SAMPLE_PARTS)
        .collect();
    let sampling = || (RowCounts::new(), Vec::new(), Unpacker::default());
    let sampled = gather(&parts, threads, sampling, |(counts, some, unpacker), _, part| {
        // The last of a part may be looked at more than once.
        let (last, mut setups) = (part.end.saturating_sub(1), [SetupRanks::EMPTY; AT_ONCE]);
        for (number, begin) in part.clone().step_by(AT_ONCE * step).enumerate() {
            let indices_from = |begin: usize| std::array::from_fn(|i| (begin + i * step).min(last));
            book.announce(indices_from(begin + SAMPLES_AHEAD * AT_ONCE * step));
            let indices = indices_from(begin);
            if book.unpack_at_once(indices, unpacker, &mut setups).is_err() {
                // Whoever reads all of them will tell.
                continue;
            }
            for setup in &setups {
                counts.add(setup);
            }
            if number.is_multiple_of(YBB_SAMPLE / SAMPLE / AT_ONCE) {
                some.push(setups[0]);
            }
        }
    });
    let (counts, some): (Vec<_>, Vec<_>) =
        sampled.into_iter().map(|(counts, some, _)| (counts, some)).unzip();
    (counts, some.concat())
}

/// Writes a `.ybb` as text; `None` if it must be done the other way.
pub(crate) fn ybb_to_db(
    book: Ybb,
    output: &Path,
    line_end: LineEnd,
    limits: &SortLimits,
) -> Result<Option<u64>, BookError> {
    if book.len().saturating_mul(YBB_ROOM) > limits.memory {
        return Ok(None);
    }
    let (counts, some) = sample(&book, limits.threads);
    let codes = RowCodes::new(counts);
    let mut key = Key::new();
    let windows = some.iter().map(|setup| codes.make(setup, &mut key)).collect();
    let boxes = Boxes::new(windows, boxes_for(book.len()));
    let pieces: Vec<Range<usize>> =
        (0..book.len()).step_by(YBB_PIECE).map(|begin| begin..(begin + YBB_PIECE).min(book.len())).collect();
    // Records may say that they have the same moves, and far more of them than the file is long.
    let share = limits.memory / pieces.len().max(1);
    let work = |piece: &Range<usize>, making: &mut Making<'_>, number: u32| {
        let (mut unpacker, mut setups, mut taken) = (Unpacker::default(), [SetupRanks::EMPTY; AT_ONCE], 0);
        for begin in piece.clone().step_by(AT_ONCE) {
            // The last of a piece may be read more than once.
            let indices = std::array::from_fn(|i| (begin + i).min(piece.end - 1));
            book.unpack_at_once(indices, &mut unpacker, &mut setups).ok()?;
            for (index, setup) in (begin..piece.end).zip(&setups) {
                // The moves as they are, so that nothing need be looked for in the book again.
                let moves = book.move_bytes_ahead(index)?;
                let ply = book.ply(index).clamp(1, u16::MAX.into()) as u16;
                let window = codes.make(setup, &mut making.key);
                let key = making.key.ahead();
                taken += key.length() + moves.length();
                making.shelf.put(number, window, NewRecord { key, ply, moves })?;
            }
            if taken > share {
                return None;
            }
        }
        Some(())
    };
    let Some((records, _)) = make(&pieces, limits.threads, &boxes, work) else { return Ok(None) };
    let read = |slip: Slip, entry: &mut Entry| {
        let record = records.record(slip);
        entry.ply = record.ply.into();
        entry.moves.clear();
        book.read_moves(record.moves, &mut entry.moves);
    };
    let pages = Pool::<Page>::default();
    let render = |number: usize| {
        let (mut page, mut written) = (pages.take(), 0u64);
        page.clear();
        let (mut entry, mut place, mut text) = (Entry::default(), Page::default(), Vec::new());
        records.with_box(number, |slips| {
            for group in records.groups(slips) {
                let Record { key, ply, moves } = records.record(group[0]);
                if group.len() == 1
                    && book.has_depth()
                    && push_raw(&mut page, |tail| codes.push_place(tail, key), ply, moves, line_end)
                {
                    written += 1;
                    continue;
                }
                read(group[0], &mut entry);
                for slip in &group[1..] {
                    let mut later = Entry::default();
                    read(*slip, &mut later);
                    entry.unite(later);
                }
                entry.unite_moves();
                place.clear();
                place.write(|tail| codes.push_place(tail, key));
                text.clear();
                let (place, write) = (place.text(), BookMove::write_without_count);
                push_position(&mut text, place, entry.ply, &entry.moves, line_end, write);
                page.push_all(&text);
                written += u64::from(!entry.moves.is_empty());
            }
        });
        Ok((page, written))
    };
    let mut file = create_book(output)?;
    let end = std::str::from_utf8(line_end.bytes()).unwrap_or("\n");
    file.write_all(format!("{HEADER}{end}# NOE:{}{end}", book.len()).as_bytes()).at(output)?;
    let mut all_written = 0;
    let take = |(page, written): (Page, u64)| {
        file.write_all(page.text())?;
        pages.give(page);
        all_written += written;
        Ok(())
    };
    in_order(boxes.count(), limits.threads, render, take).at(output)?;
    // To give so much memory back takes a while, in which the disk can be at work.
    std::thread::scope(|scope| {
        scope.spawn(move || drop((records, book)));
        file.commit()
    })?;
    Ok(Some(all_written))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::push_entry;
    use crate::{BookFormat, Problems, SynthOptions, WorkOptions, convert_book, synthesize};

    fn convert(input: &Path, output: &Path, problems: Problems) -> Vec<u8> {
        // Leniently, or with little memory, it goes the other way.
        let limits = SortLimits {
            memory: if problems.are_fatal() { usize::MAX } else { 1 << 20 },
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
        let ybb = convert(&path("a.db"), &path("a.ybb"), Problems::stop());
        assert!(ybb == convert(&path("a.db"), &path("b.ybb"), Problems::skip()), "to .ybb");
        let db = convert(&path("a.ybb"), &path("b.db"), Problems::stop());
        assert!(db == convert(&path("a.ybb"), &path("c.db"), Problems::skip()), "to .db");
        assert!(db.len() > 1 << 20);
    }
}
