//! What the server has to offer: games, formats, engines.

use super::{EngineName, Palette, Side, Words};
use serde::{Deserialize, Serialize};

/// Answer to `about`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct About {
    /// `Tsumugi 0.2.0`.
    pub version: String,
    /// All games, shogi first.
    pub games: Vec<GameName>,
    /// Engines that analyse and play; the first one is ours.
    pub engines: Vec<EngineName>,
    /// How many engines may think at the same time.
    pub engines_at_once: u32,
    /// The strongest level; levels count from 1.
    pub levels: u32,
    /// Whether there is a folder of books.
    pub books: bool,
    /// Whether there is a folder of runs.
    pub runs: bool,
}

/// A game that can be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameName {
    /// As `USI_Variant` has it: `shogi`, `freeze`, `binarsi`, `66shogi`, …
    pub game: String,
    pub name: Words,
    pub files: u8,
    pub ranks: u8,
    /// Start positions by name, the ordinary one first.
    pub starts: Vec<StartName>,
    /// Names of the levels, the weakest first: 15級 … 九段 where its players have ranks.
    pub levels: Vec<Words>,
    /// The formats that its records are written in.
    pub formats: Vec<FormatName>,
    /// Whether mates can be searched and books opened.
    pub tsume: bool,
    pub books: bool,
}

/// A start position: 平手 or a handicap.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StartName {
    pub name: Words,
    /// The position as text.
    pub position: String,
}

/// A format of records or positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FormatName {
    /// `kif`, `ki2`, `csa`, `jkf`, `usi`, `usen`; `sfen`, `bod`, `svg` are positions.
    pub format: String,
    /// Whether it is one position and no game.
    pub position: bool,
    /// The extension of its files, without the dot.
    pub extension: String,
}

/// Answer to `rules`: what stays the same throughout a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rules {
    pub game: GameName,
    /// Every kind of piece with its picture.
    pub palette: Palette,
    /// Names of the sides: 先手/後手, 下手/上手.
    pub sides: [Words; 2],
}

/// Answer to `boards`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Boards {
    /// The one that changed last comes first.
    pub boards: Vec<BoardEntry>,
}

/// A board in the list of boards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BoardEntry {
    pub board: String,
    pub game: String,
    /// The names of the players or of the tournament; empty if there are none.
    pub title: String,
    /// Moves of the main line.
    pub moves: u32,
    /// When it changed last, in milliseconds since 1970.
    pub changed: u64,
    /// A game is in progress.
    pub playing: bool,
}

/// Answer to `settings`: what the pages keep, by name; shared by all tabs.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Settings {
    #[cfg_attr(test, ts(type = "Record<string, string | number | boolean>"))]
    pub settings: serde_json::Map<String, serde_json::Value>,
}

/// Whose piece, move or turn it is, in sentences of the server.
#[must_use]
pub fn side_words(side: Side) -> Words {
    match side {
        Side::Black => Words::new("先手", "Black"),
        Side::White => Words::new("後手", "White"),
    }
}
