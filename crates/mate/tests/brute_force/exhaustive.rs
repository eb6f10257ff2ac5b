//! The truth about small positions: everything that can be reached is listed, and verdicts spread from the ends of lines
//! backwards, so that repetition cannot mislead.

use shogi::{MoveList, MoveSet, Position, Promotions};
use std::collections::HashMap;

/// What is true of a position.
pub struct Truth {
    /// The length of the shortest mate, if there is one.
    pub mate: Option<u32>,
    /// How many positions were listed.
    pub positions: usize,
    /// Some line comes back to where it was.
    pub has_cycle: bool,
    /// There is no mate, but only because repetition is none: the defender has nothing better.
    pub rests_on_repetition: bool,
}

/// Finds out by listing up to `most` positions; `None` if they do not decide it.
pub fn exhaustive(root: &Position, most: usize) -> Option<Truth> {
    let graph = Graph::list(root, most)?;
    let mate = graph.spread(true)[0];
    // A mate of n plies is the shortest if everything nearer than n is listed; no mate, if everything is.
    match mate {
        Some(length) if graph.complete_to.is_some_and(|depth| length > depth) => return None,
        None if graph.complete_to.is_some() => return None,
        _ => {}
    }
    let has_cycle = graph.has_cycle();
    let rests_on_repetition = mate.is_none() && has_cycle && graph.spread(false)[0].is_none();
    Some(Truth { mate, positions: graph.attacks.len(), has_cycle, rests_on_repetition })
}

/// Positions by number, in the order of their distance from the root, which is 0.
struct Graph {
    /// Whether the attacker is to move.
    attacks: Vec<bool>,
    /// Where each one's successors end in `successors`; only of those whose moves are listed.
    ends: Vec<usize>,
    successors: Vec<usize>,
    /// Moves of positions nearer than this are listed; all are if there is no limit.
    complete_to: Option<u32>,
}

impl Graph {
    fn list(root: &Position, most: usize) -> Option<Self> {
        let attacker = root.side();
        let mut position = Position::with_room(&root.setup(), 4).ok()?;
        let mut numbers = HashMap::from([(root.key128(), 0)]);
        let mut snapshots = vec![root.snapshot()];
        let mut depths = vec![0];
        let mut graph =
            Self { attacks: vec![true], ends: Vec::new(), successors: Vec::new(), complete_to: None };
        while graph.ends.len() < snapshots.len() {
            let depth: u32 = depths[graph.ends.len()];
            if snapshots.len() > most {
                graph.complete_to = Some(depth);
                break;
            }
            position.restore(&snapshots[graph.ends.len()]);
            let attacks = position.side() == attacker;
            let mut moves = MoveList::new();
            position.generate(MoveSet::Legal, Promotions::All, &mut moves);
            for &m in moves.iter() {
                if attacks && !position.gives_check(m) {
                    continue;
                }
                position.do_move(m);
                let number = *numbers.entry(position.key128()).or_insert_with(|| {
                    snapshots.push(position.snapshot());
                    depths.push(depth + 1);
                    graph.attacks.push(!attacks);
                    snapshots.len() - 1
                });
                graph.successors.push(number);
                position.undo_move();
            }
            graph.ends.push(graph.successors.len());
        }
        Some(graph)
    }

    /// The successors of a position whose moves are listed.
    fn successors(&self, number: usize) -> &[usize] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.successors[start..self.ends[number]]
    }

    /// In how many plies one side gets its way, if it can force that: the attacker wants the defender to be without a move,
    /// the defender wants him to be without a check. Found in the order of length.
    fn spread(&self, attacker: bool) -> Vec<Option<u32>> {
        let mut predecessors = vec![Vec::new(); self.attacks.len()];
        let mut open: Vec<usize> = vec![usize::MAX; self.attacks.len()];
        let mut lengths = vec![None; self.attacks.len()];
        let mut queue = Vec::new();
        for number in 0..self.ends.len() {
            let successors = self.successors(number);
            for &next in successors {
                predecessors[next].push(number);
            }
            // One side needs one good move; the other must have only good ones.
            open[number] = if self.attacks[number] == attacker { 1 } else { successors.len() };
            if open[number] == 0 {
                lengths[number] = Some(0);
                queue.push(number);
            }
        }
        let mut done = 0;
        while let Some(&number) = queue.get(done) {
            done += 1;
            for &before in &predecessors[number] {
                open[before] = open[before].saturating_sub(1);
                if open[before] == 0 && lengths[before].is_none() {
                    lengths[before] = lengths[number].map(|length| length + 1);
                    queue.push(before);
                }
            }
        }
        lengths
    }

    /// Removes everything that nothing leads to; what remains lies on or behind cycles.
    fn has_cycle(&self) -> bool {
        let mut arrivals = vec![0; self.attacks.len()];
        self.successors.iter().for_each(|&next| arrivals[next] += 1);
        let mut removed: Vec<usize> = (0..arrivals.len()).filter(|&number| arrivals[number] == 0).collect();
        let mut done = 0;
        while let Some(&number) = removed.get(done) {
            done += 1;
            if number < self.ends.len() {
                for &next in self.successors(number) {
                    arrivals[next] -= 1;
                    if arrivals[next] == 0 {
                        removed.push(next);
                    }
                }
            }
        }
        removed.len() < arrivals.len()
    }
}
