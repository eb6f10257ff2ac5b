//! Sources of records: files, folders, patterns, archives, standard input.

use super::archive::{self, Archive, ArchiveError};
use crate::notation::{Notation, ReadGame, is_plainly_shogi, other_game};
use crate::text::encoding::{Encoding, decode};
use crate::{Format, Games, Loaded, ReadError, ReadOptions, detect, read, read_all};
use std::cell::OnceCell;
use std::collections::VecDeque;
use std::fs::{DirEntry, File, Metadata};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};

/// An input named on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// `-`
    Stdin,
    /// A file, a folder (with all below it), an archive, or a pattern such as `games/**/*.kif`.
    Path(PathBuf),
}

impl From<&PathBuf> for Input {
    fn from(path: &PathBuf) -> Self {
        if path == Path::new("-") { Self::Stdin } else { Self::Path(path.clone()) }
    }
}

/// Why a source cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// An error of the system.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A damaged archive.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A pattern without matches, or a file that does not exist.
    #[error("no such file, and no file matches it as a pattern")]
    NothingFits,
    /// A file without a game.
    #[error("no game in it")]
    NoGame,
    /// A malformed pattern.
    #[error("bad pattern: {0}")]
    Pattern(glob::PatternError),
}

// Not `#[from]`, which would make it a source as well: the text above already contains it.
impl From<glob::PatternError> for SourceError {
    fn from(error: glob::PatternError) -> Self {
        Self::Pattern(error)
    }
}

/// Why a game cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Its source cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The source is not a record.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A game other than shogi.
    #[error("a record of {0}, not of shogi")]
    OtherGame(String),
}

/// The origin of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The number of the input that named it, from 0.
    pub input: usize,
    /// The file, also one inside an archive, relative to the named input.
    pub relative: PathBuf,
    /// The name in messages.
    pub shown: String,
    /// Index of the game in its source, from 1.
    pub number: usize,
}

impl Origin {
    fn file(input: usize, relative: &Path, shown: &str) -> Self {
        Self { input, relative: relative.to_owned(), shown: shown.to_owned(), number: 1 }
    }

    /// The read options, with the format that the file name suggests.
    pub(super) fn options(&self, options: ReadOptions) -> ReadOptions {
        ReadOptions { promised: Format::of_path(&self.relative), ..options }
    }
}

/// Whether the name of a file in a folder can be that of a record.
fn is_record_name(path: &Path) -> bool {
    let is = |known| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(known));
    Format::of_path(path).is_some() || is("txt") || is("zip")
}

/// A file to read, and its path relative to the named input.
pub(super) struct Found {
    /// The number of the input.
    input: usize,
    path: PathBuf,
    relative: PathBuf,
    /// Cached, so that the system is queried once.
    size: OnceCell<Option<u64>>,
}

impl Found {
    fn new(path: PathBuf, relative: PathBuf) -> Self {
        Self { input: 0, path, relative, size: OnceCell::new() }
    }

    fn origin(&self) -> Origin {
        Origin::file(self.input, &self.relative, &self.path.to_string_lossy())
    }

    /// The size, if the file is small enough to be read at once.
    fn small(&self) -> Option<usize> {
        self.size().filter(|size| *size <= SMALL_FILE).map(|size| size as usize)
    }

    /// The size of a regular file; that of pipes and the like is meaningless.
    fn size(&self) -> Option<u64> {
        *self.size.get_or_init(|| std::fs::metadata(&self.path).ok().as_ref().and_then(regular_size))
    }
}

/// Larger files are split into games while they are read.
const SMALL_FILE: u64 = 1 << 20;

fn regular_size(data: &Metadata) -> Option<u64> {
    data.is_file().then_some(data.len())
}

/// The files of a path; those of folders in the order of names.
fn find(path: &Path) -> Result<Vec<Found>, SourceError> {
    let mut found = Vec::new();
    let missing = match std::fs::metadata(path) {
        Ok(data) => {
            take(path, Some(&data), &mut found)?;
            return Ok(found);
        }
        Err(error) => error,
    };
    let pattern = path.to_string_lossy();
    if !pattern.contains(['*', '?', '[']) {
        return Err(missing.into());
    }
    for path in glob::glob(&pattern)? {
        let path = path.map_err(io::Error::from)?;
        take(&path, std::fs::metadata(&path).ok().as_ref(), &mut found)?;
    }
    if found.is_empty() { Err(SourceError::NothingFits) } else { Ok(found) }
}

