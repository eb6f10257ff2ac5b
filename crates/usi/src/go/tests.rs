use super::words::KEYWORDS;
use super::*;
use crate::time::{Budget, Millis, TimeOptions};
use game::Color;
use proptest::prelude::*;

fn search(text: &str) -> Limits {
    match Go::parse(text) {
        (Go::Search(limits), warnings) => {
            assert_eq!(warnings, [], "{text}");
            limits
        }
        (other, _) => panic!("{text}: {other:?}"),
    }
}

fn clock(time: [u64; 2], increment: [u64; 2], byoyomi: u64) -> Clock {
    Clock { time: time.map(Millis), increment: increment.map(Millis), byoyomi: Millis(byoyomi) }
}

#[test]
fn clocks_of_every_host() {
    for (text, expected) in [
        ("btime 60000 wtime 50000 byoyomi 10000", Some(clock([60_000, 50_000], [0, 0], 10_000))),
        ("btime 300000 wtime 300000 binc 10000 winc 5000", Some(clock([300_000; 2], [10_000, 5_000], 0))),
        ("byoyomi 1000", Some(clock([0, 0], [0, 0], 1000))),
        ("winc 3 binc 2 byoyomi 1 wtime 5 btime 4", Some(clock([4, 5], [2, 3], 1))),
        ("btime 1500.5 wtime 1500,9 binc 2E+2 winc +200", Some(clock([1500; 2], [200; 2], 0))),
        ("btime 1 btime 2", Some(clock([2, 0], [0, 0], 0))),
        ("", None),
    ] {
        assert_eq!(search(text).clock, expected, "{text}");
    }
}

#[test]
fn limits_combine_in_any_order() {
    let limits = search("nodes 5 movetime 90000 depth 245 btime 7 rtime 100");
    assert_eq!((limits.nodes, limits.depth), (Some(5), Some(245)));
    assert_eq!((limits.movetime, limits.rtime), (Some(Millis(90_000)), Some(Millis(100))));
    assert_eq!(limits.clock, Some(clock([7, 0], [0, 0], 0)));
    let limits = search("searchmoves 9g9f B*5e infinite searchmoves 2b8h+ ponder");
    assert_eq!(limits.searchmoves, ["9g9f", "B*5e", "2b8h+"]);
    assert!(limits.infinite && limits.ponder);
    assert_eq!(search("depth 0 nodes 0"), Limits::default());
}

#[test]
fn mate_in_all_its_forms() {
    for (text, time, nodes, depth) in [
        ("mate", None, None, None),
        ("mate infinite", None, None, None),
        ("mate 5000", Some(5000), None, None),
        ("mate nodes 100000", None, Some(100_000), None),
        ("nodes 9 mate infinite", None, Some(9), None),
        ("depth 9 mate infinite", None, None, Some(9)),
        ("mate movetime 70", Some(70), None, None),
        ("mate 5 infinite", None, None, None),
    ] {
        let expected = MateLimits { time: time.map(Millis), nodes, depth };
        assert_eq!(Go::parse(text), (Go::Mate(expected), vec![]), "{text}");
    }
}

#[test]
fn perft() {
    assert_eq!(Go::parse(" perft 6 "), (Go::Perft(6), vec![]));
    assert_eq!(Go::parse("perft"), (Go::Perft(1), vec![GoWarning::NumberMissing("perft")]));
}

#[test]
fn oddities_are_passed_over() {
    for (text, clean, warnings) in [
        (
            "foo byoyomi 9 bar",
            "byoyomi 9",
            &["go: `foo` is not known, ignored", "go: `bar` is not known, ignored"][..],
        ),
        ("btime wtime 1000", "btime 0 wtime 1000", &["go: btime needs a number"]),
        ("byoyomi", "byoyomi 0", &["go: byoyomi needs a number"]),
        ("btime soon wtime 1", "btime 0 wtime 1", &["go: btime needs a number, found `soon`"]),
        ("btime -20.5", "btime 0", &["go: btime -20.5 is below zero, taken as 0"]),
        (
            "btime 99999999999999999999",
            "btime 1000000000000",
            &["go: btime 99999999999999999999 is too large, cut down"],
        ),
        ("depth 5000000000", "depth 4294967295", &["go: depth 5000000000 is too large, cut down"]),
        ("movetime\u{3000}\u{6b69}", "", &["go: movetime needs a number, found `?`"]),
        ("mate soon", "mate", &["go: `soon` is not known, ignored"]),
        (
            "movestogo 40 byoyomi 1",
            "byoyomi 1",
            &["go: `movestogo` is not known, ignored", "go: `40` is not known, ignored"],
        ),
    ] {
        let (go, found) = Go::parse(text);
        assert_eq!(go, Go::parse(clean).0, "{text}");
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), warnings, "{text}");
    }
}

