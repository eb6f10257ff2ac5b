//! Where games begin: after some random moves.

use super::Recipe;
use arena::Random;
use game::Game;
use shogi::{Position, Shogi};

/// Positions that some of the games begin from.
#[derive(Clone, Debug, Default)]
pub struct Openings(Vec<Position>);

impl Openings {
    /// Lines as `position` takes them, such as `startpos moves 7g7f`; the first that is none is told.
    pub fn new<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let position = |line: &str| {
            Shogi::default().position_command(line).map_err(|error| format!("opening `{line}`: {error}"))
        };
        lines.into_iter().map(position).collect::<Result<_, _>>().map(Self)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A start for a game: without moves to take back, not mate, not in check.
    pub(super) fn draw(&self, recipe: &Recipe, random: &mut Random) -> Position {
        loop {
            let listed = !self.is_empty() && random.below(100) < usize::from(recipe.opening_percent);
            let (mut position, plies) = if listed {
                (self.0[random.below(self.len())].clone(), recipe.random_plies_after_opening)
            } else {
                (Position::startpos(), recipe.random_plies + random.below(3))
            };
            let played = (0..plies).all(|_| {
                let moves = position.legal_moves();
                let found = !moves.is_empty();
                if found {
                    position.do_move(moves[random.below(moves.len())]);
                }
                found
            });
            if played && !position.in_check() && position.outcome().is_none() {
                // Games are kept from here on, so here they begin.
                if let Ok(start) = Position::try_from(position.setup()) {
                    return start;
                }
            }
        }
    }
}
