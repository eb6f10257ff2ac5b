//! Games as files for people and other programs, with scores and lines of play as comments.

mod csa;
mod kif;

use crate::play::Played;
use crate::tournament::RecordFormat;
use game::Game;
use shogi::{Position, Shogi};

/// What stands above a game.
pub struct Heading<'a> {
    /// Black's and White's names.
    pub names: [&'a str; 2],
    /// Where it began, as `position` takes it.
    pub opening: &'a str,
    /// What it was played for.
    pub event: String,
}

/// A game whose games can be written down; the default knows no format.
pub trait GameFiles: Game {
    /// A game as text; `None` if this kind of file does not know the game.
    fn game_file(&self, format: RecordFormat, heading: &Heading<'_>, played: &Played) -> Option<String> {
        let _ = (format, heading, played);
        None
    }
}

impl GameFiles for Shogi {
    fn game_file(&self, format: RecordFormat, heading: &Heading<'_>, played: &Played) -> Option<String> {
        let opening = Opening::read(*self, heading.opening)?;
        Some(match format {
            RecordFormat::Kif => kif::write(heading, &opening, played),
            RecordFormat::Csa => csa::write(heading, &opening, played),
        })
    }
}

/// An opening, cut into where it starts and what was moved.
struct Opening {
    start: Position,
    moves: Vec<shogi::Move>,
}

impl Opening {
    fn read(game: Shogi, command: &str) -> Option<Self> {
        let (start, moves) = command.split_once(" moves").unwrap_or((command, ""));
        let start = game.position_command(start).ok()?;
        let moves = moves.split_ascii_whitespace().map(|text| text.parse().ok()).collect::<Option<_>>()?;
        Some(Self { start, moves })
    }
}
