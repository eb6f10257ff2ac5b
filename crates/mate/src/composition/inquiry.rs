//! Questions to the solver, within a budget of positions.

use crate::futile_interposition::is_mated_but_for_futile;
use crate::{Goal, Interpositions, Limits, MateLength, Solver, Verdict};
use shogi::{Color, Move, MoveList, MoveSet, Position, Promotions};

/// Megabytes for questions about detours.
const MEGABYTES: usize = 8;

/// Asks a solver about positions of one problem. Whatever is not decided within the budget is answered with `None`.
pub(super) struct Inquiry<'a> {
    solver: &'a mut Solver,
    /// For questions that need an empty table.
    beside: Option<Solver>,
    pub(super) attacker: Color,
    interpositions: Interpositions,
    /// Positions for each question.
    pub(super) each: u64,
    /// Positions for all further questions.
    pub(super) left: u64,
    /// Positions searched so far.
    pub(super) used: u64,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Inquiry<'a> {
    pub(super) fn new(
        solver: &'a mut Solver,
        attacker: Color,
        interpositions: Interpositions,
        each: u64,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        solver.set_interpositions(interpositions);
        Self { solver, beside: None, attacker, interpositions, each, left: u64::MAX, used: 0, stop }
    }

    pub(super) fn is_stopped(&self) -> bool {
        (self.stop)()
    }

    fn nodes(&self) -> u64 {
        self.each.min(self.left)
    }

    fn count(&mut self) {
        let nodes = self.solver.progress().nodes;
        self.used += nodes;
        self.left = self.left.saturating_sub(nodes);
    }

    /// The whole problem, from an empty table.
    pub(super) fn solve(&mut self, position: &Position, nodes: Option<u64>) -> Verdict {
        let limits = Limits { nodes, plies: None, stop: self.stop, report: None };
        let verdict = self.solver.solve_as(position, self.attacker, Goal::Shortest, limits);
        self.count();
        verdict
    }

    /// Any mate, or the shortest.
    pub(super) fn mate(&mut self, position: &Position, goal: Goal) -> Verdict {
        let limits = Limits { nodes: Some(self.nodes()), plies: None, stop: self.stop, report: None };
        let verdict = self.solver.go_on(position, self.attacker, goal, limits);
        self.count();
        verdict
    }

    /// The length of the shortest mate, if it is proved.
    pub(super) fn exact(&mut self, position: &Position) -> Option<u32> {
        match self.mate(position, Goal::Shortest) {
            Verdict::Mate(mate) => {
                Some(mate.length).filter(|length| length.is_exact()).map(MateLength::plies)
            }
            _ => None,
        }
    }

    /// Whether there is a mate within so many plies.
    pub(super) fn is_mate_within(&mut self, position: &Position, plies: u32) -> Option<bool> {
        let limits = Limits { nodes: Some(self.nodes()), plies: None, stop: self.stop, report: None };
        let found = self.solver.mate_within(position, self.attacker, plies, limits);
        self.count();
        found.ok().map(|length| length.is_some())
    }

    /// Whether the attacker still mates if no line may pass through these positions.
    pub(super) fn is_mate_avoiding(&mut self, position: &Position, avoided: &[Position]) -> Option<bool> {
        let nodes = self.nodes();
        if self.beside.is_none() {
            let mut beside = Solver::with_megabytes(MEGABYTES).ok()?;
            beside.set_interpositions(self.interpositions);
            self.beside = Some(beside);
        }
        let beside = self.beside.as_mut()?;
        let limits = Limits { nodes: Some(nodes), plies: None, stop: self.stop, report: None };
        let verdict = beside.solve_avoiding(position, self.attacker, avoided, limits);
        let nodes = beside.progress().nodes;
        self.used += nodes;
        self.left = self.left.saturating_sub(nodes);
        match verdict {
            Verdict::Mate(_) => Some(true),
            Verdict::NoMate => Some(false),
            Verdict::Unknown(_) => None,
        }
    }

    pub(super) fn attacks(&self, position: &Position) -> bool {
        position.side() == self.attacker
    }

    /// Checks of the attacker, or all legal moves of the defender.
    pub(super) fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = MoveList::new();
        let set = if self.attacks(position) { MoveSet::Checks } else { MoveSet::Legal };
        position.generate(set, Promotions::All, &mut moves);
        moves.iter().copied().collect()
    }

    /// Whether the problem ends here: the defender is mated or, by the customary count, mated but for futile interpositions.
    pub(super) fn is_over(&self, position: &Position) -> bool {
        if self.attacks(position) || !position.in_check() {
            return false;
        }
        let moves = position.legal_moves();
        match self.interpositions {
            Interpositions::All => moves.is_empty(),
            Interpositions::Useful => is_mated_but_for_futile(position, &moves),
        }
    }
}

/// The position after some moves, with only these as its history.
pub(super) fn after(start: &Position, moves: &[Move]) -> Position {
    let mut position = Position::try_from(start.setup()).unwrap_or_else(|_| start.clone());
    for &m in moves {
        position.do_move(m);
    }
    position
}
