//! Writes positions as lists of features, for training with another program.
//!
//! A row has [`ROW_BYTES`] bytes, all numbers little-endian: the features of the side to move (40 × `u16`), those of
//! its opponent, the score (`i16`), the result (`i8`, for the side to move), the layer stack (`u8`), the ply (`u16`), 1
//! for a position of a held-out game, else 0 (`u8`), and 1 if the side to move sees the board mirrored (`u8`). Missing
//! features are [`NO_FEATURE`].

use crate::corpus::{self, Corpus, CorpusError, is_apart};
use eval::nnue::Architecture;
use platform::workers::{Workers, in_parallel};
use platform::{AtPath, FileError};
use shogi::{PackedSfenValue, Position, Setup};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Number of features of a player.
const ACTIVE: usize = 40;
/// Size of a row.
pub const ROW_BYTES: usize = 4 * ACTIVE + 8;
/// Stands for a missing feature.
pub const NO_FEATURE: u16 = u16::MAX;

/// Selects positions for training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Larger scores are left out.
    pub score_limit: u16,
    /// Earlier plies are left out.
    pub first_ply: u16,
    /// Positions in check are left out.
    pub skip_checks: bool,
    /// Positions whose best move captures, promotes or gives check are left out, because their value is about to
    /// change.
    pub skip_noisy: bool,
}

impl Default for Filter {
    fn default() -> Self {
        Self { score_limit: 2500, first_ply: 1, skip_checks: true, skip_noisy: true }
    }
}

impl Filter {
    /// Whether a record is selected; `position` must be the record's.
    #[must_use]
    pub fn passes(&self, record: &PackedSfenValue, position: &Position) -> bool {
        let noisy = |m| {
            position.is_legal(m) && (position.is_capture(m) || m.is_promotion() || position.gives_check(m))
        };
        record.score.unsigned_abs() <= self.score_limit
            && record.ply >= self.first_ply
            && !(self.skip_checks && position.in_check())
            && !(self.skip_noisy && record.best_move().is_some_and(noisy))
    }
}

/// Why an architecture cannot be written as rows.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShapeError {
    /// Too many features for 16 bits, or too many at once.
    #[error("{0} has too many features for a table of rows")]
    Features(String),
    /// Layer stacks by progress are not supported.
    #[error("stacks by progress are not supported")]
    Progress,
}

fn check(shape: &Architecture) -> Result<(), ShapeError> {
    if shape.features.dimensions() >= usize::from(NO_FEATURE) || shape.features.depend_on_attacks() {
        return Err(ShapeError::Features(shape.features.name().into_owned()));
    }
    if shape.has_progress() { Err(ShapeError::Progress) } else { Ok(()) }
}

/// Why rows cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum TensorsError {
    /// An unsupported architecture.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// An error of the training data.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A file error.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Settings of rows.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The network's architecture.
    pub shape: &'a Architecture,
    /// Selects positions.
    pub filter: Filter,
    /// One of this many games is marked as held out; 0 for none.
    pub held_out: usize,
    /// Number of threads.
    pub threads: usize,
}

impl Rows<'_> {
    /// Writes a file of rows to `folder` for each file of training data; returns the numbers of rows and positions.
    pub fn write_files(&self, files: &[PathBuf], folder: &Path) -> Result<(u64, usize), TensorsError> {
        check(self.shape)?;
        fs::create_dir_all(folder).at_path(folder)?;
        let threads = self.threads.max(1);
        // Many files are read at once; if there are few, all threads make rows of the same file.
        let of_file = threads.div_ceil(files.len().min(threads));
        let rows_of = |&(number, file): &(usize, &PathBuf)| -> Result<(u64, usize), TensorsError> {
            let corpus = corpus::read(file)?;
            let path = folder.join(format!("rows-{number:04}.bin"));
            let mut out = BufWriter::with_capacity(1 << 20, File::create(&path).at_path(&path)?);
            let written = write(&corpus, self.shape, &self.filter, self.held_out, of_file, &mut out)
                .and_then(|written| out.flush().map(|()| written))
                .at_path(&path)?;
            Ok((written, corpus.records.len()))
        };
        let numbered: Vec<_> = files.iter().enumerate().collect();
        let mut total = (0, 0);
        for part in in_parallel(&numbered, threads, rows_of) {
            let (rows, positions) = part?;
            total = (total.0 + rows, total.1 + positions);
        }
        Ok(total)
    }
}

/// Minimum number of positions per thread.
const PART: usize = 1000;

/// Writes the selected positions of a corpus; one of every `held_out` games (0 for none) is marked. Returns the number
/// of rows, which do not depend on the number of threads.
pub fn write(
    corpus: &Corpus,
    shape: &Architecture,
    filter: &Filter,
    held_out: usize,
    threads: usize,
    out: &mut impl Write,
) -> io::Result<u64> {
    let mut games = corpus.games().enumerate();
    let parts = std::iter::from_fn(move || {
        let (mut part, mut positions) = (Vec::new(), 0);
        while positions < PART
            && let Some((number, game)) = games.next()
        {
            positions += game.len();
            part.push((game, is_apart(number, held_out)));
        }
        (!part.is_empty()).then_some(part)
    });
    let make_worker = || Some(|part: Vec<_>| Some(rows(&part, shape, *filter)));
    let abandon = AtomicBool::new(false);
    let workers = Workers::new("rows", threads, &abandon);
    let mut written = 0;
    workers.work_in_order(
        parts,
        make_worker,
        || (),
        |rows| {
            written += (rows.len() / ROW_BYTES) as u64;
            out.write_all(&rows)
        },
    )?;
    Ok(written)
}

/// The rows of games, marked or not.
fn rows(games: &[(&[PackedSfenValue], bool)], shape: &Architecture, filter: Filter) -> Vec<u8> {
    let mut rows = Vec::new();
    for (game, marked) in games {
        for record in *game {
            let position = record.position.unpack().ok().and_then(|setup| {
                Position::with_room(&Setup { ply: u32::from(record.ply).max(1), ..setup }, 0).ok()
            });
            if let Some(position) = position.filter(|position| filter.passes(record, position)) {
                rows.extend(row(record, &position, shape, *marked));
            }
        }
    }
    rows
}

fn row(record: &PackedSfenValue, position: &Position, shape: &Architecture, marked: bool) -> [u8; ROW_BYTES] {
    let mut row = [0xFF; ROW_BYTES];
    let us = position.side();
    for (view, bytes) in [us, !us].into_iter().zip(row.chunks_exact_mut(2 * ACTIVE)) {
        let mut slots = bytes.chunks_exact_mut(2);
        shape.features.for_each_active(position, view, |feature| {
            if let Some(slot) = slots.next() {
                slot.copy_from_slice(&(feature as u16).to_le_bytes());
            }
        });
    }
    let labels = &mut row[4 * ACTIVE..];
    labels[..2].copy_from_slice(&record.score.to_le_bytes());
    labels[2] = record.result.code() as u8;
    labels[3] = shape.stack_of(position) as u8;
    labels[4..6].copy_from_slice(&record.ply.to_le_bytes());
    labels[6] = marked.into();
    labels[7] = shape.features.mirror_board(position, us).into();
    row
}
