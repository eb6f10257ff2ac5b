//! Our own search as the one that thinks for books.

use crate::{BookMove, ThinkError, Thinker, Wanted};
use eval::Evaluator;
use game::Evaluation;
use search::{BestMove, Searcher, Settings, Task, Unlimited, Value};
use shogi::{Move, Position};

/// How long to think about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Depth at most; the book says of the moves what was reached.
    pub depth: u32,
    /// Nodes, if there is a limit.
    pub nodes: Option<u64>,
    /// How many moves.
    pub lines: usize,
}

impl Effort {
    /// Which positions are worth it.
    #[must_use]
    pub fn wanted(self) -> Wanted {
        Wanted { depth: self.depth as i32, lines: self.lines, any_depth: self.nodes.is_some() }
    }
}

/// What a book says instead of a count for moves that were thought: 100 times the version of this program.
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
    /// A thinker with a table of so many megabytes.
    pub fn new(evaluation: &Evaluator, megabytes: usize, effort: Effort) -> Result<Self, ThinkError> {
        let searcher = Searcher::new(evaluation.clone(), megabytes.max(1))
            .map_err(|error| ThinkError::Thinker(format!("no memory for the table: {error}")))?;
        Ok(Self { searcher, effort })
    }
}

impl Thinker for OwnThinker {
    fn think(&mut self, position: &Position) -> Result<Vec<BookMove>, String> {
        // Without this a book would depend on where its making was interrupted.
        self.searcher.clear(1);
        let task = Task {
            depth: Some(self.effort.depth as usize),
            nodes: self.effort.nodes,
            ..Task::new(position.clone())
        };
        let settings = Settings { lines: self.effort.lines, ..Settings::default() };
        let BestMove::Play { report, .. } = self.searcher.think(&task, &settings, &Unlimited, |_| ()) else {
            return Ok(Vec::new());
        };
        let hundred = <Evaluator as Evaluation<Position>>::HUNDRED_CENTIPAWNS;
        let line = |line: &search::Line<Move>| BookMove {
            play: line.moves.first().copied(),
            reply: line.moves.get(1).copied(),
            value: centipawns(line.value, hundred),
            depth: report.depth as i32,
            count: version_count(),
        };
        Ok(report.lines.iter().map(line).collect())
    }
}

/// Mates stay what they are, everything else is in centipawns.
fn centipawns(value: Value, hundred: i32) -> i32 {
    if value.plies_to_mate().is_some() { value.get() } else { value.get() * 100 / hundred.max(1) }
}
