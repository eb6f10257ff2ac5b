//! The options that every search engine has, in groups, so that a session leaves out what its game lacks.
//!
//! Another part of the program adds its own in the same way: a struct of ids and a `declare`.

use super::{CheckId, ComboId, Options, SpinId, TextId};
use crate::level::{Level, Rank};

/// What a game has, as far as options depend on it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Features<'a> {
    /// Whether a promotion may be declined where that is hardly ever useful.
    pub pointless_moves: bool,
    /// The entering-king rules to choose from, if the game has any.
    pub entering_king_rules: Option<Choices<'a>>,
    /// Whether its players have kyu and dan ranks, which name the levels.
    pub ranks: bool,
}

/// The words of a combo option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choices<'a> {
    /// The one that holds at first.
    pub default: &'a str,
    /// All of them, in print order.
    pub words: &'a [&'a str],
}

/// All options of play.
///
/// ```
/// use usi::options::{Choices, Features, Options, PlayOptions};
/// let rules = Choices { default: "CSARule27", words: &["NoEnteringKing", "CSARule27", "TryRule"] };
/// let features = Features { pointless_moves: true, entering_king_rules: Some(rules), ranks: true };
/// let mut options = Options::new();
/// let play = PlayOptions::declare(&mut options, &features);
///
/// options.set(play.clock.network_delay, "400").unwrap();
/// assert_eq!(options.get(play.clock.network_delay), 400);
/// assert_eq!(options.get(play.search.hash), 256);
/// let rule = play.rules.entering_king_rule.unwrap();
/// assert_eq!(options.get(rule).index, 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayOptions {
    /// How much to search.
    pub search: SearchOptions,
    /// How strong to play.
    pub level: LevelOptions,
    /// How to work with the host.
    pub host: HostOptions,
    /// What results are worth.
    pub verdict: VerdictOptions,
    /// What to say while searching.
    pub output: OutputOptions,
    /// The rules of the game.
    pub rules: RuleOptions,
    /// How to spend time.
    pub clock: ClockOptions,
}

impl PlayOptions {
    /// Adds them all, as far as the game has them.
    pub fn declare(options: &mut Options, features: &Features<'_>) -> Self {
        Self {
            search: SearchOptions::declare(options),
            level: LevelOptions::declare(options, features.ranks),
            host: HostOptions::declare(options),
            verdict: VerdictOptions::declare(options),
            output: OutputOptions::declare(options),
            rules: RuleOptions::declare(options, features),
            clock: ClockOptions::declare(options),
        }
    }
}

/// The default of `USI_Hash`, in MiB. The table is handed out whole at `isready`: a machine of 4 GB that also runs a host
/// has room for this one several times.
pub(crate) const DEFAULT_HASH: i64 = 256;

/// How much to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// `Threads`.
    pub threads: SpinId,
    /// `USI_Hash`, in MiB.
    pub hash: SpinId,
    /// `MultiPV`.
    pub multi_pv: SpinId,
    /// `DepthLimit`; 0 is none.
    pub depth_limit: SpinId,
    /// `NodesLimit`; 0 is none.
    pub nodes_limit: SpinId,
}

impl SearchOptions {
    /// Adds them.
    pub fn declare(options: &mut Options) -> Self {
        let declared = Self {
            threads: options.spin("Threads", 4, 1..=1024, "search threads"),
            hash: options.spin(
                "USI_Hash",
                DEFAULT_HASH,
                1..=33_554_432,
                "size of the transposition table in MiB",
            ),
            multi_pv: options.spin("MultiPV", 1, 1..=600, "how many best moves to show"),
            depth_limit: options.spin(
                "DepthLimit",
                0,
                0..=2_147_483_647,
                "depth of a `go` without `depth`, 0 = no limit",
            ),
            nodes_limit: options.spin(
                "NodesLimit",
                0,
                0..=i64::MAX,
                "nodes of a `go` without `nodes`, 0 = no limit",
            ),
        };
        options.alias(declared.hash, "Hash");
        options.alias(declared.multi_pv, "USI_MultiPV");
        declared
    }
}

/// How strong to play. The lowest level that one of them asks for holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelOptions {
    /// `USI_Level`, by [`Rank::index`].
    pub level: ComboId,
    /// `SkillLevel`, 20 being full strength.
    pub skill_level: SpinId,
    /// `UCI_LimitStrength`.
    pub limit_strength: CheckId,
    /// `UCI_Elo`.
    pub elo: SpinId,
    /// `LevelSeed`; 0 is another one for each move.
    pub seed: SpinId,
}

impl LevelOptions {
    /// Adds them.
    pub fn declare(options: &mut Options, ranks: bool) -> Self {
        let words: Vec<String> = Rank::all().map(|r| if ranks { r.ascii() } else { r.number() }).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let full = Rank::FULL.ascii();
        let (least, most) = Level::elo_range();
        let declared = Self {
            level: options.combo("USI_Level", &full, &words, "playing strength, of a beginner to full"),
            skill_level: options.spin("SkillLevel", 20, 0..=20, "playing strength, 20 = full"),
            limit_strength: options.check("UCI_LimitStrength", false, "play as UCI_Elo says"),
            elo: options.spin("UCI_Elo", most, least..=most, "playing strength on the ladder of USI_Level"),
            seed: options.spin(
                "LevelSeed",
                0,
                0..=i64::MAX,
                "the same choices each time when playing below strength; 0 = others each time",
            ),
        };
        for rank in Rank::all() {
            options.spell_choice(declared.level, rank.index(), rank.spellings());
        }
        options.alias(declared.skill_level, "Skill Level");
        options.alias(declared.skill_level, "USI_SkillLevel");
        declared
    }
}

