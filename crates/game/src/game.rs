use crate::position_command::{self, PositionCommandError};
use crate::{GameOption, MoveTextError, Position};
use std::num::NonZeroU32;

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Script {
    /// Plain ASCII, safe on every terminal and for every host.
    #[default]
    Ascii,
    /// Japanese.
    Kanji,
}

/// The rules of a game. A value rather than a type alone, so that rules read from a file (`variants.ini`) work the same
/// way.
pub trait Game: Clone + Send + Sync + 'static {
    /// The game's positions.
    type Position: Position;
    /// Why a text is not a position of this game.
    type Error: std::error::Error + Send + Sync + 'static;

    /// The game's name in the option `USI_Variant`.
    fn name(&self) -> &str;

    /// The start position.
    fn startpos(&self) -> Self::Position;

    /// Reads a position from its canonical text or a tolerated variation of it.
    fn position(&self, text: &str) -> Result<Self::Position, Self::Error>;

    /// The board and the hands for people; lines separated by `\n`.
    fn picture(&self, position: &Self::Position, script: Script) -> String {
        let _ = script;
        position.to_text()
    }

    /// The position seen from the other side; `None` where the game has no such symmetry.
    fn flip(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }

    /// The position with very many moves that move generators are tested on (指し手生成祭り), if the game has one.
    fn matsuri(&self) -> Option<Self::Position> {
        None
    }

    /// Positions that `bench` searches, in the syntax of [`Game::position_command`].
    fn bench_positions(&self) -> Vec<String> {
        vec!["startpos".to_owned()]
    }

    /// The names of the game's declaration rules; empty if it has none.
    fn declaration_rules(&self) -> Vec<String> {
        Vec::new()
    }

    /// The name of the declaration rule in force.
    fn declaration_rule(&self) -> Option<String> {
        None
    }

    /// Sets the declaration rule; returns `false` if there is none of this name.
    fn set_declaration_rule(&mut self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Players of this game have kyu and dan ranks, which name the levels of play.
    fn has_ranks(&self) -> bool {
        false
    }

    /// Sets the number of moves after which a game is drawn.
    fn set_max_moves(&mut self, limit: Option<NonZeroU32>) {
        let _ = limit;
    }

    /// The game under a referee's rules: permits everything that players may agree on.
    #[must_use]
    fn for_referee(&self) -> Self {
        self.clone()
    }

    /// Options of this game, which hosts set like the engine's own.
    fn options(&self) -> Vec<GameOption> {
        Vec::new()
    }

    /// Sets one of [`Game::options`]; the error says why the game refuses the value.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let _ = (name, value);
        Ok(())
    }

    /// Like [`Game::position_command`]; also calls `remark` for oddities that are not errors.
    fn position_command_remarked(
        &self,
        command: &str,
        remark: &mut dyn FnMut(&str),
    ) -> Result<Self::Position, PositionCommandError<Self::Error>> {
        let _ = remark;
        self.position_command(command)
    }

    /// Reads what follows the word `position` in USI: `startpos` or `[sfen] TEXT`, then optionally `moves …`.
    ///
    /// All or nothing: on an error there is no position, and the caller keeps its old one.
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
                    let reason = position.why_illegal(&word);
                    return Err(PositionCommandError::IllegalMove { number, word, reason });
                }
            }
        }
        Ok(position)
    }
}
