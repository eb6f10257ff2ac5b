//! Many games on many threads, written in the order of their numbers.

use super::{Openings, Player, Recipe};
use crate::TeacherGame;
use crate::pack::{PackError, PackWriter};
use eval::Evaluator;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// When a series ends.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Number of the first game.
    pub first_game: u64,
    /// After so many games, those that are there already counted.
    pub games: u64,
    /// After so much time, with the games that are in play then.
    pub time: Option<Duration>,
    /// How many threads.
    pub threads: usize,
}

/// How far a series has come.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Progress {
    /// Games written, those of earlier runs counted.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Positions of this run.
    pub new_positions: u64,
    /// Nodes of this run.
    pub nodes: u64,
    /// Time of this run.
    pub elapsed: Duration,
}

/// How a series ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// What there is now.
    pub progress: Progress,
    /// Bytes of an unfinished block that an earlier run had left.
    pub cut: u64,
}

/// A series of games: where it is kept, and how its games are played.
pub struct Series<'a> {
    /// The folder of the packs.
    pub folder: &'a Path,
    /// What their names begin with.
    pub name: &'a str,
    /// How games are played.
    pub recipe: &'a Recipe,
    /// Where some of them begin.
    pub openings: &'a Openings,
    /// Who plays them.
    pub evaluation: &'a Evaluator,
}

impl Series<'_> {
    /// Plays it, or goes on with it, in the packs `folder/name-0000.pack` and so on. `report` hears of every game that has
    /// been written; setting `stop` ends it with the games in play.
    pub fn play(
        &self,
        limits: Limits,
        stop: &AtomicBool,
        mut report: impl FnMut(&Progress),
    ) -> Result<Summary, PackError> {
        let &Self { folder, name, recipe, openings, evaluation } = self;
        let start = Instant::now();
        let (mut writer, resumed) = PackWriter::open(folder, name)?;
        let mut progress =
            Progress { games: resumed.games, positions: resumed.positions, ..Progress::default() };
        let next_game = AtomicU64::new(resumed.games);
        let (nodes, abandon) = (AtomicU64::new(0), AtomicBool::new(false));
        let over = || stop.load(Relaxed) || limits.time.is_some_and(|time| start.elapsed() >= time);
        let (sender, receiver) = mpsc::channel::<(u64, TeacherGame)>();
        let written = std::thread::scope(|scope| {
            for thread in 0..limits.threads.max(1) {
                let (sender, evaluation) = (sender.clone(), evaluation.clone());
                let (next_game, nodes, abandon, over) = (&next_game, &nodes, &abandon, &over);
                let work = move || {
                    let Ok(mut player) = Player::new(recipe, openings, evaluation, abandon) else { return };
                    let mut before = 0;
                    while !over() {
                        let number = next_game.fetch_add(1, Relaxed);
                        if number >= limits.games {
                            break;
                        }
                        let Some(game) = player.play(limits.first_game + number) else { break };
                        nodes.fetch_add(player.nodes() - before, Relaxed);
                        before = player.nodes();
                        if sender.send((number, game)).is_err() {
                            break;
                        }
                    }
                };
                // With fewer threads it only takes longer.
                let _ = std::thread::Builder::new()
                    .name(format!("generate-{thread}"))
                    .stack_size(STACK)
                    .spawn_scoped(scope, work);
            }
            drop(sender);
            let mut early = BTreeMap::new();
            for (number, game) in receiver {
                early.insert(number, game);
                while let Some(game) = early.remove(&progress.games) {
                    if let Err(error) = writer.push(&game) {
                        abandon.store(true, Relaxed);
                        return Err(error);
                    }
                    progress.games += 1;
                    progress.positions += game.moves.len() as u64;
                    progress.new_positions += game.moves.len() as u64;
                    progress.nodes = nodes.load(Relaxed);
                    progress.elapsed = start.elapsed();
                    report(&progress);
                }
            }
            Ok(())
        });
        written?;
        writer.finish()?;
        progress.elapsed = start.elapsed();
        Ok(Summary { progress, cut: resumed.cut })
    }
}

/// As much as a thread of the search has.
const STACK: usize = 16 << 20;
