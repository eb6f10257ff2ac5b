use super::*;
use crate::options::{Event, SetOption};

const RULES: Choices<'_> = Choices {
    default: "CSARule27",
    words: &["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"],
};

fn shogi() -> (Options, PlayOptions) {
    let mut options = Options::new();
    let features = Features { pointless_moves: true, entering_king_rules: Some(RULES), ranks: true };
    let play = PlayOptions::declare(&mut options, &features);
    (options, play)
}

/// Ranges and defaults are those of `YaneuraOu` 9.70; `SkillLevel` is that of 7.10.
#[test]
fn hosts_see_these_lines() {
    let lines: Vec<String> = shogi().0.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "option name Threads type spin default 4 min 1 max 1024",
            "option name USI_Hash type spin default 256 min 1 max 33554432",
            "option name MultiPV type spin default 1 min 1 max 600",
            "option name DepthLimit type spin default 0 min 0 max 2147483647",
            "option name NodesLimit type spin default 0 min 0 max 9223372036854775807",
            "option name USI_Level type combo default full var 15k var 14k var 13k var 12k var 11k var 10k var 9k var 8k \
             var 7k var 6k var 5k var 4k var 3k var 2k var 1k var 1d var 2d var 3d var 4d var 5d var 6d var 7d var 8d var 9d \
             var full",
            "option name SkillLevel type spin default 20 min 0 max 20",
            "option name UCI_LimitStrength type check default false",
            "option name UCI_Elo type spin default 4252 min 0 max 4252",
            "option name LevelSeed type spin default 0 min 0 max 9223372036854775807",
            "option name USI_Ponder type check default false",
            "option name Stochastic_Ponder type check default false",
            "option name DebugLogFile type string default <empty>",
            "option name DrawValueBlack type spin default -2 min -30000 max 30000",
            "option name DrawValueWhite type spin default -2 min -30000 max 30000",
            "option name ResignValue type spin default 99999 min 0 max 99999",
            "option name MaxMovesToDraw type spin default 0 min 0 max 100000",
            "option name PvInterval type spin default 300 min 0 max 100000000",
            "option name ConsiderationMode type check default false",
            "option name OutputFailLHPV type check default true",
            "option name GenerateAllLegalMoves type check default false",
            "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing var CSARule24 \
             var CSARule24H var CSARule27 var CSARule27H var TryRule",
            "option name NetworkDelay type spin default 120 min 0 max 10000",
            "option name NetworkDelay2 type spin default 1120 min 0 max 10000",
            "option name MinimumThinkingTime type spin default 2000 min 1 max 100000",
            "option name SlowMover type spin default 100 min 1 max 1000",
            "option name RoundUpToFullSecond type check default true",
        ]
    );
}

#[test]
fn every_option_has_help_and_a_name_of_one_word() {
    for entry in shogi().0.iter() {
        assert!(!entry.help().is_empty() && entry.help().len() <= 90, "{entry}");
        assert!(!entry.name().contains(' '), "hosts split lines at blanks: {entry}");
    }
}

#[test]
fn a_game_without_such_rules_does_not_show_them() {
    let mut options = Options::new();
    let play = PlayOptions::declare(&mut options, &Features::default());
    assert_eq!(play.rules, RuleOptions { generate_all_legal_moves: None, entering_king_rule: None });
    assert_eq!(options.find("EnteringKingRule"), None);
    assert_eq!(options.find("GenerateAllLegalMoves"), None);
}

/// `ShogiHome` sends every option back, an empty default as an empty value.
#[test]
fn defaults_sent_back_change_nothing() {
    let (mut options, _) = shogi();
    let lines: Vec<String> = options.iter().map(ToString::to_string).collect();
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let value = words[6].replace("<empty>", "");
        let command = SetOption::parse(&format!("name {} value {value}", words[2])).unwrap();
        assert!(matches!(command.apply(&mut options), Ok(Event::Unchanged(_))), "{line}");
    }
}

#[test]
fn old_spellings() {
    let (mut options, play) = shogi();
    for (line, id) in [
        ("name WriteDebugLog value log.txt", play.host.debug_log_file.into()),
        ("name hash value 16", play.search.hash.into()),
        ("name USI_MultiPV value 3", play.search.multi_pv.into()),
        ("name Skill Level value 3", play.level.skill_level.into()),
        ("name PV_Interval value 0", play.output.pv_interval.into()),
    ] {
        assert_eq!(SetOption::parse(line).unwrap().apply(&mut options), Ok(Event::Changed(id)), "{line}");
    }
}
