//! Generates games of self-play for training.
//!
//! Game number `i` depends only on the evaluation, the [`Recipe`] and `i`: threads share nothing, and table and
//! histories are cleared before each game. The result is therefore the same for any number of threads, a killed series
//! can be resumed, and parts can be generated on several machines.

mod manifest;
mod opening;
mod player;
mod self_play;
mod series;
pub(crate) mod thinker;

pub use manifest::{Manifest, ManifestError};
pub use opening::Openings;
pub use player::Player;
pub use self_play::{SelfPlay, Wanted};
pub use series::{Limits, Progress, Series, Summary};

use serde::{Deserialize, Serialize};

/// Random moves among the engine's at the beginning of a game; the game is recorded from the last of them on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RandomMoves {
    /// The first ply that may be random.
    pub from: u32,
    /// The last one.
    pub to: u32,
    /// Number of random moves.
    pub count: usize,
    /// How they are chosen.
    #[serde(default)]
    pub by: Chance,
}

/// How a random move is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Chance {
    /// Uniformly from all legal moves.
    #[default]
    Legal,
    /// One in `one_in` from the king's moves, half of which get a random reply; otherwise from all.
    Kings {
        /// At least 1.
        one_in: usize,
    },
    /// From the best moves of a search.
    Lines {
        /// Number of moves.
        count: usize,
        /// Maximum difference from the best move's value.
        window: i16,
        /// Depth of the search; `None` for that of other moves.
        depth: Option<usize>,
    },
}

/// The settings of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// The seed of all random choices.
    pub seed: u64,
    /// A search ends after the iteration that reaches this number of nodes.
    pub nodes: u64,
    /// A search ends at this depth.
    pub depth: Option<usize>,
    /// Random depth from [`Recipe::depth`] to this.
    #[serde(default)]
    pub deepest: Option<usize>,
    /// Megabytes of the table.
    pub hash: usize,
    /// Random moves from the start position: this number, or up to two more.
    pub random_plies: usize,
    /// Random moves among the engine's, instead of those at the start.
    #[serde(rename = "strewn", default)]
    pub random_moves: Option<RandomMoves>,
    /// Random moves from a position of the list of openings.
    pub random_plies_after_opening: usize,
    /// Percentage of games that start from the list, if there is one.
    pub opening_percent: u8,
    /// Start positions with a larger score are not used.
    pub start_limit: i16,
    /// A larger score for `decided_plies` ends a game.
    pub score_limit: i16,
    /// Number of successive plies with such a score.
    #[serde(default = "Recipe::usual_decided_plies")]
    pub decided_plies: usize,
    /// The number of moves after which a game is a draw.
    pub max_moves: u32,
    /// Up to this ply, the move is chosen randomly among the best `varied_lines`…
    pub varied_plies: u32,
    /// …whose values are within this of the best; 0 always plays the best.
    pub varied_window: i16,
    /// Number of moves to choose from.
    pub varied_lines: usize,
}

impl Recipe {
    fn usual_decided_plies() -> usize {
        4
    }
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            seed: 1,
            nodes: 1000,
            depth: None,
            deepest: None,
            hash: 8,
            random_plies: 6,
            random_moves: None,
            random_plies_after_opening: 2,
            opening_percent: 50,
            start_limit: 600,
            score_limit: 3000,
            decided_plies: Self::usual_decided_plies(),
            max_moves: 320,
            varied_plies: 30,
            varied_window: 0,
            varied_lines: 3,
        }
    }
}
