//! `stera`: grows a book where the best play of both sides leaves it.
//!
//! The tree in memory consists of the positions with a value for every move. An alpha-beta search finds the end of the
//! best line; that position is searched, becomes part of the tree, and so on.

use crate::error::BookError;
use crate::{BookMove, EntryStream};
use shogi::{Move, Position, Repetition};
use std::collections::{HashMap, HashSet};

/// Settings of the growth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SteraOptions {
    /// Number of leaves chosen from each root before they are searched.
    pub leaves: usize,
    /// Bonus of moves that lead to a position of the given games.
    pub kif_bonus: i32,
}

impl Default for SteraOptions {
    fn default() -> Self {
        Self { leaves: 100, kif_bonus: 100 }
    }
}

/// Longer lines count as draws.
const LONGEST: usize = 512;
const MATE: i32 = 32_000;
const INFINITE: i32 = MATE + 1;

/// Positions with a value for every legal move.
#[derive(Default)]
pub struct SteraTree {
    nodes: HashMap<u128, Vec<(Move, i32)>>,
    /// Positions of given games.
    kif: HashSet<u128>,
    /// Leaves that are being searched.
    busy: HashSet<u128>,
}

/// The state of a position during one search.
#[derive(Clone, Copy)]
struct Found {
    value: i32,
    /// Whether the value is exact or a bound.
    bound: Bound,
    best: Option<Move>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

impl SteraTree {
    /// Adds the positions of a book, except those without a value for some legal move.
    pub fn read_more(&mut self, stream: &mut (impl EntryStream + ?Sized)) -> Result<(), BookError> {
        while let Some(entry) = stream.next_entry()? {
            if let Ok(position) = entry.position() {
                self.enter(&position, &entry.moves);
            }
        }
        Ok(())
    }

    /// Number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Marks a position as part of the given games.
    pub fn mark_kif(&mut self, position: &Position) {
        self.kif.insert(position.key128());
    }

    /// Adds a searched position; returns whether all of its moves have values. If not, it stays marked as busy, so that
    /// it is not searched again and again.
    pub fn enter(&mut self, position: &Position, moves: &[BookMove]) -> bool {
        let key = position.key128();
        let legal = position.legal_moves();
        let value = |m: Move| moves.iter().find(|known| known.play == Some(m)).map(|known| (m, known.value));
        let valued: Option<Vec<_>> = legal.iter().map(|m| value(*m)).collect();
        let Some(mut valued) = valued.filter(|valued| !valued.is_empty()) else { return false };
        // Best first, which suits alpha-beta; ties in the order of generation.
        valued.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
        self.busy.remove(&key);
        self.nodes.insert(key, valued);
        true
    }

    /// The next positions to search: the ends of the best lines from a root. Each is marked as busy, so that the next
    /// one differs.
    pub fn leaves(&mut self, root: &Position, options: SteraOptions) -> Vec<Position> {
        let mut leaves = Vec::new();
        if !self.nodes.contains_key(&root.key128()) {
            if self.busy.insert(root.key128()) && root.has_legal_move() {
                leaves.push(root.clone());
            }
            return leaves;
        }
        for _ in 0..options.leaves {
            let Some(leaf) = self.best_leaf(root, options.kif_bonus) else { break };
            self.busy.insert(leaf.key128());
            leaves.push(leaf);
        }
        leaves
    }

    fn best_leaf(&self, root: &Position, kif_bonus: i32) -> Option<Position> {
        let mut position = root.clone();
        let mut search = Search { tree: self, kif_bonus, known: HashMap::new() };
        crate::grow::tree::with_deep_stack(|| {
            search.value(&mut position, -INFINITE, INFINITE, 0);
            // Follow the best moves to the end of the tree.
            for _ in 0..LONGEST {
                let best = search.known.get(&position.key128())?.best?;
                position.do_move(best);
                if !self.nodes.contains_key(&position.key128()) {
                    return position.has_legal_move().then(|| position.clone());
                }
            }
            None
        })
    }
}

struct Search<'a> {
    tree: &'a SteraTree,
    kif_bonus: i32,
    known: HashMap<u128, Found>,
}

