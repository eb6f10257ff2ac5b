//! Generates problems from random games.

use crate::{Goal, Limits, Mate, NoMemory, Solver, Verdict};
use platform::Random;
use shogi::{HandPiece, MoveList, MoveSet, Piece, PieceKind, Position, Promotions, Setup, Square};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Maximum length of a game.
const GAME_PLIES: usize = 300;
/// Node limits of a first search, and of the verification.
const GLANCE: u64 = 500;
const CERTAINTY: u64 = 50_000;
/// Size of the table.
const MEGABYTES: usize = 64;

/// Generates problems as SFENs, without end: positions from random games with a mate in which every move of the
/// attacker but the last is unique, reduced to the pieces that they need.
pub struct Generator {
    solver: Solver,
    random: Random,
    plies: RangeInclusive<u32>,
    seen: HashSet<String>,
}

impl Generator {
    /// A generator of problems with this many plies; the same seed gives the same problems.
    pub fn new(seed: u64, plies: RangeInclusive<u32>) -> Result<Self, NoMemory> {
        Ok(Self {
            solver: Solver::with_megabytes(MEGABYTES)?,
            random: Random::new(seed),
            plies,
            seen: HashSet::new(),
        })
    }

    /// The first new problem of a random game. Later positions of the game would have the same mate.
    fn play_game(&mut self) -> Option<String> {
        let mut position = Position::startpos();
        for _ in 0..GAME_PLIES {
            let moves = position.legal_moves();
            let &m = moves.get(self.random.below(moves.len().max(1)))?;
            position.do_move(m);
            if let Some(problem) = self.try_position(&position)
                && self.seen.insert(problem.clone())
            {
                return Some(problem);
            }
        }
        None
    }

    /// Makes a problem of the wanted length from a position of a game, if possible.
    fn try_position(&mut self, position: &Position) -> Option<String> {
        let solver = &mut self.solver;
        if position.in_check() {
            return None;
        }
        let first = solver.solve(position, Goal::Any, Limits::nodes(GLANCE));
        let Verdict::Mate(_) = first else { return None };
        let plies = unique_mate(solver, position)?.length.plies();
        self.plies.contains(&plies).then(|| trimmed(solver, position, plies).sfen())
    }
}

impl Iterator for Generator {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            if let Some(problem) = self.play_game() {
                return Some(problem);
            }
        }
    }
}

/// The mate, if its length is exact and every move of the attacker but the last is unique.
fn unique_mate(solver: &mut Solver, position: &Position) -> Option<Mate> {
    let attacker = position.side();
    let verdict = solver.solve(position, Goal::Shortest, Limits::nodes(CERTAINTY));
    let Verdict::Mate(mate) = verdict else { return None };
    if !mate.length.is_exact() {
        return None;
    }
    let mut board = Position::try_from(position.setup()).ok()?;
    for (index, &played) in mate.line.iter().enumerate() {
        if board.side() == attacker && index + 1 < mate.line.len() {
            let mut checks = MoveList::new();
            board.generate(MoveSet::Checks, Promotions::All, &mut checks);
            for &m in checks.iter().filter(|m| **m != played) {
                board.do_move(m);
                let other = solver.go_on(&board, attacker, Goal::Any, Limits::nodes(CERTAINTY));
                board.undo_move();
                if other != Verdict::NoMate {
                    return None;
                }
            }
        }
        board.do_move(played);
    }
    Some(mate)
}

/// Removes the pieces that the problem does not need, the attacker's king first.
fn trimmed(solver: &mut Solver, position: &Position, plies: u32) -> Position {
    let mut best = position.clone();
    let attacker = position.side();
    let mut pieces: Vec<(Square, Piece)> = position.setup().pieces().collect();
    pieces.sort_by_key(|(_, piece)| piece.kind() != PieceKind::King);
    for (square, piece) in pieces {
        if piece.kind() == PieceKind::King && piece.color() != attacker {
            continue;
        }
        let mut setup = best.setup();
        setup.board[square.index()] = None;
        // A removed piece goes to the hand of the defender, who may interpose it.
        if let Some(held) = piece.kind().to_hand() {
            setup.hands[(!attacker).index()].add(held);
        }
        keep_if_same(solver, &mut best, &setup, plies);
    }
    for held in HandPiece::ALL {
        while best.hand(attacker).has(held) {
            let mut setup = best.setup();
            setup.hands[attacker.index()].remove(held);
            setup.hands[(!attacker).index()].add(held);
            if !keep_if_same(solver, &mut best, &setup, plies) {
                break;
            }
        }
    }
    best
}

fn keep_if_same(solver: &mut Solver, best: &mut Position, setup: &Setup, plies: u32) -> bool {
    let setup = Setup { ply: 1, ..setup.clone() };
    let Ok(candidate) = Position::try_from(setup) else { return false };
    let same = !candidate.in_check()
        && candidate
            .king(!candidate.side())
            .is_some_and(|king| !candidate.is_attacked(king, candidate.side(), candidate.occupied()))
        && unique_mate(solver, &candidate).is_some_and(|mate| mate.length.plies() == plies);
    if same {
        *best = candidate;
    }
    same
}
