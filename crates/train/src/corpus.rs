//! Reads training data of any format as records or games.
//!
//! | ending | format |
//! |---|---|
//! | `.pack` | games of [`pack`](crate::pack) |
//! | `.hcpe` | Apery's and dlshogi's records of 38 bytes |
//! | `.hcpe3` | dlshogi's games |
//! | `.txt`, `.plain` | `YaneuraOu`'s text: `sfen …`, `move …`, `score …`, `ply …`, `result …`, `e` |
//! | anything else | `YaneuraOu`'s records of 40 bytes (`.bin`, `.psv`) |

use crate::pack::{Block, PackError, PackReader};
use crate::{DataFormat, Ending, Hcpe3Reader, ScoredMove, TrainingGame};
use platform::workers::{Workers, in_parallel};
use platform::{AtPath, FileError};
use shogi::{HcpeRecord, PackedSfen, PackedSfenValue, PlainReader, Position};
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Training data that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file error.
    #[error(transparent)]
    File(#[from] FileError),
    /// An error of a pack.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// An invalid record.
    #[error("{}: record {number} at byte {offset}: {reason}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        number: u64,
        /// Its offset.
        offset: u64,
        /// Why.
        reason: String,
    },
    /// Invalid text.
    #[error("{}: {reason}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        reason: String,
    },
    /// No training data was found.
    #[error("no training data found in {0}; expected .pack, .bin, .psv, .hcpe, .hcpe3 or .txt files")]
    Nothing(String),
}

/// Positions with their labels; those of a game are consecutive.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// The positions.
    pub records: Vec<PackedSfenValue>,
    /// The index of the first record of each game.
    pub games: Vec<usize>,
}

impl Corpus {
    /// The games, each as a slice of its positions.
    #[must_use]
    pub fn games(&self) -> impl ExactSizeIterator<Item = &[PackedSfenValue]> {
        let end = |game: usize| self.games.get(game + 1).copied().unwrap_or(self.records.len());
        self.games.iter().enumerate().map(move |(game, start)| &self.records[*start..end(game)])
    }

    /// Splits off held-out games, one of every `held_out` (0 for none).
    #[must_use]
    pub fn split(&self, held_out: usize) -> (Vec<&PackedSfenValue>, Vec<&PackedSfenValue>) {
        let (mut most, mut apart) = (Vec::with_capacity(self.records.len()), Vec::new());
        for (number, game) in self.games().enumerate() {
            if is_apart(number, held_out) { &mut apart } else { &mut most }.extend(game);
        }
        (most, apart)
    }

    fn append(&mut self, other: Self) {
        let offset = self.records.len();
        self.games.extend(other.games.iter().map(|start| start + offset));
        self.records.extend(other.records);
    }

    /// Appends a record of a file without games: a ply that does not follow the last one starts another game.
    fn push(&mut self, record: PackedSfenValue) {
        let follows =
            self.records.last().is_some_and(|last| record.ply > last.ply && record.ply - last.ply <= 2);
        if !follows {
            self.games.push(self.records.len());
        }
        self.records.push(record);
    }
}

/// The files of paths; a folder stands for the training data in it, in the order of names.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CorpusError> {
    let mut files = Vec::new();
    for path in paths {
        let at = |error| CorpusError::File(FileError { path: path.clone(), error });
        if path.is_dir() {
            let entries = fs::read_dir(path).map_err(at)?;
            let mut found: Vec<PathBuf> =
                entries.map(|entry| entry.map(|entry| entry.path()).map_err(at)).collect::<Result<_, _>>()?;
            found.retain(|file| file.is_file() && DataFormat::of_name(file).is_some());
            found.sort();
            files.extend(found);
        } else {
            files.push(path.clone());
        }
    }
    if files.is_empty() {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(CorpusError::Nothing(names.join(", ")));
    }
    Ok(files)
}

/// Reads one file.
pub fn read(path: &Path) -> Result<Corpus, CorpusError> {
    match DataFormat::of_name(path).unwrap_or(DataFormat::Psv) {
        DataFormat::Pack => records_of_games(path, packed_games(path)?),
        DataFormat::Psv => read_psv(path),
        DataFormat::Hcpe => read_hcpe(path),
        DataFormat::Hcpe3 => records_of_games(path, hcpe3_games(path)?),
        DataFormat::Plain => read_plain(path),
    }
}

