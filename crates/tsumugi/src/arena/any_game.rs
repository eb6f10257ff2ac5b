//! Any game at the arena's table: games that no format of records knows are kept as USI lines only.

use arena::GameFiles;
use game::{Game, PositionCommandError, Script};
use std::num::NonZeroU32;

/// A game without files for people.
#[derive(Clone)]
pub struct AnyGame<G>(pub G);

impl<G: Game> GameFiles for AnyGame<G> {}

impl<G: Game> Game for AnyGame<G> {
    type Position = G::Position;
    type Error = G::Error;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn startpos(&self) -> G::Position {
        self.0.startpos()
    }

    fn position(&self, text: &str) -> Result<G::Position, G::Error> {
        self.0.position(text)
    }

    fn picture(&self, position: &G::Position, script: Script) -> String {
        self.0.picture(position, script)
    }

    fn for_referee(&self) -> Self {
        Self(self.0.for_referee())
    }

    fn declaration_rules(&self) -> Vec<String> {
        self.0.declaration_rules()
    }

    fn declaration_rule(&self) -> Option<String> {
        self.0.declaration_rule()
    }

    fn set_declaration_rule(&mut self, name: &str) -> bool {
        self.0.set_declaration_rule(name)
    }

    fn set_max_moves(&mut self, limit: Option<NonZeroU32>) {
        self.0.set_max_moves(limit);
    }

    fn position_command(&self, command: &str) -> Result<G::Position, PositionCommandError<G::Error>> {
        self.0.position_command(command)
    }
}
