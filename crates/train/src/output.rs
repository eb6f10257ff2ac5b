//! Which existing files training commands may replace or append to: those that hold what they write.

use crate::DataFormat;
use book::BookError;
use eval::nnue;
use platform::check_overwrite;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// What a command writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// Training data; SFENs where no format is given.
    Data(Option<DataFormat>),
    /// A network for engines.
    Network,
    /// A network of real numbers.
    RealNetwork,
}

impl Output {
    /// An error if there is a file of another kind, unless `force` allows to replace it.
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
            Self::RealNetwork => Ok(check_overwrite(path, "a network of real numbers", |file| {
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
