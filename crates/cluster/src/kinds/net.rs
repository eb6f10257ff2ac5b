//! The evaluation of a job: built in, material, or a network file that travels as a blob.

use crate::blobs::{BlobCache, BlobError};
use crate::bus::{Bus, BusError};
use crate::kind::Failure;
use book::{Effort, OwnThinker, Thinker};
use eval::{Evaluator, MaterialLevel};
use platform::{AtPath, FileError};
use serde::{Deserialize, Serialize};
use shogi::Position;
use std::path::Path;
use train::{EvaluationChoice, EvaluationChoiceError};

/// An evaluation, as jobs name it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Net {
    /// The one built into the program.
    #[default]
    BuiltIn,
    /// Material of a level.
    Material(String),
    /// A network file.
    File {
        /// The name of the blob.
        blob: String,
        /// Divisor of its values.
        fv_scale: i32,
    },
}

/// Why an evaluation cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The hub.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// The file.
    #[error(transparent)]
    File(#[from] FileError),
    /// No network.
    #[error("{0}: only a network file (nn.bin) can be sent to workers")]
    Other(String),
}

impl Net {
    /// A network file, or the folder of `nn.bin`, stored on the hub.
    pub fn of_file(bus: &dyn Bus, path: &Path, fv_scale: i32) -> Result<Self, NetError> {
        let file = if path.is_dir() { path.join(eval::nnue::FILE_NAME) } else { path.to_owned() };
        if !file.is_file() {
            return Err(NetError::Other(path.display().to_string()));
        }
        let bytes = std::fs::read(&file).at_path(&file)?;
        Ok(Self::File { blob: bus.put_blob(&bytes)?, fv_scale })
    }

    /// The blob that travels with it.
    #[must_use]
    pub fn blob(&self) -> Option<String> {
        if let Self::File { blob, .. } = self { Some(blob.clone()) } else { None }
    }

    /// Loads it on a worker.
    pub fn load(&self, blobs: &BlobCache<'_>) -> Result<Evaluator, Failure> {
        let failed = |error: EvaluationChoiceError| Failure::Failed(error.to_string());
        let loaded = match self {
            Self::BuiltIn => EvaluationChoice::BuiltIn.load(),
            Self::Material(level) => {
                let level: MaterialLevel =
                    level.parse().map_err(|_| Failure::Failed(format!("no material level {level}")))?;
                EvaluationChoice::Material(level).load()
            }
            Self::File { blob, fv_scale } => {
                let path = blobs.file(blob).map_err(|error: BlobError| Failure::Blob(error.to_string()))?;
                EvaluationChoice::File { path: &path, fv_scale: *fv_scale }.load()
            }
        };
        Ok(loaded.map_err(failed)?.evaluation)
    }
}

/// The evaluation of the last job, for the next one.
#[derive(Default)]
pub struct LoadedNet(Option<(Net, Evaluator)>);

impl LoadedNet {
    /// The evaluation of a job.
    pub fn get(&mut self, net: &Net, blobs: &BlobCache<'_>) -> Result<&Evaluator, Failure> {
        if self.0.as_ref().is_none_or(|(loaded, _)| loaded != net) {
            self.0 = Some((net.clone(), net.load(blobs)?));
        }
        // It was set above.
        self.0.as_ref().map(|(_, evaluation)| evaluation).ok_or(Failure::Stopped)
    }
}

/// Version and signature of this program: programs that search alike have the same one.
pub fn build() -> Result<String, EvaluationChoiceError> {
    let evaluation = EvaluationChoice::BuiltIn.load()?.evaluation;
    let effort = Effort { depth: 6, nodes: Some(2000), multi_pv: 2 };
    let moves = OwnThinker::new(&evaluation, 1, effort)
        .ok()
        .and_then(|mut thinker| thinker.think(&Position::startpos()).ok())
        .unwrap_or_default();
    let text = moves.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    Ok(format!("{} {}", env!("CARGO_PKG_VERSION"), &platform::sha256(text.as_bytes())[..12]))
}
