//! `games add`: what is new or has changed is read and committed in steps.

use super::batch::Batch;
use super::prepared::Prepared;
use super::sources::{self, Plan, Wanted};
use super::tidy;
use super::writer::Writer;
use crate::format::directory::{Directory, SegmentPlace};
use crate::format::segment::SourceFile;
use crate::{LibraryError, Rules};
use record::convert::{Input, Origin, Progress, Reading, SourceError};
use record::notation::{Notation, Notice, ReadGame};
use record::{IllegalMoves, ReadOptions};
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What is to be added.
#[derive(Clone, Copy)]
pub struct AddJob<'a> {
    /// Files, folders with all below them, archives, patterns.
    pub inputs: &'a [PathBuf],
    /// How records are read.
    pub notation: &'a dyn Notation,
    /// The rules of all games.
    pub rules: Rules<'a>,
    /// Over how many threads.
    pub threads: usize,
    /// Whether the games of files that are no longer there go, too.
    pub prune: bool,
    /// After so many games they are committed; a run that is killed loses no more.
    pub step: usize,
}

/// Games for each commit unless something else is chosen.
pub const STEP: usize = 1 << 16;

/// And so long between commits, at least where games come slowly.
const MOST_WAIT: Duration = Duration::from_secs(10);

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct AddSummary {
    /// Games that were added.
    pub added: usize,
    /// Games that went, because their files changed or are gone.
    pub removed: usize,
    /// Files that were read.
    pub files: usize,
    /// Files that have not changed since they were read.
    pub unchanged: usize,
    /// Files that are no longer there, whose games stay.
    pub gone: usize,
    /// Games and files that could not be read.
    pub failed: usize,
    /// Games in unchanged files that could not be read then.
    pub known_failures: usize,
    /// Games with moves that were left out, or text that is damaged.
    pub faulty: usize,
    /// Games in the library now.
    pub games: u64,
}

impl fmt::Display for AddSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        write!(f, "{} added from {}", plural(self.added, "game"), plural(self.files, "file"))?;
        let others = [
            (self.unchanged, "unchanged", "files"),
            (self.removed, "removed", "games"),
            (self.faulty, "with faults", "games"),
            (self.failed, "not readable", ""),
            (self.known_failures, "not readable in unchanged files", "games"),
            (self.gone, "no longer there (--prune removes their games)", "files"),
        ];
        for (count, what, of) in others.into_iter().filter(|other| other.0 > 0) {
            write!(f, ", {count}{}{of} {what}", if of.is_empty() { "" } else { " " })?;
        }
        write!(f, "; {} in the library", self.games)
    }
}

/// Adds games to a library, which is made if there is none. Files that have not changed since they were read are passed over;
/// the games of one that has changed take the place of its earlier ones.
pub fn add(library: &Path, job: &AddJob<'_>, progress: &dyn Progress) -> Result<AddSummary, LibraryError> {
    let mut writer = Writer::open(library, true)?;
    for variant in writer.library().directory().signs.keys() {
        writer.library().check_keys(job.rules, variant)?;
    }
    let plan = sources::plan(writer.library(), job.inputs)?;
    let mut summary = AddSummary {
        unchanged: plan.unchanged,
        known_failures: plan.known_failures,
        failed: plan.failures.len(),
        gone: plan.gone.len(),
        ..AddSummary::default()
    };
    plan.failures.iter().for_each(|failure| progress.fail(failure));
    let mut adding = Adding {
        job,
        writer: &mut writer,
        summary: &mut summary,
        progress,
        plan: &plan,
        state: State::new(),
    };
    adding.read()?;
    if job.prune {
        adding.state.removing.extend(plan.gone.iter().cloned());
        adding.summary.gone = 0;
    }
    adding.commit()?;
    let writer = tidy::tidy(writer, job.threads)?;
    summary.games = writer.library().games();
    Ok(summary)
}

/// A game that was read on some thread, or why there is none.
struct Read {
    input: usize,
    inner: String,
    number: u32,
    shown: String,
    game: Result<Prepared, Failure>,
}

enum Failure {
    /// A file that cannot be read now: it is tried again next time.
    Source(String),
    /// What is in the file is no game.
    Game(String),
}

struct State {
    batch: Batch,
    /// Files whose earlier games go with the next commit.
    removing: HashSet<String>,
    /// The file that games come from, by its number in the plan, and whether it could be read.
    current: Option<(usize, SourceFile, bool)>,
    committed: Instant,
}

impl State {
    fn new() -> Self {
        Self { batch: Batch::new(), removing: HashSet::new(), current: None, committed: Instant::now() }
    }
}

struct Adding<'a, 'b> {
    job: &'a AddJob<'b>,
    writer: &'a mut Writer,
    summary: &'a mut AddSummary,
    progress: &'a dyn Progress,
    plan: &'a Plan,
    state: State,
}

