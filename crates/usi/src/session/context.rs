//! What a session needs besides its game, and hands on when another game is chosen.

use super::CommandLimits;
use super::extension::Extension;
use super::interrupt::Interrupt;
use crate::options::{ComboId, CommandFile, Event, Folders, Options, TextId, startup_commands, startup_info};
use crate::output::{Fault, Output};
use std::collections::VecDeque;
use std::sync::Arc;

/// Where a session sits: its output, the lines that wait, the options that a host has set.
///
/// Only the game changes when `USI_Variant` does; everything here stays.
pub struct SessionContext {
    pub(super) output: Output,
    pub(super) folders: Folders,
    /// Lines of command files, executed before the input goes on.
    pub(super) queue: VecDeque<String>,
    /// Command files read since the input was last looked at.
    pub(super) files_read: u32,
    pub(super) command_limits: CommandLimits,
    pub(super) interrupt: Arc<Interrupt>,
    /// The names that `USI_Variant` offers, the default first; none if there is nothing to choose.
    pub(super) games: Vec<String>,
    /// Options that choose a game besides `USI_Variant`.
    pub(super) extensions: Vec<Extension>,
    /// The options of the games before this one.
    pub(super) options: Options,
    /// A session has sat here.
    pub(super) has_begun: bool,
    /// Commands were given as arguments, and no line of the input has been executed since.
    arguments: bool,
    /// What the exit status of the process reports.
    pub(super) fault: Option<Fault>,
}

impl SessionContext {
    /// An empty context.
    #[must_use]
    pub fn new(output: Output, folders: Folders) -> Self {
        Self {
            output,
            folders,
            queue: VecDeque::new(),
            files_read: 0,
            command_limits: CommandLimits::default(),
            interrupt: Arc::default(),
            games: Vec::new(),
            extensions: Vec::new(),
            options: Options::new(),
            has_begun: false,
            arguments: false,
            fault: None,
        }
    }

    /// Shows `startup_info.txt` and queues the lines of `startup.txt`, if there are such files.
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

    /// Queues commands to be executed before the input, given as arguments of the program: if one of them fails, the
    /// exit status reports it.
    pub fn enqueue(&mut self, lines: impl IntoIterator<Item = String>) {
        let waiting = self.queue.len();
        self.queue.extend(lines);
        self.arguments |= self.queue.len() > waiting;
    }

    /// Queues the lines of a file, for `file PATH` on the command line.
    pub fn enqueue_file(&mut self, path: &str) {
        self.arguments = true;
        match CommandFile::read(&self.folders, path) {
            Ok(file) => self.queue.extend(file.commands),
            Err(error) => self.output.error(error),
        }
    }

    /// The commands that were given as arguments are done. Faults of later lines do not count for the exit status.
    pub(super) fn end_arguments(&mut self) {
        if std::mem::take(&mut self.arguments) {
            self.fault = self.fault.or_else(|| self.output.first_fault());
        }
    }

    /// The extension of a game, if it has one.
    pub(super) fn extension_of(&self, game: &str) -> Option<&Extension> {
        self.extensions.iter().find(|extension| extension.base == game)
    }

    /// The context for the next session, with these options of the last one. Nothing waits at the old one any more.
    pub(super) fn clear(&mut self, mut options: Options) -> Self {
        options.remember(&self.options);
        Self {
            output: self.output.clone(),
            folders: self.folders.clone(),
            queue: std::mem::take(&mut self.queue),
            files_read: self.files_read,
            command_limits: self.command_limits,
            interrupt: self.interrupt.clone(),
            games: std::mem::take(&mut self.games),
            extensions: std::mem::take(&mut self.extensions),
            options,
            has_begun: self.has_begun,
            arguments: self.arguments,
            fault: self.fault,
        }
    }
}

/// A change that a session of one game leaves to the [`Console`](super::Console).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// `USI_Variant`: another game.
    Game(String),
    /// `VariantPath`: more games.
    File(String),
}

/// The options by which a host chooses the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GameOptions {
    /// `VariantPath`. It comes first, as hosts set options in the order in which they are printed.
    path: TextId,
    /// `USI_Variant`.
    game: ComboId,
}

impl GameOptions {
    /// Adds them, if there is anything to choose.
    pub(super) fn declare(options: &mut Options, games: &[String]) -> Option<Self> {
        let words: Vec<&str> = games.iter().map(String::as_str).collect();
        let default = words.first()?;
        let path = options.filename("VariantPath", "", "a variants.ini with more games for USI_Variant");
        let game = options.combo("USI_Variant", default, &words, "the game that is played");
        Some(Self { path, game })
    }

    /// Whether a change concerns one of them.
    pub(super) fn are_concerned(&self, event: Event) -> bool {
        event.concerns(self.path) || event.concerns(self.game)
    }

    /// A file that is named once more is read once more: it may have been edited.
    pub(super) fn renewed(&self, event: Event) -> Event {
        let path = self.path.into();
        if event == Event::Unchanged(path) { Event::Changed(path) } else { event }
    }

    /// The game or file that a change of an option chooses.
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

    /// There are other games to choose from now.
    pub(super) fn offer(&self, options: &mut Options, games: &[String]) {
        options.set_choices(self.game, games);
    }
}
