//! The graph of positions of [`solve_forced`](super::solve_forced), with proof and refutation numbers.

use std::collections::HashMap;
use std::ops::Range;

/// Index of a position in the graph.
pub(super) type NodeId = usize;

/// The side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    Attacker,
    Defender,
}

/// What is proved of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// Not expanded.
    Leaf,
    /// Expanded and unsettled.
    Open,
    /// The attacker forces mate.
    Won,
    /// The attacker does not.
    Lost,
}

impl Status {
    pub(super) fn is_settled(self) -> bool {
        matches!(self, Self::Won | Self::Lost)
    }
}

/// Proof and refutation numbers. Where numbers of children would be added up, only the largest counts in full and each
/// of the others counts one: the same position may be reached in many ways and by cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effort {
    pub(super) proof: u32,
    pub(super) refutation: u32,
}

struct Node {
    turn: Turn,
    status: Status,
    effort: Effort,
    /// Number of walks through here that ended in cycles.
    cycles: u32,
    edges: Range<u32>,
}

/// The graph. A position is one node however it was reached.
pub(super) struct Graph<M> {
    nodes: Vec<Node>,
    edges: Vec<(M, u32)>,
    /// Nodes by key, and by ply if the number of plies is limited.
    places: HashMap<(u64, u32), u32>,
}

/// Upper limit of proof and refutation numbers.
const MOST: u32 = u32::MAX / 4;

impl<M: Copy> Graph<M> {
    pub(super) const ROOT: NodeId = 0;

    /// Estimated bytes per position.
    pub(super) const BYTES: usize = size_of::<Node>() + 48 + 4 * size_of::<(M, u32)>();

    pub(super) fn new(root: (u64, u32), effort: Effort) -> Self {
        let mut graph = Self { nodes: Vec::new(), edges: Vec::new(), places: HashMap::new() };
        graph.add(root, Turn::Attacker, Status::Leaf, effort);
        graph
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn find(&self, place: (u64, u32)) -> Option<NodeId> {
        self.places.get(&place).map(|id| *id as NodeId)
    }

    pub(super) fn add(&mut self, place: (u64, u32), turn: Turn, status: Status, effort: Effort) -> NodeId {
        let id = self.nodes.len();
        self.nodes.push(Node { turn, status, effort, cycles: 0, edges: 0..0 });
        self.places.insert(place, id as u32);
        id
    }

    /// Expands a leaf: its moves and where they lead.
    pub(super) fn connect(&mut self, id: NodeId, moves: &[(M, NodeId)]) {
        let start = self.edges.len() as u32;
        self.edges.extend(moves.iter().map(|(m, child)| (*m, *child as u32)));
        self.nodes[id].edges = start..self.edges.len() as u32;
        self.nodes[id].status = Status::Open;
        self.update(id);
    }

    pub(super) fn turn(&self, id: NodeId) -> Turn {
        self.nodes[id].turn
    }

    pub(super) fn status(&self, id: NodeId) -> Status {
        self.nodes[id].status
    }

    pub(super) fn moves(&self, id: NodeId) -> impl Iterator<Item = (M, NodeId)> + Clone {
        let Range { start, end } = self.nodes[id].edges;
        self.edges[start as usize..end as usize].iter().map(|(m, child)| (*m, *child as NodeId))
    }

    /// Records that a walk could not continue from a defender's position without repeating itself.
    pub(super) fn note_cycle(&mut self, id: NodeId) {
        let node = &mut self.nodes[id];
        node.cycles = (2 * node.cycles + 1).min(MOST);
    }

    /// Recomputes an unsettled position from its children.
    pub(super) fn update(&mut self, id: NodeId) {
        if self.nodes[id].status != Status::Open {
            return;
        }
        let turn = self.nodes[id].turn;
        let (decisive, otherwise) = match turn {
            Turn::Attacker => (Status::Won, Status::Lost),
            Turn::Defender => (Status::Lost, Status::Won),
        };
        let (mut open, mut least, mut largest, mut decided) = (0, u32::MAX, 0, false);
        for (_, child) in self.moves(id) {
            let child = &self.nodes[child];
            decided |= child.status == decisive;
            if child.status.is_settled() {
                continue;
            }
            let (own, other) = match turn {
                Turn::Attacker => (child.effort.proof, child.effort.refutation),
                Turn::Defender => (child.effort.refutation, child.effort.proof),
            };
            open += 1;
            least = least.min(own);
            largest = largest.max(other);
        }
        let node = &mut self.nodes[id];
        if decided || open == 0 {
            node.status = if decided { decisive } else { otherwise };
            return;
        }
        let all = (largest + open - 1).min(MOST);
        node.effort = match turn {
            Turn::Attacker => Effort { proof: least, refutation: all },
            Turn::Defender => Effort { proof: (all + node.cycles).min(MOST), refutation: least },
        };
    }

    /// The unsettled child with the smallest number for the side to move, among those that `may_go` allows.
    pub(super) fn choose(&self, id: NodeId, may_go: impl Fn(NodeId) -> bool) -> Option<(M, NodeId)> {
        let effort = |child: NodeId| match self.nodes[id].turn {
            Turn::Attacker => self.nodes[child].effort.proof,
            Turn::Defender => self.nodes[child].effort.refutation,
        };
        let open = self.moves(id).filter(|(_, child)| !self.status(*child).is_settled() && may_go(*child));
        open.min_by_key(|(_, child)| effort(*child))
    }

    /// Settles as lost every position that would not be won even if all leaves were won; this resolves cycles. Returns
    /// the distance of the others to the leaves that decide them.
    pub(super) fn sweep(&mut self) -> Vec<Option<u32>> {
        let distances = self.distances(|status| matches!(status, Status::Won | Status::Leaf));
        for (node, distance) in self.nodes.iter_mut().zip(&distances) {
            node.cycles = 0;
            if node.status == Status::Open && distance.is_none() {
                node.status = Status::Lost;
            }
        }
        distances
    }

    /// Plies to mate of each position that is proved to be one.
    pub(super) fn plies_to_mate(&self) -> Vec<Option<u32>> {
        self.distances(|status| status == Status::Won)
    }

    /// Plies to the ends of play whose status `counts`, if the attacker hurries and the defender delays; `None` where
    /// the attacker cannot force one.
    fn distances(&self, counts: impl Fn(Status) -> bool) -> Vec<Option<u32>> {
        let mut distances: Vec<Option<u32>> = vec![None; self.nodes.len()];
        let mut changed = true;
        while changed {
            changed = false;
            // Children mostly have larger indices than their parents.
            for id in (0..self.nodes.len()).rev() {
                let node = &self.nodes[id];
                let mut children = self.moves(id).map(|(_, child)| distances[child]);
                let distance = if node.edges.is_empty() {
                    counts(node.status).then_some(0)
                } else if node.status == Status::Lost {
                    None
                } else if node.turn == Turn::Attacker {
                    children.flatten().min().map(|least| least + 1)
                } else {
                    children.try_fold(0, |most, child| Some(most.max(child?))).map(|most| most + 1)
                };
                if distance != distances[id] {
                    distances[id] = distance;
                    changed = true;
                }
            }
        }
        distances
    }
}
