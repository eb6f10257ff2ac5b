//! Positions visited by the engine's searches, which a network has to evaluate in play.

use super::unscored;
use crate::corpus::{self, CorpusError};
use crate::generate::thinker::{Abandoned, Effort, Thinker};
use crate::{DataError, DataFile, TrainingGame};
use eval::Evaluator;
use platform::Random;
use platform::workers::Workers;
use search::BestMove;
use shogi::{Color, Move, PackedSfenValue, Position};
use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Searches positions of games and keeps some of the positions that the searches visit.
///
/// The result for a game depends only on the evaluation, these settings and the number of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visited {
    /// Seed of the random choices.
    pub seed: u64,
    /// A search ends after the iteration that reaches this number of nodes.
    pub nodes: u64,
    /// Number of positions to keep per search.
    pub each: usize,
    /// One of this many positions is searched.
    pub every: usize,
    /// Megabytes of the table.
    pub hash: usize,
}

/// The positions kept of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VisitedOfGame {
    /// Visited positions: distinct, and none of the game's own.
    pub records: Vec<PackedSfenValue>,
    /// Number of searches.
    pub searches: u64,
    /// Number of nodes.
    pub nodes: u64,
}

impl Default for Visited {
    fn default() -> Self {
        Self { seed: 1, nodes: 60, each: 4, every: 1, hash: 8 }
    }
}

/// A walk ends after each step with a probability of one in this many.
const STEPS: usize = 3;
/// Number of walks per position to keep: some end at the same position.
const WALKS: usize = 2;

impl Visited {
    /// Searches games on several threads; `take` receives the positions of each, in the order of the games.
    pub fn search<E: From<F>, F: Send>(
        &self,
        games: impl Iterator<Item = Result<TrainingGame, F>> + Send,
        evaluation: &Evaluator,
        threads: usize,
        mut take: impl FnMut(VisitedOfGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let abandon = AtomicBool::new(false);
        let workers = Workers::new("visit", threads, &abandon);
        let make_worker = || {
            let thinker = Thinker::new(evaluation.clone(), self.hash, &abandon).ok()?;
            let mut visitor = Visitor { settings: self, thinker };
            Some(move |(number, game): (u64, Result<TrainingGame, F>)| {
                game.map(|game| visitor.visit(number, &game).ok()).transpose()
            })
        };
        workers.work_in_order((0..).zip(games), make_worker, || (), |visited| take(visited?))
    }

    /// Writes the positions visited by searches of at most `games` games in `files`; `report` is called after each game.
    pub fn write(
        &self,
        files: Vec<PathBuf>,
        games: usize,
        evaluation: &Evaluator,
        threads: usize,
        out: DataFile<'_>,
        mut report: impl FnMut(&VisitProgress),
    ) -> Result<VisitProgress, DataError> {
        let mut progress = VisitProgress::default();
        let start = Instant::now();
        let games = games_of(files).take(games);
        let written = out.write_with(|writer| {
            self.search(games, evaluation, threads, |of_game| {
                writer.push(&of_game.records)?;
                progress.games += 1;
                progress.positions += of_game.records.len() as u64;
                progress.searches += of_game.searches;
                progress.nodes += of_game.nodes;
                progress.elapsed = start.elapsed();
                report(&progress);
                Ok(())
            })
        });
        match written {
            Err(DataError::NoPositions) => Err(DataError::NothingVisited),
            written => written.map(|_| progress),
        }
    }
}

/// The games of files, in order.
fn games_of(files: Vec<PathBuf>) -> impl Iterator<Item = Result<TrainingGame, CorpusError>> + Send {
    files.into_iter().flat_map(|file| {
        let (games, failed) = match corpus::games(&file) {
            Ok(games) => (Some(games), None),
            Err(error) => (None, Some(Err(error))),
        };
        games.into_iter().flatten().chain(failed)
    })
}

/// The progress of [`Visited::write`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VisitProgress {
    games: u64,
    searches: u64,
    nodes: u64,
    positions: u64,
    elapsed: Duration,
}

impl fmt::Display for VisitProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.elapsed.as_secs_f64().max(1e-3);
        write!(
            f,
            "{} games, {} searches, {:.0} nodes/search, {:.0} searches/s, {:.0} positions/s, {} positions",
            self.games,
            self.searches,
            self.nodes as f64 / self.searches.max(1) as f64,
            self.searches as f64 / seconds,
            self.positions as f64 / seconds,
            self.positions
        )
    }
}

struct Visitor<'a> {
    settings: &'a Visited,
    thinker: Thinker<'a>,
}

impl Visitor<'_> {
    fn visit(&mut self, number: u64, game: &TrainingGame) -> Result<VisitedOfGame, Abandoned> {
        let &Visited { seed, nodes, each, every, .. } = self.settings;
        let mut random = Random::new(seed ^ Random::new(number).next());
        self.thinker.begin_game();
        let nodes_before = self.thinker.nodes();
        let mut found = VisitedOfGame::default();
        let mut known = keys_of(game);
        let mut position = game.start.clone();
        let every = every.max(1);
        let first = random.below(every);
        for (place, scored) in game.moves.iter().enumerate() {
            if place % every == first {
                let best = self.thinker.think(&position, Effort { nodes, depth: None, multi_pv: 1 })?;
                // Positions that are already decided are not searched.
                if matches!(best, BestMove::Play { .. }) {
                    found.searches += 1;
                    found.records.extend(self.gather(&mut position, each, &mut known, &mut random));
                }
            }
            position.do_move(scored.played);
        }
        found.nodes = self.thinker.nodes() - nodes_before;
        Ok(found)
    }

    /// The ends of some random walks from a position, without known ones.
    fn gather(
        &self,
        position: &mut Position,
        each: usize,
        known: &mut HashSet<u64>,
        random: &mut Random,
    ) -> Vec<PackedSfenValue> {
        let first_moves = self.seen_moves(position);
        let mut records = Vec::with_capacity(each);
        for _ in 0..WALKS * each {
            if records.len() == each {
                break;
            }
            let steps = self.walk(position, first_moves.clone(), random);
            if steps > 0 && known.insert(position.key()) {
                records.extend(unscored(position, ply_of(position)));
            }
            (0..steps).for_each(|_| position.undo_move());
        }
        records
    }

    /// Walks along moves to positions that the search has visited; returns the number of steps.
    fn walk(&self, position: &mut Position, first_moves: Vec<Move>, random: &mut Random) -> usize {
        let (mut steps, mut moves) = (0, first_moves);
        while !moves.is_empty() {
            position.do_move(moves.swap_remove(random.below(moves.len())));
            if position.outcome().is_some() {
                position.undo_move();
                continue;
            }
            steps += 1;
            if random.below(STEPS) == 0 {
                break;
            }
            moves = self.seen_moves(position);
        }
        steps
    }

    fn seen_moves(&self, position: &Position) -> Vec<Move> {
        let seen = |m: &Move| self.thinker.has_seen(position.key_after(*m));
        position.legal_moves().iter().copied().filter(seen).collect()
    }
}

/// The keys of all positions of a game.
fn keys_of(game: &TrainingGame) -> HashSet<u64> {
    let mut position = game.start.clone();
    let after = game.moves.iter().map(|scored| {
        position.do_move(scored.played);
        position.key()
    });
    after.chain([game.start.key()]).collect()
}

/// The ply of a position, odd if Black is to move, however the game was numbered.
fn ply_of(position: &Position) -> u16 {
    let ply = position.ply().min(u32::from(u16::MAX) - 1);
    let odd = position.side() == Color::Black;
    (ply + u32::from((ply % 2 == 1) != odd)) as u16
}