/// Whether a game is held out: one of every `held_out` games, none for 0.
pub(crate) fn is_apart(number: usize, held_out: usize) -> bool {
    held_out > 0 && number % held_out == held_out - 1
}

/// Reads files on several threads; the result is in their order.
pub fn load(files: &[PathBuf], threads: usize) -> Result<Corpus, CorpusError> {
    let mut corpus = Corpus::default();
    for part in in_parallel(files, threads, |file| read(file)) {
        corpus.append(part?);
    }
    Ok(corpus)
}

/// Processes all records in the order of the files. Packs are split into blocks, on which several threads run `work`;
/// `take` receives the results in order.
pub fn in_parts<T: Send, E: From<CorpusError>>(
    files: &[PathBuf],
    threads: usize,
    work: impl Fn(Corpus) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    for file in files {
        if DataFormat::of_name(file) != Some(DataFormat::Pack) {
            take(work(read(file)?))?;
            continue;
        }
        let mut pack = PackReader::open(file).map_err(CorpusError::from)?;
        let blocks = std::iter::from_fn(move || pack.next_block().transpose());
        let done = |block: Result<Block, PackError>| -> Result<T, CorpusError> {
            let games = block?.games()?.into_iter().map(Ok);
            records_of_games(file, games).map(&work)
        };
        let abandon = AtomicBool::new(false);
        let workers = Workers::new("read", threads, &abandon);
        workers.work_in_order(blocks, || Some(|block| Some(done(block))), || (), |part| take(part?))?;
    }
    Ok(())
}

/// Games of a file.
pub type Games = Box<dyn Iterator<Item = Result<TrainingGame, CorpusError>> + Send>;

/// The games of one file in order. In a file of records, a game lasts as long as each move leads to the next record.
/// Only files of games are read incrementally.
pub fn games(path: &Path) -> Result<Games, CorpusError> {
    Ok(match DataFormat::of_name(path).unwrap_or(DataFormat::Psv) {
        DataFormat::Pack => Box::new(packed_games(path)?),
        DataFormat::Hcpe3 => Box::new(hcpe3_games(path)?),
        DataFormat::Psv | DataFormat::Hcpe | DataFormat::Plain => {
            Box::new(Chains { path: path.to_owned(), records: (1..).zip(read(path)?.records), begun: None })
        }
    })
}

/// Processes the games of one file; `take` may fail, too.
pub fn read_games<E: From<CorpusError>>(
    path: &Path,
    mut take: impl FnMut(TrainingGame) -> Result<(), E>,
) -> Result<(), E> {
    games(path)?.try_for_each(|game| take(game?))
}

/// Splits records into games.
struct Chains<R> {
    path: PathBuf,
    /// The records with their numbers, from 1.
    records: R,
    begun: Option<Chain>,
}

impl<R: Iterator<Item = (u64, PackedSfenValue)>> Iterator for Chains<R> {
    type Item = Result<TrainingGame, CorpusError>;

    fn next(&mut self) -> Option<Self::Item> {
        for (number, record) in self.records.by_ref() {
            let next = match Chain::of(number - 1, &record) {
                Ok(next) => next,
                Err(reason) => {
                    return Some(Err(CorpusError::Record {
                        path: self.path.clone(),
                        number,
                        offset: 0,
                        reason,
                    }));
                }
            };
            match self.begun.take() {
                Some(chain) if chain.leads_to(&next) => self.begun = Some(chain.followed_by(next)),
                Some(chain) => {
                    self.begun = Some(next);
                    return Some(Ok(chain.game));
                }
                None => self.begun = Some(next),
            }
        }
        self.begun.take().map(|chain| Ok(chain.game))
    }
}

/// A game assembled from records.
struct Chain {
    game: TrainingGame,
    end: Position,
}

impl Chain {
    fn of(index: u64, record: &PackedSfenValue) -> Result<Self, String> {
        let setup = record.setup().map_err(|error| error.to_string())?;
        let start = Position::try_from(setup).map_err(|error| error.to_string())?;
        let played = record
            .best_move()
            .filter(|m| start.is_legal(*m))
            .ok_or_else(|| format!("{:#06x} is no legal move in {}", record.move_bits, start.sfen()))?;
        let mut end = start.clone();
        end.do_move(played);
        let winner = record.result.winner(start.side());
        let moves = vec![ScoredMove { played, score: record.score }];
        Ok(Self { game: TrainingGame { index, start, moves, winner, ending: Ending::Adjudicated }, end })
    }

