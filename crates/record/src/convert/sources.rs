//! Where records come from: files, folders, patterns, archives, standard input.

use super::zip::{self, ZipError};
use crate::{Format, Games, ReadOptions};
use std::fs::{DirEntry, File};
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
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A bad archive.
    #[error("{0}")]
    Zip(#[from] ZipError),
    /// A pattern that fits nothing, or a name that is not there.
    #[error("no such file, and no file fits it as a pattern")]
    NothingFits,
    /// A pattern that is none.
    #[error("bad pattern: {0}")]
    Pattern(#[from] glob::PatternError),
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
    fn failure(&mut self, name: &str, error: &SourceError);
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
}

/// The files behind a path; folders in the order of names.
pub(super) fn find(path: &Path) -> Result<Vec<Found>, SourceError> {
    let named = |path: &Path| PathBuf::from(path.file_name().unwrap_or(path.as_os_str()));
    if path.is_dir() {
        let mut found = Vec::new();
        walk(path, &mut found)?;
        return Ok(found);
    }
    // Pipes and the like exist without being regular files.
    if path.exists() {
        return Ok(vec![Found { path: path.to_owned(), relative: named(path) }]);
    }
    let pattern = path.to_string_lossy();
    if !pattern.contains(['*', '?', '[']) {
        return Err(SourceError::Io(
            File::open(path).err().unwrap_or_else(|| io::ErrorKind::NotFound.into()),
        ));
    }
    let mut found = Vec::new();
    for path in glob::glob(&pattern)? {
        let path = path.map_err(io::Error::from)?;
        if path.is_dir() {
            walk(&path, &mut found)?;
        } else {
            found.push(Found { relative: named(&path), path });
        }
    }
    if found.is_empty() { Err(SourceError::NothingFits) } else { Ok(found) }
}

fn walk(root: &Path, found: &mut Vec<Found>) -> io::Result<()> {
    // A list instead of recursion: folders may be as deep as they like.
    let mut folders = vec![Found { path: root.to_owned(), relative: PathBuf::new() }];
    while let Some(folder) = folders.pop() {
        // Links are followed for files, not for folders, so that no circle is walked.
        let entry =
            |entry: io::Result<DirEntry>| entry.and_then(|e| Ok((e.file_name(), e.file_type()?.is_dir())));
        let mut entries: Vec<_> = std::fs::read_dir(&folder.path)?.map(entry).collect::<Result<_, _>>()?;
        entries.sort();
        let mut below = Vec::new();
        for (name, is_folder) in entries {
            let inside = || Found { path: folder.path.join(&name), relative: folder.relative.join(&name) };
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

/// What a source holds: its name, the format that this promises, and the bytes of a game or why there are none.
pub type EachGame<'a> = dyn FnMut(&str, Option<Format>, Result<Vec<u8>, &SourceError>) + 'a;

/// Gives `each` game of a file, or of the files of a zip archive.
pub fn each_game(path: &Path, options: ReadOptions, each: &mut EachGame<'_>) {
    struct Giving<'a, 'b>(&'a mut EachGame<'b>);
    impl Taker for Giving<'_, '_> {
        fn game(&mut self, game: RawGame) -> bool {
            (self.0)(&game.origin.shown, game.promised, Ok(game.bytes));
            true
        }

        fn failure(&mut self, name: &str, error: &SourceError) {
            (self.0)(name, None, Err(error));
        }
    }
    let found = Found { path: path.to_owned(), relative: path.to_owned() };
    read_games(&found, options, &mut |_| (), &mut Giving(each));
}

/// Hands every game of a file (or of the files of an archive) to `taker` until it wants no more.
pub(super) fn read_games(
    found: &Found,
    options: ReadOptions,
    read: &mut dyn FnMut(u64),
    taker: &mut dyn Taker,
) {
    let shown = found.path.display().to_string();
    let opened = File::open(&found.path).map(|file| Counting { inner: file, count: read });
    let mut input = match opened.map(|file| BufReader::with_capacity(1 << 16, file)) {
        Ok(input) => input,
        Err(error) => return taker.failure(&shown, &error.into()),
    };
    let archive = input.fill_buf().is_ok_and(zip::looks_like);
    if !archive {
        return cut(input, &shown, &found.relative, options, taker);
    }
    let mut bytes = Vec::new();
    match input.read_to_end(&mut bytes) {
        Ok(_) => unpack(&bytes, &shown, found, options, taker),
        Err(error) => taker.failure(&shown, &error.into()),
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
    let shown = found.path.display().to_string();
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
        Err(error) => return taker.failure(shown, &error.into()),
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
            Err(error) => taker.failure(&shown, &error.into()),
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
        Err(error) => return taker.failure(shown, &error.into()),
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
            Err(error) => return taker.failure(shown, &error.into()),
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
