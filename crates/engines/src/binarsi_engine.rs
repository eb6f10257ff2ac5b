//! Binarsi's engine: the common search and the solver, in turns.

use crate::{AUTHOR, NAME};
use binarsi::{Binarsi, Estimate, Greedy, Move, Position, Solver, State};
use game::Color;
use platform::Random;
use search::{BestMove, Bound, Line, Next, Progress, Report, Settings, Task, Timer, Value};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use usi::options::{ComboId, Options, PlaySettings};
use usi::{Engine, Mate, MateLimits, MateReport, MateSolver, SearchEngine};

/// Nodes of the solver before the search starts: late positions are decided by then.
const FIRST_NODES: u64 = 100_000;
/// How much more time the solver gets than the search, because its ranking of moves is used where nothing is proved.
const SOLVER_SHARE: u32 = 3;
/// The minimum time of an iteration after which the solver gets a turn.
const SHORTEST_TURN: Duration = Duration::from_millis(5);
/// The solver's share of `USI_Hash` in quarters; the search gets the rest.
const SOLVER_QUARTERS: usize = 3;
const FEWEST_MEGABYTES: usize = 4;
/// Node limit for finding the shortest win; beyond it, the solver's own line is shown.
const SHORTEST_NODES: u64 = 20_000;
/// Node limit for finding the best try in a lost position.
const TRY_NODES: u64 = 2_000_000;
/// Lines are cut after this many plies as long as nothing is proved.
const PROMISING_PLIES: usize = 6;
/// The values of the option `Player`: this program, or the player of the original one.
pub const PLAYERS: [&str; 2] = ["Tsumugi", "Original"];

/// Alternates between the common search and the solver.
pub struct BinarsiEngine {
    search: SearchEngine<Binarsi, Estimate>,
    /// `Player`.
    player: ComboId,
    solver: Solver,
    /// The size of the solver's table, and its threads.
    made_with: (usize, NonZeroUsize),
    /// The original program's player, used instead if selected for comparison.
    original: Option<Greedy>,
}

impl BinarsiEngine {
    /// An engine with small tables until it is prepared.
    pub fn new(options: &mut Options) -> Self {
        let made_with = (FEWEST_MEGABYTES, NonZeroUsize::MIN);
        let solver = Solver::new(made_with.0, made_with.1).expect("there are a few megabytes of memory");
        let search = SearchEngine::new(NAME, AUTHOR, Estimate, options);
        let help = "who plays: this program, or the player of the original one";
        let player = options.combo("Player", PLAYERS[0], &PLAYERS, help);
        Self { search, player, solver, made_with, original: None }
    }

    /// Selects one of [`PLAYERS`].
    pub fn choose_player(&mut self, player: &str) {
        if player == PLAYERS[1] {
            self.original.get_or_insert_with(|| Greedy::new(Random::fresh_seed()));
        } else {
            self.original = None;
        }
    }

    /// Sets the total size of both tables.
    pub fn resize(&mut self, megabytes: usize, threads: NonZeroUsize) -> Result<(), String> {
        let part = (megabytes / 4 * SOLVER_QUARTERS).max(FEWEST_MEGABYTES);
        self.search.set_tables((megabytes / 4).max(1), threads.get());
        if self.made_with != (part, threads) {
            let solver = Solver::new(part, threads);
            self.solver = solver.map_err(|error| format!("no memory for USI_Hash {megabytes}: {error}"))?;
            self.solver.touch();
            self.made_with = (part, threads);
        }
        Ok(())
    }

    /// The report of a proof.
    fn proven(
        &self,
        state: &State,
        try_nodes: u64,
        timer: &dyn Timer,
        start: Instant,
        nodes_before: u64,
    ) -> Option<Report<Move>> {
        let winner = self.solver.decided(state)?;
        let moves = if winner == state.side() {
            self.proven_line(state, timer)
        } else {
            self.best_try(state, try_nodes, timer)
        };
        if moves.is_empty() {
            return None;
        }
        let mate = Value::mate_in(moves.len());
        let value = if winner == state.side() { mate } else { -mate };
        let depth = moves.len();
        let line = Line { value, bound: Bound::Exact, moves, selective_depth: depth };
        Some(Report {
            depth,
            lines: vec![line],
            nodes: self.solver.nodes() - nodes_before,
            elapsed: start.elapsed(),
            table_fullness: 0,
        })
    }

    /// The line of the shortest win if it is found in time, else of the proof.
    fn proven_line(&self, state: &State, timer: &dyn Timer) -> Vec<Move> {
        let shortest = self.solver.shortest(state, SHORTEST_NODES, || timer.must_stop());
        shortest.unwrap_or_else(|| self.solver.line(state))
    }

