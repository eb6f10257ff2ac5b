//! From sources to destination, over several threads, in order.

use super::output::{Destination, Existing, Output, OutputError};
use super::sources::{self, Found, Input, Origin, RawGame, SourceError, Taker};
use super::{Filter, Notice, Summary, zip};
use crate::encoding::{Encoding, decode, encode};
use crate::freeze::{self, NoteStyle};
use crate::variant::{self, AnyVariant, VariantConverted, VariantOrder};
use crate::{Format, Loaded, Loss, ReadError, ReadOptions, WriteOptions, Written, read, read_all, write};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex};

/// What of a game is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// The record.
    Record,
    /// Every position of the main line as SFEN, one to a line.
    Positions,
}

/// Which game the records are of.
#[derive(Clone)]
pub enum Played {
    /// What each record says: the game that its field 棋種 names and this finds, Freeze shogi where there are notes on freezes
    /// (which are written so), else shogi.
    AsTold(NoteStyle, VariantsByName),
    /// Shogi.
    Shogi,
    /// Freeze shogi, with its notes written so.
    Freeze(NoteStyle),
    /// Another game.
    Variant(Arc<dyn AnyVariant>),
}

/// Finds games by their names.
pub type VariantsByName = Arc<dyn Fn(&str) -> Option<Arc<dyn AnyVariant>> + Send + Sync>;

impl Played {
    /// Whether a file can be nothing but shogi; a quick look.
    fn is_surely_shogi(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Shogi => true,
            Self::AsTold(..) => !variant::may_be_named(bytes) && !freeze::may_be_freeze(bytes),
            Self::Freeze(_) | Self::Variant(_) => false,
        }
    }

    /// The game of one record.
    pub fn of(&self, bytes: &[u8]) -> Result<Self, UnknownGame> {
        let Self::AsTold(style, variants) = self else { return Ok(self.clone()) };
        if variant::may_be_named(bytes)
            && let Some(name) = variant::named(&decode(bytes).text)
            && !variant::SHOGI.contains(&name)
        {
            return match variants(name) {
                _ if name == FREEZE => Ok(Self::Freeze(*style)),
                Some(game) => Ok(Self::Variant(game)),
                None => Err(UnknownGame(name.chars().take(40).collect())),
            };
        }
        Ok(if freeze::is_freeze(bytes) { Self::Freeze(*style) } else { Self::Shogi })
    }
}

/// The name of Freeze shogi.
const FREEZE: &str = "freeze";

/// A record of a game that is not known.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("棋種 {0}: no such game; --variant-path FILE with --variant {0} reads it from a variants.ini")]
pub struct UnknownGame(String);

/// A conversion.
#[derive(Clone)]
pub struct Job {
    /// Of which game.
    pub played: Played,
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

/// Is told how it goes.
pub trait Progress: Sync {
    /// Whether anybody looks at the [total](Self::total), which costs a look at every file before the first is read.
    fn wants_total(&self) -> bool {
        true
    }
    /// So many bytes are to be read, as far as that is known.
    fn total(&self, bytes: u64);
    /// So many more were read.
    fn advance(&self, bytes: u64);
    /// Something that the user should know.
    fn warn(&self, message: &str);
    /// Something that could not be converted.
    fn fail(&self, message: &str);
}

/// Nobody listens.
pub struct Silent;

impl Progress for Silent {
    fn wants_total(&self) -> bool {
        false
    }
    fn total(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn warn(&self, _: &str) {}
    fn fail(&self, _: &str) {}
}

/// Why a conversion as a whole failed; bad games and sources only count as failed.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The destination.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Something to work on.
enum Work {
    Game(RawGame),
    /// A file that is small enough to be read by whoever converts it, and its size.
    File(Found, usize),
    Failure(String, String),
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

/// At most so many batches for each thread are on their way.
const BATCHES_PER_THREAD: usize = 4;

/// Keeps the finder from running ahead of what is written.
#[derive(Default)]
struct Window {
    /// Batches written; `None` once nobody writes any more.
    written: Mutex<Option<usize>>,
    moved: Condvar,
}

impl Window {
    fn wait(&self, batch: usize, ahead: usize) -> bool {
        let guard = self.written.lock().expect("no holder panics");
        let guard = self
            .moved
            .wait_while(guard, |w| w.is_some_and(|w| batch >= w + ahead))
            .expect("no holder panics");
        guard.is_some()
    }

