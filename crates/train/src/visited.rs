//! Positions that the engine's own search comes to: when it plays, those are what a network is asked about.

use crate::TeacherGame;
use crate::generate::thinker::{Abandoned, Effort, Thinker};
use crate::stray::unjudged;
use eval::Evaluator;
use platform::Random;
use platform::workers::Workers;
use search::BestMove;
use shogi::{Color, Move, Position, TeacherRecord};
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// Searches positions of games and keeps some of those that the searches have visited. Nobody knows their scores: a teacher
/// that judges positions has to give them some.
///
/// What comes of a game depends on the evaluation, the numbers here and the game's place among the games alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visited {
    /// What all chance comes from.
    pub seed: u64,
    /// A search ends with the iteration that reaches so many nodes.
    pub nodes: u64,
    /// So many positions are kept of each search, if it has visited as many.
    pub each: usize,
    /// One position of so many is searched.
    pub every: usize,
    /// Megabytes of the table.
    pub hash: usize,
}

/// What a game has led to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VisitedOfGame {
    /// Positions that were visited, none of them twice, and none of the game's own.
    pub records: Vec<TeacherRecord>,
    /// How many positions were searched.
    pub searches: u64,
    /// With how many nodes.
    pub nodes: u64,
}

impl Default for Visited {
    fn default() -> Self {
        Self { seed: 1, nodes: 60, each: 4, every: 1, hash: 8 }
    }
}

/// One step of so many is a walk's last.
const STEPS: usize = 3;
/// For each position that is wanted, so many walks may be made; some end where others have ended.
const WALKS: usize = 2;

impl Visited {
    /// Searches games on several threads; `take` gets what each has led to, in the order of the games.
    pub fn search<E: From<F>, F: Send>(
        &self,
        games: impl Iterator<Item = Result<TeacherGame, F>> + Send,
        evaluation: &Evaluator,
        threads: usize,
        mut take: impl FnMut(VisitedOfGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let abandon = AtomicBool::new(false);
        let workers = Workers { name: "visit", threads, abandon: &abandon };
        let make_worker = || {
            let thinker = Thinker::new(evaluation.clone(), self.hash, &abandon).ok()?;
            let mut visitor = Visitor { settings: self, thinker };
            Some(move |(number, game): (u64, Result<TeacherGame, F>)| {
                game.map(|game| visitor.visit(number, &game).ok()).transpose()
            })
        };
        workers.work_in_order((0..).zip(games), make_worker, || (), |visited| take(visited?))
    }
}

struct Visitor<'a> {
    settings: &'a Visited,
    thinker: Thinker<'a>,
}

impl Visitor<'_> {
    fn visit(&mut self, number: u64, game: &TeacherGame) -> Result<VisitedOfGame, Abandoned> {
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
                let best = self.thinker.think(&position, Effort { nodes, depth: None, lines: 1 })?;
                // A position that is won or lost as it stands is not searched.
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

    /// Where some walks from a position end, apart from what is known already.
    fn gather(
        &self,
        position: &mut Position,
        each: usize,
        known: &mut HashSet<u64>,
        random: &mut Random,
    ) -> Vec<TeacherRecord> {
        let first_moves = self.seen_moves(position);
        let mut records = Vec::with_capacity(each);
        for _ in 0..WALKS * each {
            if records.len() == each {
                break;
            }
            let steps = self.walk(position, first_moves.clone(), random);
            if steps > 0 && known.insert(position.key()) {
                records.extend(unjudged(position, ply_of(position)));
            }
            (0..steps).for_each(|_| position.undo_move());
        }
        records
    }

    /// Walks along moves whose positions the search has seen; tells how many they were.
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
fn keys_of(game: &TeacherGame) -> HashSet<u64> {
    let mut position = game.start.clone();
    let after = game.moves.iter().map(|scored| {
        position.do_move(scored.played);
        position.key()
    });
    after.chain([game.start.key()]).collect()
}

/// The ply of a position, from which can be told who is to move, whatever the game was counted from.
fn ply_of(position: &Position) -> u16 {
    let ply = position.ply().min(u32::from(u16::MAX) - 1);
    let odd = position.side() == Color::Black;
    (ply + u32::from((ply % 2 == 1) != odd)) as u16
}