    /// Whether the next record continues the game. Records without plies (hcpe) all have ply 1.
    fn leads_to(&self, next: &Self) -> bool {
        let (end, start) = (&self.end, &next.game.start);
        end.key() == start.key()
            && (start.ply() == end.ply() || start.ply() == 1)
            && self.game.winner == next.game.winner
    }

    fn followed_by(mut self, next: Self) -> Self {
        self.game.moves.extend(next.game.moves);
        let played = self.game.moves[self.game.moves.len() - 1].played;
        self.end.do_move(played);
        self
    }
}

fn packed_games(
    path: &Path,
) -> Result<impl Iterator<Item = Result<TrainingGame, CorpusError>> + use<>, CorpusError> {
    Ok(PackReader::open(path)?.map(|game| game.map_err(CorpusError::from)))
}

fn hcpe3_games(
    path: &Path,
) -> Result<impl Iterator<Item = Result<TrainingGame, CorpusError>> + use<>, CorpusError> {
    let file = File::open(path).at_path(path)?;
    let path = path.to_owned();
    let bad =
        move |error: crate::Hcpe3Error| CorpusError::Text { path: path.clone(), reason: error.to_string() };
    Ok(Hcpe3Reader::new(BufReader::with_capacity(1 << 18, file)).map(move |game| game.map_err(&bad)))
}

fn records_of_games(
    path: &Path,
    games: impl Iterator<Item = Result<TrainingGame, CorpusError>>,
) -> Result<Corpus, CorpusError> {
    let mut corpus = Corpus::default();
    for game in games {
        let records = game?.records().map_err(|error| CorpusError::Record {
            path: path.to_owned(),
            number: corpus.records.len() as u64 + 1,
            offset: 0,
            reason: error.to_string(),
        })?;
        corpus.games.push(corpus.records.len());
        corpus.records.extend(records);
    }
    Ok(corpus)
}

/// Reads records of `N` bytes.
fn read_records<const N: usize>(
    path: &Path,
    parse: impl Fn(&[u8; N]) -> Result<PackedSfenValue, String>,
) -> Result<Corpus, CorpusError> {
    let at = |error| CorpusError::File(FileError { path: path.to_owned(), error });
    let mut input = BufReader::with_capacity(1 << 20, File::open(path).map_err(at)?);
    let mut corpus = Corpus::default();
    let mut bytes = [0; N];
    for number in 1.. {
        let offset = (number - 1) * N as u64;
        let bad = |reason: String| CorpusError::Record { path: path.to_owned(), number, offset, reason };
        let mut filled = 0;
        while filled < N {
            match input.read(&mut bytes[filled..]).map_err(at)? {
                0 if filled == 0 => return Ok(corpus),
                0 => return Err(bad(format!("the file ends after {filled} of {N} bytes"))),
                count => filled += count,
            }
        }
        corpus.push(parse(&bytes).map_err(bad)?);
    }
    Ok(corpus)
}

fn read_psv(path: &Path) -> Result<Corpus, CorpusError> {
    read_records(path, |bytes| PackedSfenValue::from_bytes(bytes).map_err(|error| error.to_string()))
}

fn read_hcpe(path: &Path) -> Result<Corpus, CorpusError> {
    read_records(path, hcpe_record)
}

pub(crate) fn hcpe_record(bytes: &[u8; HcpeRecord::BYTES]) -> Result<PackedSfenValue, String> {
    let record = HcpeRecord::from_bytes(bytes).map_err(|error| error.to_string())?;
    let setup = record.position.unpack().map_err(|error| error.to_string())?;
    let position = Position::try_from(setup).map_err(|error| error.to_string())?;
    Ok(PackedSfenValue {
        position: PackedSfen::try_from(&position).map_err(|error| error.to_string())?,
        score: record.score,
        move_bits: record.best_move().map_or(0, shogi::Move::bits),
        ply: 1,
        result: shogi::GameResult::for_side(position.side(), record.winner),
        padding: 0,
    })
}

fn read_plain(path: &Path) -> Result<Corpus, CorpusError> {
    let file = File::open(path).at_path(path)?;
    let mut corpus = Corpus::default();
    for record in PlainReader::new(BufReader::new(file)) {
        let record =
            record.map_err(|error| CorpusError::Text { path: path.to_owned(), reason: error.to_string() })?;
        corpus.push(record);
    }
    Ok(corpus)
}
