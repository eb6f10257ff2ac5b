//! Proves who wins a position.
//!
//! A game has two possible results and at most 24 moves, so proof-number search applies: `search` follows the cheapest
//! proof, guided by the estimate; `endgame` searches the last moves exhaustively; `table` stores results by exact
//! `key`s; `successors` omits duplicates; `proof` extracts certificates and shortest lines; `trap` chooses moves in
//! lost positions.

mod checkpoint;
mod endgame;
mod key;
mod proof;
mod run;
mod search;
mod successors;
mod table;
mod trap;

pub use checkpoint::CheckpointError;
pub use run::{SolveError, SolveSettings, solve};

use crate::moves::Move;
use crate::state::{Moves, State};
use game::Color;
use key::{Key, canonical};
use search::{Shared, Worker};
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use successors::Rectangle;
use table::{Numbers, Table};

/// Larger than any logarithm of odds, with room below for a resistance.
const CERTAIN: f64 = 1000.0;
/// How often `watch` is called.
const WATCH: Duration = Duration::from_millis(5);

/// Proves who wins.
///
/// ```
/// use binarsi::{Board, Solver};
/// use game::Color;
/// let board: Board = "xxo4/oox4/xxo4/xox4/xxo4/xox4 b 3bd 5//9/4// 10".parse().unwrap();
/// let solver = Solver::new(16, std::num::NonZeroUsize::MIN).unwrap();
/// assert_eq!(solver.winner(board.state()), Ok(Color::Black));
/// ```
pub struct Solver {
    shared: Shared,
    threads: NonZeroUsize,
}

/// Why a position was not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsolved {
    /// The search was stopped.
    #[error("stopped before there was a proof")]
    Stopped,
    /// The stones do not fill a rectangle, which does not occur in games.
    #[error("the solver needs stones that fill a rectangle, as they do in every game")]
    NoRectangle,
}

/// Progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Time since the start.
    pub elapsed: Duration,
    /// Positions searched.
    pub nodes: u64,
    /// Proof number: estimated effort to prove that the side to move wins.
    pub win: u32,
    /// Disproof number: estimated effort to prove that it loses.
    pub loss: u32,
    /// How full the table is, in thousandths.
    pub fullness: u32,
}

impl std::fmt::Display for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = self.elapsed.as_secs_f64();
        write!(
            f,
            "{seconds:.0} s, {} nodes, {:.2} million per second, to prove a win {}, a loss {}, table {:.1} % full",
            self.nodes,
            self.nodes as f64 / seconds.max(1e-9) / 1e6,
            self.win,
            self.loss,
            f64::from(self.fullness) / 10.0,
        )
    }
}

/// The state of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It decides the game for this side.
    Decided(Color),
    /// Estimated efforts to prove that its player wins or loses.
    Open {
        /// To win.
        win: u32,
        /// To lose.
        loss: u32,
    },
}

