//! The files of the three formats.

use super::KpptError;
use crate::BonaPiece;
use shogi::Square;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// One of the three tables, each in its own file. A table is an array of entries; an entry is a value and, in some
/// formats, a turn bonus.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KpptTable {
    /// `[Black's king][White's king]`
    KingKing,
    /// `[Black's king][White's king][piece]`
    KingKingPiece,
    /// `[own king][piece][piece]`, each pair stored both ways round.
    KingPiecePiece,
}

impl KpptTable {
    /// All tables.
    pub const ALL: [Self; 3] = [Self::KingKing, Self::KingKingPiece, Self::KingPiecePiece];

    /// The name of its file, the same in all formats.
    #[must_use]
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::KingKing => "KK_synthesized.bin",
            Self::KingKingPiece => "KKP_synthesized.bin",
            Self::KingPiecePiece => "KPP_synthesized.bin",
        }
    }

    /// How many entries it has.
    #[must_use]
    pub const fn entries(self) -> usize {
        match self {
            Self::KingKing => Square::COUNT * Square::COUNT,
            Self::KingKingPiece => Square::COUNT * Square::COUNT * BonaPiece::KING,
            Self::KingPiecePiece => Square::COUNT * BonaPiece::KING * BonaPiece::KING,
        }
    }
}

/// How the entries of a table are stored, little endian.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Entry {
    /// Bytes of a number.
    pub(super) width: usize,
    /// Numbers: the value alone, or the value and its turn bonus.
    pub(super) numbers: usize,
}

impl Entry {
    pub(super) const fn bytes(self) -> usize {
        self.width * self.numbers
    }
}

/// A set of three files.
///
/// ```
/// use eval::kppt::{KpptFormat, KpptTable};
/// let format: KpptFormat = "kppt32".parse()?;
/// assert_eq!(format.file_size(KpptTable::KingPiecePiece), 776_402_496);
/// assert_eq!(format.to_string(), "kppt32");
/// # Ok::<(), eval::kppt::ParseKpptFormatError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KpptFormat {
    /// `YaneuraOu` 2017, Apery of WCSC26.
    Kppt32,
    /// Apery of WCSC27: the tables of both kings have 16-bit numbers.
    Kppt16,
    /// No turn bonus in the largest table.
    KppKkpt32,
}

impl KpptFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Kppt32, Self::Kppt16, Self::KppKkpt32];

    /// The name that commands use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kppt32 => "kppt32",
            Self::Kppt16 => "kppt16",
            Self::KppKkpt32 => "kpp_kkpt32",
        }
    }

    pub(super) const fn entry(self, table: KpptTable) -> Entry {
        match (self, table) {
            (Self::KppKkpt32, KpptTable::KingPiecePiece) => Entry { width: 2, numbers: 1 },
            (Self::Kppt16, _) | (_, KpptTable::KingPiecePiece) => Entry { width: 2, numbers: 2 },
            _ => Entry { width: 4, numbers: 2 },
        }
    }

    /// The size of a table's file in bytes.
    #[must_use]
    pub const fn file_size(self, table: KpptTable) -> u64 {
        (self.entry(table).bytes() * table.entries()) as u64
    }

    /// Whether a folder contains tables, valid or not.
    #[must_use]
    pub fn is_in(folder: &Path) -> bool {
        KpptTable::ALL.iter().any(|table| folder.join(table.file_name()).exists())
    }

    /// The format of the tables in a folder, detected by the sizes of its files.
    pub fn detect(folder: &Path) -> Result<Self, KpptError> {
        let mut sizes = [0; 3];
        for (size, table) in sizes.iter_mut().zip(KpptTable::ALL) {
            let path = folder.join(table.file_name());
            *size = std::fs::metadata(&path).map_err(|error| KpptError::Open { path, error })?.len();
        }
        Self::ALL
            .into_iter()
            .find(|format| KpptTable::ALL.map(|table| format.file_size(table)) == sizes)
            .ok_or_else(|| KpptError::UnknownFormat { folder: PathBuf::from(folder), sizes })
    }
}

impl fmt::Display for KpptFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown evaluation format {0:?}: expected kppt32, kppt16 or kpp_kkpt32")]
pub struct ParseKpptFormatError(String);

impl FromStr for KpptFormat {
    type Err = ParseKpptFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| ParseKpptFormatError(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_documents() {
        let sizes = |format: KpptFormat| KpptTable::ALL.map(|table| format.file_size(table));
        assert_eq!(sizes(KpptFormat::Kppt32), [52_488, 81_251_424, 776_402_496]);
        assert_eq!(sizes(KpptFormat::Kppt16), [26_244, 40_625_712, 776_402_496]);
        assert_eq!(sizes(KpptFormat::KppKkpt32), [52_488, 81_251_424, 388_201_248]);
        for format in KpptFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        assert!("kppt64".parse::<KpptFormat>().is_err());
    }
}
