//! Helpmates (協力詰め): both sides cooperate, every move of the attacker is a check, and the mate is as short as possible.
//!
//! Breadth-first search, two plies at a time. Each position of the attacker takes eight bytes for its key, and five
//! more for how it was reached: its two moves and its number of successors. Successors are numbered in the order of
//! their parents, so these counts determine each position's parent. Whole positions are kept for the current layer
//! only.

use crate::solver::Solver;
use shogi::{Move, MoveList, MoveSet, Position, Promotions, Snapshot};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A shortest helpmate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Helpmate {
    /// One of the shortest lines.
    pub line: Vec<Move>,
    /// How many shortest lines there are, [`Helpmate::MANY`] at most.
    pub solutions: u64,
}

impl Helpmate {
    /// Counting stops here.
    pub const MANY: u64 = u64::MAX;

    /// Length in plies.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.line.len()
    }
}

/// The answer to a helpmate problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HelpVerdict {
    /// It mates.
    Mate(Helpmate),
    /// There is none: all reachable positions have been searched.
    NoMate,
    /// Stopped, or out of memory.
    Unknown,
}

/// Progress of a helpmate search.
#[derive(Clone, Copy, Debug)]
pub struct HelpProgress {
    /// Plies searched completely.
    pub plies: usize,
    /// Positions remembered.
    pub positions: usize,
}

/// Limits of a helpmate search.
pub struct HelpLimits<'a> {
    /// Limit of memory in bytes; positions of the current layer are not included.
    pub bytes: usize,
    /// Polled once for each layer and every few thousand positions; `true` stops.
    pub stop: &'a dyn Fn(HelpProgress) -> bool,
}

/// Solves a helpmate.
///
/// ```
/// use mate::{HelpLimits, HelpVerdict, solve_helpmate};
/// use shogi::Position;
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
/// let limits = HelpLimits { bytes: 1 << 20, stop: &|_| false };
/// let HelpVerdict::Mate(found) = solve_helpmate(&position, &limits) else { panic!() };
/// assert_eq!(found.plies(), 1);
/// # Ok::<(), shogi::SfenError>(())
/// ```
#[must_use]
pub fn solve_helpmate(position: &Position, limits: &HelpLimits<'_>) -> HelpVerdict {
    if Solver::attacker(position) != position.side() {
        return HelpVerdict::Unknown;
    }
    Search::new(position, limits).run()
}

/// A position of the current layer.
struct Node {
    snapshot: Snapshot,
    /// Number of shortest lines to this position.
    ways: u64,
}

/// How positions were reached, in the order of their discovery.
#[derive(Default)]
struct Record {
    /// Check and answer that led to each position but the root.
    moves: Vec<[u16; 2]>,
    /// Number of successors of each expanded position; 255 means that the next byte is added.
    successors: Vec<u8>,
}

impl Record {
    fn end_position(&mut self, mut successors: usize) {
        while successors >= 255 {
            self.successors.push(255);
            successors -= 255;
        }
        self.successors.push(successors as u8);
    }

    /// The moves to the position with this number (0 is the root), whose parent has been expanded.
    fn line_to(&self, mut number: usize) -> Vec<[u16; 2]> {
        let mut line = Vec::new();
        let mut parent = self.successors.iter().filter(|count| **count < 255).count();
        let mut first = self.moves.len() + 1;
        for &count in self.successors.iter().rev() {
            // The last byte of a position, which comes first here, is below 255.
            parent -= usize::from(count < 255);
            first -= usize::from(count);
            if number == 0 {
                break;
            }
            if first <= number {
                line.push(self.moves[number - 1]);
                number = parent;
            }
        }
        line.reverse();
        line
    }
}

struct Search<'a> {
    limits: &'a HelpLimits<'a>,
    board: Position,
    seen: KeySet,
    record: Record,
    /// Number of the first position of the present layer.
    first: usize,
    layer: Vec<Node>,
    plies: usize,
}

/// Positions between two calls of `stop`.
const GLANCE: usize = 4096;

impl<'a> Search<'a> {
    fn new(position: &Position, limits: &'a HelpLimits<'a>) -> Self {
        let mut seen = KeySet::new();
        seen.insert(position.key());
        let board = Position::with_room(&position.setup(), 4).unwrap_or_else(|_| position.clone());
        let layer = vec![Node { snapshot: position.snapshot(), ways: 1 }];
        Self { limits, board, seen, record: Record::default(), first: 0, layer, plies: 0 }
    }

    fn run(mut self) -> HelpVerdict {
        while !self.layer.is_empty() {
            match self.deepen() {
                Step::Mate(found) => return HelpVerdict::Mate(found),
                Step::Stopped => return HelpVerdict::Unknown,
                Step::On => {}
            }
        }
        HelpVerdict::NoMate
    }

