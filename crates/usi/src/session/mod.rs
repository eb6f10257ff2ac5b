//! The session: reads commands, keeps position and options, and lets the engine think on a thread of its own.
//!
//! Three threads: one reads, one executes commands, one thinks. The second never waits for a search; other long commands
//! (`bench`, `go perft`, `wait`) end when the reading thread reads `stop` or `quit` while they run. Options that are set
//! while a search runs are applied when it ends.

mod bench;
mod command;
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
mod settings;
mod skill;
mod worker;

pub use command::is_command;
pub use console::{AnySession, Console, Games};
pub use console_tests::CommandLimits;
pub use context::SessionContext;
pub use extension::Extension;

use crate::engine::Engine;
use crate::options::{CommandFile, EngineName, Folders, Options};
use crate::output::{Fault, Output};
use command::{Command, CommandError};
use context::{Choice, GameOptions};
use game::{Game, Position};
use lines::MAX_LINE;
use platform::Random;
use platform::workers::STACK;
use postponed::Postponed;
use reader::{Heard, Reader};
use settings::Declared;
use std::io::{self, Read};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use worker::Job;

/// Whether the session goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Flow {
    /// Read the next line.
    Continue,
    /// Another game was chosen; only where a [`Console`] offers several.
    Choose,
    /// `quit` was read.
    Quit,
}

/// Why a session executes no further commands.
enum Pause {
    /// It has ended; the input perhaps as well, by itself or by `quit`.
    End { read_everything: bool },
    /// The [`Console`] must change the game first.
    Choice(Choice),
}

/// So many command files may be read before the input goes on: a file that calls itself would never end.
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
    /// Options of the console that this session is part of.
    game_options: Option<GameOptions>,
    /// The game or file that they name, until the console has opened it.
    choice: Option<Choice>,
    /// The engine could not be made ready: the session ends.
    unplayable: bool,
    postponed: Postponed,
    context: SessionContext,
    jobs: Option<Sender<Job<G>>>,
    thread: Option<std::thread::JoinHandle<()>>,
    /// The latest `go`.
    current: Option<go::Current>,
    ready: bool,
    name: EngineName,
    hundred_centipawns: i32,
    random: Random,
}

impl<G: Game> Session<G> {
    /// A session that begins with the start position. `engine` makes the engine and declares its options, after those of
    /// the session. Files of options are looked for beside the program and in the current folder.
    pub fn new<E: Engine<G>>(game: G, engine: impl FnOnce(&mut Options) -> E, output: Output) -> Self {
        Self::with_folders(game, engine, output, Folders::of_process())
    }

    /// The same, looking for files in other folders.
    pub fn with_folders<E: Engine<G>>(
        game: G,
        engine: impl FnOnce(&mut Options) -> E,
        output: Output,
        folders: Folders,
    ) -> Self {
        Self::at(game, engine, SessionContext::new(output, folders))
    }