/// How to work with the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostOptions {
    /// `USI_Ponder`.
    pub ponder: CheckId,
    /// `Stochastic_Ponder`.
    pub stochastic_ponder: CheckId,
    /// `DebugLogFile`; empty is no log.
    pub debug_log_file: TextId,
}

impl HostOptions {
    /// Adds them.
    pub fn declare(options: &mut Options) -> Self {
        let declared = Self {
            ponder: options.check(
                "USI_Ponder",
                false,
                "the host will ponder: think longer on the own time, unless Stochastic_Ponder is on",
            ),
            stochastic_ponder: options.check(
                "Stochastic_Ponder",
                false,
                "ponder on all answers of the opponent instead of the expected one",
            ),
            debug_log_file: options.string("DebugLogFile", "", "copy every line in and out to this file"),
        };
        options.alias(declared.debug_log_file, "WriteDebugLog");
        declared
    }
}

/// What results are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerdictOptions {
    /// `DrawValueBlack`, in centipawns.
    pub draw_value_black: SpinId,
    /// `DrawValueWhite`, in centipawns.
    pub draw_value_white: SpinId,
    /// `ResignValue`, in centipawns.
    pub resign_value: SpinId,
    /// `MaxMovesToDraw`; 0 is none.
    pub max_moves_to_draw: SpinId,
}

impl VerdictOptions {
    /// Adds them.
    pub fn declare(options: &mut Options) -> Self {
        let draw = -30_000..=30_000;
        Self {
            draw_value_black: options.spin(
                "DrawValueBlack",
                -2,
                draw.clone(),
                "what a draw is worth in centipawns when playing Black",
            ),
            draw_value_white: options.spin(
                "DrawValueWhite",
                -2,
                draw,
                "what a draw is worth in centipawns when playing White",
            ),
            resign_value: options.spin(
                "ResignValue",
                99_999,
                0..=99_999,
                "resign when worse than this many centipawns",
            ),
            max_moves_to_draw: options.spin(
                "MaxMovesToDraw",
                0,
                0..=100_000,
                "the game is drawn after this many moves, 0 = never",
            ),
        }
    }
}

/// What to say while searching.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutputOptions {
    /// `PvInterval`, in milliseconds.
    pub pv_interval: SpinId,
    /// `ConsiderationMode`.
    pub consideration_mode: CheckId,
    /// `OutputFailLHPV`.
    pub output_fail_lh_pv: CheckId,
}

impl OutputOptions {
    /// Adds them.
    pub fn declare(options: &mut Options) -> Self {
        let declared = Self {
            pv_interval: options.spin(
                "PvInterval",
                300,
                0..=100_000_000,
                "least time between two reports in ms; 0 in analysis",
            ),
            consideration_mode: options.check(
                "ConsiderationMode",
                false,
                "for analysis: long lines, every report",
            ),
            output_fail_lh_pv: options.check(
                "OutputFailLHPV",
                true,
                "also report scores that are only bounds",
            ),
        };
        options.alias(declared.pv_interval, "PV_Interval");
        declared
    }
}

/// The rules of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleOptions {
    /// `GenerateAllLegalMoves`.
    pub generate_all_legal_moves: Option<CheckId>,
    /// `EnteringKingRule`.
    pub entering_king_rule: Option<ComboId>,
}

impl RuleOptions {
    /// Adds those that the game has.
    pub fn declare(options: &mut Options, features: &Features<'_>) -> Self {
        Self {
            generate_all_legal_moves: features.pointless_moves.then(|| {
                let help = "also search non-promotions that are hardly ever useful";
                options.check("GenerateAllLegalMoves", false, help)
            }),
            entering_king_rule: features.entering_king_rules.map(|Choices { default, words }| {
                options.combo("EnteringKingRule", default, words, "when an entering king wins")
            }),
        }
    }
}

/// How to spend time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockOptions {
    /// `NetworkDelay`, in milliseconds.
    pub network_delay: SpinId,
    /// `NetworkDelay2`, in milliseconds.
    pub network_delay2: SpinId,
    /// `MinimumThinkingTime`, in milliseconds.
    pub minimum_thinking_time: SpinId,
    /// `SlowMover`, in percent.
    pub slow_mover: SpinId,
    /// `RoundUpToFullSecond`.
    pub round_up_to_full_second: CheckId,
}

impl ClockOptions {
    /// Adds them.
    pub fn declare(options: &mut Options) -> Self {
        let delay = 0..=10_000;
        Self {
            network_delay: options.spin("NetworkDelay", 120, delay.clone(), "usual delay of a move in ms"),
            network_delay2: options.spin("NetworkDelay2", 1120, delay, "worst delay of a move in ms"),
            minimum_thinking_time: options.spin(
                "MinimumThinkingTime",
                2000,
                1..=100_000,
                "least time for a move in ms",
            ),
            slow_mover: options.spin(
                "SlowMover",
                100,
                1..=1000,
                "share of the usual time to take in percent",
            ),
            round_up_to_full_second: options.check(
                "RoundUpToFullSecond",
                true,
                "the clock counts full seconds: use them up",
            ),
        }
    }
}

#[cfg(test)]
mod tests;
