//! Files of training data, written whole or not at all.

use crate::corpus::{self, Corpus, CorpusError};
use crate::fit::Correction;
use crate::output::Output;
use crate::pack::{PackError, PackFile};
use crate::{DataFormat, Hcpe3Error, TrainingGame, write_hcpe3};
use platform::atomic_file::write_at;
use platform::{AtPath, FileError};
use shogi::{HcpeRecord, HuffmanCodedPos, Position, SetupError, TeacherRecord, UnpackError};
use std::fmt;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Training data that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// What is read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The file system.
    #[error(transparent)]
    File(#[from] FileError),
    /// A pack.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A game.
    #[error(transparent)]
    Hcpe3(#[from] Hcpe3Error),
    /// A record without a position.
    #[error(transparent)]
    Record(#[from] UnpackError),
    /// A record with an impossible position.
    #[error(transparent)]
    Position(#[from] SetupError),
    /// A position that a format has no room for.
    #[error(transparent)]
    Encoding(#[from] shogi::PackError),
    /// A file of another kind has that name.
    #[error(transparent)]
    Overwrite(#[from] book::BookError),
    /// A name with another ending.
    #[error("{}: cannot write this; expected {expected}", path.display())]
    Format {
        /// The name.
        path: PathBuf,
        /// The endings that are possible.
        expected: &'static str,
    },
    /// A file without positions is not written.
    #[error("no positions in the training data; nothing is written")]
    NoPositions,
    /// Searches that visit nothing.
    #[error("no position was visited")]
    NothingVisited,
}

/// A file to be written: its format follows from its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataFile<'a> {
    path: &'a Path,
    /// `None` for SFENs, one to a line.
    format: Option<DataFormat>,
}

/// How much was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// Where the format has games.
    pub games: Option<u64>,
    /// Positions.
    pub positions: u64,
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(games) = self.games {
            write!(f, "{games} games, ")?;
        }
        write!(f, "{} positions", self.positions)
    }
}

impl<'a> DataFile<'a> {
    /// A file with games, records or SFENs, by the ending of its name.
    pub fn any(path: &'a Path, force: bool) -> Result<Self, DataError> {
        Self::new(path, force, ".pack, .bin, .psv, .hcpe, .hcpe3, .txt or .sfen", |_| true)
    }

    /// A file with scores.
    pub fn with_scores(path: &'a Path, force: bool) -> Result<Self, DataError> {
        Self::new(path, force, ".pack, .bin, .psv, .hcpe, .hcpe3 or .txt", |format| format.is_some())
    }

    /// A file with single positions.
    pub fn of_positions(path: &'a Path, force: bool) -> Result<Self, DataError> {
        Self::new(path, force, ".bin, .psv, .hcpe, .txt or .sfen", |format| {
            !matches!(format, Some(DataFormat::Pack | DataFormat::Hcpe3))
        })
    }

    /// A file of a format, whatever its name; an error if it would replace a file of another kind without `force`.
    pub fn of_format(path: &'a Path, format: DataFormat, force: bool) -> Result<Self, DataError> {
        Output::Data(Some(format)).check(path, force)?;
        Ok(Self { path, format: Some(format) })
    }

    fn new(
        path: &'a Path,
        force: bool,
        expected: &'static str,
        is_possible: impl FnOnce(Option<DataFormat>) -> bool,
    ) -> Result<Self, DataError> {
        let format = DataFormat::of_name(path);
        let sfens = path.extension().is_some_and(|ending| ending == "sfen");
        if !((sfens || format.is_some()) && is_possible(format)) {
            return Err(DataError::Format { path: path.to_owned(), expected });
        }
        Output::Data(format).check(path, force)?;
        Ok(Self { path, format })
    }

    /// Writes the training data of other files, with their scores corrected or as they are.
    pub fn convert(
        self,
        files: &[PathBuf],
        correction: Option<&Correction>,
        threads: usize,
    ) -> Result<Written, DataError> {
        if let Some(DataFormat::Pack | DataFormat::Hcpe3) = self.format {
            return write_at(self.path, |part| self.write_games(files, correction, part)?.unless_empty());
        }
        let encoded = |mut corpus: Corpus| {
            if let Some(correction) = correction {
                correction.correct_records(&mut corpus.records);
            }
            encoded(&corpus.records, self.format).map(|bytes| (corpus.records.len(), bytes))
        };
        self.write_with(|writer| {
            corpus::in_parts(files, threads, encoded, |part| {
                let (count, bytes) = part?;
                writer.push_encoded(count, &bytes)
            })
        })
    }

    /// Writes records.
    pub fn write_records(
        self,
        parts: impl IntoIterator<Item = Result<Vec<TeacherRecord>, CorpusError>>,
    ) -> Result<Written, DataError> {
        self.write_with(|writer| parts.into_iter().try_for_each(|part| writer.push(&part?)))
    }

    /// Writes the records that `fill` pushes.
    pub(crate) fn write_with(
        self,
        fill: impl FnOnce(&mut RecordWriter) -> Result<(), DataError>,
    ) -> Result<Written, DataError> {
        write_at(self.path, |part| {
            let out = BufWriter::with_capacity(1 << 20, File::create(part).at_path(part)?);
            let mut writer = RecordWriter { out, path: part, format: self.format, count: 0 };
            fill(&mut writer)?;
            writer.out.flush().at_path(part)?;
            Written { games: None, positions: writer.count }.unless_empty()
        })
    }

    fn write_games(
        self,
        files: &[PathBuf],
        correction: Option<&Correction>,
        part: &Path,
    ) -> Result<Written, DataError> {
        let (mut games, mut positions) = (0, 0);
        let mut each = |write: &mut dyn FnMut(&TrainingGame) -> Result<(), DataError>| {
            files.iter().try_for_each(|file| {
                corpus::read_games(file, |mut game| {
                    if let Some(correction) = correction {
                        correction.correct_game(&mut game);
                    }
                    games += 1;
                    positions += game.moves.len() as u64;
                    write(&game)
                })
            })
        };
        if self.format == Some(DataFormat::Pack) {
            let mut pack = PackFile::create(part)?;
            each(&mut |game| Ok(pack.push(game)?))?;
            pack.finish()?;
        } else {
            let mut out = BufWriter::with_capacity(1 << 20, File::create(part).at_path(part)?);
            each(&mut |game| Ok(write_hcpe3(game, &mut out)?))?;
            out.flush().at_path(part)?;
        }
        Ok(Written { games: Some(games), positions })
    }
}

impl Written {
    fn unless_empty(self) -> Result<Self, DataError> {
        if self.positions == 0 { Err(DataError::NoPositions) } else { Ok(self) }
    }
}

/// A file of records that is being written.
pub(crate) struct RecordWriter<'a> {
    out: BufWriter<File>,
    path: &'a Path,
    format: Option<DataFormat>,
    count: u64,
}

impl RecordWriter<'_> {
    pub(crate) fn push(&mut self, records: &[TeacherRecord]) -> Result<(), DataError> {
        self.push_encoded(records.len(), &encoded(records, self.format)?)
    }

    /// Appends `count` records that [`encoded`] has made bytes of.
    fn push_encoded(&mut self, count: usize, bytes: &[u8]) -> Result<(), DataError> {
        self.count += count as u64;
        Ok(self.out.write_all(bytes).at_path(self.path)?)
    }
}

