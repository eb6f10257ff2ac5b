//! `setoption`, `getoption`, `NAME VALUE`, and what follows from a changed option.

use super::Session;
use super::command::CommandError;
use super::context::Choice;
use super::extension::Extension;
use super::postponed::Change;
use crate::options::{Answer, Event, OptionError, OptionId, Overrides, SetOption};
use game::{Game, Position};

impl<G: Game> Session<G> {
    /// Shows the changes of an options file and reacts to them.
    pub(super) fn heed(&mut self, overrides: Overrides) {
        for message in &overrides.messages {
            self.context.output.info(message);
        }
        for event in overrides.events {
            self.react(event);
        }
    }

    pub(super) fn set_option(&mut self, arguments: &str) {
        match SetOption::parse(arguments) {
            Ok(command) if self.is_searching() && self.has_option(&command) => {
                match command.apply(&mut self.options.table.clone()) {
                    Ok(event) => self.postpone(event, Change::Set(command)),
                    Err(error) => self.context.output.wrong_usage(error),
                }
            }
            Ok(command) => self.apply(&command),
            Err(error) => self.context.output.wrong_usage(error),
        }
    }

    fn has_option(&self, command: &SetOption) -> bool {
        self.options.table.find(&command.name).is_some()
    }

    fn apply(&mut self, command: &SetOption) {
        if !self.has_option(command) && self.context.options.find(&command.name).is_some() {
            return self.keep_for_other_game(command);
        }
        match command.apply(&mut self.options.table) {
            Ok(event) => self.react(self.renewed(event)),
            Err(error) => self.context.output.wrong_usage(error),
        }
    }

    fn renewed(&self, event: Event) -> Event {
        self.game_options.map_or(event, |options| options.renewed(event))
    }

    /// Hosts set options in any order: one of the former game may follow the one that has chosen another game.
    fn keep_for_other_game(&mut self, command: &SetOption) {
        match command.apply(&mut self.context.options) {
            Ok(_) => self.context.output.info(format_args!(
                "{} has no option {}; the value is kept for games that have it",
                self.game.name(),
                command.name
            )),
            Err(error) => self.context.output.info(error),
        }
    }

    /// Queues a change until the search ends. A change of the game does not wait: it ends the search.
    fn postpone(&mut self, event: Event, change: Change) {
        self.postponed.push(event, change);
        if self.game_options.is_some_and(|options| options.are_concerned(event))
            || self.switch_concerned(event).is_some()
        {
            self.end_search();
            self.apply_postponed();
        }
    }

    pub(super) fn apply_postponed(&mut self) {
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

    /// `Threads 4`, `Threads = 4`; or an unknown command.
    pub(super) fn option_or_unknown(&mut self, line: &str, unknown: &CommandError) {
        let completed = self.options.completed(line.trim());
        let line = completed.as_deref().unwrap_or(line.trim());
        if !self.is_searching() {
            let answer = self.options.table.shorthand(line);
            if !self.show_spoken(answer) {
                self.context.output.wrong_usage(unknown);
            }
            return;
        }
        match self.options.table.clone().shorthand(line) {
            None => self.context.output.wrong_usage(unknown),
            Some(Ok(Answer { event: Some(event), .. })) => {
                self.postpone(event, Change::Spoken(line.to_owned()));
            }
            answer => drop(self.show_spoken(answer)),
        }
    }

    /// Shows the result of a line like `Threads = 4`; returns whether it names an option.
    fn show_spoken(&mut self, answer: Option<Result<Answer, OptionError>>) -> bool {
        match answer {
            Some(Ok(answer)) => {
                let Some(event) = answer.event else {
                    self.context.output.info(&answer.line);
                    return true;
                };
                // The game may refuse the value, so the value in force is shown.
                self.react(self.renewed(event));
                let entry = self.options.table.entry(event.id());
                self.context.output.info(format_args!("Options[{}] = {}", entry.name(), entry.shown()));
                true
            }
            Some(Err(error)) => {
                self.context.output.wrong_usage(error);
                true
            }
            None => false,
        }
    }

    pub(super) fn show_options(&self, name: &str) {
        match self.options.table.describe(name) {
            Ok(lines) => lines.iter().for_each(|line| self.context.output.info(line)),
            Err(error) => self.context.output.wrong_usage(error),
        }
    }

    /// Reacts to a changed option.
    pub(super) fn react(&mut self, event: Event) {
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
        if let Some(extension) = self.context.extension_of(self.game.name())
            && let Err(message) = self.options.check_extension(extension)
        {
            self.context.output.error(message);
        }
    }

    /// The extension whose deciding option an event concerns, with that option.
    fn switch_concerned(&self, event: Event) -> Option<(&Extension, OptionId)> {
        self.context.extensions.iter().find_map(|extension| {
            let switch = self.options.table.find(extension.switch)?;
            event.concerns(switch).then_some((extension, switch))
        })
    }

    /// The game chosen by an option other than `USI_Variant`.
    fn extended(&self, event: Event) -> Option<Choice> {
        let (extension, switch) = self.switch_concerned(event)?;
        let table = &self.options.table;
        if self.game_options?.named(table) != extension.base {
            return None;
        }
        let wanted = extension.game_with(&table.entry(switch).value());
        (wanted != self.game.name()).then(|| Choice::Game(wanted.to_owned()))
    }

    /// Passes the game its own options. If the position is the start position, it is replaced by the start position
    /// under the new options.
    pub(super) fn apply_game_options(&mut self) {
        let at_start = self.position.to_text() == self.game.startpos().to_text();
        if let Err(message) = self.options.apply_game_options(&mut self.game) {
            self.context.output.error(message);
        }
        if at_start {
            self.position = self.game.startpos();
        }
    }

    pub(super) fn apply_rules(&mut self) {
        self.options.apply_rules(&mut self.game);
    }

    pub(super) fn log_to(&self, path: &str) {
        let path = (!path.is_empty()).then(|| self.context.folders.for_writing(path));
        if let Err(error) = self.context.output.log_to(path.as_deref()) {
            self.context.output.error(format_args!("cannot write the log: {error}"));
        }
    }
}
