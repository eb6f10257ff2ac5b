//! Games on many threads, handed over in the order of their numbers.

use super::{Openings, Player, Recipe};
use crate::TrainingGame;
use eval::Evaluator;
use platform::workers::Workers;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Who plays games, how, and from where.
#[derive(Clone, Copy)]
pub struct SelfPlay<'a> {
    /// How games are played.
    pub recipe: &'a Recipe,
    /// Where some of them begin.
    pub openings: &'a Openings,
    /// Who plays them.
    pub evaluation: &'a Evaluator,
    /// On how many threads.
    pub threads: usize,
}

/// Whether games are still wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Play on.
    More,
    /// Finish those in play.
    Last,
    /// Leave them.
    None,
}

impl SelfPlay<'_> {
    /// Plays the games of these numbers; `take` gets each in its turn with the nodes of all searches so far, and ends it
    /// all by failing.
    pub fn play<E>(
        &self,
        numbers: Range<u64>,
        wanted: &(dyn Fn() -> Wanted + Sync),
        mut take: impl FnMut(TrainingGame, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let (nodes, abandon) = (AtomicU64::new(0), AtomicBool::new(false));
        let workers = Workers { name: "generate", threads: self.threads, abandon: &abandon };
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
