//! Problems with known answers, read in place where they are (`../shared/public/tsume`).

use mate::composition::{ExamineSettings, FlawKind, Soundness, examine, verdict};
use mate::{
    Goal, HelpLimits, HelpVerdict, Interpositions, Limits, MateLength, Solver, Verdict, solve_helpmate,
};
use platform::Language;
use serde_json::Value;
use shogi::Position;
use std::io::Write;
use std::path::Path;

/// The lines of a file; nothing, with a word about it, where the folder is absent.
fn lines(file: &str) -> Vec<Value> {
    let public = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/public");
    let path = public.join("tsume").join(file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        assert!(!public.is_dir(), "{} is there, but not tsume/{file}", public.display());
        // Not `eprintln!`: the harness hides what passing tests print.
        let _ = writeln!(std::io::stderr(), "skipped: {} is not there", path.display());
        return Vec::new();
    };
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn position(problem: &Value) -> Position {
    Position::from_sfen(problem["sfen"].as_str().expect("a problem has a position"))
        .expect("it can be set up")
}

/// Whether a verdict contradicts what is known.
fn assert_agrees(problem: &Value, position: &Position, verdict: &Verdict) {
    let id = problem["id"].as_str().unwrap_or("?");
    let is_mate = problem["result"] == "mate";
    match verdict {
        Verdict::Unknown(_) => {}
        Verdict::NoMate => assert!(!is_mate, "{id}: there is a mate"),
        Verdict::Mate(mate) => {
            assert!(is_mate, "{id}: there is no mate");
            let mut end = position.clone();
            for (ply, &m) in mate.line.iter().enumerate() {
                assert!(end.is_legal(m), "{id}: {m} is not legal");
                assert!(ply % 2 == 1 || end.gives_check(m), "{id}: {m} is no check");
                end.do_move(m);
            }
            assert!(end.is_mated(), "{id}: no mate at the end");
            let Some(strict) = problem["strict_len"].as_u64() else { return };
            match mate.length {
                MateLength::Exact(n) => {
                    assert_eq!(u64::from(n), strict, "{id}");
                    assert_eq!(mate.line.len() as u64, strict, "{id}");
                }
                MateLength::AtMost(n) => assert!(u64::from(n) >= strict, "{id}: {n} is too short"),
            }
        }
    }
}

/// Solves every problem within so many positions; returns how many were decided.
fn solve_all(megabytes: usize, nodes: u64, goal: Goal) -> (usize, usize) {
    let mut solver = Solver::new(megabytes << 20).expect("there is memory");
    let (mut decided, mut all) = (0, 0);
    for problem in lines("problems.jsonl").iter().filter(|problem| problem["rule"] == "tsume") {
        let position = position(problem);
        let verdict = solver.solve(&position, goal, Limits::nodes(nodes));
        assert_agrees(problem, &position, &verdict);
        all += 1;
        decided += usize::from(!matches!(verdict, Verdict::Unknown(_)));
    }
    (decided, all)
}

#[test]
fn easy_problems_are_solved_and_no_answer_is_wrong() {
    let (decided, all) = solve_all(64, 5_000, Goal::Shortest);
    assert!(all == 0 || decided * 2 > all, "{decided} of {all}");
}

/// Problems of our own generator; cshogi's search for mates has found their lengths.
#[test]
fn own_problems() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mate/problems.jsonl");
    let text = std::fs::read_to_string(path).expect("it is in the repository");
    let mut solver = Solver::new(16 << 20).expect("there is memory");
    let mut solved = 0;
    for line in text.lines() {
        let problem: Value = serde_json::from_str(line).expect("a line is JSON");
        let position = position(&problem);
        let verdict = solver.solve(&position, Goal::Shortest, Limits::nodes(200_000));
        assert!(matches!(&verdict, Verdict::Mate(mate) if mate.length.is_exact()), "{line}");
        assert_agrees(&problem, &position, &verdict);
        solved += 1;
    }
    assert_eq!(solved, 24);
}

/// What a verdict says, apart from the line; nothing if it is undecided.
#[allow(clippy::option_option, reason = "undecided, none, or a length: three cases")]
fn said(verdict: &Verdict) -> Option<Option<MateLength>> {
    match verdict {
        Verdict::Mate(mate) => Some(Some(mate.length)),
        Verdict::NoMate => Some(None),
        Verdict::Unknown(_) => None,
    }
}

