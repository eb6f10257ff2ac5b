//! Solves a position for hours: progress, limits, checkpoints, and a report.

use super::checkpoint::CheckpointError;
use super::{Progress, Solver, Standing, Unsolved};
use crate::board::Board;
use crate::state::{Moves, State};
use game::Color;
use platform::{FileError, atomic_file};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Settings of [`solve`].
#[derive(Clone, Debug)]
pub struct SolveSettings {
    /// Size of the table.
    pub megabytes: usize,
    /// Threads of the search.
    pub threads: NonZeroUsize,
    /// Loaded if it exists, and written at intervals.
    pub checkpoint: Option<PathBuf>,
    /// Time between checkpoints.
    pub interval: Duration,
    /// Maximum number of entries in a checkpoint.
    pub checkpoint_entries: usize,
    /// Limit of time.
    pub time: Option<Duration>,
    /// Limit of nodes.
    pub nodes: Option<u64>,
    /// Written when the position is decided.
    pub certificate: Option<PathBuf>,
    /// Whether to decide every legal move, not only the position.
    pub all: bool,
    /// Time between two lines of progress.
    pub progress: Duration,
}

/// Why solving failed.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// Not enough memory for the table.
    #[error("no memory for {megabytes} MB")]
    NoMemory {
        /// Its size.
        megabytes: usize,
        /// What the system reports.
        source: io::Error,
    },
    /// The checkpoint cannot be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The position does not occur in games.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
    /// The certificate cannot be written.
    #[error("cannot write the certificate")]
    Certificate(#[source] FileError),
    /// The report cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Solves a position. Progress goes to `log`, where write errors are ignored; the report goes to `out`.
pub fn solve(
    board: &Board,
    settings: &SolveSettings,
    log: &mut dyn Write,
    out: &mut dyn Write,
) -> Result<(), SolveError> {
    let (state, megabytes) = (board.state(), settings.megabytes);
    let solver = Solver::new(megabytes, settings.threads)
        .map_err(|source| SolveError::NoMemory { megabytes, source })?;
    if let Some(path) = settings.checkpoint.as_ref().filter(|path| path.exists()) {
        let count = solver.load(path)?;
        let _ = writeln!(log, "resumed: {count} positions from {}", path.display());
    }
    let now = Instant::now();
    let (before, nodes) = (solver.nodes(), settings.nodes.unwrap_or(u64::MAX));
    let mut run = Run { settings, solver: &solver, log, start: now, shown: now, saved: now, fault: None };
    let winner = match solver.search(state, nodes, |progress| run.watch(progress)) {
        Ok(winner) => Some(winner),
        Err(Unsolved::Stopped) => None,
        Err(unsolvable @ Unsolved::NoRectangle) => return Err(unsolvable.into()),
    };
    if settings.all && winner.is_some() {
        let mut moves = Moves::new();
        state.moves(&mut moves);
        for m in &moves {
            // Moves that are not decided in time are reported as open.
            let _ = solver.search(&state.after(m), nodes, |progress| run.watch(progress));
        }
    }
    run.save()?;
    run.fault.take().map_or(Ok(()), Err)?;
    if let (Some(path), Some(_)) = (&settings.certificate, winner) {
        let certificate = solver.certificate(board)?;
        atomic_file::write(path, &certificate.to_bytes()).map_err(SolveError::Certificate)?;
        let _ = writeln!(log, "certificate: {} positions in {}", certificate.len(), path.display());
    }
    report(out, &solver, state, winner)?;
    let (nodes, seconds) = (solver.nodes() - before, now.elapsed().as_secs_f64());
    writeln!(out, "nodes {nodes}, {seconds:.3} s, {:.0} per second", nodes as f64 / seconds.max(1e-9))?;
    Ok(())
}

/// A running search.
struct Run<'a> {
    settings: &'a SolveSettings,
    solver: &'a Solver,
    log: &'a mut dyn Write,
    start: Instant,
    shown: Instant,
    saved: Instant,
    fault: Option<SolveError>,
}

impl Run<'_> {
    fn watch(&mut self, progress: &Progress) -> ControlFlow<()> {
        if self.shown.elapsed() >= self.settings.progress {
            self.shown = Instant::now();
            let _ = writeln!(self.log, "{progress}");
        }
        if self.saved.elapsed() >= self.settings.interval
            && let Err(error) = self.save()
        {
            self.fault = Some(error.into());
            return ControlFlow::Break(());
        }
        let over = self.settings.time.is_some_and(|time| self.start.elapsed() >= time);
        if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn save(&mut self) -> Result<(), CheckpointError> {
        if let Some(path) = &self.settings.checkpoint {
            let count = self.solver.save(path, self.settings.checkpoint_entries)?;
            let _ = writeln!(self.log, "checkpoint: {count} positions in {}", path.display());
        }
        self.saved = Instant::now();
        Ok(())
    }
}

fn report(out: &mut dyn Write, solver: &Solver, state: &State, winner: Option<Color>) -> io::Result<()> {
    match winner {
        Some(winner) => writeln!(out, "{winner} wins")?,
        None => writeln!(out, "not decided")?,
    }
    let mut standings = solver.standings(state);
    standings.sort_by_key(|(m, _)| m.to_string());
    for (m, standing) in standings {
        match standing {
            Standing::Decided(winner) => writeln!(out, "{m}: {winner} wins")?,
            Standing::Open { win, loss } => writeln!(out, "{m}: open (to win {win}, to lose {loss})")?,
        }
    }
    if winner.is_some() {
        let line: Vec<_> = solver.line(state).iter().map(ToString::to_string).collect();
        writeln!(out, "line {}", line.join(" "))?;
    }
    Ok(())
}
