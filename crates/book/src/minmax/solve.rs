//! Computes the min-max values.

use super::graph::{Graph, Target};
use super::worth::{CHECKED, CHECKING, ENDLESS, MAX_PLY, MAX_VALUE, Worth};

/// Maximum number of sweeps over cycles, as in YaneuraOu.
const SWEEPS: usize = MAX_PLY as usize + 100;
/// Maximum number of steps through perpetual checks in one sweep: entangled loops have too many paths. Positions that
/// are not reached keep their values.
const LOOP_STEPS: u64 = 20_000_000;

/// A solved graph.
pub(super) struct Solution {
    /// The value of each position for the move that leads to it.
    pub(super) worth: Vec<Worth>,
    /// Whether a position lies on a loop of checks.
    pub(super) on_check_loop: Vec<bool>,
    /// Positions without a cycle below them.
    pub(super) settled: usize,
}

/// A set of positions as bits.
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn set(&mut self, index: u32) {
        self.0[index as usize / 64] |= 1 << (index % 64);
    }

    /// Removes the first element that is not below `from`.
    fn take_from(&mut self, from: u32) -> Option<u32> {
        let mut word = from as usize / 64;
        let mut bits = *self.0.get(word)? & u64::MAX << (from % 64);
        loop {
            if bits != 0 {
                let index = word as u32 * 64 + bits.trailing_zeros();
                self.0[word] &= !(1 << (index % 64));
                return Some(index);
            }
            word += 1;
            bits = *self.0.get(word)?;
        }
    }
}

/// The edges in reverse.
pub(super) struct Parents {
    begins: Vec<u32>,
    parents: Vec<u32>,
}

impl Parents {
    pub(super) fn new(graph: &Graph) -> Self {
        let mut begins = vec![0u32; graph.len() + 1];
        for node in 0..graph.len() as u32 {
            graph.children(node).for_each(|child| begins[child as usize + 1] += 1);
        }
        for i in 1..begins.len() {
            begins[i] += begins[i - 1];
        }
        let mut next = begins.clone();
        let mut parents = vec![0; begins[graph.len()] as usize];
        for node in 0..graph.len() as u32 {
            for child in graph.children(node) {
                parents[next[child as usize] as usize] = node;
                next[child as usize] += 1;
            }
        }
        Self { begins, parents }
    }

    pub(super) fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.parents[self.begins[node] as usize..self.begins[node + 1] as usize]
    }
}

pub(super) fn solve(graph: &Graph, tell: &mut dyn FnMut(f64)) -> Solution {
    let parents = Parents::new(graph);
    let mut solver = Solver {
        graph,
        parents: &parents,
        worth: vec![Worth { value: i16::MIN, depth: 0 }; graph.len()],
        settled: vec![false; graph.len()],
        on_check_loop: vec![false; graph.len()],
    };
    let settled = solver.settle_trees();
    let loops = solver.find_check_loops();
    for node in 0..graph.len() {
        if !solver.settled[node] {
            solver.worth[node] = solver.first_worth(node);
        }
    }
    solver.sweep(&loops, tell);
    Solution { worth: solver.worth, on_check_loop: solver.on_check_loop, settled }
}

struct Solver<'a> {
    graph: &'a Graph,
    parents: &'a Parents,
    worth: Vec<Worth>,
    settled: Vec<bool>,
    on_check_loop: Vec<bool>,
}

