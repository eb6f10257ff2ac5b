//! From options to what a search wants to know.

use crate::options::{Choices, Features, Options, PlayOptions};
use crate::time::{Millis, TimeOptions};
use game::{Game, Promotions};
use search::Settings;
use std::num::NonZeroU32;

/// The options with the ids to read them by.
pub(super) struct Declared {
    pub(super) table: Options,
    pub(super) play: PlayOptions,
}

impl Declared {
    /// Declares the options of play, as far as `game` has them.
    pub(super) fn for_game(game: &impl Game) -> Self {
        let rules = game.declaration_rules();
        let words: Vec<&str> = rules.iter().map(String::as_str).collect();
        let default = game.declaration_rule();
        let entering_king_rules = default.as_deref().map(|default| Choices { default, words: &words });
        let mut table = Options::new();
        let features = Features { pointless_moves: true, entering_king_rules };
        let play = PlayOptions::declare(&mut table, &features);
        Self { table, play }
    }

    /// Tells the game what was agreed on.
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

    /// `value` if it is not 0, which means "no limit".
    pub(super) fn limit<N: TryFrom<i64> + Default + PartialEq>(
        &self,
        id: crate::options::SpinId,
    ) -> Option<N> {
        Some(self.number(id)).filter(|n| *n != N::default())
    }

    pub(super) fn search_settings(&self, hundred_centipawns: i32) -> Settings {
        let (search, verdict) = (&self.play.search, &self.play.verdict);
        let draw = |id| self.number::<i32>(id) * hundred_centipawns / 100;
        let all = self.play.rules.generate_all_legal_moves.is_some_and(|id| self.table.get(id));
        Settings {
            threads: self.number::<usize>(search.threads).max(1),
            lines: self.number::<usize>(search.multi_pv).max(1),
            draw_value: [draw(verdict.draw_value_black), draw(verdict.draw_value_white)],
            promotions: if all { Promotions::All } else { Promotions::Sensible },
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
