//! The session: executes commands, keeps position and options, and runs the engine on its own thread.
//!
//! Three threads: one reads, one executes commands, one thinks. The second never waits for a search; other long commands
//! (`bench`, `go perft`, `wait`) end when the reading thread reads `stop` or `quit` while they run. Options that are set
//! while a search runs are applied when it ends. Where there are no threads, the host lets the engine think ([`runner`]).

mod bench;
mod command;
mod command_help;
mod console;
mod console_tests;
mod context;
mod control;
mod extension;
mod go;
mod info;
mod interrupt;
mod lines;
mod option_commands;
pub mod perft;
mod position_commands;
mod postponed;
mod reader;
mod runner;
mod seat;
mod settings;
mod worker;

pub use command::is_command;
pub use console::{AnySession, Console, Games};
pub use console_tests::CommandLimits;
pub use context::SessionContext;
pub use extension::Extension;
pub use runner::{Runner, SteppedConsole};

use crate::engine::Engine;
use crate::options::{CommandFile, EngineName, Folders, Options};
use crate::output::{Fault, Output};
use command::{Command, CommandError};
use context::{Choice, GameOptions};
use game::{Game, Position};
use lines::MAX_LINE;
use platform::{Language, Random};
use postponed::Postponed;
use reader::{Heard, Reader, Source};
use seat::{Seat, receive};
use settings::Declared;
use std::io::{self, Read};
use std::sync::mpsc;
use std::time::Duration;
use worker::Job;

/// Whether the session continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Flow {
    /// Read the next line.
    Continue,
    /// Another game was chosen; only if a [`Console`] offers several.
    Choose,
    /// `quit` was read.
    Quit,
}

/// Why a session stopped executing commands.
enum Pause {
    /// There are no more lines.
    EndOfInput,
    /// It has ended; the input perhaps as well, by `quit`.
    End { read_everything: bool },
    /// The [`Console`] must change the game.
    Choice(Choice),
}

/// Limit of command files without input in between: a file that calls itself would never end.
const MAX_COMMAND_FILES: u32 = 100;

/// A session with one host or person.
///
/// ```
/// use search::{BestMove, Report, Settings, Task, Timer};
/// use shogi::{Move, Position, Shogi};
/// use usi::{Engine, Output, Session};
///
/// /// Resigns at once.
/// struct Pessimist;
///
/// impl Engine<Shogi> for Pessimist {
///     fn name(&self) -> String {
///         "Pessimist".into()
///     }
///     fn author(&self) -> String {
///         "test".into()
///     }
///     fn think(
///         &mut self,
///         _: &Task<Position, Move>,
///         _: &Settings,
///         _: &dyn Timer,
///         _: &mut dyn FnMut(&Report<Move>),
///     ) -> BestMove<Move> {
///         BestMove::Resign
///     }
/// }
///
/// let mut session = Session::new(Shogi::default(), |_| Pessimist, Output::new(std::io::sink()));
/// session.run("usi\nisready\nposition startpos\ngo\nquit\n".as_bytes()).unwrap();
/// ```
pub struct Session<G: Game> {
    game: G,
    position: G::Position,
    options: Declared,
    /// Options for choosing the game, if the session belongs to a console.
    game_options: Option<GameOptions>,
    /// The choice made by them, until the console has applied it.
    choice: Option<Choice>,
    /// Whether the engine could not be prepared: the session ends.
    unplayable: bool,
    postponed: Postponed,
    context: SessionContext,
    seat: Seat<G>,
    /// The latest `go`.
    current: Option<go::Current>,
    ready: bool,
    name: EngineName,
    hundred_centipawns: i32,
    random: Random,
}

impl<G: Game> Session<G> {
    /// A session in the start position. `engine` creates the engine and declares its options, after those of the
    /// session. Options files are searched beside the program and in the current folder.
    pub fn new<E: Engine<G>>(game: G, engine: impl FnOnce(&mut Options) -> E, output: Output) -> Self {
        Self::with_folders(game, engine, output, Folders::of_process())
    }

