//! Pack files: blocks of games.

use super::code::{DecodeError, Decoder, encode};
use crate::TrainingGame;
use platform::{AtPath, FileError};
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The signature of packs.
const MAGIC: &[u8; 8] = b"TSUPACK1";
/// Games per block; the last one of a series may have fewer.
pub const BLOCK_GAMES: usize = 16;
/// After a pack reaches this size, a new one is started.
pub const LARGEST: u64 = 4 << 20;
/// Limit of a block's size, compressed or not.
const LARGEST_BLOCK: u32 = 1 << 24;

/// Why a pack cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// A file error.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another kind of file.
    #[error("{}: not a pack of games: it does not begin with TSUPACK1", .0.display())]
    Magic(PathBuf),
    /// A damaged block.
    #[error("{}: damaged block at byte {offset}: {reason}", path.display())]
    Block {
        /// The pack.
        path: PathBuf,
        /// The offset of the block.
        offset: u64,
        /// Why.
        reason: String,
    },
    /// A block with an invalid game.
    #[error("{}: block at byte {offset}: {error}", path.display())]
    Game {
        /// The pack.
        path: PathBuf,
        /// The offset of the block.
        offset: u64,
        /// Why.
        error: DecodeError,
    },
}

/// The header of each block.
struct BlockHead {
    stored: u32,
    plain: u32,
    games: u32,
    checksum: u32,
}

impl BlockHead {
    const BYTES: usize = 16;

    fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let numbers = [self.stored, self.plain, self.games, self.checksum];
        bytes.chunks_exact_mut(4).zip(numbers).for_each(|(bytes, n)| bytes.copy_from_slice(&n.to_le_bytes()));
        bytes
    }

    fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let number = |i: usize| u32::from_le_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
        Self { stored: number(0), plain: number(4), games: number(8), checksum: number(12) }
    }
}

fn checksum(bytes: &[u8]) -> u32 {
    let hash = crate::fingerprint(bytes);
    (hash ^ hash >> 32) as u32
}

/// Writes the games of a series to its packs, in the order given.
///
/// ```
/// use train::pack::{PackReader, PackWriter};
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// let (writer, resumed) = PackWriter::open(folder, "series")?;
/// assert_eq!(resumed.games, 0);
/// writer.finish()?;
/// assert_eq!(PackReader::open(&folder.join("series-0000.pack"))?.count(), 0);
/// # Ok::<(), train::pack::PackError>(())
/// ```
pub struct PackWriter {
    folder: PathBuf,
    name: String,
    number: u32,
    pack: PackFile,
}

/// The content of an existing series.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Resumed {
    /// Number of complete games.
    pub games: u64,
    /// Their moves.
    pub positions: u64,
    /// Bytes of an incomplete block at the end.
    pub cut: u64,
}

impl PackWriter {
    /// The path of a pack of a series.
    fn path(folder: &Path, name: &str, number: u32) -> PathBuf {
        folder.join(format!("{name}-{number:04}.pack"))
    }

    /// Starts or continues a series. An incomplete block at its end is removed, and a last block with fewer games (of a
    /// finished series) is read back, so that the files are the same as without interruption.
    pub fn open(folder: &Path, name: &str) -> Result<(Self, Resumed), PackError> {
        let mut resumed = Resumed::default();
        let mut number = 0;
        while Self::path(folder, name, number + 1).exists() {
            resumed.add_all(&Self::path(folder, name, number))?;
            number += 1;
        }
        let path = Self::path(folder, name, number);
        let at = |error| PackError::File(FileError { path: path.clone(), error });
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(at)?;
        let length = file.metadata().map_err(at)?.len();
        let (mut size, mut waiting, mut waiting_games) = (MAGIC.len() as u64, Vec::new(), 0);
        let pack = if length < size {
            file.set_len(0).map_err(at)?;
            PackFile::begin(path, file)?
        } else {
            let mut reader = PackReader::open(&path)?;
            while let Ok(Some(block)) = reader.block() {
                resumed.games += block.len() as u64;
                resumed.positions += block.iter().map(|game| game.moves.len() as u64).sum::<u64>();
                if block.len() < BLOCK_GAMES {
                    for game in &block {
                        encode(game, &mut waiting);
                    }
                    waiting_games = block.len();
                    break;
                }
                size = reader.offset;
            }
            // A block that is written again does not count as lost.
            resumed.cut = length - if waiting_games > 0 { reader.offset } else { size };
            file.set_len(size).map_err(at)?;
            file.seek(SeekFrom::Start(size)).map_err(at)?;
            PackFile { path, file, size, waiting, waiting_games }
        };
        Ok((Self { folder: folder.to_owned(), name: name.to_owned(), number, pack }, resumed))
    }

