//! A quick first judgement of a position, for searching many of them.

use super::custom::Custom;
use super::examine::{Examination, ExamineSettings, Soundness, examine};
use super::inquiry::after;
use crate::{Goal, Interpositions, Limits, Mate, Solver, Verdict};
use shogi::{MoveList, MoveSet, Position, Promotions};

/// Positions for the first question whether there is a mate at all, for its length, and for each other check.
const GLANCE: u64 = 400;
const LENGTH: u64 = 20_000;
const CHECK: u64 = 3_000;
/// Positions for each question of the last examination.
const CERTAINTY: u64 = 100_000;

/// A mate of exactly known length.
pub(crate) fn exact_mate(solver: &mut Solver, position: &Position) -> Option<Mate> {
    let Verdict::Mate(_) = solver.solve(position, Goal::Any, Limits::nodes(GLANCE)) else { return None };
    match solver.solve(position, Goal::Shortest, Limits::nodes(LENGTH)) {
        Verdict::Mate(mate) if mate.length.is_exact() => Some(mate),
        _ => None,
    }
}

/// Number of pieces left and of other checks that mate or are not decided, along one line; counting ends at `most`.
pub(crate) fn count_flaws(solver: &mut Solver, position: &Position, mate: &Mate, most: u32) -> u32 {
    let attacker = Solver::attacker(position);
    let end = after(position, &mate.line);
    let mut flaws: u32 = end.hand(attacker).iter().map(|(_, count)| count).sum();
    let mut board = after(position, &[]);
    for &played in &mate.line {
        if board.side() == attacker {
            let mut checks = MoveList::new();
            board.generate(MoveSet::Checks, Promotions::All, &mut checks);
            for &m in checks.iter().filter(|m| **m != played) {
                if flaws >= most {
                    return flaws;
                }
                board.do_move(m);
                let verdict = solver.go_on(&board, attacker, Goal::Any, Limits::nodes(CHECK));
                board.undo_move();
                flaws += u32::from(verdict != Verdict::NoMate);
            }
        }
        board.do_move(played);
    }
    flaws
}

/// The examination, if the custom finds nothing at all wrong and both ways to count interpositions agree.
pub(crate) fn examined_sound(
    solver: &mut Solver,
    position: &Position,
    custom: Custom,
) -> Option<Examination> {
    let mut examined = |interpositions| {
        let settings = ExamineSettings {
            custom,
            interpositions,
            nodes: Some(CERTAINTY),
            nodes_per_move: CERTAINTY,
            nodes_for_variations: 0,
            ..ExamineSettings::default()
        };
        let found = examine(solver, position, &settings);
        matches!(found.soundness(), Soundness::Sound | Soundness::Blemished(_)).then_some(found)
    };
    let customary = examined(Interpositions::Useful)?;
    let strict = examined(Interpositions::All)?;
    (customary.line.len() == strict.line.len()).then_some(strict)
}
