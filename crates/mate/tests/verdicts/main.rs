//! Verdicts of the composer's report: against exhaustive search, and against `testdata/mate/verdicts.jsonl`.

#[path = "../brute_force/exhaustive.rs"]
#[allow(dead_code, reason = "the other test uses all of it")]
mod exhaustive;
mod truth;

use mate::composition::{
    Custom, Examination, ExamineSettings, FlawKind, Ruling, Soundness, apply, edits, examine, report_json,
};
use mate::{Goal, Interpositions, Limits, Solver, Verdict};
use platform::Random;
use serde_json::{Value, json};
use shogi::{Color, HandPiece, Move, Piece, PieceKind, Position, Setup, Square};
use std::collections::BTreeMap;
use std::path::Path;
use truth::{Beside, TooLarge, Values};

/// Positions that one exhaustive search lists.
const MOST: usize = 800;

fn settings(custom: Custom) -> ExamineSettings<'static> {
    ExamineSettings {
        custom,
        interpositions: Interpositions::All,
        nodes: Some(50_000),
        nodes_per_move: 10_000,
        nodes_for_variations: 10_000,
        ..ExamineSettings::default()
    }
}

/// Compares an examination with exhaustive search; whether it could be decided.
fn confirm(found: &Examination) -> Result<(), TooLarge> {
    let sfen = found.start.sfen();
    if !found.open.is_empty() || found.unsolved.is_some() {
        return Err(TooLarge);
    }
    let mut values = Values::new(found.attacker, MOST);
    let Some(plies) = values.value(&found.start)? else {
        assert_eq!(found.soundness(), Soundness::Unsound(vec![FlawKind::NoMate]), "{sfen}");
        for refutation in &found.refutations {
            let check = refutation.check.expect("the attacker begins");
            let mut position = truth::after(&found.start, check);
            position.do_move(refutation.defence.expect("a defence escapes"));
            assert_eq!(values.value(&position)?, None, "{sfen}: {check}");
        }
        return Ok(());
    };
    assert_eq!(found.line.len() as u32, plies, "{sfen}");
    // Every move of the main line is optimal.
    let mut position = found.start.clone();
    for (index, &m) in found.line.iter().enumerate() {
        position.do_move(m);
        assert_eq!(values.value(&position)?, Some(plies - 1 - index as u32), "{sfen}: {m}");
    }
    let least = values.left_over(&found.start)?.expect("there is a mate");
    let left: u32 = found.left_over.iter().map(|(_, count)| count).sum();
    assert_eq!(left > 0, least > 0, "{sfen}: the main line leaves pieces where another does not");
    assert_eq!(found.of_kind(FlawKind::LeftOver).count(), usize::from(left > 0), "{sfen}");
    let mut reported = Beside::default();
    for flaw in &found.flaws {
        let Some(m) = flaw.m else { continue };
        let place = (flaw.before.len(), m.to_string());
        match flaw.kind {
            FlawKind::VariationCook => {
                let position =
                    flaw.before.iter().fold(found.start.clone(), |position, m| truth::after(&position, *m));
                assert!(values.value(&truth::after(&position, m))?.is_some(), "{sfen}: {m} does not mate");
            }
            FlawKind::EqualDefence => drop(reported.defences.insert(place)),
            FlawKind::LongerDefence | FlawKind::NotLongest | FlawKind::NoMate | FlawKind::EarlyMate => {
                panic!("{sfen}: impossible beside the optimal line: {flaw:?}")
            }
            _ => drop(reported.checks.insert(place)),
        }
        if let Some(length) = flaw.length.filter(|length| length.is_exact()) {
            assert_eq!(flaw.line.len() as u32 + 1, length.plies(), "{sfen}: {flaw:?}");
        }
    }
    assert_eq!(reported, values.beside(&found.start, &found.line)?, "{sfen}");
    Ok(())
}

