//! Writes files of training data, atomically.

use crate::corpus::{self, Corpus, CorpusError};
use crate::fit::Correction;
use crate::output::Output;
use crate::pack::{PackError, PackFile};
use crate::{DataFormat, Hcpe3Error, TrainingGame, write_hcpe3};
use platform::atomic_file::write_at;
use platform::{AtPath, FileError};
use shogi::{HcpeRecord, HuffmanCodedPos, PackedSfenValue, Position, SetupError, UnpackError};
use std::fmt;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Why training data cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// Reading failed.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A file error.
    #[error(transparent)]
    File(#[from] FileError),
    /// An error of a pack.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// An invalid game.
    #[error(transparent)]
    Hcpe3(#[from] Hcpe3Error),
    /// A record whose position cannot be unpacked.
    #[error(transparent)]
    Record(#[from] UnpackError),
    /// A record with an invalid position.
    #[error(transparent)]
    Position(#[from] SetupError),
    /// A position that the format cannot encode.
    #[error(transparent)]
    Encoding(#[from] shogi::PackError),
    /// A file of another kind exists under that name.
    #[error(transparent)]
    Overwrite(#[from] book::BookError),
    /// An unsupported extension.
    #[error("{}: cannot write this; expected {expected}", path.display())]
    Format {
        /// The name.
        path: PathBuf,
        /// The supported extensions.
        expected: &'static str,
    },
    /// There is no position to write.
    #[error("no positions in the training data; nothing is written")]
    NoPositions,
    /// The results say nothing about the scores.
    #[error("the scores cannot be corrected: no score, or no result but draws")]
    NothingToLearn,
    /// The searches visited no position.
    #[error("no position was visited")]
    NothingVisited,
}

/// A file to write, with the format of its extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataFile<'a> {
    path: &'a Path,
    /// `None` for SFENs, one per line.
    format: Option<DataFormat>,
}

/// Counts of what was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// Number of games, if the format has games.
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
    /// A file for games, records or SFENs, by its extension.
    pub fn any(path: &'a Path, force: bool) -> Result<Self, DataError> {
        Self::new(path, force, ".pack, .bin, .psv, .hcpe, .hcpe3, .txt or .sfen", |_| true)
    }

    /// A file for scored positions.
    pub fn with_scores(path: &'a Path, force: bool) -> Result<Self, DataError> {
        Self::new(path, force, ".pack, .bin, .psv, .hcpe, .hcpe3 or .txt", |format| format.is_some())
    }

    /// A file for positions.
    pub fn of_positions(path: &'a Path, force: bool) -> Result<Self, DataError> {
        Self::new(path, force, ".bin, .psv, .hcpe, .txt or .sfen", |format| {
            !matches!(format, Some(DataFormat::Pack | DataFormat::Hcpe3))
        })
    }

    /// A file of a given format; fails if it would replace a file of another kind without `force`.
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

    /// Writes the records of files with scores corrected by results. One of every `held_out` games (0 for none) is used
    /// only to measure the improvement, which `say` receives.
    pub fn correct(
        self,
        files: &[PathBuf],
        held_out: usize,
        threads: usize,
        say: &mut dyn FnMut(&str),
    ) -> Result<Written, DataError> {
        let fitted = Correction::fit(&corpus::load(files, threads)?, held_out);
        let (correction, gain) = fitted.ok_or(DataError::NothingToLearn)?;
        say(&gain.to_string());
        let correction = (gain.after < gain.before).then_some(&correction);
        if correction.is_none() {
            say("the results do not improve these scores: they are left as they are");
        }
        self.convert(files, correction, threads)
    }

    /// Writes the training data of other files, with or without corrected scores.
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
        parts: impl IntoIterator<Item = Result<Vec<PackedSfenValue>, CorpusError>>,
    ) -> Result<Written, DataError> {
        self.write_with(|writer| parts.into_iter().try_for_each(|part| writer.push(&part?)))
    }

    /// Writes the records that `fill` adds.
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

/// A file of records being written.
pub(crate) struct RecordWriter<'a> {
    out: BufWriter<File>,
    path: &'a Path,
    format: Option<DataFormat>,
    count: u64,
}

impl RecordWriter<'_> {
    pub(crate) fn push(&mut self, records: &[PackedSfenValue]) -> Result<(), DataError> {
        self.push_encoded(records.len(), &encoded(records, self.format)?)
    }

    /// Appends `count` records already encoded by [`encoded`].
    fn push_encoded(&mut self, count: usize, bytes: &[u8]) -> Result<(), DataError> {
        self.count += count as u64;
        Ok(self.out.write_all(bytes).at_path(self.path)?)
    }
}

/// Encodes records; as SFENs for `None` and for formats of games.
fn encoded(records: &[PackedSfenValue], format: Option<DataFormat>) -> Result<Vec<u8>, DataError> {
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

fn position_of(record: &PackedSfenValue) -> Result<Position, DataError> {
    Ok(Position::try_from(record.setup()?)?)
}

fn hcpe(record: &PackedSfenValue) -> Result<HcpeRecord, DataError> {
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
