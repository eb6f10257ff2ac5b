//! External sorting: sorts more records than fit in memory.
//!
//! Records are collected in chunks; a full chunk is sorted on another thread while the next one fills. Chunks that
//! exceed the memory are written to temporary files as sorted runs. At the end all chunks and runs are merged.

use crate::Entry;
use crate::error::{At, BookError};
use crate::sort::parts::Parts;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

/// Limits of memory, and the folder for temporary files.
#[derive(Clone, Debug)]
pub struct SortLimits {
    /// Bytes of memory.
    pub memory: usize,
    /// Folder for temporary files.
    pub folder: PathBuf,
    /// Number of chunks sorted at a time, besides the one being filled.
    pub threads: usize,
}

impl Default for SortLimits {
    fn default() -> Self {
        Self {
            memory: usize::MAX,
            folder: std::env::temp_dir(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// Limit of a chunk's size, so that sorting starts early.
const MOST_CHUNK: usize = 48 << 20;
const LEAST_CHUNK: usize = 1 << 20;

/// Where a record begins in its chunk, and eight bytes of its key for comparing.
#[derive(Clone, Copy)]
struct Item {
    window: u64,
    at: u32,
}

/// Records as two lengths, key and payload.
#[derive(Default)]
pub(crate) struct Chunk {
    bytes: Vec<u8>,
    items: Vec<Item>,
    /// The error that ended filling it.
    failed: Option<BookError>,
}

const LENGTHS: usize = 6;

impl Chunk {
    /// Adds a record whose payload `append` writes.
    pub(crate) fn push(&mut self, key: &[u8], append: impl FnOnce(&mut Vec<u8>)) {
        let begin = self.bytes.len();
        self.items.push(Item { window: 0, at: begin as u32 });
        self.bytes.extend_from_slice(&(key.len() as u16).to_le_bytes());
        self.bytes.extend_from_slice(&[0; 4]);
        self.bytes.extend_from_slice(key);
        let payload = self.bytes.len();
        append(&mut self.bytes);
        let length = (self.bytes.len() - payload) as u32;
        self.bytes[begin + 2..begin + LENGTHS].copy_from_slice(&length.to_le_bytes());
    }

    fn size(&self) -> usize {
        self.bytes.len() + self.items.len() * size_of::<Item>()
    }

    fn record(&self, at: u32) -> (&[u8], &[u8]) {
        let begin = at as usize;
        let word = |offset: usize| self.bytes[begin + offset];
        let key = usize::from(u16::from_le_bytes([word(0), word(1)]));
        let payload = u32::from_le_bytes([word(2), word(3), word(4), word(5)]) as usize;
        let key_end = begin + LENGTHS + key;
        (&self.bytes[begin + LENGTHS..key_end], &self.bytes[key_end..key_end + payload])
    }

    /// Sorts by key, stably.
    fn sort(&mut self) {
        let mut items = std::mem::take(&mut self.items);
        self.sort_from(&mut items, 0);
        self.items = items;
    }

    /// Sorts records whose keys agree up to `depth`: by the next eight bytes, then recursively.
    fn sort_from(&self, items: &mut [Item], depth: usize) {
        for item in items.iter_mut() {
            item.window = window(self.record(item.at).0, depth);
        }
        items.sort_unstable_by_key(|item| (item.window, item.at));
        let mut rest = items;
        while let Some(first) = rest.first() {
            let equal = rest.iter().take_while(|item| item.window == first.window).count();
            let (group, behind) = rest.split_at_mut(equal);
            if group.len() > 1 && group.iter().any(|item| self.record(item.at).0.len() > depth + 8) {
                self.sort_from(group, depth + 8);
            }
            rest = behind;
        }
    }
}

/// Eight bytes of a key as a number that compares like them. Keys must not contain zero bytes, or must all have the
/// same length.
fn window(key: &[u8], depth: usize) -> u64 {
    let mut bytes = [0; 8];
    let part = &key[depth.min(key.len())..];
    let count = part.len().min(8);
    bytes[..count].copy_from_slice(&part[..count]);
    u64::from_be_bytes(bytes)
}

enum Run {
    Sorting(JoinHandle<Chunk>),
    Memory(Chunk),
    Disk(File),
}

/// Accepts records in any order and returns them sorted by key.
pub struct Sorter {
    limits: SortLimits,
    chunk: Chunk,
    chunk_size: usize,
    runs: Vec<Run>,
    /// Memory of all runs that are not on disk.
    held: usize,
    spilled: usize,
    /// The error of a chunk that is on disk now.
    failed: Option<BookError>,
}

impl Sorter {
    /// A sorter without records.
    #[must_use]
    pub fn new(mut limits: SortLimits) -> Self {
        // A quarter is reserved for text that is being converted to records.
        limits.memory = limits.memory / 4 * 3;
        let share = limits.memory / (limits.threads + 3);
        let chunk_size = share.clamp(LEAST_CHUNK, MOST_CHUNK);
        Self {
            limits,
            chunk: Chunk::default(),
            chunk_size,
            runs: Vec::new(),
            held: 0,
            spilled: 0,
            failed: None,
        }
    }

    /// Adds a record. Keys have at most 64 kB.
    pub fn push(&mut self, key: &[u8], payload: &[u8]) -> io::Result<()> {
        if self.chunk.size() + key.len() + payload.len() + LENGTHS + size_of::<Item>() > self.chunk_size
            && !self.chunk.items.is_empty()
        {
            self.close_chunk()?;
        }
        self.chunk.push(key, |bytes| bytes.extend_from_slice(payload));
        Ok(())
    }

    /// Fills a chunk of about `size` bytes on another thread.
    pub(crate) fn push_made(
        &mut self,
        size: usize,
        make: impl FnOnce(&mut Chunk) -> Result<(), BookError> + Send + 'static,
    ) -> io::Result<()> {
        if !self.chunk.items.is_empty() {
            self.close_chunk()?;
        }
        self.make_room(size)?;
        self.start(move || {
            let mut chunk = Chunk::default();
            chunk.failed = make(&mut chunk).err();
            chunk.bytes.shrink_to_fit();
            chunk.items.shrink_to_fit();
            chunk
        });
        Ok(())
    }

    /// Fills chunks from a book on several threads: `push` receives every position. Temporary files are named after
    /// `path`.
    pub(crate) fn push_book(
        &mut self,
        mut parts: Parts,
        path: &Path,
        tell: &mut dyn FnMut(f64),
        push: impl Fn(&Entry, &mut Chunk) -> Result<(), BookError> + Clone + Send + 'static,
    ) -> Result<(), BookError> {
        while let Some(part) = parts.next_part()? {
            let push = push.clone();
            let make = move |chunk: &mut Chunk| part.each(|entry| push(entry, chunk));
            self.push_made(parts.size(), make).at(path)?;
            tell(parts.progress());
        }
        self.all_well()
    }

    /// Waits for all chunks; returns the error of the first one that could not be filled.
    pub(crate) fn all_well(&mut self) -> Result<(), BookError> {
        self.runs.iter_mut().for_each(settle);
        let mut failed = self.failed.take();
        for run in &mut self.runs {
            if let Run::Memory(chunk) = run {
                failed = failed.or(chunk.failed.take());
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// The preferred size of blocks that are made elsewhere.
    pub(crate) fn block_size(&self, total: u64) -> usize {
        let share = total / (2 * self.limits.threads.max(1) as u64);
        usize::try_from(share).unwrap_or(usize::MAX).clamp(1 << 18, self.chunk_size / 3)
    }

    /// Number of runs on disk.
    #[must_use]
    pub fn spilled(&self) -> usize {
        self.spilled
    }

    fn close_chunk(&mut self) -> io::Result<()> {
        let mut chunk = std::mem::take(&mut self.chunk);
        chunk.bytes.shrink_to_fit();
        chunk.items.shrink_to_fit();
        self.make_room(chunk.size())?;
        self.start(move || chunk);
        Ok(())
    }

    /// Sorts the result of `make` on another thread.
    fn start(&mut self, make: impl FnOnce() -> Chunk + Send + 'static) {
        let thread = std::thread::spawn(move || {
            let mut chunk = make();
            chunk.sort();
            chunk
        });
        self.runs.push(Run::Sorting(thread));
    }

    /// Makes room for another chunk of this size.
    fn make_room(&mut self, size: usize) -> io::Result<()> {
        let sorting = self.runs.iter().filter(|run| matches!(run, Run::Sorting(_))).count();
        if sorting >= self.limits.threads.max(1) {
            self.settle_one();
        }
        if self.held.saturating_add(size + 2 * self.chunk_size) > self.limits.memory {
            self.spill()?;
        }
        self.held += size;
        Ok(())
    }

    /// Waits for the oldest chunk that is being sorted.
    fn settle_one(&mut self) {
        let waiting = self.runs.iter_mut().find(|run| matches!(run, Run::Sorting(_)));
        if let Some(run) = waiting {
            settle(run);
        }
    }

    /// Writes everything in memory to disk, each chunk as a run.
    fn spill(&mut self) -> io::Result<()> {
        for run in &mut self.runs {
            settle(run);
            if let Run::Memory(chunk) = run {
                self.failed = self.failed.take().or(chunk.failed.take());
                let file = unnamed_file(&self.limits.folder)?;
                let mut out = BufWriter::with_capacity(1 << 16, file);
                for item in &chunk.items {
                    let (key, payload) = chunk.record(item.at);
                    out.write_all(&(key.len() as u16).to_le_bytes())?;
                    out.write_all(&(payload.len() as u32).to_le_bytes())?;
                    out.write_all(key)?;
                    out.write_all(payload)?;
                }
                let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.rewind()?;
                *run = Run::Disk(file);
                self.spilled += 1;
            }
        }
        self.held = 0;
        Ok(())
    }

    /// Finishes adding and starts returning.
    pub fn finish(mut self) -> io::Result<Sorted> {
        if !self.chunk.items.is_empty() {
            self.close_chunk()?;
        }
        self.runs.iter_mut().for_each(settle);
        let source = |run| match run {
            Run::Memory(chunk) => Source::Memory { items: 0..chunk.items.len(), chunk: Arc::new(chunk) },
            Run::Disk(file) => Source::Disk(BufReader::with_capacity(1 << 16, file)),
            Run::Sorting(_) => unreachable!("all chunks are settled"),
        };
        Sorted::new(self.runs.into_iter().map(source).enumerate())
    }
}

/// Waits until a chunk is sorted.
fn settle(run: &mut Run) {
    if matches!(run, Run::Sorting(_)) {
        let Run::Sorting(thread) = std::mem::replace(run, Run::Memory(Chunk::default())) else { return };
        // Sorting does not panic; if it did, the panic is passed on.
        *run = Run::Memory(thread.join().expect("sorting bytes does not fail"));
    }
}

/// A temporary file that disappears with the process, however it ends.
fn unnamed_file(folder: &std::path::Path) -> io::Result<File> {
    static COUNT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = folder.join(format!("tsumugi-sort-{}-{number}.run", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    // If an open file cannot be removed, the run stays until the folder is cleaned.
    std::fs::remove_file(&path).ok();
    Ok(file)
}

enum Source {
    Memory { chunk: Arc<Chunk>, items: Range<usize> },
    Disk(BufReader<File>),
}

/// A run with its next record.
struct Head {
    key: Vec<u8>,
    payload: Vec<u8>,
    number: usize,
    source: Source,
}

impl Head {
    /// Reads the next record; returns whether there was one.
    fn advance(&mut self) -> io::Result<bool> {
        self.key.clear();
        self.payload.clear();
        match &mut self.source {
            Source::Memory { chunk, items } => {
                let Some(item) = items.next().and_then(|item| chunk.items.get(item)) else {
                    return Ok(false);
                };
                let (key, payload) = chunk.record(item.at);
                self.key.extend_from_slice(key);
                self.payload.extend_from_slice(payload);
                Ok(true)
            }
            Source::Disk(input) => {
                let mut lengths = [0; LENGTHS];
                match input.read_exact(&mut lengths) {
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
                    result => result?,
                }
                let [k0, k1, payload @ ..] = lengths;
                self.key.resize(usize::from(u16::from_le_bytes([k0, k1])), 0);
                self.payload.resize(u32::from_le_bytes(payload) as usize, 0);
                input.read_exact(&mut self.key)?;
                input.read_exact(&mut self.payload)?;
                Ok(true)
            }
        }
    }
}

/// The order is reversed because the heap has its greatest element on top.
impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head {}

/// The records, sorted.
pub struct Sorted {
    heads: BinaryHeap<Head>,
    /// Whether the first record has been returned.
    given: bool,
}

/// Approximate number of records in a part.
const PART: usize = 1 << 14;
/// Number of keys sampled per part, for even splits.
const SAMPLES: usize = 16;

impl Sorted {
    fn new(sources: impl Iterator<Item = (usize, Source)>) -> io::Result<Self> {
        let mut heads = BinaryHeap::new();
        for (number, source) in sources {
            let mut head = Head { key: Vec::new(), payload: Vec::new(), number, source };
            if head.advance()? {
                heads.push(head);
            }
        }
        Ok(Self { heads, given: false })
    }

    /// Keys that split the records into parts of about the same size; empty if some are on disk.
    pub(crate) fn cuts(&self) -> Vec<Vec<u8>> {
        let mut sample: Vec<&[u8]> = Vec::new();
        for head in &self.heads {
            let Source::Memory { chunk, items } = &head.source else { return Vec::new() };
            let some = chunk.items[items.clone()].iter().step_by(PART / SAMPLES);
            sample.extend(some.map(|item| chunk.record(item.at).0));
        }
        sample.sort_unstable();
        let mut cuts: Vec<Vec<u8>> = sample.iter().step_by(SAMPLES).skip(1).map(|key| key.to_vec()).collect();
        cuts.dedup();
        cuts
    }

    /// Splits the records before each of the keys. All records must be in memory, and none may have been taken.
    pub(crate) fn split(self, cuts: &[Vec<u8>]) -> io::Result<Vec<Self>> {
        if cuts.is_empty() || self.heads.iter().any(|head| matches!(head.source, Source::Disk(_))) {
            return Ok(vec![self]);
        }
        let mut parts: Vec<Vec<(usize, Source)>> = (0..=cuts.len()).map(|_| Vec::new()).collect();
        for Head { number, source, .. } in self.heads {
            let Source::Memory { chunk, items } = source else { continue };
            // The head already holds the first record.
            let all = items.start - 1..items.end;
            let ends = cuts.iter().map(|cut| {
                all.start
                    + chunk.items[all.clone()]
                        .partition_point(|item| chunk.record(item.at).0 < cut.as_slice())
            });
            let mut begin = all.start;
            for (end, part) in ends.chain([all.end]).zip(&mut parts) {
                part.push((number, Source::Memory { chunk: chunk.clone(), items: begin..end }));
                begin = end;
            }
        }
        parts.into_iter().map(|part| Self::new(part.into_iter())).collect()
    }

    /// The next record, key and payload.
    pub fn next_record(&mut self) -> io::Result<Option<(&[u8], &[u8])>> {
        if std::mem::replace(&mut self.given, true)
            && let Some(mut head) = self.heads.peek_mut()
            && !head.advance()?
        {
            PeekMut::pop(head);
        }
        Ok(self.heads.peek().map(|head| (head.key.as_slice(), head.payload.as_slice())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted(records: &[(Vec<u8>, u32)], memory: usize) -> (Vec<(Vec<u8>, u32)>, usize) {
        let mut sorter = Sorter::new(SortLimits { memory, threads: 2, ..SortLimits::default() });
        sorter.chunk_size = sorter.chunk_size.min(memory.max(64));
        for (key, number) in records {
            sorter.push(key, &number.to_le_bytes()).unwrap();
        }
        let spilled = sorter.spilled();
        let sorted = sorter.finish().unwrap();
        let cuts = [sorted.cuts(), vec![vec![2], vec![3, 3]]].concat();
        let mut all = Vec::new();
        for mut part in sorted.split(&cuts[..if spilled == 0 { cuts.len() } else { 0 }]).unwrap() {
            while let Some((key, payload)) = part.next_record().unwrap() {
                all.push((key.to_vec(), u32::from_le_bytes(payload.try_into().unwrap())));
            }
        }
        (all, spilled)
    }

    proptest! {
        // Each case sorts three times, on threads and disk.
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Any number of chunks and runs gives the result of a stable sort.
        #[test]
        fn like_a_stable_sort(keys in prop::collection::vec(prop::collection::vec(1u8..4, 0..20), 0..300)) {
            let records: Vec<(Vec<u8>, u32)> = keys.into_iter().zip(0..).collect();
            let mut expected = records.clone();
            expected.sort_by(|a, b| a.0.cmp(&b.0));
            for memory in [64, 1000, usize::MAX] {
                prop_assert_eq!(&sorted(&records, memory).0, &expected);
            }
        }
    }

    #[test]
    fn what_does_not_fit_goes_to_disk() {
        let records: Vec<(Vec<u8>, u32)> =
            (0..1000u32).map(|n| ((n.wrapping_mul(0x9e37_79b9) | 1).to_be_bytes().to_vec(), n)).collect();
        assert_eq!(sorted(&records, usize::MAX).1, 0);
        assert!(sorted(&records, 2000).1 > 1);
    }
}
