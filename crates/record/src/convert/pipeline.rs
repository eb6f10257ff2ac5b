//! Converts sources to a destination, on several threads, in order.

use super::output::{Destination, Existing, Output, OutputError};
use super::reading::Reading;
use super::sources::{Input, Origin, SourceError};
use super::{Progress, Summary};
use crate::model::filter::Filter;
use crate::notation::{LoadedGame, Notation, NotationError, Notice, ReadGame};
use crate::text::encoding::{Encoding, encode};
use crate::{Loss, ReadOptions, WriteOptions, Written};
use std::sync::Arc;

/// What to write of each game.
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
    /// The notation of the records' game.
    pub notation: Arc<dyn Notation>,
    /// The sources.
    pub inputs: Vec<Input>,
    /// The destination.
    pub destination: Destination,
    /// What to write of each game.
    pub content: Content,
    /// How to read.
    pub read: ReadOptions,
    /// How to write.
    pub write: WriteOptions,
    /// The games to write.
    pub filter: Filter,
    /// Number of threads, at least one.
    pub threads: usize,
    /// What to do with files that already exist.
    pub existing: Existing,
}

/// The result for an item.
enum Done {
    Written(Box<Game>),
    Filtered,
    Failed(String),
}

/// A game ready to be written.
struct Game {
    origin: Origin,
    bytes: Vec<u8>,
    losses: Vec<Loss>,
    moves: usize,
    /// Moves left out, moves against the rules, invalid bytes.
    warnings: Vec<Notice>,
    /// Information that the format cannot hold, unless that is to be expected.
    lost: Option<String>,
}

/// Converts and returns a summary. Unreadable games and sources are only counted as failed.
pub fn convert(job: &Job, progress: &dyn Progress) -> Result<Summary, OutputError> {
    let positions = job.content == Content::Positions;
    let mut output = Output::open(&job.destination, job.write, positions, job.existing)?;
    let reading =
        Reading { notation: &*job.notation, inputs: &job.inputs, options: job.read, threads: job.threads };
    let mut summary = Summary::default();
    let work = |origin: &Origin, game: Result<ReadGame, SourceError>| match game {
        Ok(game) => Some(converted(job, origin.clone(), game)),
        // A file without a game is not worth a word beside others.
        Err(SourceError::NoGame) => None,
        Err(error) => Some(Done::Failed(format!("{}: {error}", origin.shown))),
    };
    let settle =
        |done: Option<Done>| done.map_or(Ok(()), |done| settle(done, &mut output, &mut summary, progress));
    let read = reading.run(progress, &|_| true, &work, settle)?;
    output.finish()?;
    (summary.sources, summary.bytes) = (read.sources, read.bytes);
    Ok(summary)
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
                // An existing file does not stop the others.
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
