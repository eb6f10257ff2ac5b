use super::error::MatchError;
use game::Game;
use std::num::NonZeroU32;

/// Rules that players agree on in addition to those of the game.
pub(crate) struct Rules<'a> {
    pub(crate) declaration: Option<&'a str>,
    pub(crate) max_moves: Option<u32>,
}

impl Rules<'_> {
    /// The game with these rules.
    pub(crate) fn apply<G: Game>(&self, game: &G) -> Result<G, MatchError> {
        let mut game = game.for_referee();
        if let Some(rule) = self.declaration
            && !game.set_declaration_rule(rule)
        {
            let known = game.declaration_rules().join(", ");
            let what = format!("unknown rule of declaration `{rule}`; expected one of {known}");
            return Err(MatchError::Config(what));
        }
        game.set_max_moves(self.max_moves.and_then(NonZeroU32::new));
        Ok(game)
    }
}
