//! Start positions of games: random moves, or a list of openings.

use super::Recipe;
use crate::fingerprint;
use game::Game;
use platform::Random;
use shogi::{Position, Shogi};

/// Openings as lines of play: a position with its history would need hundreds of times as much memory.
#[derive(Clone, Debug, Default)]
pub struct Openings(Vec<Box<str>>);

impl Openings {
    /// Lines in the syntax of `position`, such as `startpos moves 7g7f`. Each is checked; the error is the first
    /// invalid one.
    pub fn new<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let checked = |line: &'a str| match Shogi::default().position_command(line) {
            Ok(_) => Ok(line.into()),
            Err(error) => Err(format!("opening `{line}`: {error}")),
        };
        lines.into_iter().map(checked).collect::<Result<_, _>>().map(Self)
    }

    fn position(&self, index: usize) -> Position {
        Shogi::default().position_command(&self.0[index]).expect("`new` has checked every line")
    }

    /// Their identity: number and hash.
    pub(super) fn identity(&self) -> String {
        if self.is_empty() {
            return "none".to_owned();
        }
        format!("{} positions {:016x}", self.len(), fingerprint(self.0.join("\n").as_bytes()))
    }

    /// Number of openings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A start position, without history; neither mate nor in check.
    pub(super) fn draw(&self, recipe: &Recipe, random: &mut Random) -> Position {
        loop {
            let listed = !self.is_empty() && random.below(100) < usize::from(recipe.opening_percent);
            let (mut position, plies) = if listed {
                (self.position(random.below(self.len())), recipe.random_plies_after_opening)
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
                // Games are recorded from here on, so history before this does not count.
                if let Ok(start) = Position::try_from(position.setup()) {
                    return start;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position with its history takes some 42 kB.
    #[test]
    fn an_opening_takes_no_more_than_its_line() {
        let line = "startpos moves 7g7f 3c3d 2g2f 8c8d";
        let openings = Openings::new([line; 3]).unwrap();
        assert_eq!(openings.0.iter().map(|kept| size_of_val(&**kept)).sum::<usize>(), 3 * line.len());
        let recipe = Recipe { opening_percent: 100, random_plies_after_opening: 0, ..Recipe::default() };
        let start = openings.draw(&recipe, &mut Random::new(1));
        assert_eq!(start.sfen(), Shogi::default().position_command(line).unwrap().sfen());
    }

    #[test]
    fn bad_lines_are_named() {
        let error = Openings::new(["startpos", "startpos moves 7g7a"]).unwrap_err();
        assert!(error.starts_with("opening `startpos moves 7g7a`: "), "{error}");
    }
}