    /// A session in a given context, which may be that of an earlier session of another game.
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
        // Hosts expect no output before their first line: messages about the file are shown at `isready`.
        let overrides = options.table.read_engine_options(&context.folders);
        if let Some(game_options) = game_options.filter(|_| context.has_begun) {
            // An extension is played under the name of its base.
            let base = game_options.named(&options.table);
            let extends = |extension: &Extension| extension.base == base && extension.game == game.name();
            if !context.extensions.iter().any(extends) {
                game_options.state(&mut options.table, game.name());
            }
        }
        if let Some(extension) = context.extension_of(game.name())
            && let Some(switch) = options.table.find(extension.switch)
        {
            // Otherwise this session would be one of the other game. The value was accepted before.
            let _ = options.table.force(switch, extension.off);
        }
        let own_name = EngineName { name: engine.name(), author: engine.author() };
        let hundred_centipawns = engine.static_eval().map_or(100, |eval| eval.hundred_centipawns());
        let (jobs, received) = mpsc::channel();
        let boxed: Box<dyn Engine<G>> = Box::new(engine);
        let worker_output = context.output.clone();
        let thread = std::thread::Builder::new()
            .name("engine".to_owned())
            .stack_size(STACK)
            .spawn(move || worker::run(boxed, &received, &worker_output))
            .ok();
        let mut session = Self {
            position: game.startpos(),
            game,
            options,
            game_options,
            choice: None,
            unplayable: false,
            postponed: Postponed::default(),
            context,
            jobs: Some(jobs),
            thread,
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
            // Later sessions go on with what the first one has made of it.
            overrides.events.into_iter().for_each(|event| session.react(event));
        }
        session
    }

    /// Bounds the commands that take long by design: with small limits, no line does.
    #[must_use]
    pub fn with_command_limits(mut self, limits: CommandLimits) -> Self {
        self.context.command_limits = limits;
        self
    }

    /// The position that has been set.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// Prints two lines for a person at a terminal. Not for hosts: they expect no output before their first line.
    pub fn greet(&self) {
        let game = self.game.name();
        self.context.output.line(format_args!(
            "{} plays {game} and speaks USI.\nType `help` for all commands, `d` for the board, `go movetime 1000` \
             for a move, `quit` to end.",
            self.name.name
        ));
    }

    /// As [`SessionContext::start_up`].
    pub fn start_up(&mut self) {
        self.context.start_up();
    }

    /// As [`SessionContext::enqueue`].
    pub fn enqueue(&mut self, lines: impl IntoIterator<Item = String>) {
        self.context.enqueue(lines);
    }

    /// Executes the queued lines, then line after line until `quit` or the end of the input. A search that still runs then
    /// is ended by [`Session::close`] or by dropping the session.
    ///
    /// The input is read on a thread of its own. If the session ends before the input does, that thread stays
    /// until the next line comes.
    pub fn run(&mut self, input: impl Read + Send + 'static) -> io::Result<()> {
        let reader = Reader::start(input, self.context.interrupt.clone())?;
        loop {
            // Without a console there is nothing to choose from.
            if let Pause::End { read_everything } = self.obey_all(&reader)? {
                reader.close(read_everything);
                return Ok(());
            }
        }
    }

    /// Executes lines until the session ends or another game is chosen.
    fn obey_all(&mut self, reader: &Reader) -> io::Result<Pause> {
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
                        // The reading thread ends by itself after `quit`, not where the engine cannot play.
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
                    return Ok(Pause::End { read_everything: true });
                }
            }
        }
    }

    /// What the exit status of the process reports: a fault of the commands that were given as arguments, or an
    /// engine that could not be made ready. Lines of the input do not count.
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

    /// Executes one line, with or without its line end, whatever bytes it holds.
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
                .error("this engine speaks USI, not UCI: say `usi`, or add it as a USI engine"),
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
            Command::Help => command::help().for_each(|line| self.context.output.line(line)),
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

    /// Gets the engine ready; `aloud` for a host that waits for `readyok`. Returns whether it can play: if not, its message
    /// has been shown, and the session ends.
    fn prepare(&mut self, aloud: bool) -> bool {
        self.end_search();
        self.apply_postponed();
        let overrides = self.options.table.read_files(&self.context.folders);
        self.heed(overrides);
        if self.choice.is_some() && aloud {
            // The files have chosen another game: that one is to get ready.
            self.context.queue.push_front("isready".to_owned());
            return true;
        }
        self.ready = true;
        let (done, prepared) = mpsc::channel();
        let options = Box::new(self.options.table.clone());
        self.send(Job::Prepare { settings: self.options.play_settings(), options, aloud, done });
        loop {
            match prepared.recv_timeout(control::POLL_INTERVAL) {
                Err(RecvTimeoutError::Timeout) if !self.context.interrupt.must_leave() => {}
                Ok(false) => {
                    self.unplayable = true;
                    self.context.fault = Some(Fault::Failure);
                    return false;
                }
                _ => return true,
            }
        }
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

    /// Sends the engine's thread something to do; returns whether the thread still runs.
    fn send(&self, job: Job<G>) -> bool {
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        if !sent {
            self.context.output.error("the engine thread has ended");
        }
        sent
    }

    /// A random number, another each time.
    fn next_random(&mut self) -> u64 {
        self.random.next()
    }

    /// Ends a running search and the engine's thread. Waits for them as long as they take, or at most `patience`; returns
    /// whether they have ended. A process that must end soon passes a short time and then exits.
    pub fn close(&mut self, patience: Option<Duration>) -> bool {
        self.stop();
        // Without further jobs the thread comes to its end.
        self.jobs = None;
        let Some(thread) = self.thread.take() else { return true };
        let until = patience.map(|patience| Instant::now() + patience);
        while until.is_some_and(|until| Instant::now() < until) && !thread.is_finished() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let ended = patience.is_none() || thread.is_finished();
        if ended {
            // A panic of the engine has been reported already.
            let _ = thread.join();
        }
        ended
    }
}

impl<G: Game> Drop for Session<G> {
    fn drop(&mut self) {
        self.close(None);
    }
}