    /// Like [`Session::new`], with other folders.
    pub fn with_folders<E: Engine<G>>(
        game: G,
        engine: impl FnOnce(&mut Options) -> E,
        output: Output,
        folders: Folders,
    ) -> Self {
        Self::at(game, engine, SessionContext::new(output, folders))
    }

    /// A session in a given context, possibly that of an earlier session of another game.
    pub fn at<E: Engine<G>>(
        game: G,
        engine: impl FnOnce(&mut Options) -> E,
        context: SessionContext,
    ) -> Self {
        let mut options = Declared::for_game(&game);
        let mut engine = engine(&mut options.table);
        let game_options = GameOptions::declare(&mut options.table, &context.games);
        if let Some(extension) = context.extension_of(game.name()) {
            options.declare_extension(extension);
        }
        options.table.adopt(&context.options);
        // Hosts expect no output before their first line, so messages about the file are shown at `isready`.
        let overrides = options.table.read_engine_options(&context.folders);
        if let Some(game_options) = game_options.filter(|_| context.has_begun) {
            // An extension has the name of its base.
            let base = game_options.named(&options.table);
            let extends = |extension: &Extension| extension.base == base && extension.game == game.name();
            if !context.extensions.iter().any(extends) {
                game_options.state(&mut options.table, game.name());
            }
        }
        if let Some(extension) = context.extension_of(game.name())
            && let Some(switch) = options.table.find(extension.switch)
        {
            // Otherwise this session would be of the other game. The value has been accepted before.
            let _ = options.table.force(switch, extension.off);
        }
        let own_name = EngineName { name: engine.name(), author: engine.author() };
        let hundred_centipawns = engine.static_eval().map_or(100, |eval| eval.hundred_centipawns());
        let seat = Seat::new(Box::new(engine), context.output.clone(), context.runner.as_ref());
        let mut session = Self {
            position: game.startpos(),
            game,
            options,
            game_options,
            choice: None,
            unplayable: false,
            postponed: Postponed::default(),
            context,
            seat,
            current: None,
            ready: false,
            name: own_name,
            hundred_centipawns,
            random: Random::new(Random::fresh_seed()),
        };
        match EngineName::read(&session.context.folders) {
            Ok(Some(name)) => session.name = name,
            Ok(None) => {}
            Err(error) => session.context.output.error(error),
        }
        session.apply_rules();
        session.apply_game_options();
        if !std::mem::replace(&mut session.context.has_begun, true) {
            // Later sessions continue with the resulting values.
            overrides.events.into_iter().for_each(|event| session.react(event));
        }
        session
    }

    /// Limits the commands that may take long.
    #[must_use]
    pub fn with_command_limits(mut self, limits: CommandLimits) -> Self {
        self.context.command_limits = limits;
        self
    }

    /// The current position.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// Prints two lines for a person at a terminal. Hosts expect no output before their first line.
    pub fn greet(&self) {
        let (name, game) = (&self.name.name, self.game.name());
        let lines = match self.context.language {
            Language::English => format!(
                "{name} plays {game} and speaks USI.\nType `help` for all commands, `d` for the board, \
                 `go movetime 1000` for a move, `quit` to end."
            ),
            Language::Japanese => format!(
                "{name} は USI エンジンです（ゲーム: {game}）。\n`help` でコマンドの一覧、`d` で盤面、\
                 `go movetime 1000` で次の一手、`quit` で終了します。"
            ),
        };
        self.context.output.line(lines);
    }

    /// Like [`SessionContext::start_up`].
    pub fn start_up(&mut self) {
        self.context.start_up();
    }

    /// Like [`SessionContext::enqueue`].
    pub fn enqueue(&mut self, lines: impl IntoIterator<Item = String>) {
        self.context.enqueue(lines);
    }

