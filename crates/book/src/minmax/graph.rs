//! The graph of a book: positions connected by moves.

use super::worth::Worth;
use crate::grow::key_table::KeyTable;
use shogi::{Color, Position};

/// A move as Black would play it, and its target. Six bytes, because there are many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    play: u16,
    /// The index of a position, or a mark and a value.
    target: [u16; 2],
}

/// Marks a leaf; the other half is its value.
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

/// Larger indices would look like leaves.
pub(super) const MOST_POSITIONS: u32 = (LEAF as u32) << 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Leaf(Worth),
    Node(u32),
}

/// Properties of a position.
#[derive(Clone, Copy, Default)]
pub(super) struct Flags(u8);

impl Flags {
    const WHITE: u8 = 1;
    const CHECKED: u8 = 2;

    pub(super) fn new(white: bool, checked: bool) -> Self {
        Self(if white { Self::WHITE } else { 0 } | if checked { Self::CHECKED } else { 0 })
    }

    /// Whether the book has it with White to move.
    pub(super) fn is_white(self) -> bool {
        self.0 & Self::WHITE != 0
    }

    /// Whether the side to move is in check.
    pub(super) fn is_checked(self) -> bool {
        self.0 & Self::CHECKED != 0
    }
}

/// A map from positions to their indices.
pub(super) struct Index {
    /// Keys of the positions rotated so that White is to move, because that is what a move of Black leads to.
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

    /// Whether a position with this lower half of the key may be there.
    #[inline]
    pub(super) fn may_have(&self, key: u64) -> bool {
        self.table.may_have(key)
    }

    #[inline]
    pub(super) fn find(&self, key: u128) -> Option<u32> {
        self.table.find(key, &self.keys)
    }
}

/// All positions; their moves are concatenated.
pub(super) struct Graph {
    pub(super) flags: Vec<Flags>,
    pub(super) edges: Vec<Edge>,
    /// Where the edges of each position begin, and the end.
    pub(super) begins: Vec<u32>,
    /// Number of moves into the book that it does not list.
    pub(super) converged: u64,
    /// Present only if positions are looked up later.
    pub(super) index: Option<Index>,
}

impl Graph {
    pub(super) fn len(&self) -> usize {
        self.flags.len()
    }

    /// The index of a position, in either orientation.
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

    /// The positions after the moves of a position.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        self.edges(node).iter().filter_map(|edge| match edge.target() {
            Target::Node(child) => Some(child),
            Target::Leaf(_) => None,
        })
    }
}
