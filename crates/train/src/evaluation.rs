//! The evaluation that plays games for data, and what identifies it.

use crate::fingerprint;
use eval::nnue::Isa;
use eval::{EmbeddedNet, EmbeddedNetError, Evaluator, EvaluatorError, LoadOptions, Material, MaterialLevel};
use platform::{AtPath, FileError};
use std::path::{Path, PathBuf};

/// Which evaluation to use; by default the built-in network, or material where there is none.
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
        /// What values of the network are divided by.
        fv_scale: i32,
    },
}

/// An evaluation with its identity.
pub struct IdentifiedEvaluation {
    /// The evaluation.
    pub evaluation: Evaluator,
    /// Its name and, if it is a network file, a hash of it.
    pub identity: String,
}

/// An evaluation that cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationChoiceError {
    /// A bad file.
    #[error("cannot use {}: {error}", path.display())]
    Load {
        /// Where it is.
        path: PathBuf,
        /// Why not.
        error: EvaluatorError,
    },
    /// No file.
    #[error("neither nn.bin nor KPPT tables in {}", .0.display())]
    Nothing(PathBuf),
    /// The built-in network.
    #[error(transparent)]
    BuiltIn(#[from] EmbeddedNetError),
    /// A file that cannot be read.
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
            Self::BuiltIn => match EmbeddedNet::of_build() {
                Some(net) => IdentifiedEvaluation {
                    evaluation: Evaluator::Nnue(Box::new(net.unpack(Isa::best())?)),
                    identity: format!("built-in network of {}", env!("CARGO_PKG_VERSION")),
                },
                None => material(MaterialLevel::default()),
            },
        })
    }
}

/// A network is identified by its content, tables by their place.
fn identity_of_file(path: &Path) -> Result<String, FileError> {
    let file = if path.is_dir() { path.join(eval::nnue::FILE_NAME) } else { path.to_owned() };
    if !file.is_file() {
        return Ok(path.display().to_string());
    }
    Ok(format!("network {:016x}", fingerprint(&std::fs::read(&file).at_path(&file)?)))
}