/// Adds a file, or all files of a folder. Errors of files are reported when they are opened.
fn take(path: &Path, data: Option<&Metadata>, found: &mut Vec<Found>) -> io::Result<()> {
    if data.is_some_and(Metadata::is_dir) {
        return walk(path, found);
    }
    let relative = PathBuf::from(path.file_name().unwrap_or(path.as_os_str()));
    found.push(Found { input: 0, path: path.to_owned(), relative, size: data.and_then(regular_size).into() });
    Ok(())
}

fn walk(root: &Path, found: &mut Vec<Found>) -> io::Result<()> {
    // A list instead of recursion: folders may be nested to any depth.
    let mut folders = vec![Found::new(root.to_owned(), PathBuf::new())];
    while let Some(folder) = folders.pop() {
        // Links to files are followed, but not links to folders, which may form cycles.
        let entry =
            |entry: io::Result<DirEntry>| entry.and_then(|e| Ok((e.file_name(), e.file_type()?.is_dir())));
        let mut entries: Vec<_> = std::fs::read_dir(&folder.path)?.map(entry).collect::<Result<_, _>>()?;
        entries.sort();
        let mut below = Vec::new();
        for (name, is_folder) in entries {
            let inside = || Found::new(folder.path.join(&name), folder.relative.join(&name));
            if is_folder {
                below.push(inside());
            } else if is_record_name(Path::new(&name)) {
                found.push(inside());
            }
        }
        below.reverse();
        folders.extend(below);
    }
    Ok(())
}

/// The files of a path: the file itself, those in a folder and below, or those that match a pattern.
pub fn record_files(path: &Path) -> Result<Vec<PathBuf>, SourceError> {
    Ok(find(path)?.into_iter().map(|found| found.path).collect())
}

enum Source {
    Stdin(usize),
    File(Found),
    Missing(Origin, SourceError),
}

/// A unit of work for any thread.
pub(super) enum Item {
    /// A small file that has not been read yet.
    File(Found, usize),
    /// A file of an archive.
    Packed(Origin, Archive, usize, String),
    /// One game of a large file.
    Game(Origin, Vec<u8>),
    Failure(Origin, SourceError),
}

/// The content of an item.
#[derive(Clone, Copy)]
pub(super) enum Contents<'a> {
    /// All games of a file.
    File(&'a [u8]),
    /// One game.
    Game(&'a [u8]),
}

/// Receives the content of items, or why it cannot be read.
pub(super) type Take<'a> = dyn FnMut(Origin, Result<Contents<'_>, SourceError>) + 'a;

impl Item {
    /// Passes its content to `take`.
    pub fn open(self, buffer: &mut Vec<u8>, count: &dyn Fn(u64), take: &mut Take<'_>) {
        match self {
            Self::File(found, size) => match read_whole(&found.path, size, buffer) {
                Ok(bytes) => {
                    count(bytes.len() as u64);
                    if !archive::looks_like(bytes) {
                        return take(found.origin(), Ok(Contents::File(bytes)));
                    }
                    for item in packed(&found, bytes) {
                        item.open(&mut Vec::new(), count, take);
                    }
                }
                Err(error) => take(found.origin(), Err(error.into())),
            },
            Self::Packed(origin, mut archive, index, name) => match archive.unpack(index, &name) {
                Ok(bytes) => take(origin, Ok(Contents::File(&bytes))),
                Err(error) => take(origin, Err(error.into())),
            },
            Self::Game(origin, bytes) => take(origin, Ok(Contents::Game(&bytes))),
            Self::Failure(origin, error) => take(origin, Err(error)),
        }
    }
}

/// Reads a file of this size into a reusable buffer; returns the part that was filled.
fn read_whole<'a>(path: &Path, size: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
    let mut file = File::open(path)?;
    buffer.clear();
    // One byte more detects the end of the file.
    buffer.reserve(size + 1);
    file.read_to_end(buffer)?;
    Ok(buffer)
}

/// The records of an archive.
fn packed(found: &Found, bytes: &[u8]) -> VecDeque<Item> {
    let mut archive = match Archive::new(bytes) {
        Ok(archive) => archive,
        Err(error) => return [Item::Failure(found.origin(), error.into())].into(),
    };
    let (shown, names) = (found.path.to_string_lossy(), archive.names());
    let item = |(index, name): (usize, String)| {
        let inner = PathBuf::from(&name);
        let relative = found.relative.with_extension("").join(safe(&inner));
        let origin = Origin::file(found.input, &relative, &format!("{shown}/{name}"));
        let is_record = !name.ends_with('/') && is_record_name(&inner);
        is_record.then(|| Item::Packed(origin, archive.clone(), index, name))
    };
    names.into_iter().filter_map(item).collect()
}

