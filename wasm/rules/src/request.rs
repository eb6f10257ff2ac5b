//! Requests and answers as JSON.

use serde::{Deserialize, Serialize};

/// What the host may ask for. Games that are open have numbers.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", deny_unknown_fields)]
pub enum Request {
    /// The names of all games.
    Games {},
    /// Opens a game: by its name, or as a section of the text of a variants.ini.
    Open { game: String, variants: Option<String> },
    /// The game is no longer needed.
    Close { id: u32 },
    /// A game of its own with the same position and history.
    Copy { id: u32 },
    /// Sets what follows `position` in USI.
    Set { id: u32, position: String },
    /// What can be said of the position.
    State { id: u32 },
    /// The legal moves.
    Moves { id: u32 },
    /// Whether a move is legal, and why not.
    Check { id: u32, r#move: String },
    /// Plays a legal move.
    Play { id: u32, r#move: String },
    /// Takes the last move back.
    Undo { id: u32 },
    /// The board as text.
    Picture { id: u32, kanji: bool },
    /// The board to be drawn.
    Diagram { id: u32 },
    /// Moves from here on as records write them.
    Write { id: u32, moves: Vec<String> },
    /// A move in the words of records.
    Parse { id: u32, text: String },
    /// The format of a record that follows.
    Detect {},
    /// The games of a record that follows.
    Read { game: Option<String>, variants: Option<String>, keep_illegal: Option<bool> },
    /// The games of a record that follows in another format.
    Convert {
        to: String,
        game: Option<String>,
        variants: Option<String>,
        encoding: Option<String>,
        keep_illegal: Option<bool>,
    },
}

/// A position.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    pub sfen: String,
    /// 0 for the first player.
    pub turn: usize,
    pub move_number: u32,
    /// In hexadecimal digits.
    pub key: String,
    pub in_check: bool,
    pub outcome: Option<Outcome>,
    pub repetition: Option<String>,
    pub may_declare: bool,
    pub can_undo: bool,
}

/// How a game has ended.
#[derive(Serialize)]
pub struct Outcome {
    pub winner: Option<usize>,
    pub reason: String,
}

/// A board to be drawn.
#[derive(Serialize)]
pub struct Board {
    pub files: Vec<String>,
    pub ranks: Vec<String>,
    pub cells: Vec<Option<Cell>>,
    pub hands: [Vec<Held>; 2],
    pub stones: bool,
}

/// A piece.
#[derive(Serialize)]
pub struct Cell {
    pub text: String,
    pub player: usize,
    pub promoted: bool,
    pub frozen: bool,
}

/// Pieces in hand.
#[derive(Serialize)]
pub struct Held {
    pub text: String,
    pub count: u32,
}

/// A game of a record.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedGame {
    pub game: String,
    pub header: Vec<(String, String)>,
    /// What follows `position` in USI.
    pub position: String,
    pub start: String,
    pub moves: Vec<String>,
    /// The word of KIF.
    pub ending: Option<String>,
    /// 0 or 1 for a winner, `draw`, or nothing.
    pub result: Option<String>,
    pub notices: Vec<String>,
}

/// A record that was written: its bytes follow the answer.
#[derive(Serialize)]
pub struct WrittenGame {
    pub length: usize,
    pub notices: Vec<String>,
}
