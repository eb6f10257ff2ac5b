//! Every game but shogi: the search with an evaluation that needs no file.

use super::{AUTHOR, NAME};
use binarsi::{Binarsi, Estimate};
use eval::Evaluator;
use fairy::{Handcraft, Library};
use freeze::{Freeze, FreezeEvaluation};
use game::{Evaluation, Game, Searchable};
use usi::{AnySession, SearchEngine, Session, SessionContext};

/// Those whose rules are written in Rust.
const NAMES: [&str; 2] = ["freeze", "binarsi"];

pub struct OtherGames {
    variants: Library,
}

impl Default for OtherGames {
    fn default() -> Self {
        Self { variants: Library::shipped() }
    }
}

impl OtherGames {
    pub fn names(&self) -> Vec<String> {
        let is_new = |name: &&str| *name != "shogi" && !NAMES.contains(name);
        NAMES.into_iter().chain(self.variants.names().filter(is_new)).map(str::to_owned).collect()
    }

    pub fn open(&self, name: &str, context: Box<SessionContext>) -> Result<AnySession, Box<SessionContext>> {
        Ok(match name {
            "freeze" => searched(Freeze::default(), FreezeEvaluation(Evaluator::default()), *context),
            "binarsi" => searched(Binarsi, Estimate, *context),
            _ => match self.variants.game(name) {
                Some(game) => {
                    let evaluation = Handcraft::new(game.variant().clone());
                    searched(game, evaluation, *context)
                }
                None => return Err(context),
            },
        })
    }
}

/// A session of a game that is played by its search alone.
fn searched<G, E>(game: G, evaluation: E, context: SessionContext) -> AnySession
where
    G: Game,
    G::Position: Searchable + Sync,
    E: Evaluation<G::Position> + Clone + 'static,
{
    Session::at(game, |options| SearchEngine::new(NAME, AUTHOR, evaluation, options), context).of_any_game()
}
