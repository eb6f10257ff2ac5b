//! The mate engine's word on the nodes of the best line (`MateNodes`).

use ::mate::{Goal, Limits, Solver, Verdict};
use search::{MakeMateProbe, MateProbe};
use shogi::{Move, Position};

/// A solver so small that it stays in the cache, and what it was asked in vain.
struct MateProbeThread {
    /// Missing where there is no memory: then nothing is seen.
    solver: Option<Solver>,
    /// Positions it may look at for each question.
    nodes: u64,
    /// Keys of positions without a mate within that work, each in its place.
    in_vain: Vec<u64>,
}

/// Small enough to stay in the cache; a long question forgets what cost least.
const BYTES: usize = 1 << 19;
const REMEMBERED: usize = 1 << 12;

/// For a search that may have so many positions looked at for each question; none if it is none.
pub(super) fn maker(nodes: u64) -> Option<MakeMateProbe<Position>> {
    (nodes > 0)
        .then(|| -> MakeMateProbe<Position> { Box::new(move || Box::new(MateProbeThread::new(nodes))) })
}

impl MateProbeThread {
    fn new(nodes: u64) -> Self {
        Self { solver: Solver::new(BYTES).ok(), nodes, in_vain: vec![0; REMEMBERED] }
    }
}

impl MateProbe<Position> for MateProbeThread {
    fn forced_win(&mut self, position: &Position) -> Option<(Move, usize)> {
        let key = position.key128() as u64;
        let place = key as usize % REMEMBERED;
        if self.in_vain[place] == key {
            return None;
        }
        let limits = Limits::nodes(self.nodes);
        let solver = self.solver.as_mut()?;
        if let Verdict::Mate(mate) = solver.solve_as(position, position.side(), Goal::Any, limits)
            && let Some(&first) = mate.line.first()
        {
            // Not the line: the defender may hold out for longer than it is.
            return Some((first, mate.length.plies() as usize));
        }
        self.in_vain[place] = key;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_within_the_work_are_seen() {
        assert!(maker(0).is_none());
        let mut mate_probe = maker(100).expect("there is memory")();
        let mate = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1").unwrap();
        let none = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b G 1").unwrap();
        for _ in 0..3 {
            assert_eq!(mate_probe.forced_win(&mate), Some(("G*5b".parse().unwrap(), 1)));
            assert_eq!(mate_probe.forced_win(&none), None);
        }
    }
}
