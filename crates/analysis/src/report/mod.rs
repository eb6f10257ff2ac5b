//! The results as JSON for programs and as one page for people.

mod page;

use crate::assess::Assessed;
use crate::effort::Effort;
use crate::judgement::{THRESHOLDS, WIN_RATE_SCALE};
pub use page::html;
use serde::Serialize;

/// What was analysed, and how.
pub struct Run<'a> {
    /// The engine's name.
    pub engine: String,
    /// How much was thought about each position.
    pub effort: Effort,
    /// The games.
    pub games: &'a [Assessed],
}

/// How results were made, above the games in both files.
#[derive(Serialize)]
struct Head<'a> {
    format: &'static str,
    version: u32,
    program: &'static str,
    engine: &'a str,
    limit: String,
    lines: usize,
    mate_nodes: u64,
    win_rate_scale: f64,
    /// From which losses on a move is an inaccuracy, a mistake, a blunder.
    thresholds: [f64; 3],
}

impl<'a> Head<'a> {
    fn of(run: &'a Run<'_>) -> Self {
        Self {
            format: "tsumugi-analysis",
            version: 1,
            program: concat!("Tsumugi ", env!("CARGO_PKG_VERSION")),
            engine: &run.engine,
            limit: run.effort.limit.to_string(),
            lines: run.effort.lines,
            mate_nodes: run.effort.mate_nodes,
            win_rate_scale: WIN_RATE_SCALE,
            thresholds: THRESHOLDS,
        }
    }
}

#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    games: &'a [Assessed],
}

/// The results as JSON.
pub fn json(run: &Run<'_>) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&Whole { head: Head::of(run), games: run.games })? + "\n")
}
