//! Mates of shogi: the few plies that `Board` asks for, and the solver.

use crate::board::Board;
use crate::interrupt::without_lock;
use ::mate::{Goal, Interpositions, Limits, Solver, Verdict};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use shogi::{Color, Move, Position};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Mates of so few plies are searched without a table.
const FEW_PLIES: u32 = 5;
/// The table for mates of more plies, in megabytes.
const MEGABYTES: usize = 16;

/// A move that mates within so many plies.
fn mating_move(position: &mut Position, plies: u32) -> Option<Move> {
    if let Some(m) = position.mate_in_one() {
        return Some(m);
    }
    if plies < 3 {
        return None;
    }
    let moves = position.legal_moves();
    moves.iter().copied().find(|m| {
        if !position.gives_check(*m) {
            return false;
        }
        position.do_move(*m);
        let mated = is_mated(position, plies - 1);
        position.undo_move();
        mated
    })
}

/// Whether the side to move, in check, is mated within so many plies.
fn is_mated(position: &mut Position, plies: u32) -> bool {
    let moves = position.legal_moves();
    moves.iter().all(|m| {
        if plies < 2 {
            return false;
        }
        position.do_move(*m);
        let mated = mating_move(position, plies - 1).is_some();
        position.undo_move();
        mated
    })
}

/// Asks a solver of its own for a mate within so many plies.
fn solved(py: Python<'_>, position: &Position, attacker: Color, plies: u32) -> PyResult<Option<Vec<Move>>> {
    if position.king(!attacker).is_none() {
        return Ok(None);
    }
    let mut solver =
        Solver::with_megabytes(MEGABYTES).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    let verdict = without_lock(py, |stop| {
        let limits = Limits { nodes: None, plies: Some(plies), stop, report: None };
        solver.solve_as(position, attacker, Goal::Any, limits)
    })?;
    Ok(match verdict {
        Verdict::Mate(mate) => Some(mate.line),
        _ => None,
    })
}

/// The first move of a mate within so many plies.
pub fn mate_within(py: Python<'_>, position: &Position, plies: u32) -> PyResult<Option<Move>> {
    if plies <= FEW_PLIES {
        return Ok(mating_move(&mut position.clone(), plies));
    }
    Ok(solved(py, position, position.side(), plies)?.and_then(|line| line.first().copied()))
}

/// Whether the side to move, in check, is mated within so many plies.
pub fn mated_within(py: Python<'_>, position: &Position, plies: u32) -> PyResult<bool> {
    if plies < FEW_PLIES {
        return Ok(is_mated(&mut position.clone(), plies));
    }
    Ok(solved(py, position, !position.side(), plies)?.is_some())
}

/// What a search for mate has found.
#[pyclass(frozen, get_all, module = "tsumugi")]
pub struct MateResult {
    /// `mate`, `nomate` or `unknown`.
    verdict: &'static str,
    /// Plies of the mate, if there is one.
    plies: Option<u32>,
    /// Whether no mate is shorter.
    exact: bool,
    /// The moves in USI.
    line: Vec<String>,
    /// Positions searched.
    nodes: u64,
}

impl MateResult {
    /// A mate by this line.
    pub fn mate(plies: u32, exact: bool, line: Vec<String>, nodes: u64) -> Self {
        Self { verdict: "mate", plies: Some(plies), exact, line, nodes }
    }

    /// Any other verdict.
    pub fn without_mate(verdict: &'static str, nodes: u64) -> Self {
        Self { verdict, plies: None, exact: false, line: Vec::new(), nodes }
    }
}

#[pymethods]
impl MateResult {
    fn __bool__(&self) -> bool {
        self.verdict == "mate"
    }

    fn __repr__(&self) -> String {
        match self.plies {
            Some(plies) => format!("<MateResult: mate in {plies} plies, {}>", self.line.join(" ")),
            None => format!("<MateResult: {}>", self.verdict),
        }
    }
}

/// Solves a mate of shogi: the side to move attacks, unless it has the only king.
#[pyfunction]
#[pyo3(signature = (board, *, shortest=true, nodes=None, plies=None, hash=64, threads=1, customary=false))]
#[allow(clippy::too_many_arguments, reason = "they have names in Python")]
pub fn mate(
    py: Python<'_>,
    board: &Board,
    shortest: bool,
    nodes: Option<u64>,
    plies: Option<u32>,
    hash: usize,
    threads: usize,
    customary: bool,
) -> PyResult<MateResult> {
    let position = board.position().clone();
    let mut solver =
        Solver::with_megabytes(hash).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    solver.set_threads(threads);
    if customary {
        solver.set_interpositions(Interpositions::Useful);
    }
    let goal = if shortest { Goal::Shortest } else { Goal::Any };
    let verdict =
        without_lock(py, |stop| solver.solve(&position, goal, Limits { nodes, plies, stop, report: None }))?;
    let nodes = solver.progress().nodes;
    Ok(match verdict {
        Verdict::Mate(mate) => {
            let line = mate.line.iter().map(ToString::to_string).collect();
            MateResult::mate(mate.length.plies(), mate.length.is_exact(), line, nodes)
        }
        Verdict::NoMate => MateResult::without_mate("nomate", nodes),
        Verdict::Unknown(_) => MateResult::without_mate("unknown", nodes),
    })
}

