//! The choice of a move at a level.
//!
//! First a mate that a player of this level finds; then a search of all moves with low depth; then a few candidates
//! drawn by plausibility, with some probability including the best move of that search; then a shallow search that
//! compares them; last a choice by values with random errors, without clearly bad moves. The result depends only on the
//! position, the level and the seed.

use super::Level;
use super::plausibility::plausibility;
use super::strength::Strength;
use game::{Evaluation, MoveSet, Searchable};
use platform::Random;
use search::{
    BestMove, Bound, ForcedLimits, ForcedMate, Line, Report, Searcher, Settings, Task, Timer, Value,
    solve_forced,
};
use std::io;
use std::time::Instant;

/// The size of the table for searches with so few nodes, in MiB.
const MEGABYTES: usize = 1;
/// The depth of the search of all moves.
const GLANCE: usize = 1;
/// Positions for finding a mate, per ply of its length squared.
const MATE_NODES: u64 = 60;
/// The memory for finding mates.
const MATE_BYTES: usize = 4 << 20;
/// Values beyond so many centipawns do not differ for a player with random errors.
const PLAINLY_WON: f64 = 3000.0;

/// Plays at levels, with its own tables: results of searches at full strength must not make it stronger.
pub(crate) struct LevelPlayer<P: Searchable, E> {
    searcher: Searcher<P, E>,
}

impl<P: Searchable + Sync, E: Evaluation<P> + Clone> LevelPlayer<P, E> {
    /// A player with this evaluation; fails without enough memory.
    pub(crate) fn new(evaluation: E) -> io::Result<Self> {
        Ok(Self { searcher: Searcher::new(evaluation, MEGABYTES)? })
    }

    /// Prepares for a new game.
    pub(crate) fn new_game(&mut self) {
        self.searcher.clear(1);
    }

    /// The move of a player of this level.
    pub(crate) fn think(
        &mut self,
        level: Level,
        seed: u64,
        task: &Task<P, P::Move>,
        settings: &Settings,
        timer: &dyn Timer,
    ) -> BestMove<P::Move> {
        let strength = Strength::of(level);
        let mut random = Random::new(Random::new(seed).next() ^ task.position.key());
        let moves = allowed(task, settings);
        if let Some(seen) = seen_mate(&strength, &task.position, &moves, timer) {
            return seen;
        }
        let settings = Settings { threads: 1, report_fails: false, ..settings.clone() };
        let mut only = candidates::<P, E>(&strength, &task.position, &moves, &mut random);
        if only.len() < moves.len() && chance(&mut random) < strength.sight {
            let glance = Task { only: moves, depth: Some(GLANCE), ..task.clone() };
            let settings = Settings { multi_pv: 1, ..settings.clone() };
            match self.searcher.think(&glance, &settings, timer, |_| ()) {
                BestMove::Play { best, .. } if !only.contains(&best) => only.push(best),
                BestMove::Play { .. } => {}
                end => return end,
            }
        }
        let compared = Task {
            depth: Some(task.depth.map_or(strength.depth, |depth| depth.min(strength.depth))),
            nodes: Some(task.nodes.map_or(strength.nodes, |nodes| nodes.min(strength.nodes))),
            position: task.position.clone(),
            only,
        };
        let settings = Settings { multi_pv: strength.lines.min(compared.only.len()).max(1), ..settings };
        match self.searcher.think(&compared, &settings, timer, |_| ()) {
            BestMove::Play { best, ponder, report } => {
                let centipawn = f64::from(E::HUNDRED_CENTIPAWNS) / 100.0;
                choose(&strength, centipawn, best, ponder, report, &mut random)
            }
            end => end,
        }
    }
}

/// The moves to choose from.
fn allowed<P: Searchable>(task: &Task<P, P::Move>, settings: &Settings) -> Vec<P::Move> {
    if !task.only.is_empty() {
        return task.only.clone();
    }
    let mut moves = P::Moves::default();
    task.position.generate(MoveSet::Legal, settings.promotions, &mut moves);
    moves.to_vec()
}

/// A mate that a player of this strength always finds.
fn seen_mate<P: Searchable>(
    strength: &Strength,
    position: &P,
    moves: &[P::Move],
    timer: &dyn Timer,
) -> Option<BestMove<P::Move>> {
    if strength.mate == 0 {
        return None;
    }
    let start = Instant::now();
    let mut nodes = 0;
    let limits = ForcedLimits {
        nodes: Some(MATE_NODES * u64::from(strength.mate * strength.mate)),
        plies: Some(strength.mate),
        bytes: MATE_BYTES,
        stop: &|| timer.must_stop(),
        report: &mut |progress| nodes = progress.nodes,
    };
    let ForcedMate::Mate(line) = solve_forced(position, limits) else { return None };
    let best = line.first().copied().filter(|best| moves.contains(best))?;
    let (ponder, plies) = (line.get(1).copied(), line.len());
    let line =
        Line { value: Value::mate_in(plies), bound: Bound::Exact, moves: line, selective_depth: plies };
    let report =
        Report { depth: plies, lines: vec![line], nodes, elapsed: start.elapsed(), table_fullness: 0 };
    Some(BestMove::Play { best, ponder, report })
}

/// The moves that the player considers.
fn candidates<P: Searchable, E: Evaluation<P>>(
    strength: &Strength,
    position: &P,
    moves: &[P::Move],
    random: &mut Random,
) -> Vec<P::Move> {
    if moves.len() <= strength.candidates {
        return moves.to_vec();
    }
    let centipawn = f64::from(E::HUNDRED_CENTIPAWNS) / 100.0;
    let checks = position.checks();
    let weight = |m: &P::Move| strength.focus * plausibility(position, &checks, *m, centipawn);
    let mut ranked: Vec<(f64, P::Move)> = moves.iter().map(|m| (weight(m) + gumbel(random), *m)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().take(strength.candidates).map(|(_, m)| m).collect()
}

/// Chooses among the lines of a search by values with random errors.
fn choose<M: Copy>(
    strength: &Strength,
    centipawn: f64,
    best: M,
    ponder: Option<M>,
    mut report: Report<M>,
    random: &mut Random,
) -> BestMove<M> {
    let value = |line: &Line<M>| (f64::from(line.value.get()) / centipawn).clamp(-PLAINLY_WON, PLAINLY_WON);
    let Some(top) = report.lines.first().map(value) else { return BestMove::Play { best, ponder, report } };
    let judged = |(index, line): (usize, &Line<M>)| {
        let value = value(line);
        let known = index == 0 || value >= top - strength.worst;
        known.then(|| (value + strength.noise * gumbel(random), index))
    };
    let judged = report.lines.iter().enumerate().filter_map(judged);
    let chosen = judged.max_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, index)| index);
    report.lines.swap(0, chosen);
    let line = &report.lines[0];
    let (best, ponder) = (line.moves.first().copied().unwrap_or(best), line.moves.get(1).copied());
    BestMove::Play { best, ponder, report }
}

/// A random number between 0 and 1, both excluded.
fn chance(random: &mut Random) -> f64 {
    ((random.next() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// Gumbel noise: added to several logarithmic weights, it makes each the largest with a probability proportional to its
/// exponential.
fn gumbel(random: &mut Random) -> f64 {
    -(-chance(random).ln()).ln()
}