    /// The line after the move of a lost position that is hardest to refute.
    fn best_try(&self, state: &State, nodes: u64, timer: &dyn Timer) -> Vec<Move> {
        let best = self.solver.best_try(state, nodes, || timer.must_stop());
        best.map_or_else(Vec::new, |m| {
            let mut line = vec![m];
            line.extend(self.proven_line(&state.after(m), timer));
            line
        })
    }

    /// The solver's best move with its line, where nothing is proved. Where the solver has not visited the position,
    /// the search decides.
    fn promising(&self, state: &State, mut report: Report<Move>) -> Report<Move> {
        if !self.solver.visited(state) {
            return report;
        }
        let (best, log_odds) = self.solver.ranked(state)[0];
        let mut moves = vec![best];
        let mut after = state.after(best);
        while moves.len() < PROMISING_PLIES && self.solver.visited(&after) {
            let m = self.solver.ranked(&after)[0].0;
            moves.push(m);
            after = after.after(m);
        }
        let depth = moves.len();
        let value = Value::new((log_odds * 100.0) as i32);
        report.lines = vec![Line { value, bound: Bound::Exact, moves, selective_depth: depth }];
        report
    }

    /// Corrects the lines of a search by the solver's proofs.
    fn corrected(&self, state: &State, mut report: Report<Move>) -> Report<Move> {
        for line in &mut report.lines {
            let after = state.after(line.moves[0]);
            let Some(winner) = self.solver.known(&after) else { continue };
            if line.value.plies_to_mate().is_some() {
                continue;
            }
            line.moves.truncate(1);
            line.moves.extend(self.solver.line(&after));
            let mate = Value::mate_in(line.moves.len());
            line.value = if winner == state.side() { mate } else { -mate };
            line.bound = Bound::Exact;
        }
        report.lines.sort_by_key(|line| -line.value);
        report
    }
}

/// The search prunes, so a mate that it reports is certain only if the solver has proved it. Others are shown as the best
/// or worst evaluation.
fn with_proved_mates_only(solver: &Solver, state: &State, report: &Report<Move>) -> Report<Move> {
    let mut report = report.clone();
    for line in &mut report.lines {
        let Some(plies) = line.value.plies_to_mate() else { continue };
        let claimed = if plies > 0 { state.side() } else { !state.side() };
        if solver.known(&state.after(line.moves[0])) != Some(claimed) {
            line.value = Value::new(if plies > 0 { i32::MAX } else { -i32::MAX });
        }
    }
    report
}

/// The proof's line first, followed by the search's other lines.
fn led_by(proof: Report<Move>, searched: Report<Move>, multi_pv: usize) -> Report<Move> {
    let first = proof.lines[0].moves[0];
    let others = searched.lines.into_iter().filter(|line| line.moves[0] != first);
    Report { lines: proof.lines.into_iter().chain(others).take(multi_pv).collect(), ..searched }
}

/// A timer that lets the solver work after each iteration of the search.
struct InTurns<'a> {
    timer: &'a dyn Timer,
    solver: &'a Solver,
    state: State,
    /// How much more time the solver gets than the search.
    share: u32,
    /// The end of the solver's last turn.
    since: Mutex<Instant>,
}

impl InTurns<'_> {
    /// Whether the position is decided.
    fn decided(&self) -> bool {
        self.solver.decided(&self.state).is_some()
    }
}

impl Timer for InTurns<'_> {
    fn must_stop(&self) -> bool {
        self.timer.must_stop()
    }

    fn after_iteration(&self, progress: &Progress) -> Next {
        let Ok(mut since) = self.since.lock() else { return Next::Stop };
        let turn = since.elapsed();
        if turn >= SHORTEST_TURN {
            // `decided` finds a proof in the table below.
            let _ = prove(self.solver, &self.state, u64::MAX, turn * self.share, self.timer);
            *since = Instant::now();
        }
        if self.decided() { Next::Stop } else { self.timer.after_iteration(progress) }
    }
}

