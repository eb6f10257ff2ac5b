//! `go` and its limits.

use crate::host::{Host, assert_legal};
use crate::info::{Score, variations};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn the_move_its_line_and_the_reply_fit_together() {
    let mut host = Host::ready();
    let position = "startpos moves 7g7f 3c3d";
    for go in ["go btime 0 wtime 0 byoyomi 200", "go depth 5", "go nodes 3000"] {
        let answer = host.plays(position, go);
        if let Some(ponder) = &answer.ponder {
            assert_legal(position, &[&answer.best, ponder]);
        }
        let shown = variations(&answer.before);
        for info in &shown {
            assert_legal(position, &info.pv);
        }
        let last = shown.iter().rfind(|info| info.multipv == Some(1)).expect("a line is shown");
        assert_eq!(last.pv[0], answer.best, "{go}: the last line is not what is played");
        assert!(!last.is_bound, "{go}: {last:?}");
    }
    host.quit();
}

#[test]
fn info_lines_hold_only_what_every_host_knows() {
    let mut host = Host::ready();
    let answer = host.plays("startpos", "go nodes 20000");
    let shown = variations(&answer.before);
    assert!(!shown.is_empty());
    for info in shown {
        assert!(info.depth.is_some() && info.multipv.is_some(), "{info:?}");
        assert!(info.nodes.is_some() && info.time.is_some() && info.score.is_some(), "{info:?}");
        assert!(info.hashfull.is_none_or(|thousandths| thousandths <= 1000), "{info:?}");
        assert_ne!(info.score, Some(Score::Mate(0)), "{info:?}");
    }
    host.quit();
}

#[test]
fn fractional_and_mixed_clocks() {
    let mut host = Host::ready();
    for go in [
        "go btime 500.5 wtime 500.5 binc 20 winc 20",
        "go btime 500 wtime 500 byoyomi 0",
        "go btime 300 wtime 300 binc 10 winc 10 byoyomi 10",
        "go movetime 50 wtime 1000 btime 1000 byoyomi 100",
        "go wtime 500 btime 500",
        "go byoyomi 50 binc 0 btime 0",
        "go rtime 30",
        "go btime 0 wtime 0",
        "go btime -100 wtime -100 byoyomi 50",
        "go movetime 20 btime",
        "go nodes 100 foo bar",
    ] {
        host.plays("startpos", go);
    }
    host.quit();
}

#[test]
fn infinite_waits_for_stop() {
    let mut host = Host::ready();
    host.send("position startpos moves 2g2f\ngo infinite");
    host.expect_no_answer();
    host.send("stop");
    host.best_move();
    host.expect_no_answer();
    host.quit();
}

#[test]
fn infinite_waits_even_when_all_is_clear() {
    let mut host = Host::ready();
    for position in [
        // Mated; a mate in one; a won declaration; one legal move.
        "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1",
        "sfen 7nk/7pp/7N1/9/9/9/9/9/K8 b G 1",
        "sfen 1K+R+R5/+B+B+P+P+P+P3/+P+P+P+P5/9/9/9/9/9/4k4 b 4G4S4N4L 200",
        "sfen k8/9/1G7/9/9/9/9/9/K8 w 2G 1",
    ] {
        for go in ["go infinite", "go infinite depth 1", "go nodes 1 infinite"] {
            host.send(&format!("position {position}\n{go}"));
            host.expect_no_answer();
            host.send("stop");
            host.best_move();
        }
    }
    host.quit();
}

#[test]
fn the_first_limit_ends_the_search() {
    let mut host = Host::ready();
    let answer = host.plays("startpos", "go movetime 3600000 depth 3 nodes 1000000000");
    assert_eq!(variations(&answer.before).iter().filter_map(|info| info.depth).max(), Some(3));
    let answer = host.plays("startpos", "go depth 200 nodes 20000 movetime 3600000");
    let nodes =
        variations(&answer.before).iter().filter_map(|info| info.nodes).max().expect("they are shown");
    assert!((10_000..=21_000).contains(&nodes), "{nodes} nodes");
    host.plays("startpos", "go movetime 50 depth 200 nodes 1000000000");
    host.quit();
}

#[test]
fn options_limit_what_go_leaves_open() {
    let mut host = Host::ready();
    let depth = |lines: &[String]| variations(lines).iter().filter_map(|info| info.depth).max();
    host.send("setoption name DepthLimit value 2");
    assert_eq!(depth(&host.plays("startpos", "go btime 3600000 wtime 3600000").before), Some(2));
    assert_eq!(depth(&host.plays("startpos", "go depth 3").before), Some(3));
    host.send("setoption name DepthLimit value 0\nsetoption name NodesLimit value 500");
    host.plays("startpos", "go byoyomi 3600000");
    host.quit();
}

#[test]
fn searchmoves_choose_the_moves() {
    let mut host = Host::ready();
    for go in ["go searchmoves 9g9f 1g1f infinite", "go infinite searchmoves 1g1f 9g9f"] {
        host.send(&format!("position startpos\n{go}"));
        host.expect_no_answer();
        host.send("stop");
        let answer = host.best_move();
        let wanted = ["9g9f", "1g1f"];
        assert!(wanted.contains(&answer.best.as_str()), "{}", answer.best);
        assert!(variations(&answer.before).iter().all(|info| wanted.contains(&info.pv[0].as_str())));
    }
    let answer = host.plays("startpos", "go depth 2 searchmoves 5i5h 9z9z 5a5b");
    assert_eq!(answer.best, "5i5h");
    host.quit();
}

#[test]
fn multipv_changes_between_searches() {
    let mut host = Host::ready();
    host.plays("startpos", "go depth 2");
    for name in ["MultiPV", "USI_MultiPV"] {
        host.send(&format!("setoption name {name} value 3"));
        let answer = host.plays("startpos", "go depth 3");
        let last: BTreeMap<_, _> =
            variations(&answer.before).into_iter().map(|info| (info.multipv, info.pv[0].clone())).collect();
        assert_eq!(last.keys().copied().collect::<Vec<_>>(), [Some(1), Some(2), Some(3)], "{name}");
        assert_eq!(last.values().collect::<BTreeSet<_>>().len(), 3, "{name}: {last:?}");
        host.send("setoption name MultiPV value 1");
        let answer = host.plays("startpos", "go depth 3");
        assert!(variations(&answer.before).iter().all(|info| info.multipv == Some(1)));
    }
    // More than there are moves.
    host.send("setoption name MultiPV value 600");
    host.plays("sfen k8/9/1G7/9/9/9/9/9/K8 w 2G 1", "go depth 3");
    host.quit();
}

#[test]
fn reports_keep_their_distance() {
    let mut host = Host::ready();
    host.send("setoption name PvInterval value 100000000");
    let answer = host.plays("startpos", "go nodes 30000");
    // The first and the last.
    assert!(variations(&answer.before).len() <= 2, "{:?}", answer.before);
    host.quit();
}
