//! The moves of a record with all their branches.

use crate::{Ending, Note, NoteRef};
use std::num::NonZeroU32;
use std::time::Duration;

/// The identifier of a node in its [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(
    /// The index plus one, so that `Option<NodeId>` has the same size.
    NonZeroU32,
);

impl NodeId {
    /// The start position.
    pub const ROOT: Self = Self(NonZeroU32::MIN);

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The step from one node to the next.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step<M> {
    /// A move.
    Move(M),
    /// The end of the game (or of a line).
    End(Ending),
}

/// A move or an ending, with its time and notes; the root has no step.
#[derive(Clone, Debug)]
pub struct Node<M> {
    step: Option<Step<M>>,
    ply: u32,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    /// Thinking time, if the record has it.
    pub time: Option<Duration>,
    /// Boxed, because most nodes have no notes.
    note: Option<Box<Note>>,
}

impl<M> Node<M> {
    fn new(step: Option<Step<M>>, ply: u32, parent: Option<NodeId>) -> Self {
        Self {
            step,
            ply,
            parent,
            first_child: None,
            last_child: None,
            next_sibling: None,
            time: None,
            note: None,
        }
    }

    /// The move or ending; `None` for the start position.
    #[must_use]
    pub fn step(&self) -> Option<&Step<M>> {
        self.step.as_ref()
    }

    /// The move, if it is one.
    #[must_use]
    pub fn played(&self) -> Option<&M> {
        match &self.step {
            Some(Step::Move(m)) => Some(m),
            _ => None,
        }
    }

    /// The ending, if it is one.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        match &self.step {
            Some(Step::End(ending)) => Some(ending),
            _ => None,
        }
    }

    /// Its number: 0 for the start position, 1 for the first move.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.ply
    }
}

/// Moves with branches to any depth; the first child of every node is the main line.
///
/// Generic over the move, so that records of every game use it.
///
/// ```
/// use record::{NodeId, Step, Tree};
/// let mut tree = Tree::new();
/// let first = tree.add(NodeId::ROOT, Step::Move("7g7f"));
/// tree.add(first, Step::Move("3c3d"));
/// tree.add(first, Step::Move("8c8d"));
/// assert_eq!(tree.children(first).count(), 2);
/// assert_eq!(tree.main_line().count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Tree<M> {
    nodes: Vec<Node<M>>,
}

impl<M> Default for Tree<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M> std::ops::Index<NodeId> for Tree<M> {
    type Output = Node<M>;

    fn index(&self, id: NodeId) -> &Node<M> {
        &self.nodes[id.index()]
    }
}

impl<M> std::ops::IndexMut<NodeId> for Tree<M> {
    fn index_mut(&mut self, id: NodeId) -> &mut Node<M> {
        &mut self.nodes[id.index()]
    }
}

/// Initial capacity, enough for most games.
pub(crate) const MOVES_OF_A_GAME: usize = 128;

impl<M> Tree<M> {
    /// A start position and no moves.
    #[must_use]
    pub fn new() -> Self {
        let mut nodes = Vec::with_capacity(MOVES_OF_A_GAME);
        nodes.push(Node::new(None, 0, None));
        Self { nodes }
    }

