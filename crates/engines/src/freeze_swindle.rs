//! Swindles in Freeze shogi: in a position lost to the opponent's freezes, plays for them being overlooked.

use freeze::{Move, Position};
use search::{BestMove, Next, Progress, Task, Timer};

/// Runs a task by `think`, whose second argument is whether to report values. If every move loses to freezes of the
/// opponent, the remaining time goes to the best move against an opponent who does not freeze.
pub fn swindle(
    task: &Task<Position, Move>,
    timer: &dyn Timer,
    mut think: impl FnMut(&Task<Position, Move>, bool, &dyn Timer) -> BestMove<Move>,
) -> BestMove<Move> {
    let them = !task.position.shogi().side();
    if task.position.barred().is_some() || !task.position.has_freezes(them) || task.depth.is_some() {
        return think(task, true, timer);
    }
    let first = think(task, true, &UntilLost(timer));
    let Some(nodes) = nodes_if_lost(&first) else { return first };
    let left = task.nodes.map(|limit| limit.saturating_sub(nodes));
    if timer.must_stop() || left == Some(0) {
        return first;
    }
    let mut second_task = Task { nodes: left, ..task.clone() };
    second_task.position.bar(Some(them));
    let second = think(&second_task, false, timer);
    if nodes_if_lost(&second).is_some() { first } else { second }
}

/// Number of nodes searched, if the move found loses by force.
fn nodes_if_lost(found: &BestMove<Move>) -> Option<u64> {
    let BestMove::Play { report, .. } = found else { return None };
    let value = report.lines.first()?.value;
    value.plies_to_mate().filter(|plies| *plies < 0).map(|_| report.nodes)
}

/// A timer that also stops when all moves are lost.
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
