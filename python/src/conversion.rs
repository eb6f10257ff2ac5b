//! Records of any game from one format to another.

use crate::value_error;
use crate::variant::variant_named;
use pyo3::prelude::*;
use record::encoding::{Encoding, LineEnd};
use record::{Format, IllegalMoves, ReadOptions, WriteOptions, notation};

/// Converts the games in some bytes; each becomes the bytes of a file. Games that cannot be read or written raise `ValueError`.
#[pyfunction]
#[pyo3(signature = (data, to, *, encoding=None, variant=None, keep_illegal=false))]
pub fn convert(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    to: &str,
    encoding: Option<&str>,
    variant: Option<&str>,
    keep_illegal: bool,
) -> PyResult<Vec<Vec<u8>>> {
    let bytes = bytes_of(data)?;
    let format: Format = to.parse().map_err(|error| value_error(format!("to `{to}`: {error}")))?;
    let encoding: Option<Encoding> = encoding.map(str::parse).transpose().map_err(value_error)?;
    let illegal = if keep_illegal { IllegalMoves::Keep } else { IllegalMoves::Cut };
    let find: notation::FindVariant = Box::new(variant_named);
    let notation = notation::choose(variant, None, illegal, find).map_err(value_error)?;
    let options = WriteOptions { encoding, line_end: Some(LineEnd::Lf), ..WriteOptions::new(format) };
    let options = notation.write_options(options).map_err(value_error)?;
    py.detach(|| {
        let read = ReadOptions { illegal, ..ReadOptions::default() };
        let games = notation.read_file(&bytes, &read);
        games
            .into_iter()
            .map(|game| Ok(game?.write(&options)?.bytes))
            .collect::<Result<_, notation::NotationError>>()
    })
    .map_err(value_error)
}

/// The bytes of `bytes`, `bytearray` or `str`.
pub fn bytes_of(data: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    match data.extract::<&str>() {
        Ok(text) => Ok(text.as_bytes().to_vec()),
        Err(_) => data.extract::<Vec<u8>>(),
    }
}
