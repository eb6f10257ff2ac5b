//! Files of real-valued networks: a line of text, then little-endian `f32`s.
//!
//! ```text
//! tsumugi float net 1 ARCHITECTURE\n
//! first layer: weights [feature][output], bias [output]
//! for each stack, for each of its three layers: weights [output][input], bias [output]
//! ```
//! The architecture is written as in headers of quantised networks; a shortcut is the last output of a stack's first
//! layer.

use crate::fit::FloatNet;
use eval::nnue::{Architecture, ArchitectureError};
use platform::FileError;
use platform::atomic_file::write_with;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

const MAGIC: &str = "tsumugi float net 1 ";
/// Longer first lines are not read.
const LONGEST_LINE: u64 = 4096;
/// Larger networks are refused.
const MOST_NUMBERS: u64 = 1 << 30;

/// Why a network cannot be read, written or trained.
#[derive(Debug, thiserror::Error)]
pub enum FloatNetError {
    /// A file error.
    #[error(transparent)]
    File(#[from] FileError),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another kind of file.
    #[error("not a floating-point network: it must begin with `{}`", MAGIC.trim_end())]
    Magic,
    /// An unknown architecture.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// An architecture that can be evaluated but not trained.
    #[error("networks with progress buckets or shards cannot be trained: {0}")]
    Untrainable(String),
    /// The length does not match the architecture.
    #[error("{shape} takes {expected} bytes of numbers, the file has {found}")]
    Length {
        /// The architecture in the first line.
        shape: Box<Architecture>,
        /// Its length.
        expected: u64,
        /// The actual length after the first line.
        found: u64,
    },
    /// A number that is not finite.
    #[error("number {0} of the network is infinite or not a number")]
    NotFinite(u64),
    /// Unrealistic sizes.
    #[error("{0} is too large")]
    TooLarge(Box<Architecture>),
}

impl FloatNet {
    /// Reads a file of known length.
    pub fn read(reader: impl Read, length: u64) -> Result<Self, FloatNetError> {
        let mut reader = BufReader::with_capacity(1 << 16, reader);
        let mut line = Vec::new();
        (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        let text = line.strip_suffix(b"\n").and_then(|line| str::from_utf8(line).ok());
        let shape: Architecture =
            text.and_then(|text| text.strip_prefix(MAGIC)).ok_or(FloatNetError::Magic)?.parse()?;
        let (expected, found) = (4 * count(&shape), length.saturating_sub(line.len() as u64));
        if expected > 4 * MOST_NUMBERS {
            return Err(FloatNetError::TooLarge(Box::new(shape)));
        }
        if expected != found {
            return Err(FloatNetError::Length { shape: Box::new(shape), expected, found });
        }
        let mut net = Self::zeroed(&shape)?;
        let mut place = 0;
        for numbers in net.numbers_mut() {
            for number in numbers {
                let mut bytes = [0; 4];
                reader.read_exact(&mut bytes)?;
                *number = f32::from_le_bytes(bytes);
                place += 1;
                if !number.is_finite() {
                    return Err(FloatNetError::NotFinite(place));
                }
            }
        }
        Ok(net)
    }

    /// Writes the format of [`FloatNet::read`].
    pub fn write(&self, writer: &mut impl Write) -> io::Result<()> {
        writeln!(writer, "{MAGIC}{}", self.architecture())?;
        for number in self.numbers().flatten() {
            writer.write_all(&number.to_le_bytes())?;
        }
        Ok(())
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<Self, FloatNetError> {
        let failed = |error| FloatNetError::File(FileError { path: path.to_owned(), error });
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        Self::read(file, length)
    }

    /// Writes a file atomically.
    pub fn save(&self, path: &Path) -> Result<(), FloatNetError> {
        write_with(path, |writer| self.write(writer)).map_err(FloatNetError::from)
    }
}

/// Number of parameters of an architecture.
fn count(shape: &Architecture) -> u64 {
    let first = (shape.features.dimensions() as u64 + 1) * shape.width as u64;
    let layer = |(inputs, outputs): (usize, usize)| (inputs as u64 + 1) * outputs as u64;
    first + shape.stack_count() as u64 * shape.layers().map(layer).iter().sum::<u64>()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use eval::nnue::{Features, HandBuckets, KingBuckets, Model, Stacks};

    fn small() -> FloatNet {
        FloatNet::random(&Architecture::stacked(Features::Kp, 64, 7, 8), 3).unwrap()
    }

    #[test]
    fn files_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.float");
        for shape in [*small().architecture(), Architecture::classic(Features::Kp, 32, 8, 8)] {
            let net = FloatNet::random(&shape, 5).unwrap();
            net.save(&path).unwrap();
            assert_eq!(FloatNet::load(&path).unwrap(), net);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let mut bytes = Vec::new();
        small().write(&mut bytes).unwrap();
        let message = |bytes: &[u8]| FloatNet::read(bytes, bytes.len() as u64).unwrap_err().to_string();
        assert!(message(b"").starts_with("not a floating-point network"), "{}", message(b""));
        assert!(message(b"tsumugi float net 1 Features=\n").contains("does not describe"));
        assert!(message(&bytes[..bytes.len() - 1]).contains("the file has"));
        let last = bytes.len() - 4;
        bytes[last..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(message(&bytes).contains("not a number"));
        let stacks = Stacks { hands: HandBuckets::None, kings: KingBuckets::None, progress: 8, shards: None };
        let shape = Architecture { model: Model::Stacked(stacks), ..*small().architecture() };
        assert!(FloatNet::zeroed(&shape).unwrap_err().to_string().contains("progress"));
    }
}
