//! Forced mates in any game.
//!
//! Shogi has a solver of its own (the crate `mate`); this one needs only the rules. It keeps a graph of positions, so
//! transpositions and cycles cannot mislead it. A mate is proved by a finite strategy, which is replayed under the
//! rules before it is reported. There is no mate if even winning every unsettled position would not give one.

mod graph;

use game::{EndReason, Outcome, Position};
use graph::{Effort, Graph, NodeId, Status, Turn};
use platform::clock::Instant;
use std::collections::HashSet;
use std::time::Duration;

/// The result of [`solve_forced`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ForcedMate<M> {
    /// A mate: a line in which the defender delays as long as possible against the strategy found.
    Mate(Vec<M>),
    /// No mate, whatever the attacker plays.
    NoMate,
    /// Not decided.
    Unknown(Undecided),
}

/// Why [`solve_forced`] gave up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undecided {
    /// Stopped by the caller, or the limit of positions was reached.
    Stopped,
    /// The memory is full.
    Memory,
    /// There is a mate, but it repeats positions of the game so far or exceeds the game's move limit.
    History,
}

impl std::fmt::Display for Undecided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Stopped => "stopped before anything was proved",
            Self::Memory => "the memory is full before anything was proved: a larger USI_Hash may help",
            Self::History => "what mates runs into a repetition or a limit of moves",
        })
    }
}

/// Progress of [`solve_forced`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForcedProgress<M> {
    /// Positions expanded.
    pub nodes: u64,
    /// Time since the beginning.
    pub time: Duration,
    /// How full the memory is, in thousandths.
    pub hashfull: usize,
    /// Plies of the mate that was found.
    pub found: Option<u32>,
    /// The moves of the mate, or of the line being expanded.
    pub line: Vec<M>,
}

/// Limits of [`solve_forced`], and its callbacks.
pub struct ForcedLimits<'a, M> {
    /// Maximum number of positions.
    pub nodes: Option<u64>,
    /// Maximum length of the mate in plies.
    pub plies: Option<u32>,
    /// Approximate limit of memory.
    pub bytes: usize,
    /// Polled; `true` stops the search.
    pub stop: &'a dyn Fn() -> bool,
    /// Receives progress about once a second and at the end.
    pub report: &'a mut dyn FnMut(&ForcedProgress<M>),
}

/// Looks for a mate that the side to move forces by checks. The last move may also reach a goal of the game without
/// check.
///
/// ```
/// use game::Game;
/// use search::{ForcedLimits, ForcedMate, solve_forced};
/// let position = shogi::Shogi::default().position("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1")?;
/// let limits = ForcedLimits { nodes: None, plies: None, bytes: 16 << 20, stop: &|| false, report: &mut |_| () };
/// let ForcedMate::Mate(line) = solve_forced(&position, limits) else { panic!() };
/// assert_eq!(line.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_forced<P: Position>(position: &P, limits: ForcedLimits<'_, P::Move>) -> ForcedMate<P::Move> {
    if rightly_ended(position).is_some() {
        return ForcedMate::NoMate;
    }
    let now = Instant::now();
    let mut search = ForcedSearch {
        graph: Graph::new((position.key(), 0), UNKNOWN),
        root: position,
        position: position.clone(),
        limits,
        visited: 0,
        swept_at: 0,
        caught: 0,
        start: now,
        last_report: now,
    };
    let answer = search.solve();
    match &answer {
        ForcedMate::Mate(line) => search.report(Some(line.len() as u32), line.clone()),
        ForcedMate::NoMate | ForcedMate::Unknown(_) => search.report(None, Vec::new()),
    }
    answer
}

/// Numbers of a leaf.
const UNKNOWN: Effort = Effort { proof: 1, refutation: 1 };
/// Time between two reports.
const INTERVAL: Duration = Duration::from_secs(1);
/// Cycles are searched for when the graph has grown by this fraction (one part in 8).
const GROWTH: usize = 8;
/// They are also searched for after this many walks have ended in cycles.
const PATIENCE: usize = 64;

/// The outcome of a position, unless it depends on how the position was reached.
fn rightly_ended<P: Position>(position: &P) -> Option<Outcome> {
    let outcome = position.outcome()?;
    match outcome.reason() {
        EndReason::Repetition | EndReason::PerpetualCheck | EndReason::MoveLimit => None,
        _ => Some(outcome),
    }
}

