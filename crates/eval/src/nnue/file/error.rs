//! Errors of network files.

use crate::WriteError;
use crate::nnue::{Architecture, KingZonesError};
use std::path::PathBuf;

/// Why the text of a header does not describe a supported architecture.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArchitectureError {
    /// The text has another syntax.
    #[error("`{0}` does not describe a supported network")]
    Unclear(String),
    /// Unknown features.
    #[error("unknown features {name} with {dimensions} inputs")]
    UnknownFeatures {
        /// Their name in the header.
        name: String,
        /// How many there are.
        dimensions: usize,
    },
    /// An invalid map of king zones.
    #[error("zones of the own king: {0}")]
    Zones(KingZonesError),
    /// The number of layer stacks does not match their names.
    #[error("expected {expected} layer stacks for these buckets, found {found}")]
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

// Not `#[from]`, which would make it a source as well: the text above already contains it.
impl From<KingZonesError> for ArchitectureError {
    fn from(error: KingZonesError) -> Self {
        Self::Zones(error)
    }
}

/// A network that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// A file cannot be opened.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// The system's error.
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
        /// The version at the beginning of the file.
        found: u32,
    },
    /// The file ends too early.
    #[error("the file is truncated: {section} needs {expected} bytes, {found} are left")]
    Cut {
        /// The section in which it ends.
        section: &'static str,
        /// How many bytes it would take.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// The file continues after the end of the network.
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
    #[error("the header's description of {0} bytes is too long or not text")]
    Description(u64),
    /// The header's text is not understood.
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

/// A hash in a file that does not match the architecture. Old files have other hashes, so this is only a warning.
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