/// A king in a corner, a few pieces around it; the defender holds little, so that exhaustive search gets through.
fn small_problem(dice: &mut Random) -> Option<Position> {
    use PieceKind::{Bishop, Dragon, Gold, Horse, Knight, Lance, Pawn, ProPawn, Rook, Silver};
    const ATTACKING: [PieceKind; 12] =
        [Gold, Silver, Knight, Pawn, ProPawn, Horse, Dragon, Lance, Rook, Bishop, Silver, Pawn];
    const DEFENDING: [PieceKind; 6] = [Pawn, Lance, Knight, Silver, Gold, Pawn];
    const HELD: [HandPiece; 6] = [
        HandPiece::Gold,
        HandPiece::Silver,
        HandPiece::Knight,
        HandPiece::Pawn,
        HandPiece::Rook,
        HandPiece::Lance,
    ];
    let mut setup = Setup::EMPTY;
    let king = [Square::Sq11, Square::Sq12, Square::Sq21, Square::Sq31, Square::Sq51][dice.below(5)];
    setup.board[king.index()] = Some(Piece::new(Color::White, PieceKind::King));
    for (color, kinds, most) in [(Color::Black, &ATTACKING[..], 3), (Color::White, &DEFENDING[..], 3)] {
        for _ in 0..=dice.below(most) {
            let file = (king.file() as usize + dice.below(4)).saturating_sub(1);
            let rank = (king.rank() as usize + dice.below(4)).min(8);
            let square = Square::from_index((file * 9 + rank) as u8)?;
            let piece = Piece::new(color, kinds[dice.below(kinds.len())]);
            if setup.board[square.index()].is_none() {
                if shogi::attacks::on_empty_board(piece, square).is_empty() {
                    return None;
                }
                setup.board[square.index()] = Some(piece);
            }
        }
    }
    for _ in 0..=dice.below(2) {
        setup.hands[Color::Black.index()].add(HELD[dice.below(HELD.len())]);
    }
    if dice.below(2) == 0 {
        setup.hands[Color::White.index()].add(HELD[dice.below(HELD.len())]);
    }
    let position = Position::try_from(setup).ok()?;
    (!position.is_attacked(king, Color::Black, position.occupied())).then_some(position)
}

#[test]
fn reports_on_small_problems_are_those_of_exhaustive_search() {
    let mut dice = Random::new(11);
    let mut solver = Solver::new(1 << 20).expect("there is a megabyte");
    let (mut compared, mut mates) = (0, 0);
    while compared < 10 {
        let Some(position) = small_problem(&mut dice) else { continue };
        let quick = solver.solve(&position, Goal::Any, Limits::nodes(200));
        if quick == Verdict::NoMate && dice.below(20) > 0 || matches!(quick, Verdict::Unknown(_)) {
            continue;
        }
        let quick = ExamineSettings {
            nodes_per_move: 1_000,
            nodes_for_variations: 1_000,
            ..settings(Custom::STRICT)
        };
        let found = examine(&mut solver, &position, &quick);
        if confirm(&found).is_ok() {
            compared += 1;
            mates += usize::from(!found.line.is_empty());
        }
    }
    assert!(mates > 2, "{mates} mates of {compared} are too few to mean anything");
}

/// The verdict and its reasons, as the file has them.
fn said(found: &Examination) -> (String, Vec<String>) {
    let report = report_json(found, "");
    let kinds = report["because"].as_array().expect("a list").iter();
    let kinds = kinds.map(|kind| kind.as_str().expect("a word").to_owned()).collect();
    (report["verdict"].as_str().expect("a word").to_owned(), kinds)
}

fn verdicts() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mate/verdicts.jsonl");
    let text = std::fs::read_to_string(path).expect("it is in the repository");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

#[test]
fn the_hand_checked_problems_have_their_verdicts() {
    let mut solver = Solver::new(4 << 20).expect("there is memory");
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let problems = verdicts();
    for problem in &problems {
        let position =
            Position::from_sfen(problem["sfen"].as_str().expect("a position")).expect("it is valid");
        let found = examine(&mut solver, &position, &settings(Custom::STRICT));
        let (verdict, because) = said(&found);
        assert_eq!(problem["strict"], json!({ "verdict": verdict, "because": because }), "{problem}");
        assert_eq!(problem["plies"], json!(found.line.len()), "{problem}");
        let modern = examine(&mut solver, &position, &settings(Custom::MODERN));
        assert_eq!(problem["modern"], json!(said(&modern).0), "{problem}");
        confirm(&found).unwrap_or_else(|_| panic!("{problem}: too large for exhaustive search"));
        for kind in because.into_iter().chain([verdict]) {
            *kinds.entry(kind).or_default() += 1;
        }
    }
    println!("{kinds:?}");
    assert!(problems.len() >= 26, "{}", problems.len());
    for kind in ["sound", "cook", "left-over", "no-mate"] {
        assert!(kinds.get(kind).is_some_and(|count| *count >= 3), "{kind}: {kinds:?}");
    }
}

/// Whether one line of the shortest mate has at most one piece left or other check that mates: a quick filter.
fn has_few_flaws(solver: &mut Solver, position: &Position) -> bool {
    let Verdict::Mate(mate) = solver.solve(position, Goal::Shortest, Limits::nodes(1_000)) else {
        return false;
    };
    let attacker = position.side();
    let mut board = position.clone();
    let mut flaws = 0;
    for &played in &mate.line {
        let moves =
            if board.side() == attacker { Values::new(attacker, 0).moves(&board) } else { Vec::new() };
        for m in moves.into_iter().filter(|m| *m != played) {
            let verdict = solver.go_on(&truth::after(&board, m), attacker, Goal::Any, Limits::nodes(300));
            flaws += u32::from(verdict != Verdict::NoMate);
            if flaws > 1 {
                return false;
            }
        }
        board.do_move(played);
    }
    let left: u32 = board.hand(attacker).iter().map(|(_, count)| count).sum();
    flaws + left <= 1
}

