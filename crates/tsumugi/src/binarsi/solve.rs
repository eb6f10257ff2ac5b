//! `tsumugi binarsi solve`: who wins, with a proof that survives a kill.

use anyhow::Context;
use binarsi::{Binarsi, Board, Move, Moves, Progress, Solver, Standing, State, Unsolved};
use game::{Color, Game};
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Prove who wins.
///
/// Progress goes to standard error. With --checkpoint, what was found out is written to a file from time to time and
/// taken up again when the same command is given again.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct SolveArgs {
    /// `startpos` or `sfen SFEN`, then optionally `moves MOVE...`.
    #[arg(default_value = "startpos", num_args = 0.., trailing_var_arg = true)]
    pub position: Vec<String>,
    /// Size of the table in megabytes.
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: u64,
    /// Threads; all cores if not given.
    #[arg(long)]
    pub threads: Option<NonZeroUsize>,
    /// Keep what was found out in this file, and begin with what it holds.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Seconds between checkpoints.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub interval: u64,
    /// Positions that a checkpoint holds at most, the ones with the most work behind them; 16 bytes each.
    #[arg(long, value_name = "NUMBER", default_value_t = 4_000_000)]
    pub checkpoint_entries: usize,
    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<u64>,
    /// Stop after so many nodes.
    #[arg(long)]
    pub nodes: Option<u64>,
    /// Write a proof that `tsumugi binarsi verify` checks, once the position is decided.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Decide every legal move, not only the position.
    #[arg(long)]
    pub all: bool,
}

/// How often progress is shown to a person, and to a file.
const LIVE: Duration = Duration::from_secs(1);
const LOGGED: Duration = Duration::from_secs(30);

struct Watch<'a> {
    args: &'a SolveArgs,
    solver: &'a Solver,
    start: Instant,
    shown: Instant,
    saved: Instant,
    every: Duration,
    fault: Option<anyhow::Error>,
}

impl Watch<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        if self.shown.elapsed() >= self.every {
            self.shown = Instant::now();
            // Progress that nobody can read is no reason to stop.
            let _ = writeln!(io::stderr(), "{}", status(progress));
        }
        if self.saved.elapsed() >= Duration::from_secs(self.args.interval)
            && let Err(error) = self.save()
        {
            self.fault = Some(error);
            return ControlFlow::Break(());
        }
        let over = self.args.time.is_some_and(|time| self.start.elapsed() >= Duration::from_secs(time));
        if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn save(&mut self) -> anyhow::Result<()> {
        if let Some(path) = &self.args.checkpoint {
            let count = self.solver.save(path, self.args.checkpoint_entries)?;
            let _ = writeln!(io::stderr(), "checkpoint: {count} positions in {}", path.display());
        }
        self.saved = Instant::now();
        Ok(())
    }
}

fn status(progress: &Progress) -> String {
    let seconds = progress.elapsed.as_secs_f64();
    format!(
        "{seconds:.0} s, {} nodes, {:.2} million per second, to prove a win {}, a loss {}, table {:.1} % full",
        progress.nodes,
        progress.nodes as f64 / seconds.max(1e-9) / 1e6,
        progress.win,
        progress.loss,
        f64::from(progress.fullness) / 10.0,
    )
}

/// Runs the command.
pub fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let command = args.position.join(" ");
    let position = Binarsi.position_command(&command).with_context(|| format!("bad position '{command}'"))?;
    let state = *position.state();
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = args.threads.unwrap_or(cores);
    let megabytes = usize::try_from(args.memory).context("--memory is too large for this machine")?;
    let solver = Solver::new(megabytes, threads).with_context(|| format!("no memory for {megabytes} MB"))?;
    if let Some(path) = args.checkpoint.as_ref().filter(|path| path.exists()) {
        let count = solver.load(path)?;
        writeln!(io::stderr(), "resumed: {count} positions from {}", path.display())?;
    }
    let now = Instant::now();
    let every = if io::stderr().is_terminal() { LIVE } else { LOGGED };
    let mut watch = Watch { args, solver: &solver, start: now, shown: now, saved: now, every, fault: None };
    let (before, nodes) = (solver.nodes(), args.nodes.unwrap_or(u64::MAX));
    let winner = match solver.search(&state, nodes, |progress| watch.look(progress)) {
        Ok(winner) => Some(winner),
        Err(Unsolved::Stopped) => None,
        Err(unsolvable @ Unsolved::NoRectangle) => return Err(unsolvable.into()),
    };
    if args.all && winner.is_some() {
        decide_all(&solver, &state, nodes, &mut watch);
    }
    watch.save()?;
    if let Some(fault) = watch.fault {
        return Err(fault);
    }
    if let (Some(path), Some(_)) = (&args.certificate, winner) {
        certify(&solver, position.board(), path)?;
    }
    let mut out = io::stdout().lock();
    report(&mut out, &solver, &state, winner)?;
    let (nodes, seconds) = (solver.nodes() - before, now.elapsed().as_secs_f64());
    writeln!(out, "nodes {nodes}, {seconds:.3} s, {:.0} per second", nodes as f64 / seconds.max(1e-9))?;
    Ok(())
}

fn certify(solver: &Solver, board: &Board, path: &Path) -> anyhow::Result<()> {
    let certificate = solver.certificate(board)?;
    platform::atomic_file::write(path, &certificate.to_bytes()).context("cannot write the certificate")?;
    writeln!(io::stderr(), "certificate: {} positions in {}", certificate.len(), path.display())?;
    Ok(())
}

fn decide_all(solver: &Solver, state: &State, nodes: u64, watch: &mut Watch<'_>) {
    let mut moves = Moves::new();
    state.moves(&mut moves);
    for m in &moves {
        // Moves that time does not allow to decide are shown as open.
        let _ = solver.search(&state.after(m), nodes, |progress| watch.look(progress));
    }
}

fn report(out: &mut impl Write, solver: &Solver, state: &State, winner: Option<Color>) -> io::Result<()> {
    match winner {
        Some(winner) => writeln!(out, "{winner} wins")?,
        None => writeln!(out, "not decided")?,
    }
    let text = |moves: Vec<Move>| moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let mut standings = solver.standings(state);
    standings.sort_by_key(|(m, _)| m.to_string());
    for (m, standing) in standings {
        match standing {
            Standing::Decided(winner) => writeln!(out, "{m}: {winner} wins")?,
            Standing::Open { win, loss } => writeln!(out, "{m}: open (to win {win}, to lose {loss})")?,
        }
    }
    if winner.is_some() { writeln!(out, "line {}", text(solver.line(state))) } else { Ok(()) }
}
