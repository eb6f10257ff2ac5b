//! Games of the engine against itself, for data.
//!
//! Game number `i` depends on the evaluation, the [`Recipe`] and `i` alone: threads share nothing, the table and all
//! statistics are forgotten before each game. So a series comes out the same with any number of threads, can be gone on
//! with after a kill, and can be made in parts on several machines.

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

/// Random moves among those of the engine at the beginning of a game; a game is kept from the last of them on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RandomMoves {
    /// The first ply that may be random.
    pub from: u32,
    /// The last one.
    pub to: u32,
    /// How many are.
    pub count: usize,
    /// What they are.
    #[serde(default)]
    pub by: Chance,
}

/// How a random move is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Chance {
    /// From all legal moves alike.
    #[default]
    Legal,
    /// One time in so many from the king's moves, which one time in two are answered at random; else from all.
    Kings {
        /// At least 1.
        one_in: usize,
    },
    /// From the best moves of a search.
    Lines {
        /// How many.
        count: usize,
        /// Only those that are worse than the best by no more than this.
        window: i16,
        /// To this depth, or as deep as others.
        depth: Option<usize>,
    },
}

/// How games are played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// What all chance comes from.
    pub seed: u64,
    /// An iteration that ends with so many nodes searched is the last one.
    pub nodes: u64,
    /// Or this depth.
    pub depth: Option<usize>,
    /// Or a random one from [`Recipe::depth`] to this.
    #[serde(default)]
    pub deepest: Option<usize>,
    /// Megabytes of the table.
    pub hash: usize,
    /// Random moves from the start position: this many, or up to two more.
    pub random_plies: usize,
    /// Instead, moves of the engine with random ones among them.
    #[serde(rename = "strewn", default)]
    pub random_moves: Option<RandomMoves>,
    /// Random moves from a position of the list of openings.
    pub random_plies_after_opening: usize,
    /// Percent of games that begin from the list, if there is one.
    pub opening_percent: u8,
    /// Starts with a larger score are not used.
    pub start_limit: i16,
    /// Scores beyond this decide a game…
    pub score_limit: i16,
    /// …at so many plies in a row.
    #[serde(default = "Recipe::usual_decided_plies")]
    pub decided_plies: usize,
    /// A game of so many moves is a draw.
    pub max_moves: u32,
    /// Up to this ply, one of this many best moves is played…
    pub varied_plies: u32,
    /// …if it is not worse than the best by more than this; 0 always plays the best.
    pub varied_window: i16,
    /// How many moves there are to choose from.
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
