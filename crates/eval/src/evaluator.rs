//! Whichever evaluation there is.

use crate::Material;
use crate::kppt::{AnyKppt, KpptError, KpptFormat};
use crate::nnue::{self, Network, NetworkError, NnueEvaluation};
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
}

impl Evaluator {
    /// The evaluation in a folder, with remarks about it; `None` if there is none. A network goes before tables; tables
    /// share their memory with other processes if `share` says so.
    pub fn load(
        folder: &Path,
        fv_scale: i32,
        share: bool,
    ) -> Result<Option<(Self, Vec<String>)>, EvaluatorError> {
        let network = folder.join(nnue::FILE_NAME);
        if network.exists() {
            let (network, mismatches) = Network::load(&network)?;
            let mut remarks = vec![format!("network {} ({})", network.architecture(), network.isa())];
            remarks.extend(mismatches.iter().map(ToString::to_string));
            let evaluation = NnueEvaluation::new(Arc::new(network), fv_scale);
            return Ok(Some((Self::Nnue(Box::new(evaluation)), remarks)));
        }
        if crate::kppt::KpptTable::ALL.iter().any(|table| folder.join(table.file_name()).exists()) {
            let format = KpptFormat::detect(folder)?;
            let tables = AnyKppt::open_with(format, folder, share)?;
            let sharing = tables.sharing().map(|sharing| sharing.message().to_owned());
            let remarks = [format!("tables {format}")].into_iter().chain(sharing).collect();
            return Ok(Some((Self::Kppt(Box::new(tables)), remarks)));
        }
        Ok(None)
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

    fn push(&mut self, changes: &[Change]) {
        match self {
            Self::Material(evaluation) => evaluation.push(changes),
            Self::Nnue(evaluation) => evaluation.push(changes),
            Self::Kppt(evaluation) => evaluation.push(changes),
        }
    }

    fn pop(&mut self) {
        match self {
            Self::Material(evaluation) => evaluation.pop(),
            Self::Nnue(evaluation) => evaluation.pop(),
            Self::Kppt(evaluation) => evaluation.pop(),
        }
    }

    fn value(&mut self, position: &Position) -> i32 {
        match self {
            Self::Material(evaluation) => evaluation.value(position),
            Self::Nnue(evaluation) => evaluation.value(position),
            Self::Kppt(evaluation) => evaluation.value(position),
        }
    }
}
