//! Destinations of converted games.

use super::sources::Origin;
use crate::text::encoding::Encoding;
use crate::{Format, WriteOptions};
use platform::{AtomicFile, FileError, atomic_file};
use std::collections::HashSet;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where converted games are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Destination {
    /// Standard output, all games one after another.
    Stdout,
    /// One file with all games.
    File(PathBuf),
    /// A folder with a file for each game, under the names of the sources.
    Folder(PathBuf),
}

/// The format is neither given nor known from the file name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no output format: give --to kif, ki2, csa, csa3, jkf, usi, usen or bod")]
pub struct WhichFormat;

impl From<Option<&PathBuf>> for Destination {
    fn from(path: Option<&PathBuf>) -> Self {
        match path {
            None => Self::Stdout,
            Some(path) if path == Path::new("-") => Self::Stdout,
            Some(path) if path.is_dir() || path.to_string_lossy().ends_with(['/', '\\']) => {
                Self::Folder(path.clone())
            }
            Some(path) => Self::File(path.clone()),
        }
    }
}

impl Destination {
    /// The chosen format, else the one of the file name.
    pub fn format(&self, chosen: Option<Format>) -> Result<Format, WhichFormat> {
        let named = || if let Self::File(path) = self { Format::of_path(path) } else { None };
        chosen.or_else(named).ok_or(WhichFormat)
    }
}

/// What to do with files that already exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// Keep them and report a failure.
    #[default]
    Refuse,
    /// Keep them.
    Skip,
    /// Replace them.
    Replace,
}

impl Existing {
    /// The choice for two command-line switches.
    #[must_use]
    pub fn of_switches(overwrite: bool, skip: bool) -> Self {
        match (overwrite, skip) {
            (true, _) => Self::Replace,
            (false, true) => Self::Skip,
            (false, false) => Self::Refuse,
        }
    }
}

/// Why output failed.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// An error of the system.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// The system's error.
        error: io::Error,
    },
    /// The file already exists.
    #[error("{0} exists already; give --overwrite to replace it")]
    Exists(String),
}

impl From<FileError> for OutputError {
    fn from(FileError { path, error }: FileError) -> Self {
        Self::Io { path: path.display().to_string(), error }
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> OutputError {
    |error| OutputError::Io { path: path.display().to_string(), error }
}

/// Writes games in order to their destination.
pub struct Output {
    kind: Kind,
    /// The text between two games of a file.
    separator: String,
    options: WriteOptions,
    /// The extension of file names; positions have their own.
    extension: &'static str,
    existing: Existing,
    written: u64,
}

enum Kind {
    Stream(Box<dyn Write>, PathBuf),
    File(AtomicFile),
    Folder { folder: PathBuf, taken: HashSet<PathBuf> },
}

impl Output {
    /// Opens a destination for records, or for positions one to a line; a file comes into being when all is [written](Self::finish).
    pub fn open(
        destination: &Destination,
        options: WriteOptions,
        positions: bool,
        existing: Existing,
    ) -> Result<Self, OutputError> {
        let kind = match destination {
            Destination::Stdout => {
                let writer = BufWriter::with_capacity(1 << 16, io::stdout().lock());
                Kind::Stream(Box::new(writer), PathBuf::from("standard output"))
            }
            Destination::File(path) => {
                if path.exists() && existing != Existing::Replace {
                    return Err(OutputError::Exists(path.display().to_string()));
                }
                Kind::File(AtomicFile::create(path)?)
            }
            Destination::Folder(folder) => {
                fs::create_dir_all(folder).map_err(at(folder))?;
                Kind::Folder { folder: folder.clone(), taken: HashSet::new() }
            }
        };
        let end = options.line_end().as_str();
        // Each game of a file must start anew: CSA has a line for that, KIF an empty one.
        let separator = match options.format {
            _ if positions => String::new(),
            Format::Csa | Format::Csa3 => format!("/{end}"),
            Format::Kif | Format::Ki2 | Format::Bod => end.to_owned(),
            Format::Jkf | Format::Usi | Format::Usen => String::new(),
        };
        let extension = if positions { "sfen" } else { options.format.extension(options.encoding()) };
        Ok(Self { kind, separator, options, extension, existing, written: 0 })
    }

    /// Writes one game; in a folder its origin names its file.
    pub fn put(&mut self, origin: &Origin, bytes: &[u8]) -> Result<(), OutputError> {
        let first = self.written == 0;
        self.written += 1;
        // Only the first game may have a byte order mark.
        let marked = self.options.encoding() == Encoding::Utf8Bom && !first;
        let later = if marked { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes) } else { bytes };
        let append = |writer: &mut dyn Write| -> io::Result<()> {
            if !first {
                writer.write_all(self.separator.as_bytes())?;
            }
            writer.write_all(later)
        };
        match &mut self.kind {
            Kind::Stream(writer, name) => append(writer).map_err(at(name)),
            Kind::File(file) => append(file).map_err(at(file.path())),
            Kind::Folder { folder, taken } => {
                let path = free_name(folder, origin, self.extension, taken);
                if path.exists() && self.existing != Existing::Replace {
                    return Err(OutputError::Exists(path.display().to_string()));
                }
                // Not synced, because the source still exists.
                Ok(atomic_file::write_unsynced(&path, bytes)?)
            }
        }
    }

    /// Completes the output. A file without games is not created.
    pub fn finish(self) -> Result<(), OutputError> {
        match self.kind {
            Kind::Stream(mut writer, name) => writer.flush().map_err(at(&name)),
            Kind::File(_) if self.written == 0 => Ok(()),
            Kind::File(file) => Ok(file.commit()?),
            Kind::Folder { .. } => Ok(()),
        }
    }
}

/// `folder/sub/name.ext`, numbered if a source has several games or two sources share a name.
fn free_name(folder: &Path, origin: &Origin, extension: &str, taken: &mut HashSet<PathBuf>) -> PathBuf {
    let stem = origin.relative.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy());
    let place = folder.join(origin.relative.parent().unwrap_or(Path::new("")));
    let named = |suffix: String| place.join(format!("{stem}{suffix}.{extension}"));
    let first = if origin.number == 1 { named(String::new()) } else { named(format!("-{}", origin.number)) };
    let mut path = first;
    let mut other = 2;
    while !taken.insert(path.clone()) {
        path = named(format!("-{}_{other}", origin.number));
        other += 1;
    }
    path
}