#[test]
fn a_flood_of_oddities_is_cut_short() {
    let (_, warnings) = Go::parse(&"x ".repeat(10_000));
    assert_eq!((warnings.len(), warnings.last()), (9, Some(&GoWarning::More(9_992))));
}

#[test]
fn every_keyword_is_known() {
    for word in KEYWORDS {
        let (_, warnings) = Go::parse(&format!("{word} 1"));
        assert!(!warnings.contains(&GoWarning::Unknown(word.into())), "{word}");
    }
}

#[test]
fn ponderhit_brings_clocks() {
    assert_eq!(parse_ponderhit("btime 1 wtime 2 binc 3 winc 4").0, Some(clock([1, 2], [3, 4], 0)));
    assert_eq!(parse_ponderhit(" depth 3").1.len(), 2);
}

#[test]
fn every_go_is_limited_or_waits_for_stop() {
    let options = TimeOptions::default();
    let budget = |text: &str| search(text).budget(Color::White, 20, &options, 7);
    for text in ["infinite", "infinite byoyomi 1", "ponder", "depth 3", "nodes 3", "depth 3 btime 0 wtime 0"]
    {
        assert_eq!(budget(text), None, "{text}");
    }
    for (text, maximum) in [
        // One second, NetworkDelay 120.
        ("", 880),
        // No time left, but a move is wanted.
        ("btime 0 wtime 0", 100),
        ("movetime 300", 300),
        ("movetime 0", 1),
        ("movetime 300 btime 0 wtime 0", 300),
        // White has 200 ms: 200 - 120 - 10.
        ("movetime 300 wtime 200", 70),
        // min(100 / 2, 100 * 10 / 20) = 50; 7 % 50 = 7.
        ("rtime 100", 107),
        ("byoyomi 10000 depth 30", 8_880),
        ("byoyomi 10000 ponder", 8_880),
    ] {
        assert_eq!(budget(text).map(|budget| budget.maximum), Some(Millis(maximum)), "{text}");
    }
}

#[test]
fn what_ponderhit_changes() {
    let options = TimeOptions::default();
    let at_hit = |go: &str, hit: &str| {
        let clock = parse_ponderhit(hit).0;
        search(go).budget_at_ponderhit(clock, Color::Black, 9, &options, 0).map(|budget| budget.maximum.0)
    };
    assert_eq!(at_hit("ponder byoyomi 10000", ""), None);
    assert_eq!(at_hit("ponder byoyomi 10000", "byoyomi 5000"), Some(3_880));
    assert_eq!(at_hit("ponder", "byoyomi 5000"), Some(3_880));
    assert_eq!(at_hit("ponder", ""), Some(Budget::without_clock(&options).maximum.0));
    assert_eq!(at_hit("ponder depth 9", ""), None);
    assert_eq!(at_hit("ponder infinite", "byoyomi 5000"), None);
}

proptest! {
    #[test]
    fn any_text_can_be_read(text in "([a-z]{0,9}|-?[0-9.,eE+]{0,24}|\\PC{0,9}| |btime|byoyomi|mate|searchmoves){0,20}") {
        let (go, warnings) = Go::parse(&text);
        prop_assert!(warnings.iter().all(|warning| warning.to_string().is_ascii()));
        if let Go::Search(limits) = go {
            let budget = limits.budget(Color::Black, 1, &TimeOptions::default(), 0);
            prop_assert!(budget.is_some() || limits.is_withheld() || limits.depth.is_some() || limits.nodes.is_some());
        }
        let _ = parse_ponderhit(&text);
    }
}
