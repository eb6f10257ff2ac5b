//! Whichever evaluation there is.

use crate::kppt::{AnyKppt, KpptError, KpptFormat, Losses, Progress};
use crate::nnue::{self, Isa, Network, NetworkError, NnueEvaluation};
use crate::{Material, MaterialLevel};
use game::Evaluation;
use shogi::{Change, Position};
use std::path::Path;
use std::sync::Arc;

/// One of the evaluations, chosen when the engine gets ready: one branch for each call, none for each weight.
///
/// ```
/// use eval::Evaluator;
/// use game::Evaluation;
/// use shogi::Position;
/// let mut evaluator = Evaluator::default();
/// assert!(evaluator.value(&Position::startpos()).abs() < 200);
/// ```
#[derive(Clone)]
pub enum Evaluator {
    /// Without any file.
    Material(Material),
    /// A network.
    Nnue(Box<NnueEvaluation>),
    /// The three tables of the KPPT family.
    Kppt(Box<AnyKppt>),
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::Material(Material::default())
    }
}

/// Why the files of a folder are no evaluation.
#[derive(Debug, thiserror::Error)]
pub enum EvaluatorError {
    /// There is an `nn.bin`, but it is not good.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// There are tables, but they are not good.
    #[error(transparent)]
    Kppt(#[from] KpptError),
    /// Nothing to save.
    #[error("the material evaluation has no file; EvalDir or SkipLoadingEval bring one that has")]
    NoFile,
}

/// How an evaluation is loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoadOptions {
    /// What values of networks are divided by.
    pub fv_scale: i32,
    /// Whether tables share their memory with other processes.
    pub share: bool,
    /// What networks are computed with.
    pub isa: Isa,
    /// What the material evaluation knows.
    pub material: MaterialLevel,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self { fv_scale: 16, share: true, isa: Isa::best(), material: MaterialLevel::default() }
    }
}

/// An evaluation as it was saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Saved {
    /// As `nn.bin`.
    Network,
    /// As the tables of a format, with what the format had no room for.
    Tables(KpptFormat, Losses),
}

impl Evaluator {
    /// Instead of a folder: the material evaluation, also in programs that have a network.
    pub const MATERIAL: &str = "<material>";

    /// The evaluation in a folder, or of a network file, with remarks about it; `None` if there is none. A network goes
    /// before tables. [`Evaluator::MATERIAL`] is no folder but the evaluation without files.
    ///
    /// ```
    /// use eval::{Evaluator, LoadOptions};
    /// let (evaluator, remarks) = Evaluator::load("<material>".as_ref(), LoadOptions::default())?.unwrap();
    /// assert!(matches!(evaluator, Evaluator::Material(_)));
    /// assert_eq!(remarks, ["material, level 4"]);
    /// # Ok::<(), eval::EvaluatorError>(())
    /// ```
    pub fn load(path: &Path, options: LoadOptions) -> Result<Option<(Self, Vec<String>)>, EvaluatorError> {
        if path == Path::new(Self::MATERIAL) {
            let material = Material::new(options.material);
            return Ok(Some((
                Self::Material(material),
                vec![format!("material, level {}", options.material)],
            )));
        }
        if path.is_file() || path.join(nnue::FILE_NAME).exists() {
            let (network, mismatches) = Network::load(path, options.isa)?;
            let mut remarks = vec![format!("network {} ({})", network.architecture(), network.isa())];
            remarks.extend(mismatches.iter().map(ToString::to_string));
            let evaluation = NnueEvaluation::new(Arc::new(network), options.fv_scale);
            return Ok(Some((Self::Nnue(Box::new(evaluation)), remarks)));
        }
        if KpptFormat::is_in(path) {
            let format = KpptFormat::detect(path)?;
            let tables = AnyKppt::open_with(format, path, options.share)?;
            let sharing = tables.sharing().map(|sharing| sharing.message().to_owned());
            let remarks = [format!("tables {format}")].into_iter().chain(sharing).collect();
            return Ok(Some((Self::Kppt(Box::new(tables)), remarks)));
        }
        Ok(None)
    }

    /// Saves it to a folder (made if there is none), which may be the one it was loaded from. Tables are saved in
    /// `format`, or in the one they have; zero-cleared ones have none and are saved as [`KpptFormat::Kppt32`].
    pub fn save(
        &self,
        folder: &Path,
        format: Option<KpptFormat>,
        progress: impl FnMut(Progress),
    ) -> Result<Saved, EvaluatorError> {
        match self {
            Self::Material(_) => Err(EvaluatorError::NoFile),
            Self::Nnue(evaluation) => {
                evaluation.network().parameters().save(folder)?;
                Ok(Saved::Network)
            }
            Self::Kppt(tables) => {
                let format = format.or(tables.format()).unwrap_or(KpptFormat::Kppt32);
                Ok(Saved::Tables(format, tables.save(format, folder, progress)?))
            }
        }
    }
}

impl Evaluation<Position> for Evaluator {
    /// A pawn's value.
    const HUNDRED_CENTIPAWNS: i32 = 90;

    fn refresh(&mut self, position: &Position) {
        match self {
            Self::Material(evaluation) => evaluation.refresh(position),
            Self::Nnue(evaluation) => evaluation.refresh(position),
            Self::Kppt(evaluation) => evaluation.refresh(position),
        }
    }

    #[inline]
    fn push(&mut self, changes: &[Change]) {
        match self {
            Self::Material(evaluation) => evaluation.push(changes),
            Self::Nnue(evaluation) => evaluation.push(changes),
            Self::Kppt(evaluation) => evaluation.push(changes),
        }
    }

    #[inline]
    fn pop(&mut self) {
        match self {
            Self::Material(evaluation) => evaluation.pop(),
            Self::Nnue(evaluation) => evaluation.pop(),
            Self::Kppt(evaluation) => evaluation.pop(),
        }
    }

    #[inline]
    fn value(&mut self, position: &Position) -> i32 {
        match self {
            Self::Material(evaluation) => evaluation.value(position),
            Self::Nnue(evaluation) => evaluation.value(position),
            Self::Kppt(evaluation) => evaluation.value(position),
        }
    }
}
