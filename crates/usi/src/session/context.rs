//! The state of a session that survives a change of the game.

use super::CommandLimits;
use super::extension::Extension;
use super::interrupt::Interrupt;
use super::runner::Runner;
use crate::options::{ComboId, CommandFile, Event, Folders, Options, TextId, startup_commands, startup_info};
use crate::output::{Fault, Output};
use platform::Language;
use std::collections::VecDeque;
use std::sync::Arc;

/// The surroundings of a session: its output, queued lines, options set by the host.
///
/// A change of `USI_Variant` replaces only the game; all of this stays.
pub struct SessionContext {
    pub(super) output: Output,
    /// Of what is for people alone: the greeting and `help`.
    pub(super) language: Language,
    pub(super) folders: Folders,
    /// Queued lines of command files, executed before further input.
    pub(super) queue: VecDeque<String>,
    /// Number of command files read since the last line of input.
    pub(super) files_read: u32,
    pub(super) command_limits: CommandLimits,
    pub(super) interrupt: Arc<Interrupt>,
    /// The names for `USI_Variant`, the default first; empty if there is no choice.
    pub(super) games: Vec<String>,
    /// Options besides `USI_Variant` that choose a game.
    pub(super) extensions: Vec<Extension>,
    /// The options of earlier games.
    pub(super) options: Options,
    /// What lets engines work where there are no threads.
    pub(super) runner: Option<Runner>,
    /// Whether a session has used this context.
    pub(super) has_begun: bool,
    /// Whether commands were given as arguments, and no line of the input has been executed since.
    arguments: bool,
    /// The fault that the exit status reports.
    pub(super) fault: Option<Fault>,
}

impl SessionContext {
    /// An empty context.
    #[must_use]
    pub fn new(output: Output, folders: Folders) -> Self {
        Self {
            output,
            language: Language::English,
            folders,
            queue: VecDeque::new(),
            files_read: 0,
            command_limits: CommandLimits::default(),
            interrupt: Arc::default(),
            games: Vec::new(),
            extensions: Vec::new(),
            options: Options::new(),
            runner: None,
            has_begun: false,
            arguments: false,
            fault: None,
        }
    }

    /// The language of the greeting and of `help`; what hosts read is the same in all.
    #[must_use]
    pub fn with_language(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// Engines work where `runner` lets them, not on threads.
    pub(super) fn with_runner(mut self, runner: Runner) -> Self {
        self.runner = Some(runner);
        self
    }

    /// Prints `startup_info.txt` and queues the lines of `startup.txt`, if they exist.
    pub fn start_up(&mut self) {
        match startup_info(&self.folders) {
            Ok(lines) => lines.iter().for_each(|line| self.output.line(line)),
            Err(error) => self.output.error(error),
        }
        match startup_commands(&self.folders) {
            Ok(commands) => self.queue.extend(commands),
            Err(error) => self.output.error(error),
        }
    }

    /// Queues commands from the arguments of the program, executed before the input. If one of them fails, the exit
    /// status reports it.
    pub fn enqueue(&mut self, lines: impl IntoIterator<Item = String>) {
        let waiting = self.queue.len();
        self.queue.extend(lines);
        self.arguments |= self.queue.len() > waiting;
    }

    /// Queues the lines of a file, for the argument `file PATH`.
    pub fn enqueue_file(&mut self, path: &str) {
        self.arguments = true;
        match CommandFile::read(&self.folders, path) {
            Ok(file) => self.queue.extend(file.commands),
            Err(error) => self.output.error(error),
        }
    }

    /// Ends the commands from arguments: faults of later lines do not affect the exit status.
    pub(super) fn end_arguments(&mut self) {
        if std::mem::take(&mut self.arguments) {
            self.fault = self.fault.or_else(|| self.output.first_fault());
        }
    }

    /// The extension of a game, if it has one.
    pub(super) fn extension_of(&self, game: &str) -> Option<&Extension> {
        self.extensions.iter().find(|extension| extension.base == game)
    }

    /// Takes the context for the next session, with the options of the last one.
    pub(super) fn clear(&mut self, mut options: Options) -> Self {
        options.remember(&self.options);
        Self {
            output: self.output.clone(),
            language: self.language,
            folders: self.folders.clone(),
            queue: std::mem::take(&mut self.queue),
            files_read: self.files_read,
            command_limits: self.command_limits,
            interrupt: self.interrupt.clone(),
            games: std::mem::take(&mut self.games),
            extensions: std::mem::take(&mut self.extensions),
            options,
            runner: self.runner.clone(),
            has_begun: self.has_begun,
            arguments: self.arguments,
            fault: self.fault,
        }
    }
}

/// A change that a session leaves to the [`Console`](super::Console).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// `USI_Variant`: another game.
    Game(String),
    /// `VariantPath`: more games.
    File(String),
}

/// The options that choose the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GameOptions {
    /// `VariantPath`. Declared first, because hosts set options in the order printed.
    path: TextId,
    /// `USI_Variant`.
    game: ComboId,
}

impl GameOptions {
    /// Declares them, if there is a choice.
    pub(super) fn declare(options: &mut Options, games: &[String]) -> Option<Self> {
        let words: Vec<&str> = games.iter().map(String::as_str).collect();
        let default = words.first()?;
        let path = options.filename("VariantPath", "", "a variants.ini with more games for USI_Variant");
        let game = options.combo("USI_Variant", default, &words, "the game that is played");
        Some(Self { path, game })
    }

    /// Whether an event concerns one of them.
    pub(super) fn are_concerned(&self, event: Event) -> bool {
        event.concerns(self.path) || event.concerns(self.game)
    }

    /// Setting the same file again reads it again: it may have changed.
    pub(super) fn renewed(&self, event: Event) -> Event {
        let path = self.path.into();
        if event == Event::Unchanged(path) { Event::Changed(path) } else { event }
    }

    /// The game or file chosen by an option.
    pub(super) fn choice(&self, event: Event, options: &Options) -> Option<Choice> {
        if event.concerns(self.game) {
            Some(Choice::Game(options.get(self.game).word.to_owned()))
        } else if event.concerns(self.path) {
            Some(Choice::File(options.get(self.path).to_owned()))
        } else {
            None
        }
    }

    /// The value of `USI_Variant`.
    pub(super) fn named<'a>(&self, options: &'a Options) -> &'a str {
        options.get(self.game).word
    }

    /// Sets `USI_Variant` to the game that is played.
    pub(super) fn state(&self, options: &mut Options, game: &str) {
        options.state(self.game, game);
    }

    /// Updates the games to choose from.
    pub(super) fn offer(&self, options: &mut Options, games: &[String]) {
        options.set_choices(self.game, games);
    }
}
