//! `train check`: checks all records of a file.

use crate::corpus::{self, Corpus, CorpusError};
use shogi::{PackedSfenValue, Position};
use std::path::{Path, PathBuf};

/// A file with a bad record.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// It cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// An invalid record.
    #[error("{}: record {number}: {reason}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        number: u64,
        /// Why.
        reason: String,
    },
}

/// Reads a file to the end; the error names the first record with an invalid position or an illegal move.
pub fn check_file(path: &Path) -> Result<Corpus, CheckError> {
    let corpus = corpus::read(path)?;
    for (number, record) in (1..).zip(&corpus.records) {
        check_record(record).map_err(|reason| CheckError::Record {
            path: path.to_owned(),
            number,
            reason,
        })?;
    }
    Ok(corpus)
}

fn check_record(record: &PackedSfenValue) -> Result<(), String> {
    let setup = record.setup().map_err(|error| error.to_string())?;
    let position = Position::try_from(setup).map_err(|error| error.to_string())?;
    match record.best_move() {
        Some(m) if !position.is_legal(m) => Err(format!("{m} is not legal in {}", position.sfen())),
        _ => Ok(()),
    }
}
