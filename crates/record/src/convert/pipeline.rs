//! From sources to destination, over several threads, in order.

use super::output::{Destination, Existing, Output, OutputError};
use super::sources::{Contents, Input, Item, Origin, Sources};
use super::{Progress, Summary};
use crate::model::filter::Filter;
use crate::notation::{LoadedGame, Notation, NotationError, Notice, ReadGame};
use crate::text::encoding::{Encoding, encode};
use crate::{Loss, ReadOptions, WriteOptions, Written};
use platform::workers::Workers;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What of a game is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// The record.
    Record,
    /// Every position of the main line as SFEN, one to a line.
    Positions,
}

/// A conversion.
#[derive(Clone)]
pub struct Job {
    /// Of which game the records are.
    pub notation: Arc<dyn Notation>,
    /// What to read.
    pub inputs: Vec<Input>,
    /// Where to write.
    pub destination: Destination,
    /// What of each game.
    pub content: Content,
    /// How to read.
    pub read: ReadOptions,
    /// How to write.
    pub write: WriteOptions,
    /// Which games.
    pub filter: Filter,
    /// Over how many threads; at least one.
    pub threads: usize,
    /// What becomes of files that are there already.
    pub existing: Existing,
}

/// Something that was worked on.
enum Done {
    Written(Box<Game>),
    Filtered,
    Failed(String),
}

/// A game that is ready to be written.
struct Game {
    origin: Origin,
    bytes: Vec<u8>,
    losses: Vec<Loss>,
    moves: usize,
    /// Moves that were left out, or are against the rules; bytes that mean nothing.
    warnings: Vec<Notice>,
    /// What the format cannot hold and the user may not expect.
    lost: Option<String>,
}

/// Games travel together, so that passing them on costs little: it wakes another thread.
const BATCH_GAMES: usize = 128;
const BATCH_BYTES: usize = 1 << 16;

/// Of few files each thread still gets so many batches, so that all are busy to the end.
const LEAST_BATCHES: usize = 8;

/// A file that is not in memory yet counts for less.
const UNREAD: usize = 16;

/// Puts items together.
struct Batches<'a> {
    sources: Sources<'a>,
    /// With so many files a batch is complete.
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

/// Converts; the summary tells what came of it. Bad games and sources only count as failed.
pub fn convert(job: &Job, progress: &dyn Progress) -> Result<Summary, OutputError> {
    let threads = job.threads.max(1);
    let positions = job.content == Content::Positions;
    let mut output = Output::open(&job.destination, job.write, positions, job.existing)?;
    let bytes = AtomicU64::new(0);
    let count = |read: u64| {
        bytes.fetch_add(read, Ordering::Relaxed);
        progress.advance(read);
    };
    let sources = Sources::new(&job.inputs, job.read, &count);
    if progress.wants_total() {
        progress.total(sources.size());
    }
    let mut summary = Summary { sources: sources.len(), ..Summary::default() };
    let most_files = (sources.len() / (threads * LEAST_BATCHES)).clamp(1, BATCH_GAMES);
    let worker = || {
        let mut buffer = Vec::new();
        Some(move |items: Vec<Item>| {
            let mut done = Vec::with_capacity(items.len());
            for item in items {
                item.open(&mut buffer, &count, &mut |origin, contents| match contents {
                    Ok(contents) => work(job, &origin, contents, &mut done),
                    Err(error) => done.push(Done::Failed(format!("{}: {error}", origin.shown))),
                });
            }
            Some(done)
        })
    };
    let settle = |done: Vec<Done>| {
        done.into_iter().try_for_each(|item| settle(item, &mut output, &mut summary, progress))
    };
    let workers = Workers { name: "convert", threads, abandon: &AtomicBool::new(false) };
    workers.work_in_order(Batches { sources, most_files }, worker, || (), settle)?;
    output.finish()?;
    summary.bytes = bytes.into_inner();
    Ok(summary)
}

/// Converts the games of a file, or one of them.
fn work(job: &Job, origin: &Origin, contents: Contents<'_>, done: &mut Vec<Done>) {
    let options = origin.options(job.read);
    let games = match contents {
        Contents::File(file) => job.notation.read_file(file, &options),
        Contents::Game(game) => job.notation.read(game, &options),
    };
    for (index, game) in games.into_iter().enumerate() {
        let origin = Origin { number: origin.number + index, ..origin.clone() };
        done.push(converted(job, origin, game));
    }
}

fn converted(job: &Job, origin: Origin, game: ReadGame) -> Done {
    let about = |told: &dyn std::fmt::Display| match origin.number {
        1 => format!("{}: {told}", origin.shown),
        number => format!("{} game {number}: {told}", origin.shown),
    };
    let game = match game {
        Ok(game) if !game.passes(&job.filter) => return Done::Filtered,
        Ok(game) => game,
        Err(error) => return Done::Failed(about(&error)),
    };
    let Written { bytes, losses } = match written(job, &*game) {
        Ok(written) => written,
        Err(error) => return Done::Failed(about(&error)),
    };
    let named = |Notice { kind, text }: Notice| Notice { kind, text: about(&text) };
    let warnings = game.notices().into_iter().map(named).collect();
    let unexpected: Vec<String> =
        losses.iter().filter(|loss| !loss.is_expected(job.write.format)).map(ToString::to_string).collect();
    let lost =
        (!unexpected.is_empty()).then(|| about(&format_args!("not written: {}", unexpected.join(", "))));
    Done::Written(Box::new(Game { origin, bytes, losses, moves: game.move_count(), warnings, lost }))
}

fn written(job: &Job, game: &dyn LoadedGame) -> Result<Written, NotationError> {
    match job.content {
        Content::Record => game.write(&job.write),
        Content::Positions => {
            let text = game.positions(job.write.line_end());
            Ok(Written { bytes: encode(text, Encoding::Utf8).bytes, losses: Vec::new() })
        }
    }
}

fn settle(
    item: Done,
    output: &mut Output,
    summary: &mut Summary,
    progress: &dyn Progress,
) -> Result<(), OutputError> {
    match item {
        Done::Filtered => {
            summary.games += 1;
            summary.filtered += 1;
        }
        Done::Failed(message) => {
            summary.failed += 1;
            progress.fail(&message);
        }
        Done::Written(game) => {
            summary.games += 1;
            summary.faulty += usize::from(!game.warnings.is_empty());
            for Notice { kind, text } in &game.warnings {
                progress.warn(text);
                *summary.kinds.entry(kind).or_default() += 1;
            }
            match output.put(&game.origin, &game.bytes) {
                Ok(()) => {}
                // One name that is taken does not stop the others.
                Err(OutputError::Exists(path)) => {
                    summary.existing += 1;
                    summary.first_existing.get_or_insert(path);
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
            if let Some(lost) = &game.lost {
                progress.warn(lost);
            }
            summary.lose(&game.losses);
            summary.written += 1;
            summary.moves += game.moves as u64;
        }
    }
    Ok(())
}
