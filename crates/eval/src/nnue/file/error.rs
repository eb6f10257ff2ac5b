//! What can be wrong with a network file.

use crate::WriteError;
use crate::nnue::{Architecture, KingZonesError};
use std::path::PathBuf;

/// A header whose words do not tell a shape that can be evaluated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArchitectureError {
    /// Not the words of a header.
    #[error("`{0}` does not describe a network that is known here")]
    Unclear(String),
    /// Features that are not known.
    #[error("unknown features {name} with {dimensions} inputs")]
    UnknownFeatures {
        /// As the header calls them.
        name: String,
        /// How many there are.
        dimensions: usize,
    },
    /// A map of zones that is none.
    #[error("zones of the own king: {0}")]
    Zones(KingZonesError),
    /// The number of layer stacks contradicts their names.
    #[error("{found} layer stacks where the buckets make {expected}")]
    Stacks {
        /// By the names.
        expected: usize,
        /// By the number.
        found: usize,
    },
    /// Sizes that no network has.
    #[error("`{0}` has impossible sizes")]
    Size(String),
}

// Not `#[from]`, which would make a source of it: the text above says it already.
impl From<KingZonesError> for ArchitectureError {
    fn from(error: KingZonesError) -> Self {
        Self::Zones(error)
    }
}

/// A network that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file system said no.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What it said.
        error: std::io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Another kind of file.
    #[error(
        "not an NNUE file: it begins with version {found:#010x}, expected {:#010x}",
        crate::nnue::VERSION
    )]
    Version {
        /// What the file begins with.
        found: u32,
    },
    /// The file ends too early.
    #[error("the file is cut: {section} needs {expected} bytes, {found} are left")]
    Cut {
        /// Where it ends.
        section: &'static str,
        /// How many bytes it would take.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// The file goes on after its end.
    #[error("the file is too long: {shape} ends after {expected} bytes, the file has {found}")]
    TooLong {
        /// What the header says.
        shape: Box<Architecture>,
        /// How long it should be.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// The header's text is too long or not text.
    #[error("the header's description of {0} bytes is not one")]
    Description(u64),
    /// The header's text cannot be understood.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// Compressed numbers that cannot be unpacked.
    #[error("{section}: compressed numbers are damaged ({reason})")]
    Compression {
        /// Where.
        section: &'static str,
        /// How.
        reason: &'static str,
    },
}

/// A hash of a file that is not the one of its shape. Old files differ, so this is no error.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("hash of {section}: expected {expected:#010x}, found {found:#010x}")]
pub struct HashMismatch {
    /// Which part of the file.
    pub section: &'static str,
    /// By the formula.
    pub expected: u32,
    /// In the file.
    pub found: u32,
}
