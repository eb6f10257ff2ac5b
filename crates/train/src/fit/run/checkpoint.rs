//! Checkpoints of a training run: a line of JSON, the network, both averages of its gradients, and the last step of
//! each row.

use crate::fit::optimise::trainer::{Cursor, OptimizerState};
use crate::fit::{Experiment, FloatNet, FloatNetError};
use platform::FileError;
use platform::atomic_file::write_with;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// Why a training cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// A file error.
    #[error(transparent)]
    File(#[from] FileError),
    /// A damaged checkpoint.
    #[error("{} is no checkpoint of a training: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Head {
    experiment: Experiment,
    cursor: Cursor,
    rows: usize,
    /// Size of a network in bytes.
    network: u64,
}

/// Writes a checkpoint atomically.
pub(in crate::fit) fn save(
    path: &Path,
    experiment: &Experiment,
    state: &OptimizerState,
) -> Result<(), CheckpointError> {
    let write = |writer: &mut dyn Write| -> io::Result<()> {
        let mut measured = Vec::new();
        state.net.write(&mut measured)?;
        let head = Head {
            experiment: experiment.clone(),
            cursor: state.cursor,
            rows: state.last_active.len(),
            network: measured.len() as u64,
        };
        serde_json::to_writer(&mut *writer, &head)?;
        writer.write_all(b"\n")?;
        writer.write_all(&measured)?;
        for net in &state.averages {
            measured.clear();
            net.write(&mut measured)?;
            writer.write_all(&measured)?;
        }
        for step in &state.last_active {
            writer.write_all(&step.to_le_bytes())?;
        }
        Ok(())
    };
    write_with(path, |writer| write(writer)).map_err(CheckpointError::from)
}

/// Reads a checkpoint; `None` if there is none.
pub(in crate::fit) fn load(path: &Path) -> Result<Option<(Experiment, OptimizerState)>, CheckpointError> {
    let failed = |error| CheckpointError::File(FileError { path: path.to_owned(), error });
    let damaged = |reason: String| CheckpointError::Damaged { path: path.to_owned(), reason };
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(failed)?,
    };
    let length = file.metadata().map_err(failed)?.len();
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut line = String::new();
    (&mut reader).take(length).read_line(&mut line).map_err(failed)?;
    let head: Head = serde_json::from_str(&line).map_err(|error| damaged(error.to_string()))?;
    let rows = (head.rows as u64).checked_mul(8);
    let expected = head.network.checked_mul(3).and_then(|bytes| bytes.checked_add(rows?));
    if expected.and_then(|bytes| bytes.checked_add(line.len() as u64)) != Some(length) {
        return Err(damaged("it is cut".to_owned()));
    }
    let mut network = || {
        let mut bytes = vec![0; head.network as usize];
        reader.read_exact(&mut bytes).map_err(FloatNetError::from)?;
        FloatNet::read(&bytes[..], head.network)
    };
    let nets = [network(), network(), network()];
    let [net, first, second] = nets.map(|net| net.map_err(|error| damaged(error.to_string())));
    let mut last_active = vec![0; head.rows];
    for step in &mut last_active {
        let mut bytes = [0; 8];
        reader.read_exact(&mut bytes).map_err(failed)?;
        *step = u64::from_le_bytes(bytes);
    }
    let state = OptimizerState { net: net?, averages: [first?, second?], last_active, cursor: head.cursor };
    if state.net.architecture().features.dimensions() != head.rows {
        return Err(damaged("its rows are not those of its network".to_owned()));
    }
    Ok(Some((head.experiment, state)))
}