    fn set(&self, written: Option<usize>) {
        *self.written.lock().expect("no holder panics") = written;
        self.moved.notify_all();
    }
}

/// Converts; the summary tells what came of it.
pub fn convert(job: &Job, progress: &dyn Progress) -> Result<Summary, ConvertError> {
    let threads = job.threads.max(1);
    let mut output =
        Output::open(&job.destination, job.write, job.content == Content::Positions, job.existing)?;
    let mut summary = Summary::default();
    let window = Window { written: Mutex::new(Some(0)), moved: Condvar::new() };
    let (work_in, work_out) = sync_channel::<(usize, Vec<Work>)>(threads * BATCHES_PER_THREAD);
    let (done_in, done_out) = sync_channel::<(usize, Vec<Done>)>(threads * BATCHES_PER_THREAD);
    let work_out = Mutex::new(work_out);
    let meter = Meter { progress, bytes: AtomicU64::new(0) };
    let result = std::thread::scope(|scope| {
        let finder = scope.spawn(|| find(job, &meter, work_in, &window, threads * BATCHES_PER_THREAD * 2));
        for _ in 0..threads {
            let done_in = done_in.clone();
            let (work_out, meter) = (&work_out, &meter);
            scope.spawn(move || work(job, meter, work_out, &done_in));
        }
        drop(done_in);
        let result = collect(&done_out, &mut output, &mut summary, progress, &window);
        // Lets everybody else come to an end when writing failed.
        window.set(None);
        drop(done_out);
        summary.sources = finder.join().expect("the finder does not panic");
        result
    });
    summary.bytes = meter.bytes.into_inner();
    match result {
        Ok(()) => output.finish()?,
        Err(error) => {
            drop(output);
            return Err(error.into());
        }
    }
    Ok(summary)
}

/// Counts what is read, by whomever.
struct Meter<'a> {
    progress: &'a dyn Progress,
    bytes: AtomicU64,
}

impl Meter<'_> {
    fn count(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.progress.advance(bytes);
    }
}

/// Finds sources and games and hands them on in batches; says how many sources there were.
fn find(
    job: &Job,
    meter: &Meter<'_>,
    work: SyncSender<(usize, Vec<Work>)>,
    window: &Window,
    ahead: usize,
) -> usize {
    let mut files: Vec<Result<Found, (String, SourceError)>> = Vec::new();
    let mut stdin_at = Vec::new();
    for input in &job.inputs {
        match input {
            Input::Stdin => stdin_at.push(files.len()),
            Input::Path(path) => match sources::find(path) {
                Ok(found) => files.extend(found.into_iter().map(Ok)),
                Err(error) => files.push(Err((path.display().to_string(), error))),
            },
        }
    }
    if meter.progress.wants_total() {
        meter.progress.total(files.iter().flatten().filter_map(Found::size).sum());
    }
    let most = (files.len() / (job.threads.max(1) * LEAST_BATCHES)).clamp(1, BATCH_GAMES);
    let mut batch = Batch { items: Vec::new(), most, bytes: 0, number: 0, work, window, ahead, open: true };
    let mut count = |n: u64| meter.count(n);
    let mut sources = 0;
    for (index, file) in files.into_iter().map(Some).chain([None]).enumerate() {
        for _ in stdin_at.iter().filter(|at| **at == index) {
            sources += 1;
            sources::read_stdin(job.read, &mut count, &mut batch);
        }
        match file {
            None => {}
            Some(Err((name, error))) => batch.failure(&name, error),
            Some(Ok(found)) => {
                sources += 1;
                match found.small() {
                    Some(size) => {
                        batch.push(Work::File(found, size), size / UNREAD);
                        batch.send_if(batch.items.len() >= batch.most);
                    }
                    None => sources::read_games(&found, job.read, &mut count, &mut batch),
                }
            }
        }
        if !batch.open {
            break;
        }
    }
    batch.send();
    sources
}

struct Batch<'a> {
    items: Vec<Work>,
    /// With so many files it is complete.
    most: usize,
    bytes: usize,
    number: usize,
    work: SyncSender<(usize, Vec<Work>)>,
    window: &'a Window,
    ahead: usize,
    /// Whether anybody still wants more.
    open: bool,
}