/// Prints problems for `testdata/mate/verdicts.jsonl`: at most so many of each set of reasons.
#[test]
#[ignore = "makes testdata/mate/verdicts.jsonl"]
fn print_problems_with_verdicts() {
    const OF_EACH: usize = 7;
    let mut dice = Random::new(2026);
    let mut solver = Solver::new(1 << 20).expect("there is a megabyte");
    let mut of_each: BTreeMap<String, usize> = BTreeMap::new();
    let mut number = 0;
    // A walk from simple problems by single changes stays among positions with few flaws.
    let seeds = [
        "8k/9/8P/9/9/9/9/9/9 b Ggs2nl3p 1",
        "8k/8p/7S1/9/7L1/9/9/9/9 b g2s2nl3p 1",
        "9/6k2/9/6P2/6S2/9/9/9/9 b Gs2nl3p 1",
    ];
    let mut position = Position::from_sfen(seeds[0]).expect("it is valid");
    for step in 0..3_000_000 {
        if step % 3000 == 0 {
            position = Position::from_sfen(seeds[dice.below(seeds.len())]).expect("it is valid");
        }
        let edits = edits(&position, Color::Black);
        let Some(next) = apply(&position, Color::Black, edits[dice.below(edits.len())]) else { continue };
        let has_mate = match solver.solve(&next, Goal::Any, Limits::nodes(200)) {
            Verdict::Mate(_) => true,
            Verdict::NoMate => false,
            Verdict::Unknown(_) => continue,
        };
        let is_wanted = has_mate || of_each.get("no-mateunsound").is_none_or(|count| *count < OF_EACH);
        if !is_wanted || next.occupied().count() > 9 || has_mate && !has_few_flaws(&mut solver, &next) {
            continue;
        }
        if has_mate {
            position = next.clone();
        }
        let position = next;
        let quick = ExamineSettings {
            nodes: Some(2_000),
            nodes_per_move: 1_000,
            nodes_for_variations: 0,
            ..settings(Custom::STRICT)
        };
        let (verdict, because) = said(&examine(&mut solver, &position, &quick));
        let kind = if because.len() > 1 { "several".to_owned() } else { because.join("") + &verdict };
        let count = of_each.entry(kind).or_default();
        if *count >= OF_EACH || verdict == "undecided" {
            continue;
        }
        let found = examine(&mut solver, &position, &settings(Custom::STRICT));
        let plies = found.line.len();
        if plies == 1 && *count >= 2
            || said(&found) != (verdict.clone(), because.clone())
            || confirm(&found).is_err()
        {
            continue;
        }
        *count += 1;
        number += 1;
        let modern = said(&examine(&mut solver, &position, &settings(Custom::MODERN))).0;
        let line = found.line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ");
        println!(
            "{}",
            json!({ "id": format!("small-{number:02}"), "sfen": position.sfen(), "plies": plies, "line": line,
                    "strict": { "verdict": verdict, "because": because }, "modern": modern })
        );
    }
}

#[test]
fn a_custom_decides_what_is_forgiven() {
    let mut solver = Solver::new(1 << 20).expect("there is a megabyte");
    let mut judged = |sfen: &str, custom| {
        let position = Position::from_sfen(sfen).expect("it is valid");
        examine(&mut solver, &position, &settings(custom))
    };
    // The README's example: mate in one with a gold left over.
    let example = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
    for custom in Custom::ALL {
        let found = judged(example, custom);
        assert_eq!(found.soundness(), Soundness::Unsound(vec![FlawKind::LeftOver]), "{custom}");
    }
    // The silver mates on 2b whether it promotes or not.
    let silver = "8k/8p/7S1/9/7L1/9/9/9/9 b - 1";
    let strict = judged(silver, Custom::STRICT).soundness();
    assert_eq!(strict, Soundness::Unsound(vec![FlawKind::Promotion]));
    let modern = judged(silver, Custom::MODERN).soundness();
    assert_eq!(modern, Soundness::Blemished(vec![FlawKind::Promotion]));
    // Whatever is forgiven, there must be a mate.
    let all =
        FlawKind::ALL.into_iter().fold(Custom::STRICT, |custom, kind| custom.with(kind, Ruling::Blemish));
    assert_eq!(
        judged("8k/9/9/9/9/9/9/9/9 b P 1", all).soundness(),
        Soundness::Unsound(vec![FlawKind::NoMate])
    );
}
