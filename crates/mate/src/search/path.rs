//! The positions between the root and the present one.

use platform::random::mix;
use shogi::{Hand, Move};

/// A position on the way.
#[derive(Clone, Copy)]
struct Visit {
    board: u128,
    hand: Hand,
    depth: u16,
    taken: bool,
}

const VACANT: Visit = Visit { board: 0, hand: Hand::EMPTY, depth: 0, taken: false };

/// Finds repetitions on the path at once, however long it is: open addressing, and since positions are left in the
/// reverse order of their arrival, leaving one never breaks a chain.
pub(crate) struct Path {
    slots: Vec<Visit>,
    /// Positions of the path by a few bits of their board: small enough to stay near, and almost always enough to see
    /// that a board is new.
    filter: Box<[u8; FILTER]>,
    /// Where each position of the path lies.
    stack: Vec<u32>,
    /// Tells paths apart, each with the moves that led to it.
    keys: Vec<u64>,
}

/// More plies are not searched: enough for every known mate, and lengths must fit their bits.
pub(crate) const MAX_DEPTH: u16 = 4000;

/// Slots at first, a power of two: short searches must begin at once.
const FIRST_SLOTS: usize = 1 << 8;
/// Slots for each position of the path, at least.
const ROOM: usize = 4;
const FILTER: usize = 1 << 12;

impl Path {
    /// `salt` makes the keys of this path's problem differ from those of others.
    pub(crate) fn new(salt: u64) -> Self {
        Self {
            slots: vec![VACANT; FIRST_SLOTS],
            filter: Box::new([0; FILTER]),
            stack: Vec::new(),
            keys: vec![mix(salt)],
        }
    }

    /// Plies from the root.
    pub(crate) fn depth(&self) -> u16 {
        self.stack.len() as u16
    }

    /// The present position is left by a move.
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
        // In the order of their arrival, so that they can leave in the reverse one.
        for slot in std::mem::take(&mut self.stack) {
            self.put(old[slot as usize]);
        }
    }

    /// Back to the position before the last move.
    pub(crate) fn leave(&mut self) {
        if let Some(slot) = self.stack.pop() {
            let visit = &mut self.slots[slot as usize];
            visit.taken = false;
            // A saturated counter stays: a false positive costs time, a false negative would miss a repetition.
            let trace = &mut self.filter[Self::trace(visit.board)];
            if *trace < u8::MAX {
                *trace -= 1;
            }
            self.keys.pop();
        }
    }

    /// Depth of an earlier position with this board where the attacker had at least this hand: to come here again
    /// brings him nothing.
    #[inline]
    pub(crate) fn recurs(&self, board: u128, hand: Hand) -> Option<u16> {
        if self.filter[Self::trace(board)] == 0 {
            return None;
        }
        self.visits(board)
            .find(|visit| visit.board == board && visit.hand.covers(hand))
            .map(|visit| visit.depth)
    }

    /// Whether exactly this position, known by half of its key, is on the path.
    pub(crate) fn contains(&self, half_key: u64, hand: Hand) -> bool {
        self.visits(u128::from(half_key)).any(|visit| visit.board as u64 == half_key && visit.hand == hand)
    }

    /// The visits that may be to this board.
    fn visits(&self, board: u128) -> impl Iterator<Item = &Visit> {
        let (before, from_home) = self.slots.split_at(self.home(board));
        from_home.iter().chain(before).take_while(|visit| visit.taken)
    }

    #[inline]
    fn trace(board: u128) -> usize {
        (board >> 46) as usize % FILTER
    }

    /// Only the lower half of the key decides.
    fn home(&self, board: u128) -> usize {
        (board >> 32) as usize & (self.slots.len() - 1)
    }

    /// Tells this path from all others.
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
        let mut path = Path::new(1);
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
