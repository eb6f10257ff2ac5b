//! The declared options of a session, and the settings read from them.

use super::extension::Extension;
use crate::level::Level;
use crate::options::{Choices, Event, Features, OptionId, Options, PlayOptions, PlaySettings};
use crate::time::{Millis, TimeOptions};
use game::{Game, GameOption, OptionKind};
use search::Settings;
use std::num::NonZeroU32;

/// The options with their ids.
pub(super) struct Declared {
    pub(super) table: Options,
    pub(super) play: PlayOptions,
    /// The options of the game's own.
    of_game: Vec<OptionOfGame>,
    /// The options of the game's extension.
    of_extension: Vec<OptionOfGame>,
}

/// An option of the game.
struct OptionOfGame {
    id: OptionId,
    option: GameOption,
    /// The last value that the game accepted.
    taken: String,
}

impl OptionOfGame {
    fn declare(option: GameOption, table: &mut Options) -> Self {
        let GameOption { name, help, .. } = option;
        let (id, taken) = match &option.kind {
            OptionKind::Check { default } => (table.check(name, *default, help).into(), default.to_string()),
            OptionKind::Combo { default, words } => {
                (table.combo(name, default, words, help).into(), (*default).to_owned())
            }
            OptionKind::Text { default } => (table.string(name, default, help).into(), (*default).to_owned()),
        };
        Self { id, option, taken }
    }

    /// Passes the value to `take`. A refused value is reset; the error says why.
    fn apply(
        &mut self,
        table: &mut Options,
        mut take: impl FnMut(&str, &str) -> Result<(), String>,
    ) -> Result<(), String> {
        let value = table.entry(self.id).value();
        let value = if value == "<empty>" { String::new() } else { value };
        match take(self.option.name, &value) {
            Ok(()) => self.taken = value,
            Err(message) => {
                // The former value is always accepted.
                let _ = table.set(self.id, &self.taken);
                return Err(format!("{}: {message}; {} is kept", self.option.name, self.taken));
            }
        }
        Ok(())
    }
}

/// Applies all of them like [`OptionOfGame::apply`]; returns the last error.
fn apply_all(
    options: &mut [OptionOfGame],
    table: &mut Options,
    mut take: impl FnMut(&str, &str) -> Result<(), String>,
) -> Result<(), String> {
    let mut fault = Ok(());
    for option in options {
        if let Err(message) = option.apply(table, &mut take) {
            fault = Err(message);
        }
    }
    fault
}

impl Declared {
    /// Declares the common options that `game` has.
    pub(super) fn for_game(game: &impl Game) -> Self {
        let rules = game.declaration_rules();
        let words: Vec<&str> = rules.iter().map(String::as_str).collect();
        let default = game.declaration_rule();
        let entering_king_rules = default.as_deref().map(|default| Choices { default, words: &words });
        let mut table = Options::new();
        let features = Features { pointless_moves: true, entering_king_rules, ranks: game.has_ranks() };
        let play = PlayOptions::declare(&mut table, &features);
        let of_game = game.options().into_iter().map(|option| OptionOfGame::declare(option, &mut table));
        let of_game = of_game.collect();
        Self { table, play, of_game, of_extension: Vec::new() }
    }

    /// Declares the options of the game that an option can turn this one into.
    pub(super) fn declare_extension(&mut self, extension: &Extension) {
        let options = extension.options.iter().cloned();
        self.of_extension = options.map(|option| OptionOfGame::declare(option, &mut self.table)).collect();
    }

    /// Whether an event concerns an option of the game.
    pub(super) fn concern_game(&self, event: Event) -> bool {
        self.of_game.iter().any(|own| event.concerns(own.id))
    }

    /// Passes the game the values of its own options. A refused value is reset; the error says why.
    pub(super) fn apply_game_options(&mut self, game: &mut impl Game) -> Result<(), String> {
        apply_all(&mut self.of_game, &mut self.table, |name, value| game.set_option(name, value))
    }

    /// Checks the values of the extension's options likewise.
    pub(super) fn check_extension(&mut self, extension: &Extension) -> Result<(), String> {
        apply_all(&mut self.of_extension, &mut self.table, extension.check)
    }

    /// The line with the omitted value, if the name of the option alone sets it.
    pub(super) fn completed(&self, line: &str) -> Option<String> {
        let mut all = self.of_game.iter().chain(&self.of_extension);
        let own = all.find(|own| own.option.name.eq_ignore_ascii_case(line))?;
        Some(format!("{} {}", own.option.name, own.option.alone?))
    }

    /// Passes the game the rules chosen by options.
    pub(super) fn apply_rules(&self, game: &mut impl Game) {
        if let Some(id) = self.play.rules.entering_king_rule {
            game.set_declaration_rule(self.table.get(id).word);
        }
        let limit = self.number(self.play.verdict.max_moves_to_draw);
        game.set_max_moves(NonZeroU32::new(limit));
    }

    pub(super) fn number<N: TryFrom<i64> + Default>(&self, id: crate::options::SpinId) -> N {
        N::try_from(self.table.get(id)).unwrap_or_default()
    }

    /// `value` unless it is 0, which means "no limit".
    pub(super) fn limit<N: TryFrom<i64> + Default + PartialEq>(
        &self,
        id: crate::options::SpinId,
    ) -> Option<N> {
        Some(self.number(id)).filter(|n| *n != N::default())
    }

    pub(super) fn play_settings(&self) -> PlaySettings {
        self.play.settings(&self.table)
    }

    /// The level to play at: the lowest one that an option asks for.
    pub(super) fn level(&self) -> Option<Level> {
        let options = &self.play.level;
        let chosen = Level::step(self.table.get(options.level).index);
        let skill = Level::of_skill(self.table.get(options.skill_level));
        let elo = self.table.get(options.limit_strength).then(|| Level::of_elo(self.table.get(options.elo)));
        [chosen, skill, elo].into_iter().flatten().min()
    }

    pub(super) fn search_settings(&self, hundred_centipawns: i32) -> Settings {
        let (play, verdict) = (self.play_settings(), &self.play.verdict);
        let draw = |id| self.number::<i32>(id) * hundred_centipawns / 100;
        Settings {
            threads: play.threads,
            multi_pv: play.multi_pv,
            draw_value: [draw(verdict.draw_value_black), draw(verdict.draw_value_white)],
            promotions: play.promotions,
            report_fails: self.table.get(self.play.output.output_fail_lh_pv),
        }
    }

    pub(super) fn time_options(&self) -> TimeOptions {
        let clock = &self.play.clock;
        TimeOptions {
            network_delay: Millis(self.number(clock.network_delay)),
            network_delay2: Millis(self.number(clock.network_delay2)),
            minimum_thinking_time: Millis(self.number(clock.minimum_thinking_time)),
            slow_mover: self.number(clock.slow_mover),
            round_up_to_full_second: self.table.get(clock.round_up_to_full_second),
            usi_ponder: self.table.get(self.play.host.ponder),
            stochastic_ponder: self.table.get(self.play.host.stochastic_ponder),
            max_moves_to_draw: self.number(self.play.verdict.max_moves_to_draw),
        }
    }
}
