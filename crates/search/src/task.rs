//! What to search, and when to stop.

use crate::Value;

/// Decides when to stop. All threads call it every few hundred nodes.
pub trait Timer: Sync {
    /// Stop at once.
    fn must_stop(&self) -> bool;

    /// What to do after an iteration.
    fn after_iteration(&self, progress: &Progress) -> Next;
}

/// What follows an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The search ends.
    Stop,
    /// Another iteration at the same depth: the remaining time would hardly suffice for a deeper one.
    Again,
    /// An iteration one ply deeper.
    Deeper,
}

/// Data of a completed iteration.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Its depth.
    pub depth: usize,
    /// How many iterations in a row have had the same best move.
    pub stable_iterations: u32,
    /// Decayed count of changes of the best move.
    pub best_changes: f64,
    /// The share of all nodes spent on the best move, 0 to 1.
    pub effort: f64,
    /// The value of the best move.
    pub value: Value,
    /// The value some iterations before.
    pub earlier_value: Value,
    /// The value expected after the last search of the game.
    pub expected_value: Option<Value>,
    /// Whether there is only one move.
    pub only_move: bool,
}

/// A timer without limits.
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

/// What to search.
#[derive(Clone, Debug)]
pub struct Task<P, M> {
    /// The position.
    pub position: P,
    /// Only these moves, if not empty (`searchmoves`).
    pub only: Vec<M>,
    /// Maximum depth.
    pub depth: Option<usize>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
}

impl<P, M> Task<P, M> {
    /// All moves of a position, without limits.
    pub fn new(position: P) -> Self {
        Self { position, only: Vec::new(), depth: None, nodes: None }
    }
}

/// How to search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Number of threads.
    pub threads: usize,
    /// How many principal variations to search and report (`MultiPV`).
    pub multi_pv: usize,
    /// Value of a draw for the side to move at the root when it is Black, and when it is White.
    pub draw_value: [i32; 2],
    /// Which optional promotions to leave out.
    pub promotions: game::Promotions,
    /// Whether to report fail highs and fail lows as well.
    pub report_fails: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            multi_pv: 1,
            draw_value: [0; 2],
            promotions: game::Promotions::Sensible,
            report_fails: false,
        }
    }
}
