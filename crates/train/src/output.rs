//! Protects existing files: training commands may only replace or append to files of the kind that they write.

use crate::DataFormat;
use book::BookError;
use eval::nnue;
use platform::check_overwrite;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The kind of file that a command writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// Training data; SFENs if there is no format.
    Data(Option<DataFormat>),
    /// A network for engines.
    Network,
    /// A real-valued network.
    RealNetwork,
}

impl Output {
    /// Fails if there is a file of another kind, unless `force` is set.
    pub fn check(self, path: &Path, force: bool) -> Result<(), BookError> {
        if force {
            return Ok(());
        }
        match self {
            Self::Data(None) => book::Output::Positions.check(path),
            Self::Data(Some(format)) => {
                let what = format!("a file of training data ({format})");
                Ok(check_overwrite(path, &what, |_| Ok(format.is_in(path)))?)
            }
            Self::Network => Ok(check_overwrite(path, "a network", |file| {
                begins_with(file, &nnue::VERSION.to_le_bytes())
            })?),
            Self::RealNetwork => Ok(check_overwrite(path, "a floating-point network", |file| {
                begins_with(file, b"tsumugi float net ")
            })?),
        }
    }
}

fn begins_with(file: &mut File, beginning: &[u8]) -> io::Result<bool> {
    let mut bytes = Vec::new();
    file.take(beginning.len() as u64).read_to_end(&mut bytes)?;
    Ok(bytes == beginning)
}
