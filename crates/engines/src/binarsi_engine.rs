//! Binarsi's engine: the search that all games share, and the solver beside it.

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
use usi::{Engine, Mate, MateLimits, MateReport, MateSolver, SearchEngine, StaticEval};

/// Nodes that the solver gets before the search begins: late positions are decided by then.
const FIRST_NODES: u64 = 100_000;
/// How much more time the solver gets than the search: its ranking of moves plays where nothing is proved.
const SOLVER_SHARE: u32 = 3;
/// Iterations are not interrupted for less.
const SHORTEST_TURN: Duration = Duration::from_millis(5);
/// The solver's part of `USI_Hash` in quarters; the search gets the rest.
const SOLVER_QUARTERS: usize = 3;
const FEWEST_MEGABYTES: usize = 4;
/// Positions that the shortest win may take to find; longer ones are shown as the solver found them.
const SHORTEST_NODES: u64 = 20_000;
/// Nodes that the best try in a lost position may take to find.
const TRY_NODES: u64 = 2_000_000;
/// Longer lines say nothing while nothing is proven.
const PROMISING_PLIES: usize = 6;
/// The values of the option `Player`: this program, or the player of the original one.
pub const PLAYERS: [&str; 2] = ["Tsumugi", "Original"];

/// Searches for a good move and proves, in turns, who wins.
pub struct BinarsiEngine {
    search: SearchEngine<Binarsi, Estimate>,
    /// `Player`.
    player: ComboId,
    solver: Solver,
    /// Size of the solver's table and its threads.
    made_with: (usize, NonZeroUsize),
    /// Plays instead, to be measured against.
    original: Option<Greedy>,
}

impl BinarsiEngine {
    /// An engine with small tables until it gets ready.
    pub fn new(options: &mut Options) -> Self {
        let made_with = (FEWEST_MEGABYTES, NonZeroUsize::MIN);
        let solver = Solver::new(made_with.0, made_with.1).expect("there are a few megabytes of memory");
        let search = SearchEngine::new(NAME, AUTHOR, Estimate, options);
        let help = "who plays: this program, or the player of the original one";
        let player = options.combo("Player", PLAYERS[0], &PLAYERS, help);
        Self { search, player, solver, made_with, original: None }
    }

    /// Lets one of [`PLAYERS`] play.
    pub fn choose_player(&mut self, player: &str) {
        if player == PLAYERS[1] {
            self.original.get_or_insert_with(|| Greedy::new(Random::fresh_seed()));
        } else {
            self.original = None;
        }
    }

    /// Makes the tables so large together.
    pub fn resize(&mut self, megabytes: usize, threads: NonZeroUsize) -> Result<(), String> {
        let part = (megabytes / 4 * SOLVER_QUARTERS).max(FEWEST_MEGABYTES);
        self.search.set_table_size((megabytes / 4).max(1));
        if self.made_with != (part, threads) {
            let solver = Solver::new(part, threads);
            self.solver = solver.map_err(|error| format!("no memory for USI_Hash {megabytes}: {error}"))?;
            self.solver.touch();
            self.made_with = (part, threads);
        }
        Ok(())
    }

    /// The line that a proof gives, as a report.
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

    /// The shortest win if there is time to find it, else the one that was proven.
    fn proven_line(&self, state: &State, timer: &dyn Timer) -> Vec<Move> {
        let shortest = self.solver.shortest(state, SHORTEST_NODES, || timer.must_stop());
        shortest.unwrap_or_else(|| self.solver.line(state))
    }

    /// The line behind the move of a lost position that is hardest to answer.
    fn best_try(&self, state: &State, nodes: u64, timer: &dyn Timer) -> Vec<Move> {
        let best = self.solver.best_try(state, nodes, || timer.must_stop());
        best.map_or_else(Vec::new, |m| {
            let mut line = vec![m];
            line.extend(self.proven_line(&state.after(m), timer));
            line
        })
    }

    /// The move that the solver holds to be best where nothing is proven, with the line that it looks at; the search has
    /// the last word where the solver has no opinion.
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

    /// Marks the lines of a search that the solver has decided.
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

/// What is proven, and behind it what a search thinks of other moves.
fn led_by(proof: Report<Move>, searched: Report<Move>, lines: usize) -> Report<Move> {
    let first = proof.lines[0].moves[0];
    let others = searched.lines.into_iter().filter(|line| line.moves[0] != first);
    Report { lines: proof.lines.into_iter().chain(others).take(lines).collect(), ..searched }
}

/// Lets the solver work after each iteration of the search.
struct InTurns<'a> {
    timer: &'a dyn Timer,
    solver: &'a Solver,
    state: State,
    /// How much more time the solver gets than the search.
    share: u32,
    /// When the solver's last turn ended.
    since: Mutex<Instant>,
}

impl InTurns<'_> {
    /// Nothing is left to find out.
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

/// Looks for a proof until the nodes or the time are up.
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

    fn game_over(&mut self, result: &str, note: &mut dyn FnMut(&str)) {
        self.search.game_over(result, note);
    }

    fn new_game(&mut self) {
        // What the solver knows is true in every game.
        self.search.new_game();
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
        if !decided || settings.lines > 1 {
            // Several lines are the search's own.
            let share = if settings.lines > 1 { 1 } else { SOLVER_SHARE };
            let since = Mutex::new(Instant::now());
            let in_turns = InTurns { timer, solver: &self.solver, state, share, since };
            let limited = task.nodes.is_some() || task.depth.is_some() || decided;
            let timer = if limited { timer } else { &in_turns };
            let mut shown = |seen: &Report<Move>| report(&with_proved_mates_only(&self.solver, &state, seen));
            searched = Some(self.search.think(task, settings, timer, &mut shown));
            decided = in_turns.decided();
        }
        match searched {
            Some(BestMove::Play { report: last, .. }) if settings.lines > 1 => {
                let last = self.corrected(&state, with_proved_mates_only(&self.solver, &state, &last));
                let last = match self.proven(&state, TRY_NODES, timer, start, nodes) {
                    Some(proof) => led_by(proof, last, settings.lines),
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

    fn set_table_size(&mut self, megabytes: usize) {
        // Without enough memory the old tables stay.
        let _ = self.resize(megabytes, self.made_with.1);
    }

    fn mate_solver(&mut self) -> Option<&mut dyn MateSolver<Binarsi>> {
        Some(self)
    }

    fn static_eval(&mut self) -> Option<&mut dyn StaticEval<Binarsi>> {
        self.search.static_eval()
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
