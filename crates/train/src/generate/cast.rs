//! Games on many threads, handed over in the order of their numbers.

use super::{Openings, Player, Recipe};
use crate::TeacherGame;
use eval::Evaluator;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Who plays games, how, and from where.
#[derive(Clone, Copy)]
pub struct Cast<'a> {
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

/// How long it may take to notice that games are not wanted.
const PAUSE: Duration = Duration::from_millis(50);

impl Cast<'_> {
    /// Plays the games of these numbers; `take` gets each in its turn with the nodes of all searches so far, and ends it
    /// all by failing.
    pub fn play<E>(
        &self,
        numbers: Range<u64>,
        wanted: &(dyn Fn() -> Wanted + Sync),
        mut take: impl FnMut(TeacherGame, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let next_game = AtomicU64::new(numbers.start);
        let (nodes, abandon) = (AtomicU64::new(0), AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel::<(u64, TeacherGame)>();
        std::thread::scope(|scope| {
            for thread in 0..self.threads.max(1) {
                let (sender, evaluation) = (sender.clone(), self.evaluation.clone());
                let (next_game, nodes, abandon) = (&next_game, &nodes, &abandon);
                let work = move || {
                    let player = Player::new(self.recipe, self.openings, evaluation, abandon);
                    let Ok(mut player) = player else { return };
                    let mut before = 0;
                    while wanted() == Wanted::More {
                        let number = next_game.fetch_add(1, Relaxed);
                        if number >= numbers.end {
                            break;
                        }
                        let Some(game) = player.play(number) else { break };
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
            let (mut early, mut due) = (BTreeMap::new(), numbers.start);
            loop {
                match receiver.recv_timeout(PAUSE) {
                    Ok((number, game)) => drop(early.insert(number, game)),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
                if wanted() == Wanted::None {
                    abandon.store(true, Relaxed);
                }
                while let Some(game) = early.remove(&due) {
                    due += 1;
                    if let Err(error) = take(game, nodes.load(Relaxed)) {
                        abandon.store(true, Relaxed);
                        return Err(error);
                    }
                }
            }
        })
    }
}

/// As much as a thread of the search has.
const STACK: usize = 16 << 20;
