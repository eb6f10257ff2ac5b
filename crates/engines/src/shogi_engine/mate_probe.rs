//! Mate probes at nodes of the principal variation (`MateNodes`).

use mate::{Goal, Limits, Solver, Verdict};
use search::{MakeMateProbe, MateProbe};
use shogi::{Move, Position};

/// A solver small enough for the cache, with the positions that it has searched in vain.
struct MateProbeThread {
    /// `None` if there was not enough memory: then no mate is found.
    solver: Option<Solver>,
    /// Limit of positions per probe.
    nodes: u64,
    /// Keys of positions without a mate within the limit, as a direct-mapped table.
    without_mate: Vec<u64>,
}

/// Small enough to stay in the cache.
const BYTES: usize = 1 << 19;
const REMEMBERED: usize = 1 << 12;

/// Creates probes with this limit of positions; `None` for 0.
pub(super) fn maker(nodes: u64) -> Option<MakeMateProbe<Position>> {
    (nodes > 0)
        .then(|| -> MakeMateProbe<Position> { Box::new(move || Box::new(MateProbeThread::new(nodes))) })
}

impl MateProbeThread {
    fn new(nodes: u64) -> Self {
        Self { solver: Solver::new(BYTES).ok(), nodes, without_mate: vec![0; REMEMBERED] }
    }
}

impl MateProbe<Position> for MateProbeThread {
    fn forced_win(&mut self, position: &Position) -> Option<(Move, usize)> {
        let key = position.key128() as u64;
        let place = key as usize % REMEMBERED;
        if self.without_mate[place] == key {
            return None;
        }
        let limits = Limits::nodes(self.nodes);
        let solver = self.solver.as_mut()?;
        if let Verdict::Mate(mate) = solver.solve_as(position, position.side(), Goal::Any, limits)
            && let Some(&first) = mate.line.first()
        {
            // Only the length: the defender may choose a longer defence than the line.
            return Some((first, mate.length.plies() as usize));
        }
        self.without_mate[place] = key;
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