    /// Appends a game, whose moves must be legal.
    pub fn push(&mut self, game: &TrainingGame) -> Result<(), PackError> {
        self.pack.push(game)?;
        if self.pack.size < LARGEST {
            return Ok(());
        }
        self.number += 1;
        let next = PackFile::create(&Self::path(&self.folder, &self.name, self.number))?;
        std::mem::replace(&mut self.pack, next).finish()
    }

    /// Writes all pending games and syncs the file.
    pub fn finish(self) -> Result<(), PackError> {
        self.pack.finish()
    }
}

/// A pack being written.
///
/// ```
/// use train::pack::{PackFile, PackReader};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.pack");
/// PackFile::create(&path)?.finish()?;
/// assert_eq!(PackReader::open(&path)?.count(), 0);
/// # Ok::<(), train::pack::PackError>(())
/// ```
pub struct PackFile {
    path: PathBuf,
    file: File,
    size: u64,
    waiting: Vec<u8>,
    waiting_games: usize,
}

impl PackFile {
    /// Creates a pack, replacing an existing file.
    pub fn create(path: &Path) -> Result<Self, PackError> {
        let file = File::create(path).at_path(path)?;
        Self::begin(path.to_owned(), file)
    }

    fn begin(path: PathBuf, mut file: File) -> Result<Self, PackError> {
        match file.write_all(MAGIC) {
            Ok(()) => {
                Ok(Self { path, file, size: MAGIC.len() as u64, waiting: Vec::new(), waiting_games: 0 })
            }
            Err(error) => Err(PackError::File(FileError { path, error })),
        }
    }

    /// Appends a game, whose moves must be legal.
    pub fn push(&mut self, game: &TrainingGame) -> Result<(), PackError> {
        encode(game, &mut self.waiting);
        self.waiting_games += 1;
        if self.waiting_games == BLOCK_GAMES { self.write_block() } else { Ok(()) }
    }

    fn write_block(&mut self) -> Result<(), PackError> {
        let compressed = compress_to_vec(self.waiting.as_slice(), CompressionLevel::Fastest);
        // Blocks that compression does not make smaller are stored as they are, which their sizes show.
        let stored = if compressed.len() < self.waiting.len() { &compressed } else { &self.waiting };
        let head = BlockHead {
            stored: stored.len() as u32,
            plain: self.waiting.len() as u32,
            games: self.waiting_games as u32,
            checksum: checksum(stored),
        };
        let written = self.file.write_all(&[&head.to_bytes()[..], stored].concat());
        written.at_path(&self.path)?;
        self.size += (BlockHead::BYTES + stored.len()) as u64;
        self.waiting.clear();
        self.waiting_games = 0;
        Ok(())
    }

    /// Writes all pending games and syncs the file.
    pub fn finish(mut self) -> Result<(), PackError> {
        if self.waiting_games > 0 {
            self.write_block()?;
        }
        self.file.sync_all().map_err(|error| PackError::File(FileError { path: self.path, error }))
    }
}

impl Resumed {
    fn add_all(&mut self, path: &Path) -> Result<(), PackError> {
        for game in PackReader::open(path)? {
            self.games += 1;
            self.positions += game?.moves.len() as u64;
        }
        Ok(())
    }
}

/// Reads the games of a pack; stops at the first error.
pub struct PackReader<R = io::BufReader<File>> {
    path: PathBuf,
    input: R,
    /// The offset of the next block.
    offset: u64,
    games: std::vec::IntoIter<TrainingGame>,
    failed: bool,
}

