//! The vote of the threads on the move to play.

use crate::Value;
use crate::parameters as p;
use crate::worker::RootMove;

/// The result of one thread.
pub(crate) struct Finding<M> {
    /// The last depth that it finished.
    pub(crate) depth: usize,
    pub(crate) root_moves: Vec<RootMove<M>>,
}

impl<M: Copy + Eq> Finding<M> {
    fn best(&self) -> Option<M> {
        self.root_moves.first().map(|root_move| root_move.line[0])
    }

    fn value(&self) -> Value {
        self.root_moves.first().map_or(-Value::INFINITE, RootMove::known_value)
    }

    /// Weight of a vote: it grows with the depth and with the value's distance from the worst.
    fn weight(&self, worst: Value) -> i64 {
        i64::from(self.value().get() - worst.get() + p::vote_offset()) * self.depth as i64
    }
}

/// The thread whose move is played: the shortest proven win if there is one, else the thread with the largest vote
/// among those for the move with the most votes. Ties go to the first thread, whose lines the user has seen.
pub(crate) fn elect<M: Copy + Eq>(findings: &[Finding<M>]) -> usize {
    let usable = || findings.iter().enumerate().filter(|(_, finding)| finding.depth > 0);
    let Some(worst) = usable().map(|(_, finding)| finding.value()).min() else { return 0 };
    let votes = |m: Option<M>| -> i64 {
        usable().filter(|(_, f)| f.best() == m).map(|(_, finding)| finding.weight(worst)).sum()
    };
    let claim = |finding: &Finding<M>| {
        let value = finding.value();
        let won = if value.is_win() { value.get() } else { 0 };
        (won, votes(finding.best()), finding.weight(worst))
    };
    usable().fold(0, |elected, (index, finding)| {
        if findings[elected].depth == 0 || claim(finding) > claim(&findings[elected]) {
            index
        } else {
            elected
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(m: char, value: i32, depth: usize) -> Finding<char> {
        finding_of(m, Value::new(value), depth)
    }

    fn finding_of(m: char, value: Value, depth: usize) -> Finding<char> {
        let mut root_move = RootMove::new(m);
        root_move.value = value;
        Finding { depth, root_moves: vec![root_move] }
    }

    #[test]
    fn most_votes_win_and_depth_counts() {
        let findings = [finding('a', 50, 12), finding('b', 48, 12), finding('b', 47, 12)];
        assert_eq!(elect(&findings), 1);
        let deeper = [finding('a', 50, 30), finding('b', 48, 12), finding('b', 47, 12)];
        assert_eq!(elect(&deeper), 0);
    }

    #[test]
    fn equals_leave_it_to_the_first() {
        assert_eq!(elect(&[finding('a', 10, 9), finding('b', 10, 9)]), 0);
        assert_eq!(elect(&[finding('a', 10, 9)]), 0);
        assert_eq!(elect(&[finding('a', 10, 0), finding('b', -10, 0)]), 0);
    }

    #[test]
    fn the_shortest_win_is_played() {
        let mate = |plies, m| finding_of(m, Value::mate_in(plies), 9);
        let findings = [mate(7, 'a'), finding('b', 2000, 20), mate(5, 'c'), finding('b', 2000, 20)];
        assert_eq!(elect(&findings), 2);
    }

    #[test]
    fn a_thread_that_finished_nothing_has_no_vote() {
        let findings = [finding('a', 10, 8), finding_of('b', Value::mate_in(3), 0)];
        assert_eq!(elect(&findings), 0);
    }
}
