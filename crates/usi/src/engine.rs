//! What a session drives: a small core that every engine has, and capabilities that an engine may have.

use crate::go::MateLimits;
use crate::long_command::{CommandContext, CommandFailure, LongCommand};
use crate::options::{Options, PlaySettings};
use game::{Game, Position};
use search::{BestMove, Report, Settings, Task, Timer};
use std::time::Duration;

/// The move of a game.
pub type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A player that a [`Session`](crate::Session) can put behind the protocol.
///
/// Only a name, an author and [`Engine::think`] are needed; thinking may be as simple as picking a random move. The session
/// takes care of everything around it: words, options, clocks, pondering, `stop`, and one `bestmove` for each `go`. An
/// engine declares its own options where it is made: see [`Session::new`](crate::Session::new).
///
/// What only some engines can do is a trait of its own, with a method here that returns it.
pub trait Engine<G: Game>: Send + 'static {
    /// The name that hosts show.
    fn name(&self) -> String;

    /// Who made it.
    fn author(&self) -> String;

    /// Gets ready to think (`isready`): loads what has changed, as long as it takes; `note` shows a message to the user.
    /// An engine that can play, but not quite as the options say, notes it with a message that begins with `Error!`. An
    /// error ends the session with its message.
    fn prepare(
        &mut self,
        settings: &PlaySettings,
        options: &Options,
        note: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        let _ = (settings, options, note);
        Ok(())
    }

    /// A new game begins.
    fn new_game(&mut self) {}

    /// A game has ended: `win`, `lose` or `draw`, as the host says. `note` shows a message to the user.
    fn game_over(&mut self, result: &str, note: &mut dyn FnMut(&str)) {
        let _ = (result, note);
    }

    /// Makes the transposition table about so large (`bench`). An engine without a table has nothing to do.
    fn set_table_size(&mut self, megabytes: usize) {
        let _ = megabytes;
    }

    /// Thinks until the task's limits are reached or the timer says stop; `report` may be called any number of
    /// times.
    fn think(
        &mut self,
        task: &Task<G::Position, MoveOf<G>>,
        settings: &Settings,
        timer: &dyn Timer,
        report: &mut dyn FnMut(&Report<MoveOf<G>>),
    ) -> BestMove<MoveOf<G>>;

    /// The opening book, for engines that play from one.
    fn book(&mut self) -> Option<&mut dyn BookMoves<G>> {
        None
    }

    /// The solver behind `go mate`.
    fn mate_solver(&mut self) -> Option<&mut dyn MateSolver<G>> {
        None
    }

    /// The static evaluation behind `eval`.
    fn static_eval(&mut self) -> Option<&mut dyn StaticEval<G>> {
        None
    }

    /// `makebook`, `learn` and `gensfen`.
    fn console_commands(&mut self) -> Option<&mut dyn ConsoleCommands> {
        None
    }

    /// Ways of `test` besides those of the session.
    fn tests(&mut self) -> Option<&mut dyn EngineTests> {
        None
    }

    /// The command `user`.
    fn user_command(&mut self) -> Option<&mut dyn UserCommand<G>> {
        None
    }
}

/// Playing from an opening book.
pub trait BookMoves<G: Game> {
    /// Looks the position up before the engine thinks about it: the move to play at once, and the reply that is expected.
    /// `say` sends whole lines to the host.
    fn book_move(
        &mut self,
        task: &Task<G::Position, MoveOf<G>>,
        say: &mut dyn FnMut(&str),
    ) -> Option<(MoveOf<G>, Option<MoveOf<G>>)>;
}

/// Solving mates.
pub trait MateSolver<G: Game> {
    /// Looks for a forced mate; `report` may be called any number of times.
    fn solve_mate(
        &mut self,
        position: &G::Position,
        limits: &MateLimits,
        timer: &dyn Timer,
        report: &mut dyn FnMut(MateReport<MoveOf<G>>),
    ) -> Mate<MoveOf<G>>;
}

/// Valuing positions without search.
pub trait StaticEval<G: Game> {
    /// The value of a position for the side to move, in the unit of the evaluation.
    fn evaluate(&mut self, position: &G::Position) -> i32;

    /// What 100 centipawns are in that unit, which is that of [`Report`]s, too. Reports of engines without a static
    /// evaluation are in centipawns.
    fn hundred_centipawns(&self) -> i32 {
        100
    }
}

/// Console commands that take minutes or days.
pub trait ConsoleCommands {
    /// Runs a command until it is done or [`CommandContext::stopped`].
    fn run(&mut self, command: LongCommand, context: CommandContext<'_>) -> Result<(), CommandFailure>;
}

/// `test WORDS`, where the session does not know the first word.
pub trait EngineTests {
    /// The tests with their arguments, as a message lists them.
    fn usage(&self) -> &'static [&'static str];

    /// Runs a test; `None` if the words are none of [`EngineTests::usage`]. `say` shows a message to the user.
    fn test(
        &mut self,
        words: &str,
        options: &Options,
        say: &mut dyn FnMut(&str),
    ) -> Option<Result<(), String>>;
}

/// The command `user`, which each author may use for anything.
pub trait UserCommand<G: Game> {
    /// Runs it; each line is shown to the user.
    fn user(&mut self, position: &G::Position, words: &str) -> Vec<String>;
}

/// What a search for a mate reports while it lasts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateReport<M> {
    /// How far it has come.
    Progress {
        /// Positions searched.
        nodes: u64,
        /// Time since `go`.
        elapsed: Duration,
        /// Thousandths of the table in use.
        table_fullness: usize,
        /// Plies of the mate found so far.
        found: Option<u32>,
        /// The line that is searched.
        line: Vec<M>,
    },
    /// A remark for the user.
    Note(String),
}

/// The answer to `go mate`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mate<M> {
    /// A mating line.
    Found(Vec<M>),
    /// There is no mate.
    NoMate,
    /// Time or nodes ran out.
    Timeout,
}
