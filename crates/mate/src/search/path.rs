//! The path from the root to the current position.

use platform::random::mix;
use shogi::{Hand, HandPiece, Move, Square};

/// A position of the path.
#[derive(Clone, Copy)]
struct Visit {
    board: u128,
    hand: Hand,
    depth: u16,
    taken: bool,
}

const VACANT: Visit = Visit { board: 0, hand: Hand::EMPTY, depth: 0, taken: false };

/// Detects repetitions in constant time for any length of path. It is a hash table with open addressing. Positions are
/// removed in the reverse order of insertion, so removal never breaks a chain.
pub(crate) struct Path {
    slots: Vec<Visit>,
    /// Number of positions of the path by a few bits of their board key: small enough for the cache, and nearly always
    /// enough to show that a board is new.
    filter: Box<[u8; FILTER]>,
    /// The slot of each position of the path.
    stack: Vec<u32>,
    /// A key of the path up to each position, by its moves.
    keys: Vec<u64>,
}

/// Maximum depth: enough for every known mate, and lengths must fit their bits.
pub(crate) const MAX_DEPTH: u16 = 4000;

/// Initial number of slots, a power of two, small so that short searches start fast.
const FIRST_SLOTS: usize = 1 << 8;
/// Minimum number of slots per position of the path.
const ROOM: usize = 4;
const FILTER: usize = 1 << 12;

impl Path {
    pub(crate) fn new() -> Self {
        Self {
            slots: vec![VACANT; FIRST_SLOTS],
            filter: Box::new([0; FILTER]),
            stack: Vec::new(),
            keys: vec![mix(1)],
        }
    }

    /// Plies from the root.
    pub(crate) fn depth(&self) -> u16 {
        self.stack.len() as u16
    }

    /// Adds the current position, which is left by the move `m`.
    pub(crate) fn enter(&mut self, board: u128, hand: Hand, m: Move) {
        if self.stack.len() * ROOM >= self.slots.len() {
            self.grow();
        }
        let depth = self.depth();
        self.keys.push(self.key_after(m));
        self.put(Visit { board, hand, depth, taken: true });
        let trace = &mut self.filter[Self::trace(board)];
        *trace = trace.saturating_add(1);
    }

    /// Adds a position that is not on the path but counts as if it were: returning to it is a repetition.
    pub(crate) fn avoid(&mut self, board: u128, hand: Hand) {
        // The move only distinguishes keys of paths.
        self.enter(board, hand, Move::drop(HandPiece::Pawn, Square::Sq11));
    }

    fn put(&mut self, visit: Visit) {
        let mut slot = self.home(visit.board);
        while self.slots[slot].taken {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = visit;
        self.stack.push(slot as u32);
    }

    #[cold]
    fn grow(&mut self) {
        let more = vec![VACANT; self.slots.len() * ROOM];
        let old = std::mem::replace(&mut self.slots, more);
        // In the order of insertion, so that they can be removed in the reverse order.
        for slot in std::mem::take(&mut self.stack) {
            self.put(old[slot as usize]);
        }
    }

    /// Removes the last position.
    pub(crate) fn leave(&mut self) {
        if let Some(slot) = self.stack.pop() {
            let visit = &mut self.slots[slot as usize];
            visit.taken = false;
            // A saturated counter is not decremented: a false positive costs time, a false negative would miss a
            // repetition.
            let trace = &mut self.filter[Self::trace(visit.board)];
            if *trace < u8::MAX {
                *trace -= 1;
            }
            self.keys.pop();
        }
    }

    /// Depth of an earlier position with this board in which the attacker had at least this hand: returning gains him
    /// nothing.
    #[inline]
    pub(crate) fn recurs(&self, board: u128, hand: Hand) -> Option<u16> {
        if self.filter[Self::trace(board)] == 0 {
            return None;
        }
        self.visits(board)
            .find(|visit| visit.board == board && visit.hand.covers(hand))
            .map(|visit| visit.depth)
    }

    /// Whether exactly this position, identified by half of its key, is on the path.
    pub(crate) fn contains(&self, half_key: u64, hand: Hand) -> bool {
        self.visits(u128::from(half_key)).any(|visit| visit.board as u64 == half_key && visit.hand == hand)
    }

    /// Positions of the path that may have this board.
    fn visits(&self, board: u128) -> impl Iterator<Item = &Visit> {
        let (before, from_home) = self.slots.split_at(self.home(board));
        from_home.iter().chain(before).take_while(|visit| visit.taken)
    }

    #[inline]
    fn trace(board: u128) -> usize {
        (board >> 46) as usize % FILTER
    }

    /// Only the lower half of the key is used.
    fn home(&self, board: u128) -> usize {
        (board >> 32) as usize & (self.slots.len() - 1)
    }

    /// The key of the path.
    pub(crate) fn key(&self) -> u64 {
        self.keys.last().copied().unwrap_or(0)
    }

    /// The key of the path one move further.
    #[inline]
    pub(crate) fn key_after(&self, m: Move) -> u64 {
        let step = u64::from(m.bits()) << 16 | u64::from(self.depth());
        self.key() ^ mix(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_are_remembered_and_forgotten() {
        let board = |n: u16| u128::from(mix(u64::from(n)));
        let m: Move = "7g7f".parse().unwrap();
        let mut path = Path::new();
        for depth in 0..MAX_DEPTH {
            assert_eq!(path.recurs(board(depth), Hand::EMPTY), None);
            path.enter(board(depth), Hand::EMPTY, m);
            assert_eq!(path.recurs(board(depth / 2), Hand::EMPTY), Some(depth / 2));
        }
        for depth in (0..MAX_DEPTH).rev() {
            assert!(path.contains(board(depth) as u64, Hand::EMPTY));
            path.leave();
            assert_eq!(path.recurs(board(depth), Hand::EMPTY), None);
            assert_eq!(path.recurs(board(depth / 2), Hand::EMPTY), (depth > 0).then_some(depth / 2));
        }
    }
}
