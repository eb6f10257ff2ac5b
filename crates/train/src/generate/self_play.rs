//! Plays games on many threads and returns them in the order of their numbers.

use super::{Openings, Player, Recipe};
use crate::TrainingGame;
use eval::Evaluator;
use platform::workers::Workers;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Settings of self-play.
#[derive(Clone, Copy)]
pub struct SelfPlay<'a> {
    /// The settings of games.
    pub recipe: &'a Recipe,
    /// Openings for some of them.
    pub openings: &'a Openings,
    /// The evaluation.
    pub evaluation: &'a Evaluator,
    /// Number of threads.
    pub threads: usize,
}

/// Whether more games are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Continue.
    More,
    /// Finish the current games.
    Last,
    /// Abandon them.
    None,
}

impl SelfPlay<'_> {
    /// Plays the games with these numbers. `take` receives each in order, with the nodes of all searches so far; an
    /// error from it ends everything.
    pub fn play<E>(
        &self,
        numbers: Range<u64>,
        wanted: &(dyn Fn() -> Wanted + Sync),
        mut take: impl FnMut(TrainingGame, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let (nodes, abandon) = (AtomicU64::new(0), AtomicBool::new(false));
        let workers = Workers::new("generate", self.threads, &abandon);
        let make_worker = || {
            let mut player =
                Player::new(self.recipe, self.openings, self.evaluation.clone(), &abandon).ok()?;
            let nodes = &nodes;
            Some(move |number| {
                let before = player.nodes();
                let game = player.play(number)?;
                nodes.fetch_add(player.nodes() - before, Relaxed);
                Some(game)
            })
        };
        let look_around = || {
            if wanted() == Wanted::None {
                abandon.store(true, Relaxed);
            }
        };
        let numbers = numbers.take_while(|_| wanted() == Wanted::More);
        workers.work_in_order(numbers, make_worker, look_around, |game| take(game, nodes.load(Relaxed)))
    }
}
