//! The evaluation of a folder, in whichever format its files have.

use super::{
    KppKkpt32, Kppt, Kppt16, Kppt32, KpptError, KpptFormat, Losses, Progress, Sharing, ZeroParameters,
};
use super::{save, save_zero};
use game::Evaluation;
use shogi::{Change, Position};
use std::path::Path;

macro_rules! each {
    ($self:ident, $evaluation:ident => $call:expr) => {
        match $self {
            AnyKppt::Kppt32($evaluation) => $call,
            AnyKppt::Kppt16($evaluation) => $call,
            AnyKppt::KppKkpt32($evaluation) => $call,
            AnyKppt::Zero($evaluation) => $call,
        }
    };
}

/// An evaluation whose format is known only at run time: one branch per call, none per number.
#[derive(Clone, Debug)]
pub enum AnyKppt {
    /// See [`KpptFormat::Kppt32`].
    Kppt32(Kppt<Kppt32>),
    /// See [`KpptFormat::Kppt16`].
    Kppt16(Kppt<Kppt16>),
    /// See [`KpptFormat::KppKkpt32`].
    KppKkpt32(Kppt<KppKkpt32>),
    /// All zero: nothing has been learned yet.
    Zero(Kppt<ZeroParameters>),
}

impl AnyKppt {
    /// Opens the files of a folder; their sizes determine the format.
    pub fn open(folder: &Path) -> Result<Self, KpptError> {
        Self::open_as(KpptFormat::detect(folder)?, folder)
    }

    /// Opens the files of a folder, which must have this format.
    pub fn open_as(format: KpptFormat, folder: &Path) -> Result<Self, KpptError> {
        Self::open_with(format, folder, true)
    }

    /// Like [`AnyKppt::open_as`], sharing memory with other processes or not (the option `EvalShare`).
    pub fn open_with(format: KpptFormat, folder: &Path, share: bool) -> Result<Self, KpptError> {
        Ok(match format {
            KpptFormat::Kppt32 => Self::Kppt32(Kppt::new(Kppt32::open_with(folder, share)?)),
            KpptFormat::Kppt16 => Self::Kppt16(Kppt::new(Kppt16::open_with(folder, share)?)),
            KpptFormat::KppKkpt32 => Self::KppKkpt32(Kppt::new(KppKkpt32::open_with(folder, share)?)),
        })
    }

    /// How the memory of its numbers is shared; `None` if it has no files.
    #[must_use]
    pub fn sharing(&self) -> Option<&Sharing> {
        match self {
            Self::Kppt32(evaluation) => Some(evaluation.parameters().sharing()),
            Self::Kppt16(evaluation) => Some(evaluation.parameters().sharing()),
            Self::KppKkpt32(evaluation) => Some(evaluation.parameters().sharing()),
            Self::Zero(_) => None,
        }
    }

    /// The evaluation with zero tables.
    #[must_use]
    pub fn zero() -> Self {
        Self::Zero(Kppt::new(ZeroParameters))
    }

    /// The format of its files; `None` if it has no files.
    #[must_use]
    pub fn format(&self) -> Option<KpptFormat> {
        match self {
            Self::Kppt32(_) => Some(KpptFormat::Kppt32),
            Self::Kppt16(_) => Some(KpptFormat::Kppt16),
            Self::KppKkpt32(_) => Some(KpptFormat::KppKkpt32),
            Self::Zero(_) => None,
        }
    }

    /// Writes its numbers as files of a format, which need not be its own. The folder may be the one it was opened
    /// from: the new files replace the old ones, which stay mapped as long as they are in use.
    pub fn save(
        &self,
        format: KpptFormat,
        folder: &Path,
        progress: impl FnMut(Progress),
    ) -> Result<Losses, KpptError> {
        if let Self::Zero(_) = self {
            save_zero(format, folder)?;
            return Ok(Losses::default());
        }
        each!(self, evaluation => save(evaluation.parameters(), format, folder, progress))
    }
}

impl Evaluation<Position> for AnyKppt {
    /// A pawn's value.
    const HUNDRED_CENTIPAWNS: i32 = 90;

    fn refresh(&mut self, position: &Position) {
        each!(self, evaluation => evaluation.refresh(position));
    }

    fn push(&mut self, changes: &[Change]) {
        each!(self, evaluation => evaluation.push(changes));
    }

    fn pop(&mut self) {
        each!(self, evaluation => evaluation.pop());
    }

    fn value(&mut self, position: &Position) -> i32 {
        each!(self, evaluation => evaluation.value(position))
    }
}
