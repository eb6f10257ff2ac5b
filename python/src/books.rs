//! Opening books of any format.

use crate::board::Board;
use crate::moves::number_of;
use crate::value_error;
use book::{Loading, OpenBook, Plies};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A move of a book: move, expected reply (0 if there is none), value, depth, count.
type Row = (u32, u32, i32, i32, u64);

/// A book: `.db`, `.ybb`, `.sbk`, `.bin`.
#[pyclass(frozen, module = "tsumugi")]
pub struct Book {
    path: PathBuf,
    open: Mutex<OpenBook>,
    plies: Plies,
}

#[pymethods]
impl Book {
    /// Opens a book. With `memory=False` only what is looked up is read; with `ignore_ply=False` an entry counts only at
    /// its own move number.
    #[new]
    #[pyo3(signature = (path, *, memory=true, ignore_ply=true))]
    fn new(py: Python<'_>, path: PathBuf, memory: bool, ignore_ply: bool) -> PyResult<Self> {
        let loading = if memory { Loading::Memory } else { Loading::OnTheFly };
        let book = py.detach(|| OpenBook::open(&path, loading)).map_err(value_error)?;
        let plies = if ignore_ply { Plies::Ignored } else { Plies::Matter };
        Ok(Self { path, open: Mutex::new(book), plies })
    }

    /// The moves of a position, best first: (move, reply, value, depth, count).
    fn find(&self, py: Python<'_>, board: &Board) -> PyResult<Vec<Row>> {
        let position = board.position().clone();
        py.detach(|| {
            let book = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            let moves = book.find(&position, self.plies, &mut |_| ()).map_err(value_error)?;
            let legal =
                moves.iter().filter_map(|found| Some((found, found.play.filter(|m| position.is_legal(*m))?)));
            Ok(legal
                .map(|(found, play)| {
                    let number = number_of(play, |square| position.piece_at(square));
                    let mut after = position.clone();
                    after.do_move(play);
                    let reply = found.reply.filter(|m| after.is_legal(*m));
                    let reply = reply.map_or(0, |m| number_of(m, |square| after.piece_at(square)));
                    (number, reply, found.value, found.depth, found.count)
                })
                .collect())
        })
    }

    /// How many positions it has (moves, in a book of Apery).
    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.open.lock().unwrap_or_else(PoisonError::into_inner).count())
    }

    fn __contains__(&self, py: Python<'_>, board: &Board) -> PyResult<bool> {
        self.find(py, board).map(|moves| !moves.is_empty())
    }

    fn __repr__(&self) -> String {
        format!("Book('{}')", self.path.display())
    }
}