/// Keeps only plain names that every system takes: an archive must not write outside the destination folder.
fn safe(path: &Path) -> PathBuf {
    let name = |part| match part {
        Component::Normal(name) => Some(platform::portable(&name.to_string_lossy())),
        _ => None,
    };
    path.components().filter_map(name).collect()
}

/// All items of some inputs, in order.
pub(super) struct Sources<'a> {
    files: std::vec::IntoIter<Source>,
    options: ReadOptions,
    count: &'a (dyn Fn(u64) + Sync),
    /// Further items of the last file.
    waiting: VecDeque<Item>,
    cutting: Option<Cutting<'a>>,
}

/// A large file that is being split into games.
struct Cutting<'a> {
    origin: Origin,
    games: Games<Box<dyn BufRead + Send + 'a>>,
}

impl<'a> Sources<'a> {
    /// Finds the files. `count` is called with the bytes of large files as they are read.
    pub fn new(inputs: &[Input], options: ReadOptions, count: &'a (dyn Fn(u64) + Sync)) -> Self {
        let mut files = Vec::new();
        for (number, input) in inputs.iter().enumerate() {
            match input {
                Input::Stdin => files.push(Source::Stdin(number)),
                Input::Path(path) => match find(path) {
                    Ok(found) => {
                        let numbered = found.into_iter().map(|found| Found { input: number, ..found });
                        files.extend(numbered.map(Source::File));
                    }
                    Err(error) => {
                        let origin = Origin::file(number, path, &path.display().to_string());
                        files.push(Source::Missing(origin, error));
                    }
                },
            }
        }
        Self { files: files.into_iter(), options, count, waiting: VecDeque::new(), cutting: None }
    }

    /// Number of files, including standard input.
    pub fn len(&self) -> usize {
        self.files.as_slice().iter().filter(|file| !matches!(file, Source::Missing(..))).count()
    }

    /// The total size of all files, as far as it is known.
    pub fn size(&self) -> u64 {
        let size = |file: &Source| if let Source::File(found) = file { found.size() } else { None };
        self.files.as_slice().iter().filter_map(size).sum()
    }

    fn open(&mut self, found: &Found) -> Result<(), SourceError> {
        let file = Counting { inner: File::open(&found.path)?, count: self.count };
        let mut input = BufReader::with_capacity(1 << 16, file);
        if !input.fill_buf().is_ok_and(archive::looks_like) {
            return self.cut(Box::new(input), found.origin());
        }
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes)?;
        self.waiting = packed(found, &bytes);
        Ok(())
    }

    fn cut(&mut self, input: Box<dyn BufRead + Send + 'a>, origin: Origin) -> Result<(), SourceError> {
        let games = Games::new(input, origin.options(self.options))?;
        self.cutting = Some(Cutting { origin, games });
        Ok(())
    }
}

impl Iterator for Sources<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.waiting.pop_front() {
                return Some(item);
            }
            if let Some(Cutting { origin, games }) = &mut self.cutting {
                let here = origin.clone();
                match games.next() {
                    Some(Ok(bytes)) => {
                        origin.number += 1;
                        return Some(Item::Game(here, bytes));
                    }
                    Some(Err(error)) => self.waiting.push_back(Item::Failure(here, error.into())),
                    None => {}
                }
                self.cutting = None;
                continue;
            }
            let (opened, origin) = match self.files.next()? {
                Source::Missing(origin, error) => return Some(Item::Failure(origin, error)),
                Source::Stdin(number) => {
                    let origin = Origin::file(number, Path::new("stdin"), "standard input");
                    let input = Counting { inner: io::stdin(), count: self.count };
                    (self.cut(Box::new(BufReader::with_capacity(1 << 16, input)), origin.clone()), origin)
                }
                Source::File(found) => match found.small() {
                    Some(size) => return Some(Item::File(found, size)),
                    None => (self.open(&found), found.origin()),
                },
            };
            if let Err(error) = opened {
                return Some(Item::Failure(origin, error));
            }
        }
    }
}

/// Counts the bytes read.
struct Counting<'a, R> {
    inner: R,
    count: &'a (dyn Fn(u64) + Sync),
}

