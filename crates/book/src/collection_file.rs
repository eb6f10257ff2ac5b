//! A book in memory becomes a text book.

use crate::db::push_entry;
use crate::error::{At, BookError};
use crate::parallel::{gather, write_in_order};
use crate::slips::{Boxes, Records, Slip, boxes_for, groups, sorted_box, window_of};
use crate::text_records::SAMPLE;
use crate::whole_file::WholeFile;
use crate::{BookMove, Collection, Entry, HEADER, LineEnd};
use std::io::Write;
use std::path::Path;

/// A slip's place is the number of a position.
impl Records for Collection {
    fn key(&self, slip: Slip) -> &[u8] {
        self.place(slip.place as u32)
    }
}

/// Writes a collection in the order of text books, without moves that were chosen less often than `least`; tells how
/// many positions that left.
pub fn write_collection(
    book: &Collection,
    output: &Path,
    least: u64,
    line_end: LineEnd,
    threads: usize,
) -> Result<u64, BookError> {
    let numbers = 0..book.len() as u32;
    let window = |number: u32| window_of(book.place(number), 0);
    let sample = numbers.clone().step_by(book.len() / SAMPLE + 1).map(window).collect();
    let boxes = Boxes::new(sample, boxes_for(book.len()));
    let ranges: Vec<u32> = numbers.step_by(STEP as usize).collect();
    let filled = gather(
        &ranges,
        threads,
        || boxes.empty(),
        |filled, _, begin| {
            for number in *begin..(begin + STEP).min(book.len() as u32) {
                boxes.put(Slip { window: window(number), place: number.into() }, filled);
            }
        },
    );
    let render = |number: usize, text: &mut Vec<u8>| {
        let mut written = 0u64;
        let (mut entry, mut united) = (Entry::default(), Entry::default());
        for group in groups(&sorted_box(&filled, number, book), book) {
            united.moves.clear();
            for slip in group {
                book.read_entry(slip.place as u32, &mut entry);
                entry.moves.retain(|m| m.count >= least);
                if united.moves.is_empty() {
                    std::mem::swap(&mut united, &mut entry);
                } else if !entry.moves.is_empty() {
                    united.unite(std::mem::take(&mut entry));
                }
            }
            if !united.moves.is_empty() {
                united.sort();
                push_entry(text, &united, line_end, BookMove::write);
                written += 1;
            }
        }
        Some(written)
    };
    let mut file = WholeFile::create(output)?;
    file.write_all(HEADER.as_bytes()).and_then(|()| file.write_all(line_end.bytes())).at(output)?;
    let written = write_in_order(&mut file, boxes.count(), threads, render).at(output)?;
    file.finish()?;
    Ok(written.unwrap_or_default().into_iter().sum())
}

/// Positions that one thread looks at in one go.
const STEP: u32 = 1 << 13;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entries, EntrySorter, Plies, SortLimits, SynthOptions, synthesize, write_db};

    #[test]
    fn like_sorted_entries() {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Collection::new(Plies::Matter);
        synthesize(SynthOptions { positions: 3000, seed: 3, moves: 4 }, |entry| {
            let position = entry.position().unwrap();
            for m in &entry.moves {
                book.insert(&position, BookMove { count: (m.value % 3).unsigned_abs().into(), ..*m });
            }
        });
        let [quick, slow] = ["quick.db", "slow.db"].map(|name| folder.path().join(name));
        let written = write_collection(&book, &quick, 1, LineEnd::CrLf, 2).unwrap();
        let mut sorter = EntrySorter::new(SortLimits::default());
        let frequent = book.entries().filter_map(|mut entry| {
            entry.moves.retain(|m| m.count >= 1);
            Some(entry).filter(|entry| !entry.moves.is_empty())
        });
        sorter.push_all(&mut Entries::new(frequent), &slow).unwrap();
        assert_eq!(write_db(&slow, &mut sorter.finish().unwrap(), LineEnd::CrLf).unwrap(), written);
        assert!(std::fs::read(quick).unwrap() == std::fs::read(slow).unwrap());
    }
}
