//! Where records come from: files, folders, patterns, archives, standard input.

use super::zip::{self, ZipError};
use crate::encoding::decode;
use crate::{Format, Games, Loaded, ReadError, ReadOptions, freeze, read, read_all, variant};
use std::cell::OnceCell;
use std::fs::{DirEntry, File, Metadata};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// What the command line names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// `-`
    Stdin,
    /// A file, a folder (with all below it), an archive, or a pattern such as `games/**/*.kif`.
    Path(PathBuf),
}

/// Why a source could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The system says no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A bad archive.
    #[error(transparent)]
    Zip(#[from] ZipError),
    /// A pattern that fits nothing, or a name that is not there.
    #[error("no such file, and no file fits it as a pattern")]
    NothingFits,
    /// A pattern that is none.
    #[error("bad pattern: {0}")]
    Pattern(glob::PatternError),
}

// Not `#[from]`, which would make a source of it: the text above says it already.
impl From<glob::PatternError> for SourceError {
    fn from(error: glob::PatternError) -> Self {
        Self::Pattern(error)
    }
}

/// Why there is no game.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Its source could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// What the source holds is none.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is a game, but not of shogi.
    #[error("a record of {0}, not of shogi")]
    OtherGame(String),
}

/// One game as it lies in its source.
pub(super) struct RawGame {
    /// The source for messages.
    pub origin: Origin,
    pub bytes: Vec<u8>,
    /// The format that the name of the source promises.
    pub promised: Option<Format>,
}

/// Takes what sources hold.
pub(super) trait Taker {
    /// One game; false if no more are wanted.
    fn game(&mut self, game: RawGame) -> bool;
    /// What could not be read, and why.
    fn failure(&mut self, name: &str, error: SourceError);
}

/// Where a game came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    /// The file, or the file inside an archive, relative to what the command line named.
    pub relative: PathBuf,
    /// The name for messages.
    pub shown: String,
    /// Number of the game in its source, from 1.
    pub number: usize,
}

/// Files of a folder that can be records at all.
fn is_record_name(path: &Path) -> bool {
    let is = |known| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(known));
    Format::of_path(path).is_some() || is("txt") || is("zip")
}

/// A file to read and its place relative to what was named.
pub(super) struct Found {
    pub path: PathBuf,
    pub relative: PathBuf,
    /// What the system says, so that it is asked no more than once.
    size: OnceCell<Option<u64>>,
}

impl Found {
    fn new(path: PathBuf, relative: PathBuf) -> Self {
        Self { path, relative, size: OnceCell::new() }
    }

