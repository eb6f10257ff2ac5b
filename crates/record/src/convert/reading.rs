//! Games of files, folders and archives read over several threads, in order.

use super::Progress;
use super::sources::{Contents, Input, Item, Origin, SourceError, Sources};
use crate::ReadOptions;
use crate::notation::{Notation, ReadGame};
use platform::workers::Workers;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What is read, and how.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// Of which game the records are.
    pub notation: &'a dyn Notation,
    /// What to read.
    pub inputs: &'a [Input],
    /// How.
    pub options: ReadOptions,
    /// Over how many threads; at least one.
    pub threads: usize,
}

/// How much was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadCounts {
    /// Files, standard input included.
    pub sources: usize,
    /// Bytes.
    pub bytes: u64,
}

/// Works on a game, or on why there is none, on any thread.
pub type WorkOnGame<'a, T> = dyn Fn(&Origin, Result<ReadGame, SourceError>) -> T + Sync + 'a;

/// Games are passed on in batches, because each hand-over wakes another thread.
const BATCH_GAMES: usize = 128;
const BATCH_BYTES: usize = 1 << 16;

/// With few files, each thread still gets this many batches, so that all stay busy to the end.
const LEAST_BATCHES: usize = 8;

/// The divisor for the size of files that are not in memory yet.
const UNREAD: usize = 16;

/// Groups items into batches.
struct Batches<'a> {
    sources: Sources<'a>,
    /// The number of files that completes a batch.
    most_files: usize,
}

impl Iterator for Batches<'_> {
    type Item = Vec<Item>;

    fn next(&mut self) -> Option<Vec<Item>> {
        let (mut items, mut bytes, mut most) = (Vec::new(), 0, BATCH_GAMES);
        while items.len() < most && bytes < BATCH_BYTES {
            let Some(item) = self.sources.next() else { break };
            match &item {
                Item::File(_, size) => (bytes, most) = (bytes + size / UNREAD, self.most_files),
                Item::Game(_, game) => bytes += game.len(),
                Item::Packed(..) => most = self.most_files.max(LEAST_BATCHES),
                Item::Failure(..) => {}
            }
            items.push(item);
        }
        (!items.is_empty()).then_some(items)
    }
}

impl Reading<'_> {
    /// Reads every game of the inputs: `work` is called on the threads, `take` with the results in the order of the games; an error
    /// of `take` ends everything. Games of large files that are not `wanted` are passed over unread.
    pub fn run<T: Send, E>(
        &self,
        progress: &dyn Progress,
        wanted: &(dyn Fn(&Origin) -> bool + Sync),
        work: &WorkOnGame<'_, T>,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<ReadCounts, E> {
        let threads = self.threads.max(1);
        let bytes = AtomicU64::new(0);
        let count = |read: u64| {
            bytes.fetch_add(read, Ordering::Relaxed);
            progress.advance(read);
        };
        let sources = Sources::new(self.inputs, self.options, &count);
        if progress.wants_total() {
            progress.total(sources.size());
        }
        let files = sources.len();
        let most_files = (files / (threads * LEAST_BATCHES)).clamp(1, BATCH_GAMES);
        let worker = || {
            let mut buffer = Vec::new();
            Some(move |items: Vec<Item>| {
                let mut done = Vec::with_capacity(items.len());
                for item in items {
                    if !matches!(&item, Item::Game(origin, _) if !wanted(origin)) {
                        item.open(&mut buffer, &count, &mut |origin, contents| {
                            self.read(origin, contents, work, &mut done);
                        });
                    }
                }
                Some(done)
            })
        };
        let abandon = AtomicBool::new(false);
        let workers = Workers::new("records", threads, &abandon);
        let take_all = |done: Vec<T>| done.into_iter().try_for_each(&mut take);
        workers.work_in_order(Batches { sources, most_files }, worker, || (), take_all)?;
        Ok(ReadCounts { sources: files, bytes: bytes.into_inner() })
    }

    /// Reads the games of a file, or one of them.
    fn read<T>(
        &self,
        mut origin: Origin,
        contents: Result<Contents<'_>, SourceError>,
        work: &WorkOnGame<'_, T>,
        done: &mut Vec<T>,
    ) {
        let options = origin.options(self.options);
        let games = match contents {
            Ok(Contents::File(file)) => self.notation.read_file(file, &options),
            Ok(Contents::Game(game)) => self.notation.read(game, &options),
            Err(error) => return done.push(work(&origin, Err(error))),
        };
        if games.is_empty() {
            return done.push(work(&origin, Err(SourceError::NoGame)));
        }
        for game in games {
            done.push(work(&origin, Ok(game)));
            origin.number += 1;
        }
    }
}