impl Search<'_> {
    /// The value of a position of the tree for the side to move.
    fn value(&mut self, position: &mut Position, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        if ply >= LONGEST {
            return 0;
        }
        match (ply > 0).then(|| position.repetition(usize::MAX)).flatten() {
            Some(Repetition::Win | Repetition::Superior) => return MATE - ply as i32,
            Some(Repetition::Lose | Repetition::Inferior) => return -MATE + ply as i32,
            Some(Repetition::Draw) => return 0,
            None => {}
        }
        let key = position.key128();
        if let Some(found) = self.known.get(&key).filter(|_| ply > 0) {
            let settles = match found.bound {
                Bound::Exact => true,
                Bound::AtLeast => found.value >= beta,
                Bound::AtMost => found.value <= alpha,
            };
            if settles {
                return found.value;
            }
        }
        let Some(moves) = self.tree.nodes.get(&key) else { return 0 };
        let (mut best, mut play, floor) = (-INFINITE, None, alpha);
        for (m, value) in moves {
            position.do_move(*m);
            let child = position.key128();
            let worth = if self.tree.busy.contains(&child) {
                None
            } else if self.tree.nodes.contains_key(&child) {
                Some(-self.value(position, -beta, -alpha, ply + 1))
            } else {
                Some(value + if self.tree.kif.contains(&child) { self.kif_bonus } else { 0 })
            };
            position.undo_move();
            let Some(worth) = worth.filter(|worth| *worth > best) else { continue };
            (best, play) = (worth, Some(*m));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        // If all moves are being searched, the value is unknown and the parent should choose another move.
        if play.is_none() {
            best = 0;
        }
        let bound = if best >= beta {
            Bound::AtLeast
        } else if best <= floor {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        self.known.insert(key, Found { value: best, bound, best: play });
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Entry;

    /// Values for all moves: a different one for each, larger for the named ones.
    fn valued(position: &Position, good: &[(&str, i32)]) -> Vec<BookMove> {
        let value =
            |m: &Move| good.iter().find(|(text, _)| m.to_string() == *text).map_or(-500, |(_, value)| *value);
        position.legal_moves().iter().map(|m| BookMove { value: value(m), ..BookMove::new(*m) }).collect()
    }

    fn after(moves: &str) -> Position {
        let mut position = Position::startpos();
        for m in moves.split_whitespace() {
            position.do_move(m.parse().unwrap());
        }
        position
    }

    #[test]
    fn the_end_of_the_best_line_comes_first() {
        let mut tree = SteraTree::default();
        let start = Position::startpos();
        let options = SteraOptions { leaves: 3, kif_bonus: 100 };
        // The tree is empty: the root itself.
        assert_eq!(
            tree.leaves(&start, options).iter().map(Position::sfen).collect::<Vec<_>>(),
            [start.sfen()]
        );
        assert!(tree.enter(&start, &valued(&start, &[("7g7f", 80), ("2g2f", 50), ("5g5f", 10)])));
        // White has a reply to 7g7f that makes it worth only 20.
        let reply = after("7g7f");
        assert!(tree.enter(&reply, &valued(&reply, &[("3c3d", -20), ("8c8d", -60)])));
        let leaves = tree.leaves(&start, options);
        let shown: Vec<String> = leaves.iter().map(Position::sfen).collect();
        // Without 2g2f, 7g7f is best; without 3c3d, White has 8c8d, so it looks better still.
        assert_eq!(shown, ["2g2f", "7g7f 3c3d", "7g7f 8c8d"].map(|line| after(line).sfen()));
        // A position that is being searched is not chosen again.
        let more = tree.leaves(&start, SteraOptions { leaves: 1, ..options });
        assert!(!shown.contains(&more[0].sfen()));
    }

    #[test]
    fn games_are_preferred() {
        let mut tree = SteraTree::default();
        let start = Position::startpos();
        tree.enter(&start, &valued(&start, &[("7g7f", 80), ("2g2f", 50)]));
        tree.mark_kif(&after("2g2f"));
        let options = SteraOptions { leaves: 1, kif_bonus: 100 };
        assert_eq!(tree.leaves(&start, options)[0].sfen(), after("2g2f").sfen());
        let options = SteraOptions { leaves: 1, kif_bonus: 10 };
        assert_eq!(tree.leaves(&start, options)[0].sfen(), after("7g7f").sfen());
    }

    #[test]
    fn positions_without_all_moves_are_left_out() {
        let mut tree = SteraTree::default();
        let start = Position::startpos();
        let mut moves = valued(&start, &[]);
        moves.pop();
        assert!(!tree.enter(&start, &moves) && tree.is_empty());
        let entries = [Entry::of(&start, valued(&start, &[])), Entry::of(&after("7g7f"), moves)];
        tree.read_more(&mut crate::Entries::new(entries)).unwrap();
        assert_eq!(tree.len(), 1);
    }
}
