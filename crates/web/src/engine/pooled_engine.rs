//! An engine of the pool at work, replaced when it breaks.

use super::pool::Pool;
use crate::protocol::{Refusal, RefusalCode};
use arena::Session;

/// An engine that breaks more often than this at one piece of work is given up.
const MOST_RESTARTS: u32 = 3;

/// An engine that was taken from the pool.
pub struct PooledEngine<'a> {
    pool: &'a Pool,
    engine: &'a str,
    game: &'a str,
    session: Session,
}

impl<'a> PooledEngine<'a> {
    /// Takes an engine that is ready for a game.
    pub fn take(pool: &'a Pool, engine: &'a str, game: &'a str) -> Result<Self, Refusal> {
        Ok(Self { pool, engine, game, session: pool.take(engine, game)? })
    }

    /// Does a piece of work. Where `work` fails because the engine is broken, `broken` gets the reason, and another engine does the
    /// work again.
    pub fn run<T>(
        &mut self,
        mut work: impl FnMut(&mut Session) -> Result<T, String>,
        mut broken: impl FnMut(&str),
    ) -> Result<T, Refusal> {
        let mut restarts = 0;
        loop {
            let why = match work(&mut self.session) {
                Ok(done) => return Ok(done),
                Err(why) => format!("{}: {why}", self.engine),
            };
            if restarts == MOST_RESTARTS {
                return Err(Refusal::new(RefusalCode::Engine, why));
            }
            restarts += 1;
            broken(&why);
            self.session = self.pool.take(self.engine, self.game)?;
        }
    }

    /// Its process.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Gives it back, ready for more.
    pub fn give_back(self) {
        self.pool.give_back(self.engine, self.game, self.session);
    }
}