    /// Expands all positions of the layer and makes the next one.
    fn deepen(&mut self) -> Step {
        let layer = std::mem::take(&mut self.layer);
        let mut next: Vec<Node> = Vec::with_capacity(layer.len());
        let mut places: HashMap<u64, u32, BuildHasherDefault<KeyHasher>> = HashMap::default();
        let mut mate: Option<(usize, Move)> = None;
        let mut solutions = 0u64;
        for (index, node) in layer.iter().enumerate() {
            if index.is_multiple_of(GLANCE) && self.must_stop() {
                return Step::Stopped;
            }
            self.board.restore(&node.snapshot);
            let before = next.len();
            let mut checks = MoveList::new();
            self.board.generate(MoveSet::Checks, Promotions::All, &mut checks);
            for &check in checks.iter() {
                self.board.do_move(check);
                let mut answers = MoveList::new();
                self.board.generate(MoveSet::Evasions, Promotions::All, &mut answers);
                if answers.is_empty() {
                    mate.get_or_insert((index, check));
                    solutions = solutions.saturating_add(node.ways);
                } else if mate.is_none() {
                    for &answer in answers.iter() {
                        let key = self.board.key_after(answer);
                        if self.seen.insert(key) {
                            self.board.do_move(answer);
                            places.insert(key, next.len() as u32);
                            next.push(Node { snapshot: self.board.snapshot(), ways: node.ways });
                            self.board.undo_move();
                            self.record.moves.push([check.bits(), answer.bits()]);
                        } else if let Some(&place) = places.get(&key) {
                            let ways = &mut next[place as usize].ways;
                            *ways = ways.saturating_add(node.ways);
                        }
                    }
                }
                self.board.undo_move();
            }
            self.record.end_position(next.len() - before);
        }
        if let Some((index, last)) = mate {
            return Step::Mate(Helpmate { line: self.line(self.first + index, last), solutions });
        }
        self.first += layer.len();
        self.layer = next;
        self.plies += 2;
        Step::On
    }

    fn must_stop(&self) -> bool {
        let used = self.seen.bytes() + self.record.moves.capacity() * 4 + self.record.successors.capacity();
        let progress = HelpProgress { plies: self.plies, positions: self.record.moves.len() + 1 };
        used > self.limits.bytes || (self.limits.stop)(progress)
    }

    fn line(&self, number: usize, last: Move) -> Vec<Move> {
        let pairs = self.record.line_to(number);
        let moves = pairs.into_iter().flatten().filter_map(Move::from_bits);
        moves.chain(std::iter::once(last)).collect()
    }
}

enum Step {
    On,
    Mate(Helpmate),
    Stopped,
}

/// A set of 64-bit keys, eight bytes each, at most three quarters full. A flag stands for the key zero.
struct KeySet {
    slots: Vec<u64>,
    count: usize,
    has_zero: bool,
}

impl KeySet {
    fn new() -> Self {
        Self { slots: vec![0; 1 << 12], count: 0, has_zero: false }
    }

    fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u64>()
    }

    /// Inserts a key; returns whether it is new.
    #[inline]
    fn insert(&mut self, key: u64) -> bool {
        if key == 0 {
            return !std::mem::replace(&mut self.has_zero, true);
        }
        if self.count >= self.slots.len() / 8 * 7 {
            self.grow();
        }
        let new = Self::put(&mut self.slots, key);
        self.count += usize::from(new);
        new
    }

    #[inline]
    fn put(slots: &mut [u64], key: u64) -> bool {
        let mut index = ((u128::from(key) * slots.len() as u128) >> 64) as usize;
        loop {
            match slots[index] {
                0 => {
                    slots[index] = key;
                    return true;
                }
                found if found == key => return false,
                _ => index = if index + 1 == slots.len() { 0 } else { index + 1 },
            }
        }
    }

    fn grow(&mut self) {
        let larger = self.slots.len() / 2 * 3;
        let mut slots = vec![0; larger];
        for &key in self.slots.iter().filter(|key| **key != 0) {
            Self::put(&mut slots, key);
        }
        self.slots = slots;
    }
}

/// Uses the keys as they are, because they are random already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_new_once() {
        let mut set = KeySet::new();
        let keys = (0..100_000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        assert!(keys.clone().all(|key| set.insert(key)));
        assert!(keys.clone().all(|key| !set.insert(key)));
        assert!(set.bytes() < 100_000 * 8 * 2);
    }

    #[test]
    fn parents_follow_from_the_numbers_of_successors() {
        // 0 has 300 successors (1 to 300), 1 none, 2 one (301), 3 two (302 and 303); 301 one (304).
        let mut record = Record::default();
        let parents: Vec<usize> = (0..300).map(|_| 0).chain([2, 3, 3, 301]).collect();
        for (index, _) in parents.iter().enumerate() {
            record.moves.push([index as u16 + 1, 0]);
        }
        let successors = |number: usize| parents.iter().filter(|parent| **parent == number).count();
        (0..=301).for_each(|number| record.end_position(successors(number)));
        for number in 1..=parents.len() {
            let mut expected = Vec::new();
            let mut at = number;
            while at > 0 {
                expected.push([at as u16, 0]);
                at = parents[at - 1];
            }
            expected.reverse();
            assert_eq!(record.line_to(number), expected, "{number}");
        }
    }
}
