//! Playing on where all is lost to an opponent who freezes well: he may not see it.

use crate::moves::Move;
use crate::position::Position;
use search::{BestMove, Next, Progress, Task, Timer};

/// Thinks about a task by means of `think`, whose second argument tells whether its values are worth reporting. Where every
/// move loses to freezes of the opponent, what is left of the time goes to finding the best move against one who does not
/// freeze.
pub fn think_to_the_end(
    task: &Task<Position, Move>,
    timer: &dyn Timer,
    mut think: impl FnMut(&Task<Position, Move>, bool, &dyn Timer) -> BestMove<Move>,
) -> BestMove<Move> {
    let them = !task.position.shogi().side();
    if task.position.terms.barred.is_some() || !task.position.has_freezes(them) || task.depth.is_some() {
        return think(task, true, timer);
    }
    let first = think(task, true, &UntilLost(timer));
    let Some(nodes) = nodes_if_lost(&first) else { return first };
    let left = task.nodes.map(|limit| limit.saturating_sub(nodes));
    if timer.must_stop() || left == Some(0) {
        return first;
    }
    let mut hope = Task { nodes: left, ..task.clone() };
    hope.position.bar(Some(them));
    let second = think(&hope, false, timer);
    if nodes_if_lost(&second).is_some() { first } else { second }
}

/// How many nodes it took to see that a move loses.
fn nodes_if_lost(found: &BestMove<Move>) -> Option<u64> {
    let BestMove::Play { report, .. } = found else { return None };
    let value = report.lines.first()?.value;
    value.plies_to_mate().filter(|plies| *plies < 0).map(|_| report.nodes)
}

/// Stops when everything is lost.
struct UntilLost<'a>(&'a dyn Timer);

impl Timer for UntilLost<'_> {
    fn must_stop(&self) -> bool {
        self.0.must_stop()
    }

    fn after_iteration(&self, progress: &Progress) -> Next {
        match progress.value.plies_to_mate() {
            Some(plies) if plies < 0 => Next::Stop,
            _ => self.0.after_iteration(progress),
        }
    }
}
