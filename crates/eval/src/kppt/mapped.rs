//! Numbers in files that are mapped into memory, never copied.

use super::{KpptError, KpptFormat, KpptParameters, KpptTable};
use crate::BonaPiece;
use memmap2::{Mmap, MmapMut};
use shogi::Square;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The three files of a folder. `KING_BYTES` is the width of the numbers of both kings; `PAIR_TURN` is whether pairs of
/// pieces have a turn bonus.
///
/// Threads and processes share one copy of the pages in use.
#[derive(Debug)]
pub struct MappedParameters<const KING_BYTES: usize, const PAIR_TURN: bool> {
    kings: Mmap,
    kings_and_piece: Mmap,
    pairs: Mmap,
    sharing: Sharing,
}

/// How memory is shared between processes.
#[derive(Debug)]
pub enum Sharing {
    /// This process has its own copy.
    Private,
    /// All processes that use the files share one copy.
    Shared {
        /// Whether this process is the first to use them.
        created: bool,
        /// Held while the files are in use, so that other processes can detect it; `None` if files cannot be locked.
        lock: Option<File>,
    },
}

impl Sharing {
    /// Locks a file as being in use, and checks whether it already was.
    fn announce(path: &Path) -> Self {
        let Ok(file) = File::open(path) else { return Self::Shared { created: true, lock: None } };
        let created = file.try_lock().is_ok();
        // The wait is short: a process that holds the exclusive lock makes it shared at once, as here.
        let shared = (!created || file.unlock().is_ok()) && file.try_lock_shared().is_ok();
        Self::Shared { created, lock: shared.then_some(file) }
    }

    /// The message that `YaneuraOu` prints for it.
    #[must_use]
    pub fn message(&self) -> &'static str {
        match self {
            Self::Private => "use non-shared eval_memory.",
            Self::Shared { created: true, .. } => "created shared eval memory.",
            Self::Shared { created: false, .. } => "use shared eval memory.",
        }
    }
}

/// Numbers of [`KpptFormat::Kppt32`].
pub type Kppt32 = MappedParameters<4, true>;
/// Numbers of [`KpptFormat::Kppt16`].
pub type Kppt16 = MappedParameters<2, true>;
/// Numbers of [`KpptFormat::KppKkpt32`].
pub type KppKkpt32 = MappedParameters<4, false>;

impl<const KING_BYTES: usize, const PAIR_TURN: bool> MappedParameters<KING_BYTES, PAIR_TURN> {
    /// The format of these numbers.
    pub const FORMAT: KpptFormat = match (KING_BYTES, PAIR_TURN) {
        (4, true) => KpptFormat::Kppt32,
        (2, true) => KpptFormat::Kppt16,
        (4, false) => KpptFormat::KppKkpt32,
        _ => panic!("there is no such format"),
    };

    /// Maps the files of a folder after checking their sizes.
    pub fn open(folder: &Path) -> Result<Self, KpptError> {
        Self::open_with(folder, true)
    }

    /// Like [`Self::open`]; with `share` false, as a copy in this process's own memory (776 MB).
    pub fn open_with(folder: &Path, share: bool) -> Result<Self, KpptError> {
        let map = |table| map_file(folder, Self::FORMAT, table, share);
        Ok(Self {
            kings: map(KpptTable::KingKing)?,
            kings_and_piece: map(KpptTable::KingKingPiece)?,
            pairs: map(KpptTable::KingPiecePiece)?,
            sharing: if share {
                Sharing::announce(&folder.join(KpptTable::KingPiecePiece.file_name()))
            } else {
                Sharing::Private
            },
        })
    }

    /// How the memory of the numbers is shared.
    #[must_use]
    pub fn sharing(&self) -> &Sharing {
        &self.sharing
    }

    /// The entry of a table of both kings.
    #[inline]
    fn king_entry(table: &[u8], index: usize) -> [i32; 2] {
        if KING_BYTES == 4 {
            let (numbers, _) = table.as_chunks::<4>();
            [i32::from_le_bytes(numbers[2 * index]), i32::from_le_bytes(numbers[2 * index + 1])]
        } else {
            short_pair(table.as_chunks::<4>().0[index])
        }
    }

    /// All pairs of a piece, relative to a king.
    #[inline]
    fn row(&self, king: Square, piece: u16) -> &[u8] {
        let bytes = BonaPiece::KING * Self::FORMAT.entry(KpptTable::KingPiecePiece).bytes();
        let start = (king.index() * BonaPiece::KING + usize::from(piece)) * bytes;
        &self.pairs[start..start + bytes]
    }
}

#[inline(always)]
fn short_pair([a, b, c, d]: [u8; 4]) -> [i32; 2] {
    [i32::from(i16::from_le_bytes([a, b])), i32::from(i16::from_le_bytes([c, d]))]
}

fn map_file(folder: &Path, format: KpptFormat, table: KpptTable, share: bool) -> Result<Mmap, KpptError> {
    let path = folder.join(table.file_name());
    let open = |error| KpptError::Open { path: path.clone(), error };
    let mut file = File::open(&path).map_err(open)?;
    let found = file.metadata().map_err(open)?.len();
    let expected = format.file_size(table);
    if found != expected {
        return Err(KpptError::Size { path, format, expected, found });
    }
    if !share {
        let bytes = usize::try_from(expected).map_err(|_| open(io::ErrorKind::OutOfMemory.into()))?;
        let mut copy = MmapMut::map_anon(bytes).map_err(open)?;
        file.read_exact(&mut copy).map_err(open)?;
        return copy.make_read_only().map_err(open);
    }
    // SAFETY: the map is only read, as bytes, of which every pattern is valid. Files of this size cannot be copied
    // instead. Other processes must not change them while they are in use, as with every memory-mapped file; our own
    // writers replace files by renaming and never write into one.
    unsafe { Mmap::map(&file) }.map_err(open)
}

impl<const KING_BYTES: usize, const PAIR_TURN: bool> KpptParameters
    for MappedParameters<KING_BYTES, PAIR_TURN>
{
    #[inline]
    fn king_king(&self, black_king: Square, white_king: Square) -> [i32; 2] {
        Self::king_entry(&self.kings, black_king.index() * Square::COUNT + white_king.index())
    }

    #[inline]
    fn king_king_piece(&self, black_king: Square, white_king: Square, piece: u16) -> [i32; 2] {
        let kings = black_king.index() * Square::COUNT + white_king.index();
        Self::king_entry(&self.kings_and_piece, kings * BonaPiece::KING + usize::from(piece))
    }

    #[inline]
    fn king_piece_piece(&self, king: Square, first: u16, second: u16) -> [i32; 2] {
        self.pair_sum(king, first, &[second])
    }

    #[inline]
    fn pair_sum(&self, king: Square, piece: u16, others: &[u16]) -> [i32; 2] {
        let row = self.row(king, piece);
        let mut sum = [0; 2];
        if PAIR_TURN {
            let (row, _) = row.as_chunks::<4>();
            for &other in others {
                let [value, turn] = short_pair(row[usize::from(other)]);
                sum[0] += value;
                sum[1] += turn;
            }
        } else {
            let (row, _) = row.as_chunks::<2>();
            for &other in others {
                sum[0] += i32::from(i16::from_le_bytes(row[usize::from(other)]));
            }
        }
        sum
    }
}
