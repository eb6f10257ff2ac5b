//! The games of this module and what plays them.

#[cfg(feature = "games")]
mod other_games;

use crate::shogi_engine::ShogiEngine;
use shogi::Shogi;
use usi::{AnySession, Games, Session, SessionContext};

/// The name that hosts show.
pub const NAME: &str = concat!("Tsumugi ", env!("CARGO_PKG_VERSION"), " wasm");
/// Who made it.
pub const AUTHOR: &str = "the Tsumugi contributors";

/// All games that can be played.
#[derive(Default)]
pub struct Catalogue {
    #[cfg(feature = "games")]
    others: other_games::OtherGames,
}

impl Games for Catalogue {
    fn names(&self) -> Vec<String> {
        let mut names = vec!["shogi".to_owned()];
        #[cfg(feature = "games")]
        names.extend(self.others.names());
        names
    }

    fn open(&self, name: &str, context: Box<SessionContext>) -> Result<AnySession, Box<SessionContext>> {
        if name == "shogi" {
            return Ok(Session::at(Shogi::default(), ShogiEngine::new, *context).of_any_game());
        }
        #[cfg(feature = "games")]
        return self.others.open(name, context);
        #[cfg(not(feature = "games"))]
        Err(context)
    }
}