/// Records in a format; SFENs for none and for formats of games.
fn encoded(records: &[TeacherRecord], format: Option<DataFormat>) -> Result<Vec<u8>, DataError> {
    let mut bytes = Vec::new();
    for record in records {
        match format {
            Some(DataFormat::Psv) => bytes.extend(record.to_bytes()),
            Some(DataFormat::Hcpe) => bytes.extend(hcpe(record)?.to_bytes()),
            Some(DataFormat::Plain) => bytes.extend(record.to_plain()?.as_bytes()),
            Some(DataFormat::Pack | DataFormat::Hcpe3) | None => {
                bytes.extend(format!("sfen {}\n", position_of(record)?.sfen()).as_bytes());
            }
        }
    }
    Ok(bytes)
}

fn position_of(record: &TeacherRecord) -> Result<Position, DataError> {
    Ok(Position::try_from(record.setup()?)?)
}

fn hcpe(record: &TeacherRecord) -> Result<HcpeRecord, DataError> {
    let position = position_of(record)?;
    Ok(HcpeRecord {
        position: HuffmanCodedPos::try_from(&position)?,
        score: record.score,
        move_bits: record.best_move().map_or(0, shogi::Move::apery_bits),
        winner: record.result.winner(position.side()),
        reason: 0,
        padding: 0,
    })
}