struct ForcedSearch<'p, 'a, P: Position> {
    graph: Graph<P::Move>,
    root: &'p P,
    position: P,
    limits: ForcedLimits<'a, P::Move>,
    visited: u64,
    /// Size of the graph when cycles were last looked for.
    swept_at: usize,
    /// Number of successive walks that found nothing but cycles.
    caught: usize,
    start: Instant,
    last_report: Instant,
}

impl<P: Position> ForcedSearch<'_, '_, P> {
    fn solve(&mut self) -> ForcedMate<P::Move> {
        let most = self.limits.bytes / Graph::<P::Move>::BYTES;
        loop {
            match self.graph.status(Graph::<P::Move>::ROOT) {
                Status::Won => return self.checked_line(),
                Status::Lost => return ForcedMate::NoMate,
                Status::Leaf | Status::Open => {}
            }
            platform::pause_point();
            if self.graph.len() > most {
                return ForcedMate::Unknown(Undecided::Memory);
            }
            let too_many = self.limits.nodes.is_some_and(|limit| self.visited >= limit);
            if too_many || (self.limits.stop)() {
                return ForcedMate::Unknown(Undecided::Stopped);
            }
            self.walk();
        }
    }

    /// Descends by the smallest numbers, expands one position and updates the path.
    fn walk(&mut self) {
        let mut path = vec![Graph::<P::Move>::ROOT];
        let mut line = Vec::new();
        let caught_before = std::mem::take(&mut self.caught);
        while let Some(&id) = path.last() {
            self.graph.update(id);
            match self.graph.status(id) {
                Status::Leaf => {
                    self.expand(id, path.len() as u32 - 1);
                    break;
                }
                Status::Won | Status::Lost => break,
                Status::Open => {}
            }
            let Some((m, child)) = self.graph.choose(id, |child| !path.contains(&child)) else {
                // All children close a cycle; the attacker has to avoid those.
                let turn = self.graph.turn(id);
                let entrance = path.iter().rev().nth(usize::from(turn == Turn::Attacker));
                if let Some(&entrance) = entrance {
                    self.graph.note_cycle(entrance);
                }
                self.caught = caught_before + 1;
                break;
            };
            self.position.do_move(m);
            line.push(m);
            path.push(child);
        }
        if self.last_report.elapsed() >= INTERVAL {
            self.last_report = Instant::now();
            self.report(None, line.clone());
        }
        for _ in line {
            self.position.undo_move();
        }
        path.iter().rev().for_each(|&id| self.graph.update(id));
        let grown = self.graph.len() > self.swept_at + self.swept_at / GROWTH;
        if self.caught > 0 && grown || self.caught > PATIENCE {
            self.walk_around_cycles();
        }
    }

    /// Settles what only turns in cycles, and looks at a leaf that still matters.
    fn walk_around_cycles(&mut self) {
        self.swept_at = self.graph.len();
        let distances = self.graph.sweep();
        let mut path = vec![Graph::<P::Move>::ROOT];
        let mut played = 0;
        while let Some(&id) = path.last()
            && !self.graph.status(id).is_settled()
        {
            if self.graph.status(id) == Status::Leaf {
                self.expand(id, path.len() as u32 - 1);
                break;
            }
            let open = self.graph.moves(id).filter(|(_, child)| !self.graph.status(*child).is_settled());
            // Distances shrink along the path, so the loop ends.
            let Some((m, child)) =
                open.filter(|(_, child)| distances[*child].is_some()).min_by_key(|(_, c)| distances[*c])
            else {
                break;
            };
            self.position.do_move(m);
            played += 1;
            path.push(child);
        }
        for _ in 0..played {
            self.position.undo_move();
        }
        path.iter().rev().for_each(|&id| self.graph.update(id));
    }

    /// Expands the leaf that is the current position, `ply` plies from the root.
    fn expand(&mut self, id: NodeId, ply: u32) {
        let turn = self.graph.turn(id);
        let mut moves = Vec::new();
        for &m in self.position.legal_moves().iter() {
            self.position.do_move(m);
            self.visited += 1;
            if let Some(child) = self.child(turn, ply + 1) {
                moves.push((m, child));
            }
            self.position.undo_move();
        }
        self.graph.connect(id, &moves);
    }