    /// Executes the queued lines, then lines of the input until `quit` or its end. A search that is still running is
    /// ended by [`Session::close`] or by dropping the session.
    ///
    /// A separate thread reads the input. If the session ends first, that thread stays until the next line arrives.
    pub fn run(&mut self, input: impl Read + Send + 'static) -> io::Result<()> {
        let reader = Reader::start(input, self.context.interrupt.clone())?;
        loop {
            // Without a console there is nothing to choose from.
            let read_everything = match self.obey_all(&reader)? {
                Pause::EndOfInput => true,
                Pause::End { read_everything } => read_everything,
                Pause::Choice(_) => continue,
            };
            reader.close(read_everything);
            return Ok(());
        }
    }

    /// Executes lines until the session ends or another game is chosen.
    fn obey_all(&mut self, reader: &dyn Source) -> io::Result<Pause> {
        loop {
            if let Some(choice) = self.choice.take() {
                return Ok(Pause::Choice(choice));
            }
            let flow = self.obey_queue();
            if let Some(choice) = self.choice.take() {
                return Ok(Pause::Choice(choice));
            }
            if flow == Flow::Quit || self.context.output.is_closed() {
                self.context.end_arguments();
                return Ok(Pause::End { read_everything: false });
            }
            match reader.next()? {
                Some(Heard::Line(line)) => {
                    self.context.end_arguments();
                    if self.execute(&line) == Flow::Quit {
                        // The reading thread ends by itself after `quit`, but not if the engine cannot play.
                        return Ok(Pause::End { read_everything: !self.unplayable });
                    }
                    if let Some(choice) = self.choice.take() {
                        return Ok(Pause::Choice(choice));
                    }
                }
                Some(Heard::TooLong) => {
                    self.context
                        .output
                        .error(format_args!("a line of more than {MAX_LINE} bytes was skipped"));
                }
                None => {
                    self.context.end_arguments();
                    return Ok(Pause::EndOfInput);
                }
            }
        }
    }

