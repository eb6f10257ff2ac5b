//! The games of this program and what plays them.
//!
//! A new game is a crate, a line in [`Catalogue::visit`] and its name in [`NAMES`].

use crate::shogi_engine::ShogiEngine;
use game::Game;
use shogi::Shogi;
use usi::{AnySession, Desk, Engine, Games, Session};

/// The name that hosts show.
pub const NAME: &str = concat!("Tsumugi ", env!("CARGO_PKG_VERSION"));
/// Who made it.
pub const AUTHOR: &str = "the Tsumugi contributors";

/// The games whose rules are written in Rust, the default first.
const NAMES: [&str; 1] = ["shogi"];

/// Something to do with whichever game was chosen: it is compiled for each of them.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it; `engine` makes the game's player, if one is needed.
    fn visit<G: Game, E: Engine<G>>(self, game: G, engine: impl FnOnce(&G) -> E) -> Self::Output;
}

/// All games that can be played.
#[derive(Default)]
pub struct Catalogue {}

impl Catalogue {
    /// Does something with the game of that name; gives the visitor back if there is none.
    #[expect(clippy::unused_self, reason = "games read from files will be kept here")]
    pub fn visit<V: Visitor>(&self, name: &str, visitor: V) -> Result<V::Output, V> {
        Ok(match name {
            "shogi" => visitor.visit(Shogi::default(), |_| ShogiEngine::new()),
            _ => return Err(visitor),
        })
    }
}

impl Games for Catalogue {
    fn names(&self) -> Vec<String> {
        NAMES.map(str::to_owned).to_vec()
    }

    fn open(&self, name: &str, desk: Box<Desk>) -> Result<AnySession, Box<Desk>> {
        self.visit(name, Open(desk)).map_err(|Open(desk)| desk)
    }
}

/// Sits down to play.
struct Open(Box<Desk>);

impl Visitor for Open {
    type Output = AnySession;

    fn visit<G: Game, E: Engine<G>>(self, game: G, engine: impl FnOnce(&G) -> E) -> AnySession {
        let engine = engine(&game);
        Session::at(game, engine, *self.0).of_any_game()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl Visitor for Name {
        type Output = String;
        fn visit<G: Game, E: Engine<G>>(self, game: G, _: impl FnOnce(&G) -> E) -> String {
            game.name().to_owned()
        }
    }

    #[test]
    fn every_game_answers_to_its_name() {
        let games = Catalogue::default();
        for name in games.names() {
            assert_eq!(games.visit(&name, Name).ok().as_ref(), Some(&name));
        }
        assert!(games.visit("chess", Name).is_err());
    }
}
