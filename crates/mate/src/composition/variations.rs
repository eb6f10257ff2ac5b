//! Cooks after the defences that are not in the main line, over the whole tree of the solution.

use super::custom::FlawKind;
use super::examine::{Examination, Flaw};
use super::inquiry::{Inquiry, after};
use super::main_line::{are_twins, share_a_line};
use crate::{Goal, MateLength, Verdict};
use shogi::{Hand, Move, Position};
use std::collections::{HashSet, VecDeque};

/// How much of the variations was examined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// Positions of the attacker in variations, each counted once, whose checks were all decided.
    pub examined: usize,
    /// Positions that were reached but not, or not completely, examined.
    pub left_out: usize,
    /// Whether positions behind those were never reached.
    pub is_cut: bool,
}

impl Coverage {
    /// Whether no position of the tree was left out.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.left_out == 0 && !self.is_cut
    }
}

/// Positions that wait to be examined: a limit of memory.
const MOST_WAITING: usize = 100_000;

/// Goes through the tree breadth first: the defences nearest to the main line first.
pub(super) fn examine_variations(found: &mut Examination, inquiry: &mut Inquiry<'_>) {
    let mut waiting: VecDeque<Vec<Move>> = VecDeque::new();
    let mut seen = HashSet::new();
    let mut board = after(&found.start, &[]);
    for index in 0..found.line.len() {
        if inquiry.attacks(&board) {
            seen.insert(board.key128());
        } else {
            let played = found.line[index];
            let defences = inquiry.moves(&board).into_iter().filter(|m| *m != played);
            waiting.extend(defences.map(|m| [&found.line[..index], &[m]].concat()));
        }
        board.do_move(found.line[index]);
    }
    while let Some(path) = waiting.pop_front() {
        let mut board = after(&found.start, &path);
        if !seen.insert(board.key128()) {
            continue;
        }
        if inquiry.left == 0 || inquiry.is_stopped() {
            found.coverage.left_out += 1;
            found.coverage.is_cut = true;
            continue;
        }
        let Verdict::Mate(mate) = inquiry.mate(&board, Goal::Shortest) else {
            found.coverage.left_out += 1;
            found.coverage.is_cut = true;
            continue;
        };
        let Some(&answer) = mate.line.first() else { continue };
        let all_decided = other_checks(found, inquiry, &mut board, &path, answer, mate.length);
        if all_decided {
            found.coverage.examined += 1;
        } else {
            found.coverage.left_out += 1;
        }
        if mate.length.plies() == 1 {
            continue;
        }
        board.do_move(answer);
        for defence in inquiry.moves(&board) {
            if waiting.len() >= MOST_WAITING {
                found.coverage.is_cut = true;
                break;
            }
            waiting.push_back([path.as_slice(), &[answer, defence]].concat());
        }
    }
}

/// The other checks at one place of a variation; whether all were decided. Other last moves, promotions and squares of
/// sliding pieces are no cooks.
fn other_checks(
    found: &mut Examination,
    inquiry: &mut Inquiry<'_>,
    board: &mut Position,
    path: &[Move],
    answer: Move,
    length: MateLength,
) -> bool {
    if length.plies() == 1 {
        return true;
    }
    let king = board.king(!found.attacker);
    let mut all_decided = length.is_exact();
    for m in inquiry.moves(board) {
        let is_same = m == answer || are_twins(m, answer);
        if is_same || king.is_some_and(|king| share_a_line(board, king, m, answer)) {
            continue;
        }
        board.do_move(m);
        match inquiry.mate(board, Goal::Any) {
            Verdict::NoMate => {}
            Verdict::Unknown(_) => all_decided = false,
            Verdict::Mate(mate) => found.add(Flaw {
                kind: FlawKind::VariationCook,
                before: path.to_vec(),
                m: Some(m),
                line: mate.line,
                length: Some(MateLength::AtMost(mate.length.plies() + 1)),
                left_over: Hand::EMPTY,
            }),
        }
        board.undo_move();
    }
    all_decided
}
