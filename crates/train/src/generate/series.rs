//! Generates a series of games on many threads, written in the order of their numbers.

use super::{Openings, Recipe, SelfPlay, Wanted};
use crate::pack::{PackError, PackWriter};
use eval::Evaluator;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The limits of a series.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Number of the first game.
    pub first_game: u64,
    /// Number of games, including existing ones.
    pub games: u64,
    /// Time limit; the current games are finished.
    pub time: Option<Duration>,
    /// Number of threads.
    pub threads: usize,
}

/// The progress of a series.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Progress {
    /// Games written, including those of earlier runs.
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

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.elapsed.as_secs_f64().max(1e-3);
        write!(
            f,
            "{} games, {} positions, {:.0} positions/s, {:.0} nodes/position, {:.0} knps",
            self.games,
            self.positions,
            self.new_positions as f64 / seconds,
            self.nodes as f64 / self.new_positions.max(1) as f64,
            self.nodes as f64 / seconds / 1000.0
        )
    }
}

impl Limits {
    /// Estimated time until the limits are reached, if there are any.
    #[must_use]
    pub fn time_left(&self, progress: &Progress) -> Option<Duration> {
        let by_time = self.time.map(|time| time.saturating_sub(progress.elapsed));
        let games = self.games.checked_sub(progress.games).filter(|_| self.games < u64::MAX);
        let by_games = games.map(|games| {
            let each = progress.elapsed.as_secs_f64() * progress.positions as f64
                / (progress.new_positions as f64 * progress.games as f64).max(1.0);
            Duration::from_secs_f64((each * games as f64).clamp(0.0, 1e9))
        });
        by_time.into_iter().chain(by_games).min()
    }
}

/// The result of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// The final progress.
    pub progress: Progress,
    /// Bytes of an incomplete block left by an earlier run.
    pub cut: u64,
}

/// A series of games: its location and settings.
pub struct Series<'a> {
    /// The folder of the packs.
    pub folder: &'a Path,
    /// The prefix of their names.
    pub name: &'a str,
    /// The settings of games.
    pub recipe: &'a Recipe,
    /// Openings for some of them.
    pub openings: &'a Openings,
    /// The evaluation.
    pub evaluation: &'a Evaluator,
}

impl Series<'_> {
    /// Plays the series, or continues it, in the packs `folder/name-0000.pack` and so on. `report` is called for every
    /// game written; setting `stop` ends it after the current games.
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
        let wanted = || {
            let over = stop.load(Relaxed) || limits.time.is_some_and(|time| start.elapsed() >= time);
            if over { Wanted::Last } else { Wanted::More }
        };
        let self_play = SelfPlay { recipe, openings, evaluation, threads: limits.threads };
        let numbers = limits.first_game + resumed.games..limits.first_game.saturating_add(limits.games);
        self_play.play(numbers, &wanted, |game, nodes| {
            writer.push(&game)?;
            progress.games += 1;
            progress.positions += game.moves.len() as u64;
            progress.new_positions += game.moves.len() as u64;
            progress.nodes = nodes;
            progress.elapsed = start.elapsed();
            report(&progress);
            Ok::<_, PackError>(())
        })?;
        writer.finish()?;
        progress.elapsed = start.elapsed();
        Ok(Summary { progress, cut: resumed.cut })
    }
}
