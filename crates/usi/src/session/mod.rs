//! The session: reads commands, keeps position and options, and lets the engine think on a thread of its own.
//!
//! Three threads: one reads, one obeys, one thinks. Who obeys never waits for a search that may last, and what
//! else takes long (`bench`, `go perft`, `wait`) ends when the reader hears `stop` or `quit` in the middle of it.
//! What must not change while a search runs (options) is kept until it ends.

mod bench;
mod command;
mod console;
mod control;
mod desk;
mod drills;
mod extension;
mod go;
mod info;
mod interrupt;
mod lines;
pub mod perft;
mod postponed;
mod reader;
mod settings;
mod skill;
mod worker;

pub use command::is_command;
pub use console::{AnySession, Console, Games};
pub use desk::Desk;
pub use drills::DrillLimits;
pub use extension::Extension;

use crate::engine::Engine;
use crate::options::{
    Answer, CommandFile, EngineName, Event, Folders, OptionError, OptionId, Overrides, SetOption,
};
use crate::output::{Fault, Output};
use command::{Command, CommandError};
use desk::{Choice, GameOptions};
use game::{Game, Position, Script};
use lines::MAX_LINE;
use platform::Random;
use platform::workers::STACK;
use postponed::{Change, Postponed};
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
    /// `quit` was said.
    Quit,
}

/// Why a session has stopped to obey.
enum Pause {
    /// It has ended; the input perhaps as well, by itself or by `quit`.
    End { read_everything: bool },
    /// Somebody else must do this first.
    Choice(Choice),
}

/// So many command files may be read before the input goes on: one that calls itself does so for ever.
const MOST_FILES: u32 = 100;

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
///         "nobody".into()
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
/// let mut session = Session::new(Shogi::default(), Pessimist, Output::new(std::io::sink()));
/// session.run("usi\nisready\nposition startpos\ngo\nquit\n".as_bytes()).unwrap();
/// ```
pub struct Session<G: Game> {
    game: G,
    position: G::Position,
    options: Declared,
    /// Options of the console that this session is part of.
    game_options: Option<GameOptions>,
    /// What was asked for by them.
    choice: Option<Choice>,
    /// The engine could not be made ready: the session ends.
    unplayable: bool,
    postponed: Postponed,
    desk: Desk,
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
    /// A session that begins with the start position. Files of options are looked for beside the program and in
    /// the current folder.
    pub fn new(game: G, engine: impl Engine<G>, output: Output) -> Self {
        Self::with_folders(game, engine, output, Folders::of_process())
    }

    /// The same, looking for files in other folders.
    pub fn with_folders(game: G, engine: impl Engine<G>, output: Output, folders: Folders) -> Self {
        Self::at(game, engine, Desk::new(output, folders))
    }

