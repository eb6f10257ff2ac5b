//! The legal moves of a position as Python iterates over them.

use crate::board::Board;
use crate::moves::same;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};

/// The legal moves of a board at the time when they were asked for.
#[pyclass(module = "tsumugi")]
pub struct LegalMoveList {
    moves: Vec<u32>,
    next: usize,
}

impl LegalMoveList {
    pub fn of(board: &Board) -> Self {
        Self { moves: board.legal_numbers(), next: 0 }
    }
}

#[pymethods]
impl LegalMoveList {
    #[new]
    fn new(board: &Board) -> Self {
        Self::of(board)
    }

    /// Iterates over all of them, however many `next` has given.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, &self.moves)?.try_iter()
    }

    fn __next__(&mut self) -> Option<u32> {
        let found = self.moves.get(self.next).copied();
        self.next += usize::from(found.is_some());
        found
    }

    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __contains__(&self, r#move: u32) -> bool {
        self.moves.iter().any(|known| same(*known, r#move))
    }

    fn __repr__(&self) -> String {
        format!("<LegalMoveList of {} moves>", self.moves.len())
    }
}