    /// The notes of a node.
    ///
    /// ```
    /// use record::{NodeId, Step, Tree};
    /// let mut tree = Tree::new();
    /// let first = tree.add(NodeId::ROOT, Step::Move("7g7f"));
    /// tree.add_comment(first, "定跡");
    /// assert_eq!(tree.note(first).comments, ["定跡"]);
    /// assert!(tree.note(NodeId::ROOT).is_empty());
    /// ```
    #[must_use]
    pub fn note(&self, id: NodeId) -> NoteRef<'_> {
        self[id].note.as_deref().map(Note::view).unwrap_or_default()
    }

    /// The notes of a node, for changing.
    pub fn note_mut(&mut self, id: NodeId) -> &mut Note {
        self[id].note.get_or_insert_default()
    }

    /// Adds a line to the comments of a node.
    pub fn add_comment(&mut self, id: NodeId, line: &str) {
        self.note_mut(id).comments.push(line);
    }

    /// Number of nodes, the start position not counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there is neither move nor ending.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node before it.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self[id].parent
    }

    /// The continuation in the main line of this node.
    #[must_use]
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self[id].first_child
    }

    /// The next branch after this one.
    #[must_use]
    pub fn sibling(&self, id: NodeId) -> Option<NodeId> {
        self[id].next_sibling
    }

    /// All continuations, the main line first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next(id), |id| self.sibling(*id))
    }

    /// The main line, without the start position.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next(NodeId::ROOT), |id| self.next(*id))
    }

    /// Whether this is the first continuation of its parent.
    #[must_use]
    pub fn is_first(&self, id: NodeId) -> bool {
        self.parent(id).is_none_or(|parent| self.next(parent) == Some(id))
    }

    /// Adds a continuation after the existing ones.
    ///
    /// # Panics
    /// With more than four billion nodes.
    pub fn add(&mut self, parent: NodeId, step: Step<M>) -> NodeId {
        let number = u32::try_from(self.nodes.len() + 1).ok().and_then(NonZeroU32::new);
        let id = NodeId(number.expect("records are shorter"));
        let above = &mut self[parent];
        let ply = above.ply + 1;
        match above.last_child.replace(id) {
            None => above.first_child = Some(id),
            Some(last) => self[last].next_sibling = Some(id),
        }
        self.nodes.push(Node::new(Some(step), ply, Some(parent)));
        id
    }

    /// Every node but the root in the order of writing: each line to its end, then the branches, those of the last
    /// moves first.
    #[must_use]
    pub fn walk(&self) -> Walk<'_, M> {
        Walk { tree: self, at: NodeId::ROOT }
    }

    /// Number of lines: nodes without continuation.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.nodes.iter().skip(1).filter(|node| node.first_child.is_none()).count()
    }

    /// A copy without the nodes for which `keep` is false, and without their descendants.
    #[must_use]
    pub fn pruned(&self, mut keep: impl FnMut(NodeId) -> bool) -> Self
    where
        M: Clone,
    {
        let mut copy = Self::new();
        copy[NodeId::ROOT].note.clone_from(&self[NodeId::ROOT].note);
        let mut moved: Vec<Option<NodeId>> = vec![None; self.nodes.len()];
        moved[0] = Some(NodeId::ROOT);
        for id in self.walk() {
            let node = &self[id];
            let (Some(parent), Some(step)) = (node.parent.and_then(|p| moved[p.index()]), &node.step) else {
                continue;
            };
            if keep(id) {
                let new = copy.add(parent, step.clone());
                copy[new].time = node.time;
                copy[new].note.clone_from(&node.note);
                moved[id.index()] = Some(new);
            }
        }
        copy
    }
}

/// The iterator of [`Tree::walk`]; needs no memory for any depth of branches.
pub struct Walk<'a, M> {
    tree: &'a Tree<M>,
    at: NodeId,
}

impl<M> Iterator for Walk<'_, M> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if let Some(child) = self.tree.next(self.at) {
            self.at = child;
            return Some(child);
        }
        loop {
            if let Some(sibling) = self.tree.sibling(self.at) {
                self.at = sibling;
                return Some(sibling);
            }
            match self.tree.parent(self.at) {
                Some(parent) => self.at = parent,
                None => return None,
            }
        }
    }
}

/// Trees are equal if they have the same lines in the same order with the same times and notes.
impl<M: PartialEq> PartialEq for Tree<M> {
    fn eq(&self, other: &Self) -> bool {
        let alike = |(a, b): (NodeId, NodeId)| {
            let (x, y) = (&self[a], &other[b]);
            x.step == y.step && x.ply == y.ply && x.time == y.time && self.note(a) == other.note(b)
        };
        self.nodes.len() == other.nodes.len()
            && self.note(NodeId::ROOT) == other.note(NodeId::ROOT)
            && self.walk().zip(other.walk()).all(alike)
    }
}

impl<M: Eq> Eq for Tree<M> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Tree<u8> {
        let mut tree = Tree::new();
        let a = tree.add(NodeId::ROOT, Step::Move(1));
        let b = tree.add(a, Step::Move(2));
        tree.add(b, Step::End(Ending::Resign));
        let c = tree.add(a, Step::Move(3));
        tree.add(c, Step::Move(4));
        tree.add(NodeId::ROOT, Step::Move(5));
        tree
    }

    #[test]
    fn walks_deepest_branches_first() {
        let tree = sample();
        let order: Vec<_> = tree.walk().map(|id| (tree[id].ply(), tree[id].played().copied())).collect();
        assert_eq!(order, [(1, Some(1)), (2, Some(2)), (3, None), (2, Some(3)), (3, Some(4)), (1, Some(5))]);
        assert_eq!(tree.leaves(), 3);
    }

    #[test]
    fn pruning_takes_what_follows() {
        let tree = sample();
        let cut = tree.pruned(|id| tree[id].played() != Some(&3));
        assert_eq!(cut.len(), 4);
        assert_eq!(cut.leaves(), 2);
        assert_eq!(tree.pruned(|_| true), tree);
        assert_ne!(cut, tree);
    }
}
