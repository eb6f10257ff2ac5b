//! Exhaustive search of the last moves, without a table.

use super::successors::{Rectangle, result, visit_results};
use crate::state::State;
use game::{Color, MoveList};
use std::ops::ControlFlow;

/// The maximum number of results of a state: each of 13 ways has at most 14 operators.
pub(crate) const MAX_RESULTS: usize = crate::MAX_MOVES;

/// The winner after a move that leaves at most `left` more, if it ended the game.
#[inline]
pub(crate) fn winner(state: &State, left: u32) -> Option<Color> {
    match (state.cleared.complete(Color::Black), state.cleared.complete(Color::White)) {
        (false, false) if left > 0 => None,
        (true, false) => Some(Color::Black),
        (false, true) => Some(Color::White),
        _ => Some(state.leader()),
    }
}

/// Whether the side to move wins; `nodes` counts the positions searched.
pub(crate) fn wins(state: &State, nodes: &mut u64) -> bool {
    search(state, Rectangle::around(state.occupied).moves_left(state), nodes)
}

fn search(state: &State, left: u32, nodes: &mut u64) -> bool {
    *nodes += 1;
    let mut open: MoveList<State, MAX_RESULTS> = MoveList::new();
    let mut any = false;
    let won = visit_results(state, |black, occupied, locks| {
        any = true;
        let after = result(state, black, occupied, locks);
        match winner(&after, left - 1) {
            Some(winner) if winner == state.side => return ControlFlow::Break(()),
            Some(_) => {}
            None => open.push(after),
        }
        ControlFlow::Continue(())
    });
    if won.is_break() {
        return true;
    }
    if !any {
        // Edited boards may have locks on empty ways, which can end a game early.
        return state.leader() == state.side;
    }
    open.iter().any(|after| !search(after, left - 1, nodes))
}