    /// Its name for messages.
    pub fn shown(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// How many bytes it has if it is small enough to be read at once.
    pub fn small(&self) -> Option<usize> {
        self.size().filter(|size| *size <= SMALL_FILE).map(|size| size as usize)
    }

    /// How many bytes it has. Pipes and the like exist without being regular files, and their size means nothing.
    pub fn size(&self) -> Option<u64> {
        *self.size.get_or_init(|| std::fs::metadata(&self.path).ok().as_ref().and_then(regular_size))
    }
}

/// Larger files are cut into games while they are read.
const SMALL_FILE: u64 = 1 << 20;

fn regular_size(data: &Metadata) -> Option<u64> {
    data.is_file().then_some(data.len())
}

/// The files behind a path; folders in the order of names.
pub(super) fn find(path: &Path) -> Result<Vec<Found>, SourceError> {
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

/// Takes a file, or all files of a folder. Of what nothing is known, whoever opens it says why.
fn take(path: &Path, data: Option<&Metadata>, found: &mut Vec<Found>) -> io::Result<()> {
    if data.is_some_and(Metadata::is_dir) {
        return walk(path, found);
    }
    let relative = PathBuf::from(path.file_name().unwrap_or(path.as_os_str()));
    found.push(Found { path: path.to_owned(), relative, size: data.and_then(regular_size).into() });
    Ok(())
}

fn walk(root: &Path, found: &mut Vec<Found>) -> io::Result<()> {
    // A list instead of recursion: folders may be as deep as they like.
    let mut folders = vec![Found::new(root.to_owned(), PathBuf::new())];
    while let Some(folder) = folders.pop() {
        // Links are followed for files, not for folders, so that no circle is walked.
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

/// The files behind a path: itself, what is in the folder and below, or what fits the pattern.
pub fn record_files(path: &Path) -> Result<Vec<PathBuf>, SourceError> {
    Ok(find(path)?.into_iter().map(|found| found.path).collect())
}

/// The name of the game that a record of anything but shogi is of.
fn other_game(bytes: &[u8]) -> Option<String> {
    if freeze::is_freeze(bytes) {
        return Some("Freeze shogi".to_owned());
    }
    let named = variant::may_be_named(bytes).then(|| variant::named(&decode(bytes).text).map(str::to_owned));
    named
        .flatten()
        .filter(|name| !variant::SHOGI.contains(&name.as_str()))
        .map(|name| name.chars().take(40).collect())
}

/// What a source holds: its name, and a game or why there is none.
pub type EachRecord<'a> = dyn FnMut(&str, Result<Loaded, LoadError>) + 'a;

/// Reads `each` game of shogi of a file, or of the files of a zip archive.
pub fn each_record(path: &Path, options: ReadOptions, each: &mut EachRecord<'_>) {
    struct Reading<'a, 'b>(ReadOptions, &'a mut EachRecord<'b>);
    impl Taker for Reading<'_, '_> {
        fn game(&mut self, game: RawGame) -> bool {
            let options = ReadOptions { promised: game.promised, ..self.0 };
            let loaded = match other_game(&game.bytes) {
                Some(name) => Err(LoadError::OtherGame(name)),
                None => read(&game.bytes, &options).map_err(Into::into),
            };
            (self.1)(&game.origin.shown, loaded);
            true
        }

        fn failure(&mut self, name: &str, error: SourceError) {
            (self.1)(name, Err(error.into()));
        }
    }
    let found = Found::new(path.to_owned(), path.to_owned());
    let Some(size) = found.small() else {
        return read_games(&found, options, &mut |_| (), &mut Reading(options, each));
    };
    let mut buffer = Vec::new();
    let shown = found.shown();
    match read_whole(path, size, &mut buffer) {
        Ok(bytes)
            if zip::looks_like(bytes) || variant::may_be_named(bytes) || freeze::may_be_freeze(bytes) =>
        {
            take_games(bytes, &found, options, &mut Reading(options, each));
        }
        Ok(bytes) => read_all(bytes, ReadOptions { promised: Format::of_path(path), ..options })
            .for_each(|loaded| each(&shown, loaded.map_err(Into::into))),
        Err(error) => each(&shown, Err(SourceError::from(error).into())),
    }
}

/// Hands every game of a file (or of the files of an archive) to `taker` until it wants no more.
pub(super) fn read_games(
    found: &Found,
    options: ReadOptions,
    read: &mut dyn FnMut(u64),
    taker: &mut dyn Taker,
) {
    let shown = found.shown();
    let opened = File::open(&found.path).map(|file| Counting { inner: file, count: read });
    let mut input = match opened.map(|file| BufReader::with_capacity(1 << 16, file)) {
        Ok(input) => input,
        Err(error) => return taker.failure(&shown, error.into()),
    };
    let archive = input.fill_buf().is_ok_and(zip::looks_like);
    if !archive {
        return cut(input, &shown, &found.relative, options, taker);
    }
    let mut bytes = Vec::new();
    match input.read_to_end(&mut bytes) {
        Ok(_) => unpack(&bytes, &shown, found, options, taker),
        Err(error) => taker.failure(&shown, error.into()),
    }
}

/// Reads a file of this size into a buffer that is used again and again; what it holds now.
pub(super) fn read_whole<'a>(path: &Path, size: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
    let mut file = File::open(path)?;
    let mut read = 0;
    loop {
        if buffer.len() <= read {
            buffer.resize(2 * read.max(size).max(PAGE), 0);
        }
        match file.read(&mut buffer[read..]) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        // Asking whether there is more would cost as much as opening the file did.
        if read == size && read < buffer.len() {
            break;
        }
    }
    Ok(&buffer[..read])
}

const PAGE: usize = 4096;

/// Hands every game of a file that was read at once to `taker`.
pub(super) fn take_games(bytes: &[u8], found: &Found, options: ReadOptions, taker: &mut dyn Taker) {
    let shown = found.shown();
    if zip::looks_like(bytes) {
        unpack(bytes, &shown, found, options, taker);
    } else {
        cut(bytes, &shown, &found.relative, options, taker);
    }
}

/// Hands on the games of an archive's files.
fn unpack(bytes: &[u8], shown: &str, found: &Found, options: ReadOptions, taker: &mut dyn Taker) {
    let entries = match zip::entries(bytes) {
        Ok(entries) => entries,
        Err(error) => return taker.failure(shown, error.into()),
    };
    for entry in entries {
        let inner = PathBuf::from(&entry.name);
        if entry.name.ends_with('/') || !is_record_name(&inner) {
            continue;
        }
        let shown = format!("{shown}/{}", entry.name);
        match entry.unpack() {
            Ok(contents) => {
                let relative = found.relative.with_extension("").join(safe(&inner));
                cut(contents.as_slice(), &shown, &relative, options, taker);
            }
            Err(error) => taker.failure(&shown, error.into()),
        }
    }
}

/// Only plain names: an archive must not choose folders outside its own.
fn safe(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, std::path::Component::Normal(_))).collect()
}

/// Standard input is one source without a name.
pub(super) fn read_stdin(options: ReadOptions, read: &mut dyn FnMut(u64), taker: &mut dyn Taker) {
    let input = BufReader::with_capacity(1 << 16, Counting { inner: io::stdin().lock(), count: read });
    cut(input, "standard input", Path::new("stdin"), options, taker);
}

fn cut(input: impl BufRead, shown: &str, relative: &Path, options: ReadOptions, taker: &mut dyn Taker) {
    let promised = Format::of_path(relative);
    let games = match Games::new(input, ReadOptions { promised, ..options }) {
        Ok(games) => games,
        Err(error) => return taker.failure(shown, error.into()),
    };
    for (index, game) in games.enumerate() {
        match game {
            Ok(bytes) => {
                let origin =
                    Origin { relative: relative.to_owned(), shown: shown.to_owned(), number: index + 1 };
                if !taker.game(RawGame { origin, bytes, promised }) {
                    return;
                }
            }
            Err(error) => return taker.failure(shown, error.into()),
        }
    }
}

/// Tells how much was read.
struct Counting<'a, R> {
    inner: R,
    count: &'a mut dyn FnMut(u64),
}

impl<R: Read> Read for Counting<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        (self.count)(n as u64);
        Ok(n)
    }
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
