//! Counting the tree below a position, move by move.

use game::Position;
use std::io;
use std::time::{Duration, Instant};

/// Depths beyond this are refused as slips of the finger: no position that matters could be counted so deep.
pub const MAX_DEPTH: u32 = 20;

/// A finished count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perft {
    /// Lines of play of the given length.
    pub nodes: u64,
    /// How long the counting took.
    pub elapsed: Duration,
}

impl Perft {
    /// Counts, telling `report` the count below each root move as soon as it is known.
    pub fn count<P: Position>(
        position: &mut P,
        depth: u32,
        mut report: impl FnMut(P::Move, u64) -> io::Result<()>,
    ) -> io::Result<Self> {
        let start = Instant::now();
        let Some(below) = depth.checked_sub(1) else {
            return Ok(Self { nodes: 1, elapsed: start.elapsed() });
        };
        let mut nodes = 0;
        for &m in position.legal_moves().iter() {
            position.do_move(m);
            let count = game::perft(position, below);
            position.undo_move();
            report(m, count)?;
            nodes += count;
        }
        Ok(Self { nodes, elapsed: start.elapsed() })
    }

    /// Nodes per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u128 {
        u128::from(self.nodes) * 1_000_000 / self.elapsed.as_micros().max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_moves_add_up_and_the_position_is_restored() {
        let mut position = shogi::Position::startpos();
        for (depth, nodes) in [(0, 1), (1, 30), (2, 900), (3, 25_470)] {
            let mut sum = 0;
            let perft = Perft::count(&mut position, depth, |_, count| {
                sum += count;
                Ok(())
            });
            assert_eq!(perft.unwrap().nodes, nodes);
            assert_eq!(sum, if depth == 0 { 0 } else { nodes });
        }
        assert_eq!(position.sfen(), shogi::STARTPOS_SFEN);
    }

    #[test]
    fn the_speed_of_an_instant_is_finite() {
        assert_eq!(Perft { nodes: 7, elapsed: Duration::ZERO }.nodes_per_second(), 7_000_000);
        assert_eq!(Perft { nodes: 900, elapsed: Duration::from_millis(1) }.nodes_per_second(), 900_000);
    }
}
