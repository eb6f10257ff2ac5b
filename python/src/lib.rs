//! The native half of the Python package `tsumugi`: what must be fast or is known to the house already. Names and behaviour
//! that users of other libraries expect are put together in `../tsumugi`.
//!
//! Nothing that Python passes in can break it: moves are checked before they are played, buffers before they are read, and
//! long work runs without the interpreter's lock and ends on Ctrl-C.

mod board;
mod books;
mod buffers;
mod conversion;
mod interrupt;
mod mates;
mod move_list;
mod moves;
mod records;
mod spoken;
mod variant;

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use std::fmt::Display;

/// A wrong value, in the words of the error.
fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The extension module `tsumugi._native`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use super::board::Board;
    #[pymodule_export]
    use super::books::Book;
    #[pymodule_export]
    use super::conversion::convert;
    #[pymodule_export]
    use super::mates::{DfPn, MateResult, mate};
    #[pymodule_export]
    use super::move_list::LegalMoveList;
    #[pymodule_export]
    use super::moves::{
        move_cap, move_drop_hand_piece, move_from, move_from_piece_type, move_from_usi, move_is_drop,
        move_is_promotion, move_rotate, move_to, move_to_csa, move_to_usi, move16, move16_from_psv,
        move16_to_psv,
    };
    #[pymodule_export]
    use super::records::{Record, read_records};
    #[pymodule_export]
    use super::variant::{Game, game_names};
}
