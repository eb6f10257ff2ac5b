//! What to search, and until when.

use crate::Value;

/// Decides when a search has had its time. Called from all threads, every few hundred nodes.
pub trait Timer: Sync {
    /// Stop at once.
    fn must_stop(&self) -> bool;

    /// What to do after an iteration.
    fn after_iteration(&self, progress: &Progress) -> Next;
}

/// How a search goes on after an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// It ends.
    Stop,
    /// There is some time left, but hardly enough for another ply: looks once more, not deeper.
    Again,
    /// One ply deeper.
    Deeper,
}

/// How an iteration went.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Its depth.
    pub depth: usize,
    /// How many iterations in a row have had the same best move.
    pub stable_iterations: u32,
    /// Decayed count of changes of the best move.
    pub best_changes: f64,
    /// The part of all nodes that was spent on the best move, 0 to 1.
    pub effort: f64,
    /// The value of the best move.
    pub value: Value,
    /// The value some iterations before.
    pub earlier_value: Value,
    /// The value that the last search of the game has led to expect.
    pub expected_value: Option<Value>,
    /// There is nothing to choose from.
    pub only_move: bool,
}

/// No limit of time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Timer for Unlimited {
    fn must_stop(&self) -> bool {
        false
    }

    fn after_iteration(&self, _: &Progress) -> Next {
        Next::Deeper
    }
}

/// What to think about.
#[derive(Clone, Debug)]
pub struct Task<P, M> {
    /// The position.
    pub position: P,
    /// Only these moves, if any are given.
    pub only: Vec<M>,
    /// Not deeper than this.
    pub depth: Option<usize>,
    /// Not more nodes than this.
    pub nodes: Option<u64>,
}

impl<P, M> Task<P, M> {
    /// All moves of a position, without limits.
    pub fn new(position: P) -> Self {
        Self { position, only: Vec::new(), depth: None, nodes: None }
    }
}

/// How to think.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Number of threads.
    pub threads: usize,
    /// How many lines to report.
    pub lines: usize,
    /// Value of a draw for the side to move at the root when it is Black, and when it is White.
    pub draw_value: [i32; 2],
    /// Leave out pointless non-promotions.
    pub promotions: game::Promotions,
    /// Report values that are only bounds, too, while they are looked for again.
    pub report_fails: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            lines: 1,
            draw_value: [0; 2],
            promotions: game::Promotions::Sensible,
            report_fails: false,
        }
    }
}