impl Adding<'_, '_> {
    fn read(&mut self) -> Result<(), LibraryError> {
        let inputs: Vec<Input> =
            self.plan.wanted.iter().map(|wanted| Input::Path(wanted.path.clone())).collect();
        let options = ReadOptions { illegal: IllegalMoves::Cut, ..ReadOptions::default() };
        let reading =
            Reading { notation: self.job.notation, inputs: &inputs, options, threads: self.job.threads };
        let wanted: &[Wanted] = &self.plan.wanted;
        let is_new = |origin: &Origin| origin.number > wanted[origin.input].seen as usize;
        let work = |origin: &Origin, game: Result<ReadGame, SourceError>| {
            is_new(origin).then(|| prepare(wanted, origin, game))
        };
        let progress = self.progress;
        reading.run(progress, &is_new, &work, |read: Option<Read>| {
            read.map_or(Ok(()), |read| self.take(&read))
        })?;
        self.leave_file();
        Ok(())
    }

    fn take(&mut self, read: &Read) -> Result<(), LibraryError> {
        if self.state.current.as_ref().is_none_or(|(input, ..)| *input != read.input) {
            self.leave_file();
            self.enter_file(read.input);
        }
        match &read.game {
            Ok(game) => {
                self.state.batch.push(game, &read.inner, read.number);
                self.summary.added += 1;
                self.summary.faulty += usize::from(!game.notices.is_empty());
                for Notice { text, .. } in &game.notices {
                    self.progress.warn(&format!("{}: {text}", read.shown));
                }
            }
            Err(Failure::Source(reason) | Failure::Game(reason)) => {
                self.summary.failed += 1;
                self.progress.fail(&format!("{}: {reason}", read.shown));
            }
        }
        if let Some((_, file, readable)) = &mut self.state.current {
            if let Err(Failure::Source(_)) = read.game {
                *readable = false;
            } else if read.inner.is_empty() {
                // In an archive each file has its own numbers; one that was not finished is read again as a whole.
                file.seen = read.number;
            }
            file.failed += u32::from(read.game.is_err());
        }
        if self.state.batch.len() >= self.job.step || self.state.committed.elapsed() >= MOST_WAIT {
            self.commit()?;
        }
        Ok(())
    }

    fn enter_file(&mut self, input: usize) {
        let file = self.plan.wanted[input].file.clone();
        if self.plan.changed.contains(&file.path) {
            self.state.removing.insert(file.path.clone());
        }
        self.state.batch.file(file.clone());
        self.state.current = Some((input, file, true));
        self.summary.files += 1;
    }

    /// All games of the present file have come.
    fn leave_file(&mut self) {
        if let Some((_, file, readable)) = self.state.current.take()
            && let Some(stored) = self.state.batch.last_file()
        {
            *stored = SourceFile { complete: readable, ..file };
        }
    }

    fn commit(&mut self) -> Result<(), LibraryError> {
        let fresh = State { current: self.state.current.clone(), ..State::new() };
        let State { mut batch, removing, current, .. } = std::mem::replace(&mut self.state, fresh);
        if let Some((_, file, _)) = current {
            // The rest of its games comes with later commits.
            if let Some(stored) = batch.last_file() {
                stored.clone_from(&file);
            }
            self.state.batch.file(file);
        }
        if batch.is_empty() && removing.is_empty() {
            return Ok(());
        }
        let rules = self.job.rules;
        let signs = batch.variants().into_iter().map(|name| Ok((name.to_owned(), rules.sign(name)?)));
        let signs = signs.collect::<Result<Vec<_>, LibraryError>>()?;
        let removed = tidy::games_of(self.writer.library(), &removing);
        self.summary.removed += removed.iter().map(Vec::len).sum::<usize>();
        let threads = self.job.threads;
        let change = |directory: &mut Directory, segment: Option<SegmentPlace>| {
            for (place, mut games) in directory.segments.iter_mut().zip(removed) {
                place.deleted.append(&mut games);
                place.deleted.sort_unstable();
            }
            directory.signs.extend(signs);
            directory.segments.extend(segment);
        };
        self.writer.commit(|sink| batch.write(sink, threads).map(Some), change)
    }
}

fn prepare(wanted: &[Wanted], origin: &Origin, game: Result<ReadGame, SourceError>) -> Read {
    let game = match game {
        Ok(Ok(game)) => Prepared::new(&*game).map_err(Failure::Game),
        Ok(Err(error)) => Err(Failure::Game(error.to_string())),
        Err(error @ (SourceError::NoGame | SourceError::Archive(_))) => Err(Failure::Game(error.to_string())),
        Err(error) => Err(Failure::Source(error.to_string())),
    };
    // What is shown of a file inside an archive is the name of the archive, and then its own.
    let outer = wanted[origin.input].path.to_string_lossy();
    let inner =
        origin.shown.strip_prefix(&*outer).and_then(|rest| rest.strip_prefix('/')).unwrap_or_default();
    let shown = match origin.number {
        1 => origin.shown.clone(),
        number => format!("{} game {number}", origin.shown),
    };
    Read { input: origin.input, inner: inner.to_owned(), number: origin.number as u32, shown, game }
}
