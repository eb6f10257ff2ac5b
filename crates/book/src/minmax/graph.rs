//! The positions of a book and how moves connect them.

use super::worth::Worth;
use crate::grow::key_table::KeyTable;
use shogi::{Color, Position};

/// A move of a position: as it would be played by Black, and where it leads. Six bytes, as there are many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    play: u16,
    /// The number of a position, or a value behind a mark.
    target: [u16; 2],
}

/// Marks a leaf, whose value is the other half.
const LEAF: u16 = 0xffff;

impl Edge {
    pub(super) fn to_node(play: u16, node: u32) -> Self {
        Self { play, target: [node as u16, (node >> 16) as u16] }
    }

    pub(super) fn to_leaf(play: u16, value: i16) -> Self {
        Self { play, target: [value as u16, LEAF] }
    }

    pub(super) fn play(self) -> u16 {
        self.play
    }

    #[inline]
    pub(super) fn target(self) -> Target {
        match self.target {
            [value, LEAF] => Target::Leaf(Worth { value: value as i16, depth: 0 }),
            [low, high] => Target::Node(u32::from(low) | u32::from(high) << 16),
        }
    }
}

/// More positions would look like leaves.
pub(super) const MOST_POSITIONS: u32 = (LEAF as u32) << 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Leaf(Worth),
    Node(u32),
}

/// What is known of a position beside its moves.
#[derive(Clone, Copy, Default)]
pub(super) struct Flags(u8);

impl Flags {
    const WHITE: u8 = 1;
    const CHECKED: u8 = 2;

    pub(super) fn new(white: bool, checked: bool) -> Self {
        Self(if white { Self::WHITE } else { 0 } | if checked { Self::CHECKED } else { 0 })
    }

    /// The book has it with White to move.
    pub(super) fn is_white(self) -> bool {
        self.0 & Self::WHITE != 0
    }

    /// The side to move is in check.
    pub(super) fn is_checked(self) -> bool {
        self.0 & Self::CHECKED != 0
    }
}

/// From a position to its number.
pub(super) struct Index {
    /// Of positions rotated so that White is to move: what a move of Black leads to.
    keys: Vec<u128>,
    table: KeyTable,
}

impl Index {
    pub(super) fn new(keys: Vec<u128>) -> Self {
        let mut table = KeyTable::new(keys.len());
        (0..keys.len() as u32).for_each(|number| table.insert(number, &keys));
        Self { keys, table }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether a position with such a lower half of the key may be there.
    #[inline]
    pub(super) fn may_have(&self, key: u64) -> bool {
        self.table.may_have(key)
    }

    #[inline]
    pub(super) fn find(&self, key: u128) -> Option<u32> {
        self.table.find(key, &self.keys)
    }
}

/// All positions; their moves lie one behind the other.
pub(super) struct Graph {
    pub(super) flags: Vec<Flags>,
    pub(super) edges: Vec<Edge>,
    /// Where the edges of a position begin; one more at the end.
    pub(super) begins: Vec<u32>,
    /// Moves into the book that it does not list.
    pub(super) converged: u64,
    /// For those who ask about positions.
    pub(super) index: Option<Index>,
}

impl Graph {
    pub(super) fn len(&self) -> usize {
        self.flags.len()
    }

    /// The number of a position, in either orientation.
    pub(super) fn find(&self, position: &Position) -> Option<u32> {
        let key = match position.side() {
            Color::White => position.key128(),
            Color::Black => position.flip().key128(),
        };
        self.index.as_ref()?.find(key)
    }

    #[inline]
    pub(super) fn edges(&self, node: u32) -> &[Edge] {
        let node = node as usize;
        &self.edges[self.begins[node] as usize..self.begins[node + 1] as usize]
    }

    /// The positions that moves of a position lead to.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        self.edges(node).iter().filter_map(|edge| match edge.target() {
            Target::Node(child) => Some(child),
            Target::Leaf(_) => None,
        })
    }
}
