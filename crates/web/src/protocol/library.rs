//! The opening explorer over libraries of games.

use super::{NamedMove, Side};
use serde::{Deserialize, Serialize};

/// Answer to `library.list`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Libraries {
    pub libraries: Vec<LibraryEntry>,
}

/// A library that the server was started with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LibraryEntry {
    /// The name of its file; requests name the library by it.
    pub library: String,
    pub games: u64,
}

/// Answer to `library.explore`: what was played in a position, by whatever moves it was reached.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Explored {
    pub node: u32,
    /// All games that reach the position.
    pub counts: GameCounts,
    /// Games that end here.
    pub ended: u64,
    /// The most frequent move first.
    pub moves: Vec<ExploredMove>,
}

/// The results of some games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct GameCounts {
    pub games: u64,
    /// Games that each side won.
    pub black: u64,
    pub white: u64,
    pub draws: u64,
    /// The average rating of the players to move.
    pub rating: Option<f64>,
}

/// A move that was played in a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExploredMove {
    #[serde(flatten)]
    pub name: NamedMove,
    pub counts: GameCounts,
    /// Games that reach the position after it, also by another order of moves.
    pub reached: u64,
}

/// Answer to `library.games`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LibraryGames {
    /// How many games there are in all.
    pub all: u64,
    /// The game that was added last comes first.
    pub games: Vec<LibraryGame>,
}

/// A game of a library that reaches a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct LibraryGame {
    /// `library.open` takes it.
    pub number: u64,
    /// It reaches the position after so many moves.
    pub ply: u32,
    /// How many moves it has.
    pub moves: u32,
    pub black: String,
    pub white: String,
    pub black_rating: Option<f64>,
    pub white_rating: Option<f64>,
    /// `2024-05-31`
    pub date: Option<String>,
    pub event: String,
    /// 戦型, in Japanese.
    pub opening: String,
    /// The winner; absent for draws and unknown results.
    pub winner: Option<Side>,
    pub draw: bool,
}

/// Answer to `library.open`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LibraryGameOpened {
    pub board: String,
    /// The node after `ply` moves.
    pub node: u32,
    /// What could not be taken over, a sentence each.
    pub notices: Vec<String>,
}
