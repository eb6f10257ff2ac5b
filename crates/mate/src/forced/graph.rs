//! Positions that are connected by moves, and how near each is to being settled.

use std::collections::HashMap;
use std::ops::Range;

/// A position of the graph.
pub(super) type NodeId = usize;

/// Whose move it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    Attacker,
    Defender,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// Its moves have not been looked at.
    Leaf,
    /// They have, and it is open.
    Open,
    /// The attacker mates.
    Won,
    /// He does not.
    Lost,
}

impl Status {
    pub(super) fn is_settled(self) -> bool {
        matches!(self, Self::Won | Self::Lost)
    }
}

/// How hard it seems to prove a mate, and to refute it. Numbers of children are not added up but the largest counts, and
/// one for each of the others: the same position may be reached in many ways, and in cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effort {
    pub(super) proof: u32,
    pub(super) refutation: u32,
}

struct Node {
    turn: Turn,
    status: Status,
    effort: Effort,
    /// Walks through here have ended in cycles, counted.
    cycles: u32,
    edges: Range<u32>,
}

/// What the search knows. A position is the same however it was reached.
pub(super) struct Graph<M> {
    nodes: Vec<Node>,
    edges: Vec<(M, u32)>,
    /// By key, and by ply where the number of plies is limited.
    places: HashMap<(u64, u32), u32>,
}

/// No effort is larger.
const MOST: u32 = u32::MAX / 4;

impl<M: Copy> Graph<M> {
    pub(super) const ROOT: NodeId = 0;

    /// About so many bytes are needed for each position.
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

    /// Says what a leaf's moves are and where they lead.
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

    /// A walk could not go on from a position of the defender without repeating itself.
    pub(super) fn note_cycle(&mut self, id: NodeId) {
        let node = &mut self.nodes[id];
        node.cycles = (2 * node.cycles + 1).min(MOST);
    }

    /// Works out what the children say about an open position.
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

    /// The open child that its side would go to first, among those that `may_go` allows.
    pub(super) fn choose(&self, id: NodeId, may_go: impl Fn(NodeId) -> bool) -> Option<(M, NodeId)> {
        let effort = |child: NodeId| match self.nodes[id].turn {
            Turn::Attacker => self.nodes[child].effort.proof,
            Turn::Defender => self.nodes[child].effort.refutation,
        };
        let open = self.moves(id).filter(|(_, child)| !self.status(*child).is_settled() && may_go(*child));
        open.min_by_key(|(_, child)| effort(*child))
    }

    /// Settles every position that no open leaf could help any more, cycles included: even if all leaves were won,
    /// these would not be. What is left has a distance to the leaves that decide it.
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

    /// In how many plies each position is mate, of those known to be.
    pub(super) fn plies_to_mate(&self) -> Vec<Option<u32>> {
        self.distances(|status| status == Status::Won)
    }

    /// Plies to the positions where play ends, of a status that `counts`, if the attacker hurries and the defender does
    /// not; `None` from where the attacker cannot get there by force.
    fn distances(&self, counts: impl Fn(Status) -> bool) -> Vec<Option<u32>> {
        let mut distances: Vec<Option<u32>> = vec![None; self.nodes.len()];
        let mut changed = true;
        while changed {
            changed = false;
            // Children mostly come after their parents.
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
