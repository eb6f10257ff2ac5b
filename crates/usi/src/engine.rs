//! The engine behind a session: a small core that every engine implements, and optional capabilities.

use crate::go::MateLimits;
use crate::level::Level;
use crate::long_command::{CommandContext, CommandFailure, LongCommand};
use crate::options::{Options, PlaySettings};
use game::{Game, Position};
use search::{BestMove, Report, Settings, Task, Timer};
use std::time::Duration;

/// The move of a game.
pub type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A player behind the protocol, driven by a [`Session`](crate::Session).
///
/// Only a name, an author and [`Engine::think`] are required; thinking may be as simple as picking a random move. The
/// session handles the rest: commands, options, clocks, pondering, `stop`, and one `bestmove` for each `go`. An engine
/// declares its options when it is created: see [`Session::new`](crate::Session::new).
///
/// Each optional capability is a trait of its own, with a method here that returns it.
pub trait Engine<G: Game>: Send + 'static {
    /// The name that hosts show.
    fn name(&self) -> String;

    /// The author's name.
    fn author(&self) -> String;

    /// Prepares for thinking (`isready`): loads what has changed, however long it takes. `note` shows a message to the
    /// user. An engine that can play, but not quite as the options say, notes a message that begins with `Error!`. An
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

    /// The engine that this one wraps, to which default methods delegate.
    fn base(&mut self) -> Option<&mut dyn Engine<G>> {
        None
    }

    /// Starts a new game.
    fn new_game(&mut self) {
        if let Some(base) = self.base() {
            base.new_game();
        }
    }

    /// Ends a game with the host's result: `win`, `lose` or `draw`. `note` shows a message to the user.
    fn game_over(&mut self, result: &str, note: &mut dyn FnMut(&str)) {
        if let Some(base) = self.base() {
            base.game_over(result, note);
        }
    }

    /// Sets the size of the transposition table and the number of threads that all tables serve (`bench`). Engines without
    /// tables ignore it.
    fn set_tables(&mut self, megabytes: usize, threads: usize) {
        if let Some(base) = self.base() {
            base.set_tables(megabytes, threads);
        }
    }

    /// Thinks until the task's limits are reached or the timer stops it; `report` may be called any number of times.
    fn think(
        &mut self,
        task: &Task<G::Position, MoveOf<G>>,
        settings: &Settings,
        timer: &dyn Timer,
        report: &mut dyn FnMut(&Report<MoveOf<G>>),
    ) -> BestMove<MoveOf<G>>;

    /// The opening book, if the engine has one.
    fn book(&mut self) -> Option<&mut dyn BookMoves<G>> {
        self.base()?.book()
    }

    /// Playing below strength. An engine without it always plays as well as it can.
    fn levels(&mut self) -> Option<&mut dyn PlayAtLevel<G>> {
        self.base()?.levels()
    }

    /// The solver of `go mate`.
    fn mate_solver(&mut self) -> Option<&mut dyn MateSolver<G>> {
        self.base()?.mate_solver()
    }

    /// The static evaluation of `eval`.
    fn static_eval(&mut self) -> Option<&mut dyn StaticEval<G>> {
        self.base()?.static_eval()
    }

    /// `makebook`, `learn` and `gensfen`.
    fn console_commands(&mut self) -> Option<&mut dyn ConsoleCommands> {
        self.base()?.console_commands()
    }

    /// Subcommands of `test` besides those of the session.
    fn tests(&mut self) -> Option<&mut dyn EngineTests> {
        self.base()?.tests()
    }

    /// The command `user`.
    fn user_command(&mut self) -> Option<&mut dyn UserCommand<G>> {
        self.base()?.user_command()
    }
}

/// Selection of moves from an opening book.
pub trait BookMoves<G: Game> {
    /// Looks the position up before the engine thinks: the move to play at once, and the expected reply. `say` sends
    /// whole lines to the host.
    fn book_move(
        &mut self,
        task: &Task<G::Position, MoveOf<G>>,
        say: &mut dyn FnMut(&str),
    ) -> Option<(MoveOf<G>, Option<MoveOf<G>>)>;
}

/// Playing as well as a person of some level does.
pub trait PlayAtLevel<G: Game> {
    /// A move of such a player; another one for another `seed`.
    fn think_at(
        &mut self,
        level: Level,
        seed: u64,
        task: &Task<G::Position, MoveOf<G>>,
        settings: &Settings,
        timer: &dyn Timer,
    ) -> BestMove<MoveOf<G>>;
}

/// A mate solver.
pub trait MateSolver<G: Game> {
    /// Searches for a forced mate; `report` may be called any number of times.
    fn solve_mate(
        &mut self,
        position: &G::Position,
        limits: &MateLimits,
        timer: &dyn Timer,
        report: &mut dyn FnMut(MateReport<MoveOf<G>>),
    ) -> Mate<MoveOf<G>>;
}

/// A static evaluation.
pub trait StaticEval<G: Game> {
    /// The value of a position for the side to move, in the unit of the evaluation.
    fn evaluate(&mut self, position: &G::Position) -> i32;

    /// 100 centipawns in that unit, which is also that of [`Report`]s. Without a static evaluation, reports are in
    /// centipawns.
    fn hundred_centipawns(&self) -> i32 {
        100
    }
}

/// Console commands that take minutes or days.
pub trait ConsoleCommands {
    /// Runs a command until it ends or is [stopped](CommandContext::stopped).
    fn run(&mut self, command: LongCommand, context: CommandContext<'_>) -> Result<(), CommandFailure>;
}

/// Subcommands of `test` that the session does not have.
pub trait EngineTests {
    /// The subcommands with their arguments, for messages.
    fn usage(&self) -> &'static [&'static str];

    /// Runs a test; `None` if it is not one of [`EngineTests::usage`]. `say` shows a message to the user.
    fn test(
        &mut self,
        words: &str,
        options: &Options,
        say: &mut dyn FnMut(&str),
    ) -> Option<Result<(), String>>;
}

/// The command `user`, free for any use by the author.
pub trait UserCommand<G: Game> {
    /// Runs it; returns lines for the user.
    fn user(&mut self, position: &G::Position, words: &str) -> Vec<String>;
}

/// A report of a mate search while it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateReport<M> {
    /// Its progress.
    Progress {
        /// Positions searched.
        nodes: u64,
        /// Time since `go`.
        elapsed: Duration,
        /// Fullness of the table in thousandths.
        table_fullness: usize,
        /// Plies of the mate found so far.
        found: Option<u32>,
        /// The line being searched.
        line: Vec<M>,
    },
    /// A remark for the user.
    Note(String),
}

/// The result of `go mate`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mate<M> {
    /// A mating line.
    Found(Vec<M>),
    /// There is no mate.
    NoMate,
    /// The limit of time or nodes was reached.
    Timeout,
}