    /// A session that goes on where another one was, if the desk was its.
    pub fn at(game: G, mut engine: impl Engine<G>, desk: Desk) -> Self {
        let mut options = Declared::for_game(&game);
        engine.declare_options(&mut options.table);
        let game_options = GameOptions::declare(&mut options.table, &desk.games);
        if let Some(extension) = desk.extension_of(game.name()) {
            options.declare_extension(extension);
        }
        options.table.adopt(&desk.options);
        // Hosts expect silence until they speak: what there is to say about the file is said at `isready`.
        let overrides = options.table.read_engine_options(&desk.folders);
        if let Some(game_options) = game_options.filter(|_| desk.has_begun) {
            // An extension is played under the name of its base.
            let base = game_options.named(&options.table);
            let extends = |extension: &Extension| extension.base == base && extension.game == game.name();
            if !desk.extensions.iter().any(extends) {
                game_options.state(&mut options.table, game.name());
            }
        }
        if let Some(extension) = desk.extension_of(game.name())
            && let Some(switch) = options.table.find(extension.switch)
        {
            // Otherwise this session would be one of the other game. The value was accepted before.
            let _ = options.table.force(switch, extension.off);
        }
        let own_name = EngineName { name: engine.name(), author: engine.author() };
        let hundred_centipawns = engine.hundred_centipawns();
        let (jobs, received) = mpsc::channel();
        let boxed: Box<dyn Engine<G>> = Box::new(engine);
        let worker_output = desk.output.clone();
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
            desk,
            jobs: Some(jobs),
            thread,
            current: None,
            ready: false,
            name: own_name,
            hundred_centipawns,
            random: Random::new(Random::fresh_seed()),
        };
        match EngineName::read(&session.desk.folders) {
            Ok(Some(name)) => session.name = name,
            Ok(None) => {}
            Err(error) => session.desk.output.error(error),
        }
        session.apply_rules();
        session.apply_game_options();
        if !std::mem::replace(&mut session.desk.has_begun, true) {
            // Later sessions go on with what the first one has made of it.
            overrides.events.into_iter().for_each(|event| session.react(event));
        }
        session
    }

    /// Bounds the commands that take long by design: with small limits, no line does.
    #[must_use]
    pub fn with_drill_limits(mut self, limits: DrillLimits) -> Self {
        self.desk.drill_limits = limits;
        self
    }

    /// The position that has been set.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// Two lines for a person at a terminal. Hosts expect silence until they speak.
    pub fn greet(&self) {
        let game = self.game.name();
        self.desk.output.line(format_args!(
            "{} plays {game} and speaks USI.\nType `help` for all commands, `d` for the board, `go movetime 1000` \
             for a move, `quit` to end.",
            self.name.name
        ));
    }

    /// As [`Desk::start_up`].
    pub fn start_up(&mut self) {
        self.desk.start_up();
    }

    /// As [`Desk::enqueue`].
    pub fn enqueue(&mut self, lines: impl IntoIterator<Item = String>) {
        self.desk.enqueue(lines);
    }

    /// Obeys the queued lines, then line after line until `quit` or the end of the input. A search that still runs then
    /// is ended by [`Session::close`] or by dropping the session.
    ///
    /// The input is read on a thread of its own. If the session ends before the input does, that thread stays
    /// until the next line comes.
    pub fn run(&mut self, input: impl Read + Send + 'static) -> io::Result<()> {
        let reader = Reader::start(input, self.desk.interrupt.clone())?;
        loop {
            // Without a console there is nothing to choose from.
            if let Pause::End { read_everything } = self.obey_all(&reader)? {
                reader.close(read_everything);
                return Ok(());
            }
        }
    }

    /// Obeys until the session ends or another game is chosen.
    fn obey_all(&mut self, reader: &Reader) -> io::Result<Pause> {
        loop {
            if let Some(choice) = self.choice.take() {
                return Ok(Pause::Choice(choice));
            }
            let flow = self.obey_queue();
            if let Some(choice) = self.choice.take() {
                return Ok(Pause::Choice(choice));
            }
            if flow == Flow::Quit || self.desk.output.is_closed() {
                self.desk.end_arguments();
                return Ok(Pause::End { read_everything: false });
            }
            match reader.next()? {
                Some(Heard::Line(line)) => {
                    self.desk.end_arguments();
                    if self.execute(&line) == Flow::Quit {
                        // An engine that cannot play is the one reason to end that the reader has not heard of.
                        return Ok(Pause::End { read_everything: !self.unplayable });
                    }
                    if let Some(choice) = self.choice.take() {
                        return Ok(Pause::Choice(choice));
                    }
                }
                Some(Heard::TooLong) => {
                    self.desk.output.error(format_args!("a line of more than {MAX_LINE} bytes was skipped"));
                }
                None => {
                    self.desk.end_arguments();
                    return Ok(Pause::End { read_everything: true });
                }
            }
        }
    }

    /// What the exit status of the process is to tell: a fault of the commands that were given as arguments, or an
    /// engine that could not be made ready. Lines of the input do not count.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        self.desk.fault
    }

    fn obey_queue(&mut self) -> Flow {
        while let Some(line) = self.desk.queue.pop_front() {
            let flow = self.execute(line.as_bytes());
            if flow != Flow::Continue {
                return flow;
            }
        }
        self.desk.files_read = 0;
        Flow::Continue
    }

    /// Obeys one line, with or without its line end, whatever bytes it holds.
    pub fn execute(&mut self, line: &[u8]) -> Flow {
        let line = String::from_utf8_lossy(line);
        self.desk.output.heard(line.trim_end());
        if !self.postponed.is_empty() && !self.is_searching() {
            self.apply_postponed();
        }
        self.desk.interrupt.begin();
        match Command::parse(&line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return Flow::Quit,
            Ok(Some(command)) => self.obey(&command),
            Err(error @ CommandError::Unknown(_)) => self.option_or_unknown(&line, &error),
            Err(error) => self.desk.output.wrong_usage(error),
        }
        self.desk.interrupt.end();
        if self.unplayable || self.desk.interrupt.must_leave() {
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
                .desk
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
            Command::Sfen => self.desk.output.line(self.position.to_text()),
            Command::Moves => self.list_moves(),
            Command::Key => self.desk.output.line(format_args!("{:016X}", self.position.key())),
            Command::Side => self.desk.output.line(self.position.side()),
            Command::Mated => self.desk.output.line(u8::from(self.position.legal_moves().is_empty())),
            Command::Flip => self.replace(self.game.flip(&self.position), "flip"),
            Command::Matsuri => self.replace(self.game.matsuri(), "matsuri"),
            Command::Evaluate => self.evaluate(),
            Command::Bench(arguments) => self.bench(arguments),
            Command::Test(arguments) => self.test(arguments),
            Command::Work(workshop, words) => self.work(workshop, words),
            Command::UnitTest(arguments) => self.unit_test(arguments),
            Command::User(arguments) => self.user(arguments),
            Command::Config | Command::Compiler => self.describe_build(),
            Command::Wait(arguments) => self.wait(arguments),
            Command::Log => self.log_to("io_log.txt"),
            Command::ObeyFile(name) => self.read_commands(name),
            Command::Help => command::help().for_each(|line| self.desk.output.line(line)),
            Command::Quit => {}
        }
    }

    fn introduce(&self) {
        let EngineName { name, author } = &self.name;
        let ids = [format!("id name {name}"), format!("id author {author}")];
        let options = self.options.table.iter().map(ToString::to_string);
        let lines: Vec<String> = ids.into_iter().chain(options).chain(["usiok".to_owned()]).collect();
        self.desk.output.line(lines.join("\n"));
    }

    /// Gets the engine ready; `aloud` for a host that waits for `readyok`. Tells whether it can play: if not, the engine
    /// has said why, and the session ends.
    fn prepare(&mut self, aloud: bool) -> bool {
        self.end_search();
        self.apply_postponed();
        let overrides = self.options.table.read_files(&self.desk.folders);
        self.heed(overrides);
        if self.choice.is_some() && aloud {
            // The files have chosen another game: that one is to get ready.
            self.desk.queue.push_front("isready".to_owned());
            return true;
        }
        self.ready = true;
        let (done, prepared) = mpsc::channel();
        self.send(Job::Prepare { options: Box::new(self.options.table.clone()), aloud, done });
        loop {
            match prepared.recv_timeout(control::GLANCE) {
                Err(RecvTimeoutError::Timeout) if !self.desk.interrupt.must_leave() => {}
                Ok(false) => {
                    self.unplayable = true;
                    self.desk.fault = Some(Fault::Failure);
                    return false;
                }
                _ => return true,
            }
        }
    }

    /// Tells what a file of options has changed, and reacts to it.
    fn heed(&mut self, overrides: Overrides) {
        for message in &overrides.messages {
            self.desk.output.info(message);
        }
        for event in overrides.events {
            self.react(event);
        }
    }

    fn set_option(&mut self, arguments: &str) {
        match SetOption::parse(arguments) {
            Ok(command) if self.is_searching() && self.has_option(&command) => {
                match command.apply(&mut self.options.table.clone()) {
                    Ok(event) => self.postpone(event, Change::Set(command)),
                    Err(error) => self.desk.output.wrong_usage(error),
                }
            }
            Ok(command) => self.apply(&command),
            Err(error) => self.desk.output.wrong_usage(error),
        }
    }

    fn has_option(&self, command: &SetOption) -> bool {
        self.options.table.find(&command.name).is_some()
    }

    fn apply(&mut self, command: &SetOption) {
        if !self.has_option(command) && self.desk.options.find(&command.name).is_some() {
            return self.keep_for_other_game(command);
        }
        match command.apply(&mut self.options.table) {
            Ok(event) => self.react(self.renewed(event)),
            Err(error) => self.desk.output.wrong_usage(error),
        }
    }

    fn renewed(&self, event: Event) -> Event {
        self.game_options.map_or(event, |options| options.renewed(event))
    }

    /// Hosts set the options in any order: one of the former game may come after the one that has chosen another game.
    fn keep_for_other_game(&mut self, command: &SetOption) {
        match command.apply(&mut self.desk.options) {
            Ok(_) => self.desk.output.info(format_args!(
                "{} has no option {}; the value is kept for games that have it",
                self.game.name(),
                command.name
            )),
            Err(error) => self.desk.output.info(error),
        }
    }

    /// Keeps a change until the search ends. Another game does not wait: it ends the search.
    fn postpone(&mut self, event: Event, change: Change) {
        self.postponed.push(event, change);
        if self.game_options.is_some_and(|options| options.are_concerned(event))
            || self.switch_concerned(event).is_some()
        {
            self.end_search();
            self.apply_postponed();
        }
    }

    fn apply_postponed(&mut self) {
        for change in self.postponed.take() {
            match change {
                Change::Set(command) => self.apply(&command),
                Change::Spoken(line) => {
                    let answer = self.options.table.shorthand(&line);
                    self.show_spoken(answer);
                }
            }
        }
    }

    /// `Threads 4`, `Threads = 4`; or a word that nobody knows.
    fn option_or_unknown(&mut self, line: &str, unknown: &CommandError) {
        let completed = self.options.completed(line.trim());
        let line = completed.as_deref().unwrap_or(line.trim());
        if !self.is_searching() {
            let answer = self.options.table.shorthand(line);
            if !self.show_spoken(answer) {
                self.desk.output.wrong_usage(unknown);
            }
            return;
        }
        match self.options.table.clone().shorthand(line) {
            None => self.desk.output.wrong_usage(unknown),
            Some(Ok(Answer { event: Some(event), .. })) => {
                self.postpone(event, Change::Spoken(line.to_owned()));
            }
            answer => drop(self.show_spoken(answer)),
        }
    }

    /// Shows what came of a line like `Threads = 4`, and tells whether there was such an option.
    fn show_spoken(&mut self, answer: Option<Result<Answer, OptionError>>) -> bool {
        match answer {
            Some(Ok(answer)) => {
                let Some(event) = answer.event else {
                    self.desk.output.info(&answer.line);
                    return true;
                };
                // A game may refuse the value: what is shown is the one that holds now.
                self.react(self.renewed(event));
                let entry = self.options.table.entry(event.id());
                self.desk.output.info(format_args!("Options[{}] = {}", entry.name(), entry.shown()));
                true
            }
            Some(Err(error)) => {
                self.desk.output.wrong_usage(error);
                true
            }
            None => false,
        }
    }

    fn show_options(&self, name: &str) {
        match self.options.table.describe(name) {
            Ok(lines) => lines.iter().for_each(|line| self.desk.output.info(line)),
            Err(error) => self.desk.output.wrong_usage(error),
        }
    }

    /// An option has changed: what the input side must do about it.
    fn react(&mut self, event: Event) {
        let named = self.game_options.and_then(|options| options.choice(event, &self.options.table));
        if let Some(choice) = named.or_else(|| self.extended(event)) {
            self.choice = Some(choice);
        }
        let play = &self.options.play;
        if event.concerns(play.host.debug_log_file) {
            let path = self.options.table.get(play.host.debug_log_file).to_owned();
            self.log_to(&path);
        }
        if event.concerns(play.verdict.max_moves_to_draw)
            || play.rules.entering_king_rule.is_some_and(|id| event.concerns(id))
        {
            self.apply_rules();
        }
        if self.options.concern_game(event) {
            self.apply_game_options();
        }
        if self.options.table.find("EvalDir").is_some_and(|id| event.concerns(id)) {
            self.options.table.forget_eval_options();
        }
        if let Some(extension) = self.desk.extension_of(self.game.name())
            && let Err(message) = self.options.check_extension(extension)
        {
            self.desk.output.error(message);
        }
    }

    /// The extension whose deciding option a change concerns, with that option.
    fn switch_concerned(&self, event: Event) -> Option<(&Extension, OptionId)> {
        self.desk.extensions.iter().find_map(|extension| {
            let switch = self.options.table.find(extension.switch)?;
            event.concerns(switch).then_some((extension, switch))
        })
    }

    /// The game that an option chooses besides `USI_Variant`.
    fn extended(&self, event: Event) -> Option<Choice> {
        let (extension, switch) = self.switch_concerned(event)?;
        let table = &self.options.table;
        if self.game_options?.named(table) != extension.base {
            return None;
        }
        let wanted = extension.game_with(&table.entry(switch).value());
        (wanted != self.game.name()).then(|| Choice::Game(wanted.to_owned()))
    }

    /// Tells the game its own options. A start position that nobody has moved in becomes that of the new ones.
    fn apply_game_options(&mut self) {
        let at_start = self.position.to_text() == self.game.startpos().to_text();
        if let Err(message) = self.options.apply_game_options(&mut self.game) {
            self.desk.output.error(message);
        }
        if at_start {
            self.position = self.game.startpos();
        }
    }

    fn apply_rules(&mut self) {
        self.options.apply_rules(&mut self.game);
    }

    fn log_to(&self, path: &str) {
        let path = (!path.is_empty()).then(|| self.desk.folders.for_writing(path));
        if let Err(error) = self.desk.output.log_to(path.as_deref()) {
            self.desk.output.error(format_args!("cannot write the log: {error}"));
        }
    }

    fn set_position(&mut self, arguments: &str) {
        let output = &self.desk.output;
        let mut remark = |remark: &str| output.info(format_args!("Warning! {remark}"));
        match self.game.position_command_remarked(arguments, &mut remark) {
            Ok(position) => self.position = position,
            Err(error) => {
                let extension = self.desk.extension_of(self.game.name());
                match extension.and_then(|extension| (extension.refusal)(arguments)) {
                    Some(reason) => self.desk.output.error(reason),
                    None => self.desk.output.error(error),
                }
            }
        }
    }

    fn replace(&mut self, position: Option<G::Position>, command: &str) {
        match position {
            Some(position) => self.position = position,
            None => self.desk.output.error(format_args!("{} has no `{command}`", self.game.name())),
        }
    }

    fn display(&self, script: Script) {
        let picture = self.game.picture(&self.position, script);
        let mut lines = vec![picture.trim_end().to_owned(), format!("sfen {}", self.position.to_text())];
        lines.extend(self.position.outcome().map(|outcome| outcome.to_string()));
        self.desk.output.line(lines.join("\n"));
    }

    fn list_moves(&self) {
        let moves: Vec<String> = self.position.legal_moves().iter().map(ToString::to_string).collect();
        self.desk.output.line(moves.join(" "));
    }

    fn read_commands(&mut self, name: &str) {
        self.desk.files_read += 1;
        if self.desk.files_read > MOST_FILES {
            return self
                .desk
                .output
                .error(format_args!("f {name}: more than {MOST_FILES} files call each other"));
        }
        match CommandFile::read_named(&self.desk.folders, name) {
            Ok(file) => {
                self.desk.output.info(format_args!("USI Commands from File = {}", file.path.display()));
                for line in file.commands.into_iter().rev() {
                    self.desk.queue.push_front(line);
                }
            }
            Err(error) => self.desk.output.error(error),
        }
    }

    /// Hands the engine something to do; tells whether it is there to do it.
    fn send(&self, job: Job<G>) -> bool {
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        if !sent {
            self.desk.output.error("the engine thread has ended");
        }
        sent
    }

    /// A random number, another each time.
    fn next_random(&mut self) -> u64 {
        self.random.next()
    }

    /// Ends a running search and the engine's thread. Waits for them as long as they take, or at most `patience`; tells
    /// whether they have ended. A process that must be gone soon asks for little and then exits.
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
            // If it has died, there is nobody left to tell.
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
