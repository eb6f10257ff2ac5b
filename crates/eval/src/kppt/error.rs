//! Errors of evaluation files.

use super::{KpptFormat, KpptTable};
use crate::WriteError;
use std::io;
use std::path::PathBuf;

/// Why evaluation files could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum KpptError {
    /// A file cannot be read.
    #[error("cannot open the evaluation file {}: {error}", path.display())]
    Open {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is cut, too long or of another format.
    #[error("{} has {found} bytes, but a {format} file has {expected}", path.display())]
    Size {
        /// Which file.
        path: PathBuf,
        /// The format to read.
        format: KpptFormat,
        /// The size that the format has.
        expected: u64,
        /// The size it has.
        found: u64,
    },
    /// The sizes of the files fit no format.
    #[error(
        "the files in {} fit no known format: {} has {} bytes, {} {}, {} {}",
        folder.display(),
        KpptTable::KingKing.file_name(), sizes[0],
        KpptTable::KingKingPiece.file_name(), sizes[1],
        KpptTable::KingPiecePiece.file_name(), sizes[2]
    )]
    UnknownFormat {
        /// Where the files are.
        folder: PathBuf,
        /// Their sizes in the order of [`KpptTable::ALL`].
        sizes: [u64; 3],
    },
    /// A file cannot be read to its end.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}