impl Solver {
    /// A solver with a table of about `megabytes`.
    pub fn new(megabytes: usize, threads: NonZeroUsize) -> io::Result<Self> {
        let bytes = megabytes.max(1).checked_mul(1 << 20).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { shared: Shared::new(Table::new(bytes)?), threads })
    }

    /// Makes the system allocate the table's memory, for which the first search would have to wait.
    pub fn touch(&self) {
        self.shared.table.touch();
    }

    /// Positions searched in all searches so far.
    pub fn nodes(&self) -> u64 {
        self.shared.nodes.load(Relaxed)
    }

    /// The winner, without limits.
    pub fn winner(&self, state: &State) -> Result<Color, Unsolved> {
        self.search(state, u64::MAX, |_| ControlFlow::Continue(()))
    }

    /// The winner, unless the limit of nodes is reached or `watch`, which is called regularly, breaks.
    pub fn search(
        &self,
        state: &State,
        nodes: u64,
        mut watch: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Color, Unsolved> {
        if let Some(winner) = self.decided(state) {
            return Ok(winner);
        }
        Rectangle::of(state).ok_or(Unsolved::NoRectangle)?;
        let start = Instant::now();
        let before = self.nodes();
        let most_nodes = before.saturating_add(nodes);
        self.shared.stop.store(false, Relaxed);
        let company = self.threads.get() > 1;
        let watcher = std::thread::current();
        let verdict = std::thread::scope(|scope| {
            let work = || {
                let numbers = Worker::new(&self.shared, company, most_nodes).solve(state);
                self.shared.stop.store(true, Relaxed);
                watcher.unpark();
                numbers.verdict()
            };
            let start_thread = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
            let workers: Vec<_> = (0..self.threads.get()).map_while(start_thread).collect();
            if workers.is_empty() {
                // No memory, or a limit of the system: the search cannot start.
                self.shared.stop.store(true, Relaxed);
            }
            loop {
                // A worker that finishes sets `stop` and unparks this thread.
                std::thread::park_timeout(WATCH);
                if self.shared.stop.load(Relaxed) {
                    break;
                }
                if watch(&self.progress(state, start, before)).is_break() {
                    self.shared.stop.store(true, Relaxed);
                }
            }
            workers.into_iter().find_map(|worker| worker.join().ok().flatten())
        });
        let wins = verdict.ok_or(Unsolved::Stopped)?;
        Ok(if wins { state.side } else { !state.side })
    }

    fn progress(&self, state: &State, start: Instant, nodes_before: u64) -> Progress {
        let Numbers { win, loss } = self.numbers(state);
        Progress {
            elapsed: start.elapsed(),
            nodes: self.nodes() - nodes_before,
            win,
            loss,
            fullness: self.shared.table.fullness(),
        }
    }

    /// Whether the search has visited the position.
    pub fn visited(&self, state: &State) -> bool {
        state.ending().is_none() && Rectangle::of(state).is_some() && self.stored(state).is_some()
    }

    /// The winner, if no search is needed.
    pub fn known(&self, state: &State) -> Option<Color> {
        if let Some(ending) = state.ending() {
            return Some(ending.winner());
        }
        let wins = self.numbers(state).verdict()?;
        Some(if wins { state.side } else { !state.side })
    }

    /// The winner, if it is known together with the winning move: a full table may have lost that entry.
    pub fn decided(&self, state: &State) -> Option<Color> {
        let winner = self.known(state)?;
        let wins = |(_, standing): &(Move, Standing)| *standing == Standing::Decided(winner);
        let playable =
            winner != state.side || state.ending().is_some() || self.standings(state).iter().any(wins);
        playable.then_some(winner)
    }

    fn numbers(&self, state: &State) -> Numbers {
        if Rectangle::of(state).is_none() {
            return Numbers { win: 1, loss: 1 };
        }
        // Results that are seen at once are not stored, nor positions that were never expanded.
        let stored = self.stored(state);
        stored.or_else(|| search::seen_at_once(state)).unwrap_or_else(|| search::first_guess(state))
    }

    /// The table's entry for a state that fills a rectangle.
    fn stored(&self, state: &State) -> Option<Numbers> {
        let (state, rectangle) = canonical(state);
        self.shared.table.probe(Key::of(&state, rectangle))
    }

    /// The state of each legal move.
    pub fn standings(&self, state: &State) -> Vec<(Move, Standing)> {
        let mut moves = Moves::new();
        if state.ending().is_none() {
            state.moves(&mut moves);
        }
        let standing = |m: Move| {
            let after = state.after(m);
            if let Some(winner) = self.known(&after) {
                return Standing::Decided(winner);
            }
            let Numbers { win, loss } = self.numbers(&after);
            Standing::Open { win: loss, loss: win }
        };
        moves.iter().map(|m| (*m, standing(*m))).collect()
    }

    /// The legal moves with the logarithms of their odds, best first: among proven wins the easiest first, among lost
    /// moves the hardest to refute.
    pub fn ranked(&self, state: &State) -> Vec<(Move, f64)> {
        let rank = |m: Move, standing: Standing| match standing {
            Standing::Decided(winner) if winner == state.side => {
                CERTAIN - f64::from(self.resistance(&state.after(m)))
            }
            Standing::Decided(_) => f64::from(self.resistance(&state.after(m))) - CERTAIN,
            Standing::Open { win, loss } => (f64::from(loss.max(1)) / f64::from(win.max(1))).ln(),
        };
        let mut ranked: Vec<_> =
            self.standings(state).into_iter().map(|(m, standing)| (m, rank(m, standing))).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked
    }

    /// A line from a decided position: the winner plays a proven win, the loser the move that was hardest to refute. It
    /// ends early where the table has lost an entry.
    pub fn line(&self, state: &State) -> Vec<Move> {
        let mut line = Vec::new();
        let mut state = *state;
        while let Some(winner) = self.known(&state).filter(|_| state.ending().is_none()) {
            let standings = self.standings(&state);
            let chosen = if winner == state.side {
                let wins = |standing: &Standing| *standing == Standing::Decided(winner);
                let winning = standings.iter().filter(|(_, standing)| wins(standing)).map(|(m, _)| *m);
                winning.min_by_key(|m| self.resistance(&state.after(*m)))
            } else {
                standings.iter().map(|(m, _)| *m).max_by_key(|m| self.resistance(&state.after(*m)))
            };
            let Some(m) = chosen else { break };
            line.push(m);
            state = state.after(m);
        }
        line
    }

    /// The work spent on a decided position; 0 if the game is over.
    fn resistance(&self, state: &State) -> u16 {
        if state.ending().is_some() {
            return 0;
        }
        let (state, rectangle) = canonical(state);
        let entry = self.shared.table.entry(Key::of(&state, rectangle));
        entry.map_or(1, |entry| u16::from(entry.effort) + 2)
    }
}