/// Solves every problem as it is and seen from elsewhere; returns how many could be compared.
fn compare_views(nodes: u64) -> usize {
    let mut solver = Solver::new(64 << 20).expect("there is memory");
    let mut answer = |position: &Position| {
        let verdict = solver.solve(position, Goal::Shortest, Limits::nodes(nodes));
        // A bound depends on the order of moves.
        said(&verdict).filter(|length| length.is_none_or(MateLength::is_exact))
    };
    let mut compared = 0;
    for problem in lines("problems.jsonl").iter().filter(|problem| problem["rule"] == "tsume") {
        let position = position(problem);
        let Some(expected) = answer(&position) else { continue };
        for other in [position.mirror(), position.flip(), position.mirror().flip()] {
            if let Some(found) = answer(&other) {
                assert_eq!(found, expected, "{}: {}", problem["id"], other.sfen());
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn mirrored_and_turned_problems_have_the_same_answers() {
    let compared = compare_views(2_000);
    println!("{compared} answers compared");
}

#[test]
#[ignore = "minutes"]
fn mirrored_and_turned_hard_problems_have_the_same_answers() {
    let compared = compare_views(300_000);
    println!("{compared} answers compared");
}

/// The customary count is never longer than the strict one, and its line is that long.
#[test]
fn futile_interpositions_only_lengthen() {
    let mut solver = Solver::new(64 << 20).expect("there is memory");
    let mut shorter = 0;
    for problem in lines("problems.jsonl").iter().filter(|problem| problem["rule"] == "tsume") {
        let position = position(problem);
        let mut solve = |interpositions| {
            solver.set_interpositions(interpositions);
            solver.solve(&position, Goal::Shortest, Limits::nodes(5_000))
        };
        let (strict, customary) = (solve(Interpositions::All), solve(Interpositions::Useful));
        let (Verdict::Mate(strict), Verdict::Mate(customary)) = (strict, customary) else { continue };
        if strict.length.is_exact() && customary.length.is_exact() {
            assert!(customary.length.plies() <= strict.length.plies(), "{}", problem["id"]);
            assert_eq!(customary.line.len() as u32, customary.length.plies(), "{}", problem["id"]);
            shorter += usize::from(customary.length != strict.length);
        }
    }
    println!("{shorter} problems are shorter by the customary count");
}

#[test]
#[ignore = "minutes"]
fn a_table_of_one_megabyte_costs_time_but_never_the_truth() {
    let (decided, all) = solve_all(1, 400_000, Goal::Shortest);
    println!("1 MB: {decided} of {all} decided");
}

#[test]
#[ignore = "minutes"]
fn a_table_of_16_megabytes_costs_time_but_never_the_truth() {
    let (decided, all) = solve_all(16, 400_000, Goal::Shortest);
    println!("16 MB: {decided} of {all} decided");
}

#[test]
fn helpmates_have_their_lengths_and_counts() {
    for problem in lines("problems.jsonl").iter().filter(|problem| problem["rule"] == "helpmate") {
        let Some(length) = problem["strict_len"].as_u64().filter(|length| *length < 100) else { continue };
        let position = position(problem);
        let stop = |progress: mate::HelpProgress| progress.positions > 100_000;
        match solve_helpmate(&position, &HelpLimits { bytes: 1 << 30, stop: &stop }) {
            HelpVerdict::Unknown => {}
            HelpVerdict::NoMate => panic!("{}", problem["id"]),
            HelpVerdict::Mate(found) => {
                assert_eq!(found.plies() as u64, length, "{}", problem["id"]);
                let mut end = position.clone();
                for &m in &found.line {
                    assert!(end.is_legal(m), "{}: {m}", problem["id"]);
                    end.do_move(m);
                }
                assert!(end.is_mated(), "{}", problem["id"]);
            }
        }
    }
}

/// The classics (無双, 図巧) by the custom of today, as far as a small budget goes. Those without a mate must be 不詰, no other
/// one may be; the rest is printed, because published verdicts differ by the definition of 無駄合.
#[test]
#[ignore = "minutes"]
fn the_classics_are_judged() {
    let mut solver = Solver::new(256 << 20).expect("there is memory");
    let mut counts = std::collections::BTreeMap::new();
    for problem in lines("problems.jsonl").iter().filter(|problem| problem["rule"] == "tsume") {
        let id = problem["id"].as_str().expect("a problem has a name");
        let is_mate = problem["result"] == "mate";
        let is_short = problem["strict_len"].as_u64().is_some_and(|plies| plies <= 27);
        if !(id.starts_with("muso") || id.starts_with("zuko")) || is_mate && !is_short {
            continue;
        }
        let settings = ExamineSettings {
            nodes: Some(3_000_000),
            nodes_per_move: 100_000,
            nodes_for_variations: 0,
            ..ExamineSettings::default()
        };
        let found = examine(&mut solver, &position(problem), &settings);
        let has_no_mate = found.of_kind(FlawKind::NoMate).next().is_some();
        assert!(found.unsolved.is_some() || has_no_mate != is_mate, "{id}");
        println!("{id}: {} plies, {}", found.line.len(), verdict(&found, Language::English));
        let kind = match found.soundness() {
            Soundness::Sound => "sound",
            Soundness::Blemished(_) => "blemished",
            Soundness::Unsound(_) => "unsound",
            Soundness::Undecided => "undecided",
        };
        *counts.entry(kind).or_insert(0) += 1;
    }
    println!("{counts:?}");
}