impl<R: Read> Read for Counting<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        (self.count)(n as u64);
        Ok(n)
    }
}

/// Receives each game of a source, or why there is none; the first argument names the source.
pub type EachRecord<'a> = dyn FnMut(&str, Result<Loaded, LoadError>) + 'a;

/// Reads each game of shogi from a file, or from the files of a zip archive.
pub fn each_record(path: &Path, options: ReadOptions, each: &mut EachRecord<'_>) {
    let one = |game: &[u8], options: &ReadOptions| match other_game(game) {
        Some(name) => Err(LoadError::OtherGame(name)),
        None => read(game, options).map_err(Into::into),
    };
    let mut take = |origin: Origin, contents: Result<Contents<'_>, SourceError>| {
        let options = origin.options(options);
        let mut each = |loaded| each(&origin.shown, loaded);
        match contents {
            Err(error) => each(Err(error.into())),
            Ok(Contents::Game(game)) => each(one(game, &options)),
            Ok(Contents::File(file)) if is_plainly_shogi(file) => {
                read_all(file, options).for_each(|loaded| each(loaded.map_err(Into::into)));
            }
            // Reading from memory does not fail.
            Ok(Contents::File(file)) => {
                let games = Games::new(file, options).into_iter().flatten().flatten();
                games.for_each(|game| each(one(&game, &options)));
            }
        }
    };
    let count: &(dyn Fn(u64) + Sync) = &|_| ();
    let files = vec![Source::File(Found::new(path.to_owned(), path.to_owned()))].into_iter();
    let sources = Sources { files, options, count, waiting: VecDeque::new(), cutting: None };
    let mut buffer = Vec::new();
    sources.for_each(|item| item.open(&mut buffer, count, &mut take));
}

/// The origin of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file, relative to the named input.
    pub relative: PathBuf,
    /// The file, for messages.
    pub shown: String,
    /// Index of the game in its file, from 1.
    pub number: usize,
    /// The format, if known.
    pub format: Option<Format>,
    /// The encoding.
    pub encoding: Encoding,
}

/// Reads every game of some inputs, in order; `each` receives the game, or why there is none.
pub fn each_game(
    inputs: &[Input],
    notation: &dyn Notation,
    each: &mut dyn FnMut(Place, Result<ReadGame, SourceError>),
) {
    let options = ReadOptions::default();
    let count: &(dyn Fn(u64) + Sync) = &|_| ();
    let place = |origin: &Origin, bytes: &[u8], number| {
        let decoded = decode(bytes);
        let format = detect(&decoded.text, Format::of_path(&origin.relative));
        let (relative, shown) = (origin.relative.clone(), origin.shown.clone());
        Place { relative, shown, number, format, encoding: decoded.encoding }
    };
    let mut take = |origin: Origin, contents: Result<Contents<'_>, SourceError>| {
        let options = origin.options(options);
        let (bytes, games) = match contents {
            Err(error) => return each(place(&origin, b"", origin.number), Err(error)),
            Ok(Contents::Game(game)) => (game, notation.read(game, &options)),
            Ok(Contents::File(file)) => (file, notation.read_file(file, &options)),
        };
        if games.is_empty() {
            return each(place(&origin, bytes, origin.number), Err(SourceError::NoGame));
        }
        for (index, game) in games.into_iter().enumerate() {
            each(place(&origin, bytes, origin.number + index), Ok(game));
        }
    };
    let mut buffer = Vec::new();
    Sources::new(inputs, options, count).for_each(|item| item.open(&mut buffer, count, &mut take));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_games_of_shogi_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.usi");
        std::fs::write(&path, "startpos moves 7g7f\nstartpos z3Z3 moves 7g7fzG\n").unwrap();
        let mini = folder.path().join("mini.kif");
        std::fs::write(&mini, "棋種：minishogi\n   1 ３四銀(35)\n").unwrap();
        let told = |path: &Path| {
            let mut told = Vec::new();
            let each = &mut |_: &str, loaded: Result<Loaded, LoadError>| {
                told.push(
                    loaded.map(|loaded| loaded.record.moves().count()).map_err(|error| error.to_string()),
                );
            };
            each_record(path, ReadOptions::default(), each);
            told
        };
        assert_eq!(told(&path), [Ok(1), Err("a record of Freeze shogi, not of shogi".to_owned())]);
        assert_eq!(told(&mini), [Err("a record of minishogi, not of shogi".to_owned())]);
    }
}
