//! One of the evaluations, chosen when it is loaded.

use crate::kppt::{AnyKppt, KpptError, KpptFormat, Losses, Progress};
use crate::nnue::{self, Isa, Network, NetworkError, NnueEvaluation};
use crate::{EmbeddedNet, EmbeddedNetError, Material, MaterialLevel};
use game::Evaluation;
use shogi::{Change, Position};
use std::path::Path;
use std::sync::Arc;

/// One of the evaluations, chosen when the engine gets ready: one branch per call, none per weight.
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

/// Why the files of a folder cannot be used as an evaluation.
#[derive(Debug, thiserror::Error)]
pub enum EvaluatorError {
    /// There is an `nn.bin`, but it cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// There are tables, but they cannot be used.
    #[error(transparent)]
    Kppt(#[from] KpptError),
    /// The evaluation has no files to save.
    #[error("the material evaluation has no file to save: set EvalDir or SkipLoadingEval")]
    NoFile,
}

/// How an evaluation is loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoadOptions {
    /// Divisor of a network's values (`FV_SCALE`).
    pub fv_scale: i32,
    /// Whether tables share their memory with other processes.
    pub share: bool,
    /// Instruction set for networks.
    pub isa: Isa,
    /// The level of the material evaluation.
    pub material: MaterialLevel,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self { fv_scale: 16, share: true, isa: Isa::best(), material: MaterialLevel::default() }
    }
}

/// The form in which an evaluation was saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Saved {
    /// As `nn.bin`.
    Network,
    /// As the tables of a format, with the information that was lost by it.
    Tables(KpptFormat, Losses),
}

impl Evaluator {
    /// Stands for the material evaluation in place of a folder, also in programs that have a network.
    pub const MATERIAL: &str = "<material>";

    /// The network that was compiled in, or the material evaluation if there is none.
    pub fn built_in(options: LoadOptions) -> Result<Self, EmbeddedNetError> {
        Ok(match EmbeddedNet::of_build() {
            Some(net) => Self::Nnue(Box::new(net.unpack(options.isa)?)),
            None => Self::Material(Material::new(options.material)),
        })
    }

    /// Loads the evaluation of a folder, or a network file. Returns remarks about it; `None` if there is no evaluation.
    /// A network takes precedence over tables. [`Evaluator::MATERIAL`] stands for the evaluation without files.
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

    /// Saves it to a folder (created if missing), which may be the one it was loaded from. Tables are saved in
    /// `format`, or in their own format; zero tables have none and are saved as [`KpptFormat::Kppt32`].
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
