//! Forced mates in variants, against a search that tries everything.

use fairy::{Library, Position};
use game::{Game, Position as _};
use search::{ForcedLimits, ForcedMate, solve_forced};

/// Whether the side to move mates within so many plies, every move a check or the last one.
fn mates(position: &mut Position, plies: u32) -> bool {
    let attacker = position.side();
    let won = |position: &Position| position.outcome().is_some_and(|end| end.winner() == Some(attacker));
    let moves = position.legal_moves();
    moves.iter().any(|m| {
        position.do_move(*m);
        let checks = position.in_check() || position.goal().is_some();
        let mated = checks
            && (won(position)
                || plies > 2 && position.outcome().is_none() && {
                    let replies = position.legal_moves();
                    replies.iter().all(|reply| {
                        position.do_move(*reply);
                        let mated =
                            won(position) || position.outcome().is_none() && mates(position, plies - 2);
                        position.undo_move();
                        mated
                    })
                });
        position.undo_move();
        mated
    })
}

fn solve(position: &Position, plies: Option<u32>, nodes: u64) -> ForcedMate<fairy::Move> {
    let limits =
        ForcedLimits { nodes: Some(nodes), plies, bytes: 64 << 20, stop: &|| false, report: &mut |_| () };
    solve_forced(position, limits)
}

/// Positions of random games, many of them wild.
fn positions(name: &str, games: usize) -> Vec<Position> {
    let game = Library::shipped().game(name).expect("it is shipped");
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut chance = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut found = Vec::new();
    for _ in 0..games {
        let mut position = game.startpos();
        for _ in 0..60 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.outcome().is_some() {
                break;
            }
            if chance(6) == 0 {
                found.push(position.clone());
            }
            position.do_move(moves[chance(moves.len())]);
        }
    }
    found
}

const VARIANTS: [&str; 8] =
    ["minishogi", "gorogoro", "micro", "kyotoshogi", "dobutsu", "66shogi", "shoshogi", "antiminishogi"];

#[test]
fn answers_are_those_of_trying_everything() {
    let mut found = [0, 0];
    for name in VARIANTS {
        for mut position in positions(name, 6) {
            for plies in [1, 3] {
                let expected = mates(&mut position, plies);
                let answer = solve(&position, Some(plies), 1_000_000);
                let label = format!("{name} {} in {plies}", position.to_text());
                match answer {
                    ForcedMate::Mate(line) => assert!(expected && line.len() as u32 <= plies, "{label}"),
                    ForcedMate::NoMate => assert!(!expected, "{label}"),
                    ForcedMate::Unknown(why) => panic!("{label}: {why}"),
                }
                found[usize::from(expected)] += 1;
            }
        }
    }
    assert!(found[0] > 100 && found[1] > 10, "{found:?}");
}

#[test]
fn lines_end_in_mate_and_short_mates_are_never_denied() {
    let (mut mated, mut refuted) = (0, 0);
    for name in VARIANTS {
        for mut position in positions(name, 4) {
            let label = format!("{name} {}", position.to_text());
            match solve(&position, None, 20_000) {
                ForcedMate::Mate(line) => {
                    let attacker = position.side();
                    for m in &line {
                        assert!(position.is_legal(*m), "{label}: {m}");
                        position.do_move(*m);
                    }
                    let winner = position.outcome().and_then(game::Outcome::winner);
                    assert_eq!(winner, Some(attacker), "{label}");
                    mated += 1;
                }
                ForcedMate::NoMate => {
                    assert!(!mates(&mut position, 3), "{label}");
                    refuted += 1;
                }
                ForcedMate::Unknown(_) => {}
            }
        }
    }
    assert!(mated > 5 && refuted > 50, "{mated} mated, {refuted} refuted");
}

/// A rook that could give check for ever does not keep the solver busy: circles are refuted as a whole.
#[test]
fn endless_checks_are_no_mate() {
    let game = Library::shipped().game("minishogi").expect("it is shipped");
    let position = game.position("4k/5/5/5/R3K b - 1").expect("a valid SFEN");
    assert_eq!(solve(&position, None, 1_000_000), ForcedMate::NoMate);
}
