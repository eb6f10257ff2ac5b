//! Queries on a solved book: values of positions, and where it should grow.

use super::graph::{Edge, Graph, Target};
use super::output::read_and_solve;
use super::reading::read_graph;
use super::solve::{Parents, Solution, solve};
use super::worth::{ENDLESS, MAX_VALUE, Worth};
use crate::BookError;
use platform::Random;
use shogi::{Color, Move, Position};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::path::Path;

/// A book with min-max values.
pub struct SolvedBook {
    graph: Graph,
    solution: Solution,
}

/// A position just outside of a book.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The position.
    pub position: Position,
    /// The line to it: the text of the root, and the moves.
    pub line: String,
}

/// Random changes of leaf values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Noise {
    /// Maximum change, up or down.
    pub most: u16,
    /// The same seed gives the same changes.
    pub seed: u64,
}

/// Longer lines are cycles.
const LONGEST: usize = 256;

impl SolvedBook {
    /// Reads and solves a book.
    pub fn read(path: &Path, threads: usize, tell: &(dyn Fn(&str, f64) + Sync)) -> Result<Self, BookError> {
        let (graph, solution) = read_and_solve(path, threads, tell)?;
        Ok(Self { graph, solution })
    }

    /// Reads a book, changes the values of its leaves a little at random, and solves it, so that leaves which are
    /// nearly the best are chosen, too.
    pub fn read_with_noise(
        path: &Path,
        threads: usize,
        noise: Noise,
        tell: &(dyn Fn(&str, f64) + Sync),
    ) -> Result<Self, BookError> {
        let mut graph = read_graph(path, threads, &crate::Problems::stop(), tell)?;
        let mut random = Random::new(noise.seed);
        let width = u64::from(noise.most) * 2 + 1;
        for edge in &mut graph.edges {
            if let Target::Leaf(worth) = edge.target() {
                let change = (random.next() % width) as i64 - i64::from(noise.most);
                let value = (i64::from(worth.value) + change).clamp((-MAX_VALUE).into(), MAX_VALUE.into());
                *edge = Edge::to_leaf(edge.play(), value as i16);
            }
        }
        let solution = solve(&graph, &mut |part| tell("settling", part));
        Ok(Self { graph, solution })
    }

    /// Number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it has a position, in either orientation.
    #[must_use]
    pub fn has(&self, position: &Position) -> bool {
        self.graph.find(position).is_some()
    }

    /// The moves of a position with their values, in no particular order; empty if it is not in the book.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Vec<(Move, Worth)> {
        let Some(node) = self.graph.find(position) else { return Vec::new() };
        let turned = position.side() == Color::White;
        let listed = self.graph.edges(node).iter().filter_map(|edge| {
            let play = Move::from_bits(edge.play())?;
            Some((if turned { play.flip() } else { play }, self.worth_of(*edge)))
        });
        listed.collect()
    }

    /// The best move of a position.
    #[must_use]
    pub fn best(&self, position: &Position) -> Option<(Move, Worth)> {
        self.moves(position)
            .into_iter()
            .reduce(|best, other| if other.1.beats(best.1) { other } else { best })
    }

    fn worth_of(&self, edge: Edge) -> Worth {
        match edge.target() {
            Target::Leaf(worth) => worth,
            Target::Node(child) => self.solution.worth[child as usize],
        }
    }

    /// `peta_shock_next`: the ends of the best lines from each root. A leaf that was chosen is cut off, and the next
    /// one is the end of the line that is then the best; `count` for each root.
    #[must_use]
    pub fn next_leaves(&self, roots: &[(Position, String)], count: usize) -> Vec<Leaf> {
        let parents = Parents::new(&self.graph);
        let mut picker = Picker {
            book: self,
            parents: &parents,
            cut: HashSet::new(),
            changed: HashMap::new(),
            dead: HashSet::new(),
        };
        let mut leaves = Vec::new();
        let mut seen = HashSet::new();
        for (root, text) in roots {
            if !self.has(root) {
                leaves.push(Leaf { position: root.clone(), line: text.clone() });
                continue;
            }
            let mut found = 0;
            for _ in 0..count.saturating_mul(10) {
                if found == count {
                    break;
                }
                let Some(leaf) = picker.pick(root, text) else { continue };
                found += 1;
                if seen.insert(either_key(&leaf.position)) {
                    leaves.push(leaf);
                }
            }
        }
        leaves
    }
}

/// A key that a position shares with its rotation.
pub(crate) fn either_key(position: &Position) -> u128 {
    match position.side() {
        Color::White => position.key128(),
        Color::Black => position.flip().key128(),
    }
}

/// Chooses leaves one by one and tracks what has been cut off.
struct Picker<'a> {
    book: &'a SolvedBook,
    parents: &'a Parents,
    cut: HashSet<(u32, u16)>,
    /// Values of positions that have changed since the book was solved.
    changed: HashMap<u32, Worth>,
    /// Positions without any moves left.
    dead: HashSet<u32>,
}

impl Picker<'_> {
    fn worth(&self, node: u32) -> Worth {
        self.changed.get(&node).copied().unwrap_or(self.book.solution.worth[node as usize])
    }

    fn best_edge(&self, node: u32) -> Option<(Edge, Worth)> {
        let mut best: Option<(Edge, Worth)> = None;
        for edge in self.book.graph.edges(node) {
            let worth = match edge.target() {
                Target::Leaf(worth) => worth,
                Target::Node(child) if self.dead.contains(&child) => continue,
                Target::Node(child) => self.worth(child),
            };
            if !self.cut.contains(&(node, edge.play())) && best.is_none_or(|(_, best)| worth.beats(best)) {
                best = Some((*edge, worth));
            }
        }
        best
    }

    /// Follows the best line from a root to its end and cuts it off; `None` if it ends in a repetition.
    fn pick(&mut self, root: &Position, text: &str) -> Option<Leaf> {
        let mut position = root.clone();
        let mut line = text.to_owned();
        let mut node = self.book.graph.find(&position)?;
        let mut visited = HashSet::from([node]);
        loop {
            let (edge, _) = self.best_edge(node)?;
            let play = Move::from_bits(edge.play())?;
            let play = if position.side() == Color::White { play.flip() } else { play };
            let next = match edge.target() {
                Target::Leaf(_) => None,
                Target::Node(child) if visited.len() >= LONGEST || visited.contains(&child) => {
                    self.cut_off(node, edge);
                    return None;
                }
                Target::Node(child) => Some(child),
            };
            if !position.is_legal(play) {
                self.cut_off(node, edge);
                return None;
            }
            position.do_move(play);
            // Writing to a string does not fail.
            let _ = write!(line, " {play}");
            let Some(child) = next else {
                self.cut_off(node, edge);
                return Some(Leaf { position, line });
            };
            visited.insert(child);
            node = child;
        }
    }

    /// Removes a move and updates the positions above, each once.
    fn cut_off(&mut self, node: u32, edge: Edge) {
        self.cut.insert((node, edge.play()));
        let mut open = vec![node];
        let mut told = HashSet::from([node]);
        while let Some(node) = open.pop() {
            let before = self.worth(node);
            match self.best_edge(node) {
                None => {
                    self.dead.insert(node);
                }
                Some((_, best)) => {
                    let mut worth = best.for_parent();
                    if usize::from(worth.depth) > LONGEST {
                        worth.depth = ENDLESS;
                    }
                    if worth == before {
                        continue;
                    }
                    self.changed.insert(node, worth);
                }
            }
            open.extend(self.parents.of(node).iter().filter(|parent| told.insert(**parent)));
        }
    }
}
