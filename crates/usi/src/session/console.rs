//! Several games behind one protocol: `USI_Variant` puts another session in the place of the present one.

use super::context::{Choice, SessionContext};
use super::extension::Extension;
use super::reader::Reader;
use super::{Pause, Session};
use crate::options::Folders;
use crate::output::Fault;
use game::{Game, Position};
use std::io::{self, Read};
use std::time::Duration;

/// The games that a program knows.
pub trait Games {
    /// Their names, as `USI_Variant` offers them, the default first. Each is one word of printable ASCII.
    fn names(&self) -> Vec<String>;

    /// Begins a session of the game of that name, made by [`Session::at`] and [`Session::of_any_game`]. Gives the
    /// context back if there is no such game.
    fn open(&self, name: &str, context: Box<SessionContext>) -> Result<AnySession, Box<SessionContext>>;

    /// Options that choose a game besides `USI_Variant`.
    fn extensions(&self) -> Vec<Extension> {
        Vec::new()
    }

    /// Reads more games from a file (`VariantPath`), telling the user by `say` what was wrong with it. Returns the
    /// names that are new or that mean another game than before.
    fn load(&mut self, path: &str, folders: &Folders, say: &mut dyn FnMut(&str)) -> Vec<String> {
        let _ = (path, folders);
        say("Error! VariantPath: no game of this program is read from a file");
        Vec::new()
    }
}

/// A session of whichever game.
pub struct AnySession(Box<dyn Erased>);

impl<G: Game> Session<G> {
    /// The same session, its game forgotten by the type.
    pub fn of_any_game(self) -> AnySession {
        AnySession(Box::new(self))
    }
}

/// What the console needs of a session, whatever its game.
trait Erased {
    fn obey(&mut self, reader: &Reader) -> io::Result<Pause>;
    fn context(&mut self) -> &mut SessionContext;
    /// Clears the context for the next session.
    fn hand_over(&mut self) -> SessionContext;
    /// There are other games to choose from now.
    fn offer(&mut self, games: Vec<String>);
    /// Says which game is played.
    fn announce(&self);
    fn name(&self) -> String;
    fn greet(&self);
    fn close(&mut self, patience: Option<Duration>) -> bool;
    fn fault(&self) -> Option<Fault>;
}

impl<G: Game> Erased for Session<G> {
    fn obey(&mut self, reader: &Reader) -> io::Result<Pause> {
        self.obey_all(reader)
    }

    fn context(&mut self) -> &mut SessionContext {
        &mut self.context
    }

    fn hand_over(&mut self) -> SessionContext {
        self.end_search();
        self.close(None);
        self.context.clear(self.options.table.clone())
    }

    fn offer(&mut self, games: Vec<String>) {
        if let Some(options) = self.game_options {
            options.offer(&mut self.options.table, &games);
        }
        self.context.games = games;
    }

    fn announce(&self) {
        let start = self.position.to_text();
        self.context.output.info(format_args!("variant {} startpos {start}", self.game.name()));
    }

    fn name(&self) -> String {
        self.game.name().to_owned()
    }

    fn greet(&self) {
        Self::greet(self);
    }

    fn close(&mut self, patience: Option<Duration>) -> bool {
        Self::close(self, patience)
    }

    fn fault(&self) -> Option<Fault> {
        Self::fault(self)
    }
}

/// A session whose game the host may change by `USI_Variant`; `VariantPath` adds games. Options, waiting lines and the
/// output stay; the position becomes the start position of the new game.
pub struct Console<C> {
    games: C,
    session: AnySession,
}

impl<C: Games> Console<C> {
    /// Begins with the first of the games.
    ///
    /// # Panics
    /// When there is no game at all.
    pub fn new(games: C, mut context: SessionContext) -> Self {
        context.games = games.names();
        context.extensions = games.extensions();
        let first = context.games.first().expect("a console has a game").clone();
        let session = games.open(&first, Box::new(context)).ok().expect("the first game can be played");
        Self { games, session }
    }

    /// As [`Session::greet`].
    pub fn greet(&self) {
        self.session.0.greet();
    }

    /// As [`Session::run`], with all the games that are chosen on the way.
    pub fn run(&mut self, input: impl Read + Send + 'static) -> io::Result<()> {
        let reader = Reader::start(input, self.session.0.context().interrupt.clone())?;
        loop {
            match self.session.0.obey(&reader)? {
                Pause::Choice(Choice::Game(name)) => self.open(&name),
                Pause::Choice(Choice::File(path)) => self.load(&path),
                Pause::End { read_everything } => {
                    reader.close(read_everything);
                    return Ok(());
                }
            }
        }
    }

    /// As [`Session::close`].
    pub fn close(&mut self, patience: Option<Duration>) -> bool {
        self.session.0.close(patience)
    }

    /// As [`Session::fault`].
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        self.session.0.fault()
    }

    fn load(&mut self, path: &str) {
        if path.is_empty() {
            return;
        }
        let session = self.session.0.as_mut();
        let present = session.name();
        let context = session.context();
        let (folders, output) = (&context.folders, &context.output);
        let changed = self.games.load(path, folders, &mut |message| output.info(message));
        session.offer(self.games.names());
        if changed.contains(&present) {
            self.open(&present);
        }
    }

    /// Puts a session of another game in the place of the present one.
    fn open(&mut self, name: &str) {
        let context = Box::new(self.session.0.hand_over());
        self.session =
            self.games.open(name, context).unwrap_or_else(|context| self.first_game(name, context));
        self.session.0.announce();
    }

    /// For a name that is listed but cannot be played.
    fn first_game(&self, name: &str, context: Box<SessionContext>) -> AnySession {
        context.output.error(format_args!("{name} cannot be played"));
        let first = &self.games.names()[0];
        self.games.open(first, context).ok().expect("the first game can be played")
    }
}
