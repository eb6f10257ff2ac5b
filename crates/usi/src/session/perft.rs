//! Perft, with the count below each root move.

use game::Position;
use platform::clock::Instant;
use std::io;
use std::time::Duration;

/// Greater depths are refused as typing mistakes: hardly any position could be counted that deep.
pub const MAX_DEPTH: u32 = 20;

/// The result of a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perft {
    /// Number of lines of the given length.
    pub nodes: u64,
    /// Time.
    pub elapsed: Duration,
}

/// The result of an interrupted count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Partial {
    /// Number of root moves that were counted completely.
    pub(super) counted: usize,
    /// Number of root moves.
    pub(super) moves: usize,
    /// Number of lines below the counted ones.
    pub(super) nodes: u64,
}

impl Perft {
    /// Counts, and calls `report` with the count below each root move as soon as it is known.
    pub fn count<P: Position>(
        position: &mut P,
        depth: u32,
        report: impl FnMut(P::Move, u64) -> io::Result<()>,
    ) -> io::Result<Self> {
        let counted = Self::count_until(position, depth, &|| false, report)?;
        Ok(counted.expect("nothing interrupts it"))
    }

    /// Like [`Perft::count`], until interrupted.
    pub(super) fn count_until<P: Position>(
        position: &mut P,
        depth: u32,
        interrupted: &dyn Fn() -> bool,
        mut report: impl FnMut(P::Move, u64) -> io::Result<()>,
    ) -> io::Result<Result<Self, Partial>> {
        let start = Instant::now();
        let Some(below) = depth.checked_sub(1) else {
            return Ok(Ok(Self { nodes: 1, elapsed: start.elapsed() }));
        };
        let mut nodes = 0;
        let moves = position.legal_moves();
        for (counted, &m) in moves.iter().enumerate() {
            position.do_move(m);
            let count = perft_until(position, below, interrupted);
            position.undo_move();
            let Some(count) = count else {
                return Ok(Err(Partial { counted, moves: moves.len(), nodes }));
            };
            report(m, count)?;
            nodes += count;
        }
        Ok(Ok(Self { nodes, elapsed: start.elapsed() }))
    }

    /// Nodes per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u128 {
        u128::from(self.nodes) * 1_000_000 / self.elapsed.as_micros().max(1)
    }
}

/// The number of lines of `depth` moves; `None` if interrupted.
pub(super) fn perft_until<P: Position>(
    position: &mut P,
    depth: u32,
    interrupted: &dyn Fn() -> bool,
) -> Option<u64> {
    /// Depth that is counted in an instant, even with hundreds of moves.
    const SMALL: u32 = 2;
    if depth <= SMALL {
        return Some(game::perft(position, depth));
    }
    let mut nodes = 0;
    for &m in position.legal_moves().iter() {
        if interrupted() {
            return None;
        }
        position.do_move(m);
        let count = perft_until(position, depth - 1, interrupted);
        position.undo_move();
        nodes += count?;
    }
    Some(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn an_interrupted_count_says_how_far_it_came() {
        let mut position = shogi::Position::startpos();
        let left = Cell::new(100);
        // Called once for each move below a root move.
        let interrupted = || left.replace(left.get() - 1) == 0;
        let mut sum = 0;
        let report = |_, count| {
            sum += count;
            Ok(())
        };
        let partial = Perft::count_until(&mut position, 4, &interrupted, report).unwrap().unwrap_err();
        assert_eq!((partial.counted, partial.moves, partial.nodes), (3, 30, sum));
        assert_eq!(position.sfen(), shogi::STARTPOS_SFEN);
        assert_eq!(perft_until(&mut position, 4, &|| false), Some(719_731));
    }

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