impl PackReader {
    /// Opens a pack.
    pub fn open(path: &Path) -> Result<Self, PackError> {
        let at = |error| PackError::File(FileError { path: path.to_owned(), error });
        Self::new(path, io::BufReader::with_capacity(1 << 18, File::open(path).map_err(at)?))
    }
}

impl<R: Read> PackReader<R> {
    /// Reads a pack from any input; `path` is for messages.
    pub fn new(path: &Path, mut input: R) -> Result<Self, PackError> {
        let at = |error| PackError::File(FileError { path: path.to_owned(), error });
        let mut magic = [0; MAGIC.len()];
        match input.read_exact(&mut magic) {
            Ok(()) if &magic == MAGIC => {}
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(at(error)),
            _ => return Err(PackError::Magic(path.to_owned())),
        }
        let offset = MAGIC.len() as u64;
        Ok(Self { path: path.to_owned(), input, offset, games: Vec::new().into_iter(), failed: false })
    }

    /// The games of the next block; `None` at the end.
    fn block(&mut self) -> Result<Option<Vec<TrainingGame>>, PackError> {
        self.next_block()?.map(Block::games).transpose()
    }

    /// The next block in its stored form; `None` at the end.
    pub fn next_block(&mut self) -> Result<Option<Block>, PackError> {
        let offset = self.offset;
        let damaged =
            |reason: &str| PackError::Block { path: self.path.clone(), offset, reason: reason.to_owned() };
        let mut head = [0; BlockHead::BYTES];
        let mut read = 0;
        while read < head.len() {
            match self.input.read(&mut head[read..]) {
                Ok(0) if read == 0 => return Ok(None),
                Ok(0) => return Err(damaged("the file ends inside of it")),
                Ok(count) => read += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(PackError::File(FileError { path: self.path.clone(), error })),
            }
        }
        let head = BlockHead::from_bytes(&head);
        if head.stored > LARGEST_BLOCK || head.plain > LARGEST_BLOCK || head.stored > head.plain {
            return Err(damaged("its sizes are impossible"));
        }
        let mut stored = Vec::new();
        let read = (&mut self.input).take(u64::from(head.stored)).read_to_end(&mut stored);
        read.at_path(&self.path)?;
        if stored.len() < head.stored as usize {
            return Err(damaged("the file ends inside of it"));
        }
        if checksum(&stored) != head.checksum {
            return Err(damaged("its checksum is wrong"));
        }
        self.offset += BlockHead::BYTES as u64 + u64::from(head.stored);
        Ok(Some(Block { path: self.path.clone(), offset, head, stored }))
    }
}

/// A stored block of games. Unpacking is most of the work of reading a pack, and can be done on several threads.
pub struct Block {
    path: PathBuf,
    offset: u64,
    head: BlockHead,
    stored: Vec<u8>,
}

impl Block {
    /// Unpacks it.
    pub fn games(self) -> Result<Vec<TrainingGame>, PackError> {
        let Self { path, offset, head, stored } = self;
        let damaged =
            |reason: &str| PackError::Block { path: path.clone(), offset, reason: reason.to_owned() };
        let plain = if head.stored == head.plain {
            stored
        } else {
            let mut plain = Vec::new();
            StreamingDecoder::new(stored.as_slice())
                .map_err(|error| damaged(&error.to_string()))?
                .take(u64::from(head.plain) + 1)
                .read_to_end(&mut plain)
                .map_err(|error| damaged(&error.to_string()))?;
            plain
        };
        if plain.len() != head.plain as usize {
            return Err(damaged("it does not unpack to its size"));
        }
        let mut decoder = Decoder(&plain);
        let mut games = Vec::new();
        while !decoder.is_empty() {
            let game = decoder.game();
            games.push(game.map_err(|error| PackError::Game { path: path.clone(), offset, error })?);
        }
        if games.len() != head.games as usize {
            return Err(damaged("it does not contain the number of games in its header"));
        }
        Ok(games)
    }
}

impl<R: Read> Iterator for PackReader<R> {
    type Item = Result<TrainingGame, PackError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.games.next() {
                return Some(Ok(game));
            }
            if self.failed {
                return None;
            }
            match self.block() {
                Ok(Some(games)) => self.games = games.into_iter(),
                Ok(None) => return None,
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
            }
        }
    }
}
