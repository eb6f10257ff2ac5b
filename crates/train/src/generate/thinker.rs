//! Short searches of successive positions.

use eval::Evaluator;
use search::{BestMove, Next, Progress, Searcher, Settings, Task, Timer};
use shogi::{Move, Position};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Searches positions of games.
pub(crate) struct Thinker<'a> {
    searcher: Searcher<Position, Evaluator>,
    abandon: &'a AtomicBool,
    /// Nodes of all searches.
    nodes: u64,
}

/// The limits of a search.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// It ends after the iteration that reaches this number of nodes.
    pub(crate) nodes: u64,
    /// It ends at this depth.
    pub(crate) depth: Option<usize>,
    /// Number of moves to find.
    pub(crate) multi_pv: usize,
}

/// The search was abandoned.
pub(crate) struct Abandoned;

/// A timer that ends a search after the iteration that reaches the limit of nodes.
struct SoftLimit<'a> {
    limit: u64,
    searched: AtomicU64,
    abandon: &'a AtomicBool,
}

impl Timer for SoftLimit<'_> {
    fn must_stop(&self) -> bool {
        self.abandon.load(Relaxed)
    }

    fn after_iteration(&self, _: &Progress) -> Next {
        if self.searched.load(Relaxed) >= self.limit { Next::Stop } else { Next::Deeper }
    }
}

/// An iteration is cut off at this multiple of the limit.
const PATIENCE: u64 = 8;

impl<'a> Thinker<'a> {
    /// A thinker with a table of `megabytes`.
    pub(crate) fn new(evaluation: Evaluator, megabytes: usize, abandon: &'a AtomicBool) -> io::Result<Self> {
        Ok(Self { searcher: Searcher::new(evaluation, megabytes.max(1))?, abandon, nodes: 0 })
    }

    /// Nodes of all searches so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Clears table and histories.
    pub(crate) fn begin_game(&mut self) {
        self.searcher.clear(1);
    }

    /// Whether a search of this game has visited a position.
    pub(crate) fn has_seen(&self, key: u64) -> bool {
        self.searcher.table().contains(key)
    }

    /// Searches a position.
    pub(crate) fn think(&mut self, position: &Position, effort: Effort) -> Result<BestMove<Move>, Abandoned> {
        let settings = Settings { multi_pv: effort.multi_pv.max(1), ..Settings::default() };
        let task = Task {
            depth: effort.depth,
            nodes: Some(effort.nodes.saturating_mul(PATIENCE)),
            ..Task::new(position.clone())
        };
        let timer = SoftLimit { limit: effort.nodes, searched: AtomicU64::new(0), abandon: self.abandon };
        let found = self
            .searcher
            .think(&task, &settings, &timer, |report| timer.searched.store(report.nodes, Relaxed));
        if let BestMove::Play { report, .. } = &found {
            self.nodes += report.nodes;
        }
        if self.abandon.load(Relaxed) { Err(Abandoned) } else { Ok(found) }
    }
}
