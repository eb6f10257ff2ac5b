//! Several games behind one protocol: `USI_Variant` replaces the session by one of another game.

use super::context::{Choice, SessionContext};
use super::extension::Extension;
use super::reader::{OneLine, Reader, Source};
use super::{Pause, Session};
use crate::options::Folders;
use crate::output::Fault;
use game::{Game, Position};
use std::io::{self, Read};
use std::time::Duration;

/// The games of a program.
pub trait Games {
    /// Their names for `USI_Variant`, the default first; each is one word of printable ASCII.
    fn names(&self) -> Vec<String>;

    /// Opens a session of the named game by [`Session::at`] and [`Session::of_any_game`]. Returns the context if there
    /// is no such game.
    fn open(&self, name: &str, context: Box<SessionContext>) -> Result<AnySession, Box<SessionContext>>;

    /// Options that choose a game besides `USI_Variant`.
    fn extensions(&self) -> Vec<Extension> {
        Vec::new()
    }

    /// Reads more games from a file (`VariantPath`), and reports its errors by `say`. Returns the names that are new or
    /// have changed.
    fn load(&mut self, path: &str, folders: &Folders, say: &mut dyn FnMut(&str)) -> Vec<String> {
        let _ = (path, folders);
        say("Error! VariantPath: no game of this program is read from a file");
        Vec::new()
    }
}

/// A session of any game.
pub struct AnySession(Box<dyn Erased>);

impl<G: Game> Session<G> {
    /// Erases the game's type.
    pub fn of_any_game(self) -> AnySession {
        AnySession(Box::new(self))
    }
}

/// The interface of the console to a session of any game.
trait Erased {
    fn obey(&mut self, reader: &dyn Source) -> io::Result<Pause>;
    fn is_searching(&self) -> bool;
    fn context(&mut self) -> &mut SessionContext;
    /// Takes the context for the next session.
    fn hand_over(&mut self) -> SessionContext;
    /// Updates the games to choose from.
    fn offer(&mut self, games: Vec<String>);
    /// Prints which game is played.
    fn announce(&self);
    fn name(&self) -> String;
    fn greet(&self);
    fn close(&mut self, patience: Option<Duration>) -> bool;
    fn fault(&self) -> Option<Fault>;
}

impl<G: Game> Erased for Session<G> {
    fn obey(&mut self, reader: &dyn Source) -> io::Result<Pause> {
        self.obey_all(reader)
    }

    fn is_searching(&self) -> bool {
        Self::is_searching(self)
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

/// A session whose game the host can change by `USI_Variant`; `VariantPath` adds games. Options, queued lines and the
/// output survive a change; the position becomes the start position of the new game.
pub struct Console<C> {
    games: C,
    session: AnySession,
}

impl<C: Games> Console<C> {
    /// Starts with the first game.
    ///
    /// # Panics
    /// If there is no game.
    pub fn new(games: C, mut context: SessionContext) -> Self {
        context.games = games.names();
        context.extensions = games.extensions();
        let first = context.games.first().expect("a console has a game").clone();
        let session = games.open(&first, Box::new(context)).ok().expect("the first game can be played");
        Self { games, session }
    }

    /// Like [`Session::greet`].
    pub fn greet(&self) {
        self.session.0.greet();
    }

    /// Like [`Session::run`], across changes of the game.
    pub fn run(&mut self, input: impl Read + Send + 'static) -> io::Result<()> {
        let reader = Reader::start(input, self.session.0.context().interrupt.clone())?;
        let read_everything = match self.obey(&reader)? {
            Pause::End { read_everything } => read_everything,
            Pause::EndOfInput | Pause::Choice(_) => true,
        };
        reader.close(read_everything);
        Ok(())
    }

    /// Executes one line and what it queues; returns whether the session goes on.
    pub(super) fn obey_line(&mut self, line: &[u8]) -> bool {
        !matches!(self.obey(&OneLine::new(line)), Ok(Pause::End { .. }) | Err(_))
    }

    /// Whether a `go` is not answered yet.
    pub(super) fn is_searching(&self) -> bool {
        self.session.0.is_searching()
    }

    /// Executes lines until there are no more, or the session ends.
    fn obey(&mut self, source: &dyn Source) -> io::Result<Pause> {
        loop {
            match self.session.0.obey(source)? {
                Pause::Choice(Choice::Game(name)) => self.open(&name),
                Pause::Choice(Choice::File(path)) => self.load(&path),
                end @ (Pause::End { .. } | Pause::EndOfInput) => return Ok(end),
            }
        }
    }

    /// Like [`Session::close`].
    pub fn close(&mut self, patience: Option<Duration>) -> bool {
        self.session.0.close(patience)
    }

    /// Like [`Session::fault`].
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

    /// Replaces the session by one of another game.
    fn open(&mut self, name: &str) {
        let context = Box::new(self.session.0.hand_over());
        self.session =
            self.games.open(name, context).unwrap_or_else(|context| self.first_game(name, context));
        self.session.0.announce();
    }

    /// The fallback for a name that is listed but cannot be opened.
    fn first_game(&self, name: &str, context: Box<SessionContext>) -> AnySession {
        context.output.error(format_args!("{name} cannot be played"));
        let first = &self.games.names()[0];
        self.games.open(first, context).ok().expect("the first game can be played")
    }
}