    /// The node of the current position after a move of `mover`; `None` if the move of the attacker neither gives check
    /// nor wins.
    fn child(&mut self, mover: Turn, ply: u32) -> Option<NodeId> {
        let attacks = mover == Turn::Attacker;
        let is_check = self.position.in_check();
        if attacks && !is_check && self.position.goal().is_none() {
            return None;
        }
        let place = (self.position.key(), self.limits.plies.map_or(0, |_| ply));
        if let Some(known) = self.graph.find(place) {
            return Some(known);
        }
        let attacker = self.root.side();
        let (turn, replies) = if attacks {
            (Turn::Defender, self.position.legal_moves().len() as u32)
        } else {
            (Turn::Attacker, 1)
        };
        let status = match rightly_ended(&self.position) {
            Some(outcome) if outcome.winner() == Some(attacker) => Status::Won,
            Some(_) => Status::Lost,
            None if self.limits.plies.is_some_and(|plies| ply >= plies) => Status::Lost,
            // A move limit may hide a mate in `outcome`. By a shorter path it may not apply; `strategy_holds` checks the
            // rules again.
            None if replies == 0 => Status::Won,
            None => Status::Leaf,
        };
        Some(self.graph.add(place, turn, status, Effort { proof: replies.max(1), refutation: 1 }))
    }

    /// The mate, if the whole strategy holds under the rules with the history of the game.
    fn checked_line(&mut self) -> ForcedMate<P::Move> {
        let plies = self.graph.plies_to_mate();
        if !self.strategy_holds(&plies) {
            return ForcedMate::Unknown(Undecided::History);
        }
        let mut line = Vec::new();
        let mut id = Graph::<P::Move>::ROOT;
        while let Some((m, child)) = self.step(id, &plies) {
            line.push(m);
            id = child;
        }
        ForcedMate::Mate(line)
    }

    /// The attacker's quickest move, or the defender's slowest; `None` at the end.
    fn step(&self, id: NodeId, plies: &[Option<u32>]) -> Option<(P::Move, NodeId)> {
        let left = plies[id]?.checked_sub(1)?;
        self.graph.moves(id).find(|(_, child)| plies[*child] == Some(left))
    }

    /// Replays the quickest strategy against all replies.
    fn strategy_holds(&self, plies: &[Option<u32>]) -> bool {
        let attacker = self.root.side();
        let mut position = self.root.clone();
        // The same position may be reached sooner or later, which matters for the move limit.
        let mut seen = HashSet::new();
        // Moves still to be played at each ply of the line.
        let mut open: Vec<Vec<(P::Move, NodeId)>> =
            vec![self.step(Graph::<P::Move>::ROOT, plies).into_iter().collect()];
        while let Some(moves) = open.last_mut() {
            let Some((m, id)) = moves.pop() else {
                open.pop();
                if !open.is_empty() {
                    position.undo_move();
                }
                continue;
            };
            if !seen.insert((id, open.len())) {
                continue;
            }
            if !position.is_legal(m) {
                return false;
            }
            position.do_move(m);
            let next = match (position.outcome(), plies[id]) {
                (Some(_), Some(0)) => {
                    if rightly_ended(&position).and_then(Outcome::winner) != Some(attacker) {
                        return false;
                    }
                    Vec::new()
                }
                (None, Some(1..)) if self.graph.turn(id) == Turn::Attacker => {
                    self.step(id, plies).into_iter().collect()
                }
                (None, Some(1..)) => {
                    let replies: Vec<_> = self.graph.moves(id).collect();
                    let legal = position.legal_moves();
                    if legal.len() != replies.len() || !replies.iter().all(|(m, _)| legal.contains(m)) {
                        return false;
                    }
                    replies
                }
                _ => return false,
            };
            open.push(next);
        }
        true
    }

    fn report(&mut self, found: Option<u32>, line: Vec<P::Move>) {
        let most = self.limits.bytes / Graph::<P::Move>::BYTES;
        let progress = ForcedProgress {
            nodes: self.visited,
            time: self.start.elapsed(),
            hashfull: (self.graph.len() * 1000 / most.max(1)).min(1000),
            found,
            line,
        };
        (self.limits.report)(&progress);
    }
}
