//! The three tables of KPPT and its relatives.

use eval::kppt::{AnyKppt, KpptFormat, KpptTable};
use game::Evaluation;
use shogi::{Position, Square};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Files of any size are refused in few words, or they are tables: whatever numbers they hold, the evaluation is
/// the same move by move and from scratch.
///
/// Each table takes three bytes: whose size it has, and how many bytes it is off. What follows is written to places
/// that the start position reads.
pub fn kppt(data: &[u8]) {
    let Some((sizes, numbers)) = data.split_at_checked(9) else { return };
    let (sizes, _) = sizes.as_chunks::<3>();
    let folder = Folder::new();
    let mut wanted = [0; 3];
    for ((table, choice), size) in KpptTable::ALL.into_iter().zip(sizes).zip(&mut wanted) {
        let format = KpptFormat::ALL[usize::from(choice[0]) % KpptFormat::ALL.len()];
        let off = i64::from(i16::from_le_bytes([choice[1], choice[2]]));
        *size = format.file_size(table).saturating_add_signed(off);
        // All holes.
        let file = File::create(folder.0.join(table.file_name())).expect("the folder can be written");
        file.set_len(*size).expect("a sparse file fits any disk");
    }
    let format = KpptFormat::ALL.into_iter().find(|f| KpptTable::ALL.map(|t| f.file_size(t)) == wanted);
    let Some(format) = format else {
        let error = AnyKppt::open(&folder.0).expect_err("no format has these sizes").to_string();
        assert!(error.len() < 1000, "a long message: {error}");
        return;
    };
    put_numbers(format, &folder, numbers);
    let opened = AnyKppt::open(&folder.0).expect("the sizes are right");
    assert_eq!(opened.format(), Some(format));
    follow(opened, numbers);
}

/// Writes numbers to entries of the start position.
fn put_numbers(format: KpptFormat, folder: &Folder, numbers: &[u8]) {
    const KING_PIECES: usize = 1548;
    let (black, white) = (Square::Sq59.index(), Square::Sq51.index());
    for (index, bytes) in numbers.as_chunks::<8>().0.iter().take(64).enumerate() {
        let table = KpptTable::ALL[index % 3];
        let (first, second) = (96, 105 + index / 3 * 9);
        let pair = |a: usize, b: usize| (black * KING_PIECES + a) * KING_PIECES + b;
        let entries = match table {
            KpptTable::KingKing => [black * 81 + white; 2],
            // Black's pawns on the seventh rank, and the front of White's.
            KpptTable::KingKingPiece => [(black * 81 + white) * KING_PIECES + second - 9; 2],
            // Every table in use has a pair both ways round, and sums rely on it.
            KpptTable::KingPiecePiece => [pair(first, second), pair(second, first)],
        };
        let bytes_of_entry = format.file_size(table) / table.entries() as u64;
        let path = folder.0.join(table.file_name());
        let mut file = File::options().write(true).open(path).expect("it was written before");
        for entry in entries {
            file.seek(SeekFrom::Start(entry as u64 * bytes_of_entry)).expect("it is long enough");
            file.write_all(&bytes[..bytes_of_entry as usize]).expect("the file can be written");
        }
    }
}

/// Plays a few moves: values must be those of a fresh start.
fn follow(mut evaluation: AnyKppt, choices: &[u8]) {
    let mut position = Position::startpos();
    evaluation.refresh(&position);
    let mut changes = Vec::new();
    for choice in choices.iter().take(8) {
        let value = evaluation.value(&position);
        let mut fresh = evaluation.clone();
        fresh.refresh(&position);
        assert_eq!(value, fresh.value(&position), "{}", position.sfen());
        let moves = position.legal_moves();
        let Some(m) = moves.get(usize::from(*choice) % moves.len().max(1)).copied() else { return };
        changes.clear();
        position.do_move_observed(m, |change| changes.push(change));
        evaluation.push(&changes);
    }
    let _ = evaluation.value(&position);
}

/// A folder of this thread, emptied afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let thread = format!("{:?}", std::thread::current().id());
        let name: String = thread.chars().filter(char::is_ascii_alphanumeric).collect();
        let path = std::env::temp_dir().join(format!("tsumugi-fuzz-kppt-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("there is a folder for temporary files");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed are holes.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
