//! Making problems.

use super::{GenerateArgs, solve};
use ::mate::{Goal, Limits, Mate, Solver, Verdict};
use anyhow::ensure;
use platform::Random;
use shogi::{HandPiece, MoveList, MoveSet, Piece, PieceKind, Position, Promotions, Setup};
use std::collections::HashSet;
use std::io::{self, Write};

/// Games are not played further than this.
const GAME_PLIES: usize = 300;
/// Positions for a first look, and for certainty.
const GLANCE: u64 = 500;
const CERTAINTY: u64 = 50_000;

pub(super) fn run(args: &GenerateArgs) -> anyhow::Result<()> {
    ensure!(args.min <= args.max, "--min {} is more than --max {}", args.min, args.max);
    let mut solver = solve::solver(64)?;
    let mut dice = Random::new(args.seed);
    let mut seen = HashSet::new();
    let mut out = io::stdout().lock();
    while seen.len() < args.count {
        let mut position = Position::startpos();
        for _ in 0..GAME_PLIES {
            let moves = position.legal_moves();
            let Some(&m) = moves.get(dice.below(moves.len().max(1))) else { break };
            position.do_move(m);
            if let Some(problem) = problem(&mut solver, &position, args)
                && seen.insert(problem.clone())
            {
                writeln!(out, "{problem}")?;
                // One of each game, and not before its mate has gone.
                break;
            }
        }
    }
    Ok(())
}

/// A problem of the wanted length made from a position of a game, if there is one.
fn problem(solver: &mut Solver, position: &Position, args: &GenerateArgs) -> Option<String> {
    if position.in_check() {
        return None;
    }
    let first = solver.solve(position, Goal::Any, Limits::nodes(GLANCE));
    let Verdict::Mate(_) = first else { return None };
    let mate = unique_mate(solver, position)?;
    let plies = mate.length.plies();
    if !(args.min..=args.max).contains(&plies) {
        return None;
    }
    Some(trimmed(solver, position, plies).sfen())
}

/// The mate, if its length is certain and every move of the attacker but the last is the only one.
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

/// The position without the pieces that the problem does not need; the attacker's king goes first.
fn trimmed(solver: &mut Solver, position: &Position, plies: u32) -> Position {
    let mut best = position.clone();
    let attacker = position.side();
    let pieces: Vec<(shogi::Square, Piece)> = position.setup().pieces().collect();
    let kings_first = |(_, piece): &(shogi::Square, Piece)| piece.kind() != PieceKind::King;
    let mut order = pieces;
    order.sort_by_key(kings_first);
    for (square, piece) in order {
        if piece.kind() == PieceKind::King && piece.color() != attacker {
            continue;
        }
        let mut setup = best.setup();
        setup.board[square.index()] = None;
        // What leaves the board goes to the defender, who may put it between.
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
