//! Searches positions for books with our own engine.

use crate::{BookMove, ThinkError, Thinker, Wanted};
use eval::Evaluator;
use game::Evaluation;
use search::{BestMove, Searcher, Settings, Task, Timer, Unlimited, Value};
use shogi::{Move, Position};

/// Limits of the search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Maximum depth; the book records the depth reached.
    pub depth: u32,
    /// Maximum number of nodes, if any.
    pub nodes: Option<u64>,
    /// Number of moves.
    pub multi_pv: usize,
}

impl Effort {
    /// The positions that such a search would improve.
    #[must_use]
    pub fn wanted(self) -> Wanted {
        Wanted { depth: self.depth as i32, multi_pv: self.multi_pv, any_depth: self.nodes.is_some() }
    }
}

/// The number written as the count of searched moves: 100 times the version of this program.
#[must_use]
pub fn version_count() -> u64 {
    let number = |text: &str| text.parse::<u64>().unwrap_or(0);
    number(env!("CARGO_PKG_VERSION_MAJOR")) * 100 + number(env!("CARGO_PKG_VERSION_MINOR")) * 10
}

/// Our own search on one thread.
pub struct OwnThinker {
    searcher: Searcher<Position, Evaluator>,
    effort: Effort,
}

impl OwnThinker {
    /// A thinker with a table of `megabytes`.
    pub fn new(evaluation: &Evaluator, megabytes: usize, effort: Effort) -> Result<Self, ThinkError> {
        let searcher = Searcher::new(evaluation.clone(), megabytes.max(1))
            .map_err(|error| ThinkError::Thinker(format!("no memory for the table: {error}")))?;
        Ok(Self { searcher, effort })
    }
}

impl OwnThinker {
    /// The best moves of a position, as [`Thinker::think`] finds them unless `timer` stops the search.
    pub fn search(&mut self, position: &Position, timer: &impl Timer) -> Vec<BookMove> {
        // Otherwise the book would depend on where the work was interrupted.
        self.searcher.clear(1);
        let task = Task {
            depth: Some(self.effort.depth as usize),
            nodes: self.effort.nodes,
            ..Task::new(position.clone())
        };
        let settings = Settings { multi_pv: self.effort.multi_pv, ..Settings::default() };
        let BestMove::Play { report, .. } = self.searcher.think(&task, &settings, timer, |_| ()) else {
            return Vec::new();
        };
        let hundred = <Evaluator as Evaluation<Position>>::HUNDRED_CENTIPAWNS;
        let line = |line: &search::Line<Move>| BookMove {
            play: line.moves.first().copied(),
            reply: line.moves.get(1).copied(),
            value: centipawns(line.value, hundred),
            depth: report.depth as i32,
            count: version_count(),
        };
        report.lines.iter().map(line).collect()
    }
}

impl Thinker for OwnThinker {
    fn think(&mut self, position: &Position) -> Result<Vec<BookMove>, String> {
        Ok(self.search(position, &Unlimited))
    }
}

/// Mate values stay, all others become centipawns.
fn centipawns(value: Value, hundred: i32) -> i32 {
    if value.plies_to_mate().is_some() { value.get() } else { value.get() * 100 / hundred.max(1) }
}