impl Taker for Batch<'_> {
    fn game(&mut self, game: RawGame) -> bool {
        let bytes = game.bytes.len();
        self.push(Work::Game(game), bytes);
        self.open
    }

    fn failure(&mut self, name: &str, error: SourceError) {
        self.items.push(Work::Failure(name.to_owned(), error.to_string()));
    }
}

impl Batch<'_> {
    fn push(&mut self, item: Work, bytes: usize) {
        self.bytes += bytes;
        self.items.push(item);
        self.send_if(self.items.len() >= BATCH_GAMES || self.bytes >= BATCH_BYTES);
    }

    fn send_if(&mut self, complete: bool) {
        if complete {
            self.send();
        }
    }

    fn send(&mut self) {
        let items = std::mem::take(&mut self.items);
        self.bytes = 0;
        if items.is_empty() || !self.open {
            return;
        }
        self.open = self.window.wait(self.number, self.ahead) && self.work.send((self.number, items)).is_ok();
        self.number += 1;
    }
}

fn work(
    job: &Job,
    meter: &Meter<'_>,
    work: &Mutex<Receiver<(usize, Vec<Work>)>>,
    done: &SyncSender<(usize, Vec<Done>)>,
) {
    let mut buffer = Vec::new();
    loop {
        let next = work.lock().expect("no holder panics").recv();
        let Ok((number, items)) = next else { return };
        let mut bench = Bench { job, done: Vec::with_capacity(items.len()) };
        for item in items {
            match item {
                Work::Game(game) => bench.done.extend(each(job, game)),
                Work::File(found, size) => match sources::read_whole(&found.path, size, &mut buffer) {
                    Ok(bytes) => {
                        meter.count(bytes.len() as u64);
                        bench.file(bytes, &found);
                    }
                    Err(error) => bench.fail(&found.shown(), &error),
                },
                Work::Failure(name, error) => bench.fail(&name, &error),
            }
        }
        if done.send((number, bench.done)).is_err() {
            return;
        }
    }
}

/// Where one thread works.
struct Bench<'a> {
    job: &'a Job,
    done: Vec<Done>,
}

impl Bench<'_> {
    /// Converts the games of a file.
    fn file(&mut self, bytes: &[u8], found: &Found) {
        if !self.job.played.is_surely_shogi(bytes) || zip::looks_like(bytes) {
            return sources::take_games(bytes, found, self.job.read, self);
        }
        let options = ReadOptions { promised: Format::of_path(&found.relative), ..self.job.read };
        for (index, read) in read_all(bytes, options).enumerate() {
            let shown = found.shown();
            let origin = Origin { relative: found.relative.clone(), shown, number: index + 1 };
            let converted = read.map(|loaded| of_shogi(self.job, &loaded)).map_err(|error| error.to_string());
            self.done.push(outcome(self.job, origin, converted));
        }
    }

    fn fail(&mut self, name: &str, error: &dyn std::fmt::Display) {
        self.done.push(Done::Failed(format!("{name}: {error}")));
    }
}

impl Taker for Bench<'_> {
    fn game(&mut self, game: RawGame) -> bool {
        self.done.extend(each(self.job, game));
        true
    }

    fn failure(&mut self, name: &str, error: SourceError) {
        self.fail(name, &error);
    }
}

/// Converts the game of some bytes, or the games, where only its own reader can tell them apart.
fn each(job: &Job, game: RawGame) -> Vec<Done> {
    let RawGame { origin, bytes, promised } = game;
    let converted = match job.played.of(&bytes) {
        Err(error) => Err(error.to_string()),
        Ok(Played::Variant(variant)) => return of_variant(job, &origin, &bytes, &*variant),
        Ok(Played::Freeze(style)) => of_freeze(job, &bytes, style).map_err(|error| error.to_string()),
        Ok(Played::Shogi | Played::AsTold(..)) => {
            let options = ReadOptions { promised, ..job.read };
            let loaded = read(&bytes, &options).map_err(|error| error.to_string());
            loaded.map(|loaded| of_shogi(job, &loaded))
        }
    };
    vec![outcome(job, origin, converted)]
}