/// Runs the solver until a limit of nodes or time.
fn prove(solver: &Solver, state: &State, nodes: u64, time: Duration, timer: &dyn Timer) -> Option<Color> {
    let watch = |progress: &binarsi::Progress| {
        if timer.must_stop() || progress.elapsed >= time {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    solver.search(state, nodes, watch).ok()
}

/// The report of a move that was found without search.
fn unsearched(m: Move) -> Report<Move> {
    let line = Line { value: Value::new(0), bound: Bound::Exact, moves: vec![m], selective_depth: 0 };
    Report { depth: 0, lines: vec![line], nodes: 0, elapsed: Duration::ZERO, table_fullness: 0 }
}

fn play(report: Report<Move>) -> BestMove<Move> {
    let line = &report.lines[0].moves;
    BestMove::Play { best: line[0], ponder: line.get(1).copied(), report }
}

impl Engine<Binarsi> for BinarsiEngine {
    fn name(&self) -> String {
        Engine::name(&self.search)
    }

    fn author(&self) -> String {
        self.search.author()
    }

    /// Only the search starts a new game: the solver's results are true in every game.
    fn base(&mut self) -> Option<&mut dyn Engine<Binarsi>> {
        Some(&mut self.search)
    }

    fn prepare(
        &mut self,
        settings: &PlaySettings,
        options: &Options,
        note: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        self.search.prepare(settings, options, note)?;
        self.choose_player(options.get(self.player).word);
        let threads = NonZeroUsize::new(self.search.startable_threads()).unwrap_or(NonZeroUsize::MIN);
        if let Err(message) = self.resize(settings.hash_megabytes, threads) {
            note(&format!("Error! {message}; the former table stays"));
        }
        Ok(())
    }

    fn think(
        &mut self,
        task: &Task<Position, Move>,
        settings: &Settings,
        timer: &dyn Timer,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> BestMove<Move> {
        let state = *task.position.state();
        if let Some(best) = self.original.as_mut().and_then(|original| original.choose(&state)) {
            return play(unsearched(best));
        }
        if !task.only.is_empty() || state.ending().is_some() {
            return self.search.think(task, settings, timer, report);
        }
        let (start, nodes) = (Instant::now(), self.solver.nodes());
        let first = task.nodes.map_or(FIRST_NODES, |nodes| nodes / 2);
        let mut decided = prove(&self.solver, &state, first, Duration::MAX, timer).is_some();
        let mut searched = None;
        if !decided || settings.multi_pv > 1 {
            // With several lines the search matters more.
            let share = if settings.multi_pv > 1 { 1 } else { SOLVER_SHARE };
            let since = Mutex::new(Instant::now());
            let in_turns = InTurns { timer, solver: &self.solver, state, share, since };
            let limited = task.nodes.is_some() || task.depth.is_some() || decided;
            let timer = if limited { timer } else { &in_turns };
            let mut shown = |seen: &Report<Move>| report(&with_proved_mates_only(&self.solver, &state, seen));
            searched = Some(self.search.think(task, settings, timer, &mut shown));
            decided = in_turns.decided();
        }
        match searched {
            Some(BestMove::Play { report: last, .. }) if settings.multi_pv > 1 => {
                let last = self.corrected(&state, with_proved_mates_only(&self.solver, &state, &last));
                let last = match self.proven(&state, TRY_NODES, timer, start, nodes) {
                    Some(proof) => led_by(proof, last, settings.multi_pv),
                    None => last,
                };
                report(&last);
                play(last)
            }
            Some(BestMove::Play { report: mut last, .. }) if !decided => {
                last.nodes += self.solver.nodes() - nodes;
                let promising = self.promising(&state, last);
                report(&promising);
                play(promising)
            }
            Some(searched) if !decided => searched,
            _ => {
                match self.proven(&state, task.nodes.unwrap_or(TRY_NODES).min(TRY_NODES), timer, start, nodes)
                {
                    Some(proof) => {
                        report(&proof);
                        play(proof)
                    }
                    None => searched.unwrap_or_else(|| self.search.think(task, settings, timer, report)),
                }
            }
        }
    }

    fn set_tables(&mut self, megabytes: usize, threads: usize) {
        // If there is not enough memory, the old tables stay.
        let _ = self.resize(megabytes, self.made_with.1);
        self.search.set_tables((megabytes / 4).max(1), threads);
    }

    fn mate_solver(&mut self) -> Option<&mut dyn MateSolver<Binarsi>> {
        Some(self)
    }
}

impl MateSolver<Binarsi> for BinarsiEngine {
    fn solve_mate(
        &mut self,
        position: &Position,
        limits: &MateLimits,
        timer: &dyn Timer,
        _: &mut dyn FnMut(MateReport<Move>),
    ) -> Mate<Move> {
        let state = position.state();
        let time = limits.time.map_or(Duration::MAX, |time| Duration::from_millis(time.0));
        match prove(&self.solver, state, limits.nodes.unwrap_or(u64::MAX), time, timer) {
            Some(winner) if winner == state.side() => Mate::Found(self.proven_line(state, timer)),
            Some(_) => Mate::NoMate,
            None => Mate::Timeout,
        }
    }
}