impl Solver<'_> {
    fn best_for_parent(&self, node: u32) -> Worth {
        let mut best = Worth { value: -i16::MAX, depth: ENDLESS };
        for edge in self.graph.edges(node) {
            let worth = match edge.target() {
                Target::Leaf(worth) => worth,
                Target::Node(child) => self.worth[child as usize],
            };
            if worth.beats(best) {
                best = worth;
            }
        }
        best.for_parent()
    }

    /// Settles positions from the leaves up, as far as there is no cycle; returns their number.
    fn settle_trees(&mut self) -> usize {
        let count = self.graph.len() as u32;
        let mut open: Vec<u32> = (0..count).map(|node| self.graph.children(node).count() as u32).collect();
        let mut ready: Vec<u32> = (0..count).filter(|node| open[*node as usize] == 0).collect();
        let mut done = 0;
        while let Some(node) = ready.pop() {
            self.worth[node as usize] = self.best_for_parent(node);
            self.settled[node as usize] = true;
            done += 1;
            for parent in self.parents.of(node) {
                open[*parent as usize] -= 1;
                if open[*parent as usize] == 0 {
                    ready.push(*parent);
                }
            }
        }
        done
    }

    /// Finds positions in check from which two moves always lead to another such position, and those between.
    fn find_check_loops(&mut self) -> Vec<u32> {
        let mut checked: Vec<u32> = (0..self.graph.len() as u32)
            .filter(|node| self.graph.flags[*node as usize].is_checked())
            .collect();
        for node in &checked {
            self.on_check_loop[*node as usize] = true;
        }
        for _ in 0..MAX_PLY {
            let before = checked.len();
            checked.retain(|node| {
                let goes_on = self.checked_two_on(*node).next().is_some();
                self.on_check_loop[*node as usize] = goes_on;
                goes_on
            });
            if checked.len() == before {
                break;
            }
        }
        let between: Vec<u32> = checked.iter().flat_map(|node| self.checked_two_on(*node)).collect();
        for node in between {
            if !std::mem::replace(&mut self.on_check_loop[node as usize], true) {
                checked.push(node);
            }
        }
        checked
    }

    /// The children of a position that have a child on a loop.
    fn checked_two_on(&self, node: u32) -> impl Iterator<Item = u32> {
        self.graph
            .children(node)
            .filter(|child| self.graph.children(*child).any(|next| self.on_check_loop[next as usize]))
    }

    /// Initial values of open positions: repetitions are draws; the side under perpetual check wins.
    fn first_worth(&self, node: usize) -> Worth {
        if !self.on_check_loop[node] {
            return Worth::DRAW;
        }
        let value = if self.graph.flags[node].is_checked() { -MAX_VALUE } else { MAX_VALUE };
        Worth { value, depth: ENDLESS }
    }

    /// Sweeps over all open positions in order until nothing changes. A position is recomputed only if one of its
    /// children has changed, which has the same result.
    fn sweep(&mut self, loops: &[u32], tell: &mut dyn FnMut(f64)) {
        let count = self.graph.len();
        let mut due = Bits::new(count);
        for node in 0..count as u32 {
            if !self.settled[node as usize] && !self.on_check_loop[node as usize] {
                due.set(node);
            }
        }
        for sweep in 0..SWEEPS {
            let mut changed = false;
            let mut from = 0;
            // Positions that become due before this place wait for the next sweep.
            while let Some(node) = due.take_from(from) {
                from = node + 1;
                let mut best = self.best_for_parent(node);
                if best.depth > MAX_PLY {
                    best.depth = ENDLESS;
                }
                changed |= self.assign(node, best, &mut due);
            }
            let mut trail = vec![false; if loops.is_empty() { 0 } else { count }];
            let mut steps = LOOP_STEPS;
            for node in loops {
                if let Some(worth) = self.walk_loop(*node, &mut trail, &mut steps) {
                    self.assign(*node, worth, &mut due);
                }
            }
            tell(sweep as f64 / SWEEPS as f64);
            if !changed {
                break;
            }
        }
    }

    fn assign(&mut self, node: u32, worth: Worth, due: &mut Bits) -> bool {
        let changed = std::mem::replace(&mut self.worth[node as usize], worth) != worth;
        if changed {
            for parent in self.parents.of(node) {
                if !self.settled[*parent as usize] && !self.on_check_loop[*parent as usize] {
                    due.set(*parent);
                }
            }
        }
        changed
    }

    /// Walks all paths of a loop of checks; returning to a visited position is a perpetual check. `None` if there are
    /// too many paths.
    fn walk_loop(&self, node: u32, trail: &mut [bool], steps: &mut u64) -> Option<Worth> {
        /// A position of the path: its next move, and the best value of those before.
        struct Visit {
            node: u32,
            next: usize,
            best: Worth,
        }
        let fresh = |node| Visit { node, next: 0, best: Worth { value: -i16::MAX, depth: 0 } };
        let mut path = vec![fresh(node)];
        trail[node as usize] = true;
        let mut complete = true;
        let mut result = None;
        while let Some(visit) = path.last_mut() {
            if *steps == 0 {
                complete = false;
                break;
            }
            *steps -= 1;
            if let Some(edge) = self.graph.edges(visit.node).get(visit.next) {
                visit.next += 1;
                let worth = match edge.target() {
                    Target::Leaf(worth) => worth,
                    Target::Node(child) if !self.on_check_loop[child as usize] => self.worth[child as usize],
                    Target::Node(child) if trail[child as usize] => {
                        if self.graph.flags[child as usize].is_checked() {
                            Worth { value: -MAX_VALUE, depth: CHECKING }
                        } else {
                            Worth { value: MAX_VALUE, depth: CHECKED }
                        }
                    }
                    Target::Node(child) => {
                        trail[child as usize] = true;
                        path.push(fresh(child));
                        continue;
                    }
                };
                if worth.beats(visit.best) {
                    visit.best = worth;
                }
                continue;
            }
            let worth = visit.best.for_parent();
            trail[visit.node as usize] = false;
            path.pop();
            match path.last_mut() {
                Some(parent) if worth.beats(parent.best) => parent.best = worth,
                Some(_) => {}
                None => result = Some(worth),
            }
        }
        if !complete {
            for visit in &path {
                trail[visit.node as usize] = false;
            }
        }
        result
    }
}
