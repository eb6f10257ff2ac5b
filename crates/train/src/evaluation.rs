//! The evaluation for self-play, with its identity.

use crate::fingerprint;
use eval::{EmbeddedNetError, Evaluator, EvaluatorError, LoadOptions, Material, MaterialLevel};
use platform::{AtPath, FileError};
use std::path::{Path, PathBuf};

/// The choice of an evaluation; the default is the built-in network, or material if there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EvaluationChoice<'a> {
    /// The built-in network.
    #[default]
    BuiltIn,
    /// Material.
    Material(MaterialLevel),
    /// Files.
    File {
        /// Network file, or folder of `nn.bin` or of KPPT tables.
        path: &'a Path,
        /// Divisor of the network's values.
        fv_scale: i32,
    },
}

/// An evaluation with its identity.
pub struct IdentifiedEvaluation {
    /// The evaluation.
    pub evaluation: Evaluator,
    /// Its name and, for a network file, a hash.
    pub identity: String,
}

/// Why an evaluation cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationChoiceError {
    /// An invalid file.
    #[error("cannot use {}: {error}", path.display())]
    Load {
        /// The path.
        path: PathBuf,
        /// Why.
        error: EvaluatorError,
    },
    /// There is no evaluation there.
    #[error("neither nn.bin nor KPPT tables in {}", .0.display())]
    Nothing(PathBuf),
    /// The built-in network cannot be loaded.
    #[error(transparent)]
    BuiltIn(#[from] EmbeddedNetError),
    /// A file error.
    #[error(transparent)]
    File(#[from] FileError),
}

impl EvaluationChoice<'_> {
    /// Loads it.
    pub fn load(self) -> Result<IdentifiedEvaluation, EvaluationChoiceError> {
        let material = |level| IdentifiedEvaluation {
            evaluation: Evaluator::Material(Material::new(level)),
            identity: format!("material level {level}"),
        };
        Ok(match self {
            Self::Material(level) => material(level),
            Self::File { path, fv_scale } => {
                let options = LoadOptions { fv_scale, ..LoadOptions::default() };
                let loaded = Evaluator::load(path, options)
                    .map_err(|error| EvaluationChoiceError::Load { path: path.to_owned(), error })?;
                let (evaluation, _) =
                    loaded.ok_or_else(|| EvaluationChoiceError::Nothing(path.to_owned()))?;
                let identity = format!("{} / {fv_scale}", identity_of_file(path)?);
                IdentifiedEvaluation { evaluation, identity }
            }
            Self::BuiltIn => match Evaluator::built_in(LoadOptions::default())? {
                Evaluator::Material(_) => material(MaterialLevel::default()),
                evaluation => {
                    let identity = format!("built-in network of {}", env!("CARGO_PKG_VERSION"));
                    IdentifiedEvaluation { evaluation, identity }
                }
            },
        })
    }
}

/// A network is identified by its content, tables by their path.
fn identity_of_file(path: &Path) -> Result<String, FileError> {
    let file = if path.is_dir() { path.join(eval::nnue::FILE_NAME) } else { path.to_owned() };
    if !file.is_file() {
        return Ok(path.display().to_string());
    }
    Ok(format!("network {:016x}", fingerprint(&std::fs::read(&file).at_path(&file)?)))
}