/// The last search of a `DfPn`.
struct Found {
    solver: Solver,
    /// Each position of the line, as key, with the moves from there.
    line: Vec<(u64, Vec<u32>)>,
}

/// cshogi's solver by name and methods, ours by its search.
#[pyclass(frozen, module = "tsumugi")]
pub struct DfPn {
    found: Mutex<Found>,
    depth: AtomicU32,
    nodes: AtomicU32,
    draw_ply: AtomicU32,
    stopped: AtomicBool,
    searched: AtomicU64,
}

impl DfPn {
    fn search_as(&self, py: Python<'_>, position: &Position, attacker: Color) -> PyResult<bool> {
        let before_draw = self.draw_ply.load(Ordering::Relaxed).saturating_sub(position.ply() - 1);
        let plies = self.depth.load(Ordering::Relaxed).min(before_draw);
        let nodes = Some(u64::from(self.nodes.load(Ordering::Relaxed)));
        let nobody_to_mate = position.king(!attacker).is_none();
        without_lock(py, |stop| {
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            found.line.clear();
            if nobody_to_mate {
                return false;
            }
            let stop = || self.stopped.load(Ordering::Relaxed) || stop();
            let limits = Limits { nodes, plies: Some(plies), stop: &stop, report: None };
            let verdict = found.solver.solve_as(position, attacker, Goal::Any, limits);
            self.searched.store(found.solver.progress().nodes, Ordering::Relaxed);
            let Verdict::Mate(mate) = verdict else { return false };
            found.line = numbered(position, &mate.line);
            true
        })
    }

    /// The line from a board on, as far as the last search has found it.
    fn line_from(&self, py: Python<'_>, key: u64) -> Vec<u32> {
        // Without the lock of the interpreter: a search in another thread holds the mutex and may need that lock.
        py.detach(|| {
            let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            found
                .line
                .iter()
                .find(|(known, _)| *known == key)
                .map(|(_, line)| line.clone())
                .unwrap_or_default()
        })
    }
}

fn numbered(position: &Position, line: &[Move]) -> Vec<(u64, Vec<u32>)> {
    let mut position = position.clone();
    let mut keys = Vec::with_capacity(line.len());
    let mut numbers = Vec::with_capacity(line.len());
    for m in line {
        keys.push(position.key());
        numbers.push(crate::moves::number_of(*m, |square| position.piece_at(square)));
        position.do_move(*m);
    }
    keys.into_iter().enumerate().map(|(ply, key)| (key, numbers[ply..].to_vec())).collect()
}

#[pymethods]
impl DfPn {
    #[new]
    #[pyo3(signature = (depth=1600, nodes=4_294_967_295, draw_ply=2_147_483_646, *, hash=64, threads=1))]
    fn new(depth: u32, nodes: u32, draw_ply: u32, hash: usize, threads: usize) -> PyResult<Self> {
        let mut solver =
            Solver::with_megabytes(hash).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        solver.set_threads(threads);
        Ok(Self {
            found: Mutex::new(Found { solver, line: Vec::new() }),
            depth: depth.into(),
            nodes: nodes.into(),
            draw_ply: draw_ply.into(),
            stopped: false.into(),
            searched: 0.into(),
        })
    }

    /// Whether the side to move mates.
    fn search(&self, py: Python<'_>, board: &Board) -> PyResult<bool> {
        let position = board.position().clone();
        self.search_as(py, &position, position.side())
    }

    /// Whether the side to move is mated whatever it does.
    fn search_andnode(&self, py: Python<'_>, board: &Board) -> PyResult<bool> {
        let position = board.position().clone();
        self.search_as(py, &position, !position.side())
    }

    /// Stops searches, those of other threads too, until it is called with `False`.
    fn stop(&self, stop: bool) {
        self.stopped.store(stop, Ordering::Relaxed);
    }

    /// The move that the last search found for a position of its line; 0 if there is none.
    fn get_move(&self, py: Python<'_>, board: &Board) -> u32 {
        self.line_from(py, board.position().key()).first().copied().unwrap_or(0)
    }

    /// The line that the last search found, from a position of it on.
    fn get_pv(&self, py: Python<'_>, board: &Board) -> Vec<u32> {
        self.line_from(py, board.position().key())
    }

    /// Mates after this move number do not count.
    fn set_draw_ply(&self, draw_ply: u32) {
        self.draw_ply.store(draw_ply, Ordering::Relaxed);
    }

    /// Only mates within so many plies.
    fn set_max_depth(&self, max_depth: u32) {
        self.depth.store(max_depth, Ordering::Relaxed);
    }

    /// Positions to search at most.
    fn set_max_search_node(&self, max_search_node: u32) {
        self.nodes.store(max_search_node, Ordering::Relaxed);
    }

    /// Positions that the last search looked at.
    #[getter]
    fn searched_node(&self) -> u64 {
        self.searched.load(Ordering::Relaxed)
    }
}
