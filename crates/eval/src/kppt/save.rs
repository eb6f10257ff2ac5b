//! Writing the numbers of an evaluation to files.

use super::transcode::encode;
use super::{KpptError, KpptFormat, KpptParameters, KpptTable};
use crate::BonaPiece;
use crate::new_files::NewFiles;
use shogi::Square;
use std::ops::AddAssign;
use std::path::Path;

/// Information that a format could not store; all zero if nothing was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Losses {
    /// Numbers beyond 16 bits, stored as the nearest that fits.
    pub saturated: u64,
    /// Turn bonuses other than zero that were left out.
    pub dropped_turns: u64,
}

impl AddAssign for Losses {
    fn add_assign(&mut self, other: Self) {
        self.saturated += other.saturated;
        self.dropped_turns += other.dropped_turns;
    }
}

/// Progress of writing, in entries of all three tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The table being written.
    pub table: KpptTable,
    /// Entries done.
    pub done: u64,
    /// Entries to do.
    pub total: u64,
}

/// Counts finished entries.
pub(super) struct Steps {
    done: u64,
    total: u64,
}

impl Steps {
    pub(super) fn new() -> Self {
        Self { done: 0, total: KpptTable::ALL.iter().map(|table| table.entries() as u64).sum() }
    }

    pub(super) fn advance(&mut self, table: KpptTable, entries: usize) -> Progress {
        self.done += entries as u64;
        Progress { table, done: self.done, total: self.total }
    }
}

/// Writes any numbers as the files of a format (the folder is made if there is none).
pub fn save(
    parameters: &impl KpptParameters,
    format: KpptFormat,
    folder: &Path,
    mut progress: impl FnMut(Progress),
) -> Result<Losses, KpptError> {
    let mut files = NewFiles::new(folder);
    let mut losses = Losses::default();
    let mut steps = Steps::new();
    let mut buffer = Vec::new();
    for table in KpptTable::ALL {
        let entry = format.entry(table);
        files.write(table.file_name(), |sink| -> Result<(), KpptError> {
            for king in Square::all() {
                let count = table.entries() / Square::COUNT;
                let rows = if table == KpptTable::KingPiecePiece { BonaPiece::KING } else { Square::COUNT };
                for row in 0..rows {
                    buffer.clear();
                    each_of_row(parameters, table, king, row, |numbers| {
                        encode(numbers, entry, &mut buffer, &mut losses);
                    });
                    sink.put(&buffer)?;
                }
                progress(steps.advance(table, count));
            }
            Ok(())
        })?;
    }
    files.finish()?;
    Ok(losses)
}

/// The entries with the same first two indices, in order.
fn each_of_row(
    parameters: &impl KpptParameters,
    table: KpptTable,
    king: Square,
    row: usize,
    mut put: impl FnMut([i32; 2]),
) {
    let pieces = 0..BonaPiece::KING as u16;
    let other_king = || Square::from_index(row as u8).expect("there is a row for each square");
    match table {
        KpptTable::KingKing => put(parameters.king_king(king, other_king())),
        KpptTable::KingKingPiece => {
            pieces.for_each(|piece| put(parameters.king_king_piece(king, other_king(), piece)));
        }
        KpptTable::KingPiecePiece => {
            pieces.for_each(|piece| put(parameters.king_piece_piece(king, row as u16, piece)));
        }
    }
}

/// Writes zero tables, which takes no time.
pub fn save_zero(format: KpptFormat, folder: &Path) -> Result<(), KpptError> {
    let mut files = NewFiles::new(folder);
    for table in KpptTable::ALL {
        files.write(table.file_name(), |sink| {
            sink.stretch(format.file_size(table));
            Ok::<_, KpptError>(())
        })?;
    }
    Ok(files.finish()?)
}