fn outcome(job: &Job, origin: Origin, converted: Result<Option<Converted>, String>) -> Done {
    let about = |told: &dyn std::fmt::Display| match origin.number {
        1 => format!("{}: {told}", origin.shown),
        number => format!("{} game {number}: {told}", origin.shown),
    };
    let Converted { written: Written { bytes, losses }, moves, warnings } = match converted {
        Ok(Some(converted)) => converted,
        Ok(None) => return Done::Filtered,
        Err(error) => return Done::Failed(about(&error)),
    };
    let named = |Notice { kind, text }: Notice| Notice { kind, text: about(&text) };
    let warnings = warnings.into_iter().map(named).collect();
    let unexpected: Vec<String> =
        losses.iter().filter(|loss| !loss.is_expected(job.write.format)).map(ToString::to_string).collect();
    let lost =
        (!unexpected.is_empty()).then(|| about(&format_args!("not written: {}", unexpected.join(", "))));
    Done::Written(Box::new(Game { origin, bytes, losses, moves, warnings, lost }))
}

/// A game as it will be written.
struct Converted {
    written: Written,
    moves: usize,
    warnings: Vec<Notice>,
}

/// `None` if the filter wants nothing of it.
fn of_shogi(job: &Job, loaded: &Loaded) -> Option<Converted> {
    if !job.filter.passes(&loaded.record) {
        return None;
    }
    let mut warnings: Vec<Notice> = loaded.faults.iter().map(Notice::from).collect();
    if loaded.damaged {
        let text = format!("some bytes are no {} text", loaded.encoding);
        warnings.push(Notice { kind: "damaged text", text });
    }
    let written = match job.content {
        Content::Record => write(&loaded.record, &job.write),
        Content::Positions => {
            let mut text = String::new();
            for position in loaded.record.positions() {
                let _ = write!(text, "{position}{}", job.write.line_end().as_str());
            }
            positions(text)
        }
    };
    Some(Converted { written, moves: loaded.record.moves().count(), warnings })
}

/// `None` if the filter wants nothing of it.
fn of_freeze(job: &Job, bytes: &[u8], style: NoteStyle) -> Result<Option<Converted>, ReadError> {
    let loaded = freeze::read(bytes, job.read.format)?;
    let record = &loaded.record;
    if !job.filter.passes(&freeze::with_notes(record, style)) {
        return Ok(None);
    }
    let faults = loaded.faults.iter().map(Notice::from);
    let odd = |warning: &freeze::Warning| Notice { kind: warning.kind(), text: warning.to_string() };
    let warnings = faults.chain(loaded.warnings.iter().map(odd)).collect();
    let written = match job.content {
        Content::Record => freeze::write(record, &job.write, style),
        Content::Positions => positions(freeze::positions(record, &job.write)),
    };
    Ok(Some(Converted { written, moves: record.moves().count(), warnings }))
}

fn of_variant(job: &Job, origin: &Origin, bytes: &[u8], variant: &dyn AnyVariant) -> Vec<Done> {
    let order =
        VariantOrder { from: job.read.format, write: job.write, content: job.content, filter: &job.filter };
    let games = match variant.convert(&decode(bytes).text, &order) {
        Ok(games) => games,
        Err(error) => return vec![outcome(job, origin.clone(), Err(error.to_string()))],
    };
    let numbered = games.into_iter().enumerate();
    let done = numbered.map(|(index, VariantConverted { written, moves, warnings })| {
        let origin = Origin { number: origin.number + index, ..origin.clone() };
        outcome(job, origin, Ok(written.map(|written| Converted { written, moves, warnings })))
    });
    done.collect()
}

fn positions(text: String) -> Written {
    Written { bytes: encode(text, Encoding::Utf8).bytes, losses: Vec::new() }
}

/// Puts results in order and writes them.
fn collect(
    done: &Receiver<(usize, Vec<Done>)>,
    output: &mut Output,
    summary: &mut Summary,
    progress: &dyn Progress,
    window: &Window,
) -> Result<(), OutputError> {
    let mut waiting: BTreeMap<usize, Vec<Done>> = BTreeMap::new();
    let mut next = 0;
    while let Ok((number, items)) = done.recv() {
        waiting.insert(number, items);
        while let Some(items) = waiting.remove(&next) {
            for item in items {
                settle(item, output, summary, progress)?;
            }
            next += 1;
            window.set(Some(next));
        }
    }
    Ok(())
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