    /// The fault that the exit status reports: of a command given as an argument, or an engine that could not be
    /// prepared. Lines of the input do not count.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        self.context.fault
    }

    fn obey_queue(&mut self) -> Flow {
        while let Some(line) = self.context.queue.pop_front() {
            let flow = self.execute(line.as_bytes());
            if flow != Flow::Continue {
                return flow;
            }
        }
        self.context.files_read = 0;
        Flow::Continue
    }

    /// Executes one line of arbitrary bytes, with or without its line end.
    pub fn execute(&mut self, line: &[u8]) -> Flow {
        let line = String::from_utf8_lossy(line);
        self.context.output.heard(line.trim_end());
        if !self.postponed.is_empty() && !self.is_searching() {
            self.apply_postponed();
        }
        self.context.interrupt.begin();
        match Command::parse(&line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return Flow::Quit,
            Ok(Some(command)) => self.obey(&command),
            Err(error @ CommandError::Unknown(_)) => self.option_or_unknown(&line, &error),
            Err(error) => self.context.output.wrong_usage(error),
        }
        self.context.interrupt.end();
        if self.unplayable || self.context.interrupt.must_leave() {
            Flow::Quit
        } else if self.choice.is_some() {
            Flow::Choose
        } else {
            Flow::Continue
        }
    }

    fn obey(&mut self, command: &Command<'_>) {
        match *command {
            Command::Usi => self.introduce(),
            Command::Uci => self
                .context
                .output
                .error("this engine speaks USI, not UCI: send `usi`, or add it as a USI engine"),
            Command::IsReady => drop(self.prepare(true)),
            Command::NewGame => drop(self.send(Job::NewGame)),
            Command::SetOption(arguments) => self.set_option(arguments),
            Command::GetOption(name) => self.show_options(name),
            Command::Position(arguments) => self.set_position(arguments),
            Command::Go(arguments) => self.go(arguments),
            Command::Stop => self.stop(),
            Command::GameOver(result) => self.game_over(result),
            Command::PonderHit(arguments) => self.ponderhit(arguments),
            Command::Display(script) => self.display(script),
            Command::Sfen => self.context.output.line(self.position.to_text()),
            Command::Moves => self.list_moves(),
            Command::Key => self.context.output.line(format_args!("{:016X}", self.position.key())),
            Command::Side => self.context.output.line(self.position.side()),
            Command::Mated => self.context.output.line(u8::from(self.position.legal_moves().is_empty())),
            Command::Flip => self.replace(self.game.flip(&self.position), "flip"),
            Command::Matsuri => self.replace(self.game.matsuri(), "matsuri"),
            Command::Evaluate => self.evaluate(),
            Command::Bench(arguments) => self.bench(arguments),
            Command::Test(arguments) => self.test(arguments),
            Command::Long(command, words) => self.run_long_command(command, words),
            Command::UnitTest(arguments) => self.unit_test(arguments),
            Command::User(arguments) => self.user(arguments),
            Command::Config | Command::Compiler => self.describe_build(),
            Command::Wait(arguments) => self.wait(arguments),
            Command::Log => self.log_to("io_log.txt"),
            Command::ObeyFile(name) => self.read_commands(name),
            Command::Help => {
                command_help::help(self.context.language).for_each(|line| self.context.output.line(line));
            }
            Command::Quit => {}
        }
    }

    fn introduce(&self) {
        let EngineName { name, author } = &self.name;
        let ids = [format!("id name {name}"), format!("id author {author}")];
        let options = self.options.table.iter().map(ToString::to_string);
        let lines: Vec<String> = ids.into_iter().chain(options).chain(["usiok".to_owned()]).collect();
        self.context.output.line(lines.join("\n"));
    }

    /// Prepares the engine; `aloud` answers `readyok`. Returns whether it can play; if not, its message has been shown,
    /// and the session ends.
    fn prepare(&mut self, aloud: bool) -> bool {
        self.end_search();
        self.apply_postponed();
        let overrides = self.options.table.read_files(&self.context.folders);
        self.heed(overrides);
        if self.choice.is_some() && aloud {
            // The files have chosen another game, which must be prepared instead.
            self.context.queue.push_front("isready".to_owned());
            return true;
        }
        self.ready = true;
        let (done, prepared) = mpsc::channel();
        let options = Box::new(self.options.table.clone());
        self.send(Job::Prepare { settings: self.options.play_settings(), options, aloud, done });
        self.unplayable = receive(&prepared, || self.context.interrupt.must_leave()) == Some(false);
        if self.unplayable {
            self.context.fault = Some(Fault::Failure);
        }
        !self.unplayable
    }

    fn read_commands(&mut self, name: &str) {
        self.context.files_read += 1;
        if self.context.files_read > MAX_COMMAND_FILES {
            return self
                .context
                .output
                .error(format_args!("f {name}: more than {MAX_COMMAND_FILES} files call each other"));
        }
        match CommandFile::read_named(&self.context.folders, name) {
            Ok(file) => {
                self.context.output.info(format_args!("USI Commands from File = {}", file.path.display()));
                for line in file.commands.into_iter().rev() {
                    self.context.queue.push_front(line);
                }
            }
            Err(error) => self.context.output.error(error),
        }
    }

    /// Gives the engine something to do; returns whether it is still there.
    fn send(&self, job: Job<G>) -> bool {
        let sent = self.seat.send(job);
        if !sent {
            self.context.output.error("the engine thread has ended");
        }
        sent
    }

    /// A random number, different at each call.
    fn next_random(&mut self) -> u64 {
        self.random.next()
    }

    /// Ends a running search and the engine's thread. Waits until they have ended, or at most for `patience`; returns
    /// whether they have. A process that must end soon passes a short time and then exits.
    pub fn close(&mut self, patience: Option<Duration>) -> bool {
        self.stop();
        self.seat.close(patience)
    }
}

impl<G: Game> Drop for Session<G> {
    fn drop(&mut self) {
        self.close(None);
    }
}
