use crate::position_command::{self, PositionCommandError};
use crate::{MoveTextError, Position};

/// The rules of a game: a value, so that a game read from a file is one too.
pub trait Game: Clone + Send + Sync + 'static {
    /// Its states of play.
    type Position: Position;
    /// Why a text is not a position of this game.
    type Error: std::error::Error + Send + Sync + 'static;

    /// The name that `USI_Variant` knows it by.
    fn name(&self) -> &str;

    /// Where play begins.
    fn startpos(&self) -> Self::Position;

    /// Reads a position from its canonical text or a tolerated variation of it.
    fn position(&self, text: &str) -> Result<Self::Position, Self::Error>;

    /// Reads what follows the word `position` in USI: `startpos` or `[sfen] TEXT`, then optionally `moves …`.
    ///
    /// A position is made only if the whole command is good; a caller keeps its old one otherwise.
    fn position_command(&self, command: &str) -> Result<Self::Position, PositionCommandError<Self::Error>> {
        let (start, moves) = position_command::split(command).ok_or(PositionCommandError::Empty)?;
        let mut position = match start {
            position_command::Start::Startpos => self.startpos(),
            position_command::Start::Text(text) => self.position(text).map_err(PositionCommandError::Text)?,
        };
        for (index, word) in moves.split_ascii_whitespace().enumerate() {
            let number = index + 1;
            match position.parse_move(word) {
                Ok(m) => position.do_move(m),
                Err(MoveTextError::Syntax(word)) => {
                    return Err(PositionCommandError::MoveSyntax { number, word });
                }
                Err(MoveTextError::Illegal(word)) => {
                    return Err(PositionCommandError::IllegalMove { number, word });
                }
            }
        }
        Ok(position)
    }
}
