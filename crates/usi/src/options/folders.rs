use super::quote::printable;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The folders in which relative paths are searched: that of the program first, then the current one.
///
/// ```
/// use std::path::{Path, PathBuf};
/// use usi::options::Folders;
/// let folders = Folders::new("/opt/tsumugi", "/opt/me");
/// assert_eq!(
///     folders.candidates("book/user.db"),
///     [Path::new("/opt/tsumugi/book/user.db"), Path::new("/opt/me/book/user.db")]
/// );
/// assert_eq!(folders.candidates("/tmp/a.db"), [Path::new("/tmp/a.db")]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folders {
    binary: PathBuf,
    current: PathBuf,
}

/// A file that was found and read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextFile {
    /// Where it was found.
    pub path: PathBuf,
    /// Its text without a byte order mark; bytes that are not UTF-8 became U+FFFD.
    pub text: String,
}

/// Why a file was not read. The message is one line for `info string`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileError {
    /// It does not exist.
    #[error("File Not Found, tried {}", show_all(.tried))]
    NotFound {
        /// The paths tried.
        tried: Vec<PathBuf>,
    },
    /// It is a folder, a device or a pipe.
    #[error("{} is not a file", show(.path))]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// It is too long.
    #[error("{} has more than {max} bytes and was not read", show(.path))]
    TooLong {
        /// The path.
        path: PathBuf,
        /// The maximum size in bytes.
        max: u64,
    },
    /// An error of the system.
    #[error("{} cannot be read: {}", show(.path), printable(.reason, 100))]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The system's error.
        reason: String,
    },
}

impl Folders {
    /// These two folders.
    pub fn new(binary: impl Into<PathBuf>, current: impl Into<PathBuf>) -> Self {
        Self { binary: binary.into(), current: current.into() }
    }

    /// The folders of this process.
    #[must_use]
    pub fn of_process() -> Self {
        let current = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let program = std::env::current_exe().ok();
        let binary =
            program.as_deref().and_then(Path::parent).map_or_else(|| current.clone(), Path::to_owned);
        Self { binary, current }
    }

    /// The paths at which `path` may be, in order of preference.
    pub fn candidates(&self, path: impl AsRef<Path>) -> Vec<PathBuf> {
        // Joining an absolute path to a folder yields that path.
        let mut paths = vec![self.binary.join(&path), self.current.join(&path)];
        paths.dedup();
        paths
    }

    /// The path for writing: in the current folder, unless `path` names another.
    pub fn for_writing(&self, path: impl AsRef<Path>) -> PathBuf {
        self.current.join(path)
    }

    /// Reads the first candidate that exists.
    pub fn read(&self, path: impl AsRef<Path>, max_bytes: u64) -> Result<TextFile, FileError> {
        let tried = self.candidates(path);
        for path in &tried {
            match read_bytes(path, max_bytes) {
                Ok(Some(bytes)) => return Ok(TextFile { path: path.clone(), text: decode(&bytes) }),
                Ok(None) => {}
                Err(error) => return Err(error),
            }
        }
        Err(FileError::NotFound { tried })
    }

    /// Like [`read`](Self::read), but a missing file is not an error.
    pub fn read_if_present(
        &self,
        path: impl AsRef<Path>,
        max_bytes: u64,
    ) -> Result<Option<TextFile>, FileError> {
        match self.read(path, max_bytes) {
            Ok(file) => Ok(Some(file)),
            Err(FileError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Reads a whole file; `None` if it does not exist.
fn read_bytes(path: &Path, max: u64) -> Result<Option<Vec<u8>>, FileError> {
    let unreadable =
        |error: &io::Error| FileError::Unreadable { path: path.to_owned(), reason: error.to_string() };
    // Opening a pipe would wait for its other end, so the type is checked first.
    match path.metadata() {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Err(FileError::NotAFile { path: path.to_owned() }),
        // Where there are no files, there is none of this name.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::Unsupported
            ) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(&error)),
    }
    let mut bytes = Vec::new();
    // Reads one byte more than allowed, because the length in the metadata may be wrong.
    let read = File::open(path).and_then(|file| file.take(max.saturating_add(1)).read_to_end(&mut bytes));
    match read {
        Ok(length) if length as u64 > max => Err(FileError::TooLong { path: path.to_owned(), max }),
        Ok(_) => Ok(Some(bytes)),
        Err(error) => Err(unreadable(&error)),
    }
}

/// UTF-8, or UTF-16 with its byte order mark as some Windows editors write it.
fn decode(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.as_chunks().0.iter().map(|pair| unit(*pair));
        char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match bytes {
        [0xff, 0xfe, text @ ..] => return utf16(text, u16::from_le_bytes),
        [0xfe, 0xff, text @ ..] => return utf16(text, u16::from_be_bytes),
        _ => {}
    }
    let text = String::from_utf8_lossy(bytes);
    text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()
}

/// A path for messages.
pub(super) fn show(path: &Path) -> String {
    printable(&path.to_string_lossy(), 200)
}

fn show_all(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| show(path)).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::scratch::Scratch;

    #[test]
    fn the_folder_of_the_program_comes_first() {
        let scratch = Scratch::new();
        let folders = scratch.folders();
        assert_eq!(folders.read_if_present("a.txt", 9), Ok(None));
        let current = scratch.write("current/a.txt", b"current");
        assert_eq!(
            folders.read("a.txt", 9).unwrap(),
            TextFile { path: current.clone(), text: "current".into() }
        );
        scratch.write("binary/a.txt", b"binary");
        assert_eq!(folders.read("a.txt", 9).unwrap().text, "binary");
        assert_eq!(folders.read(&current, 9).unwrap().text, "current");
    }

    #[test]
    fn any_bytes_are_text() {
        let scratch = Scratch::new();
        scratch.write("binary/a.txt", b"\xef\xbb\xbfa\r\n\xff\x82\n\0");
        assert_eq!(scratch.folders().read("a.txt", 99).unwrap().text, "a\r\n\u{fffd}\u{fffd}\n\0");
    }

    #[test]
    fn what_is_refused() {
        let scratch = Scratch::new();
        let path = scratch.write("binary/long.txt", b"0123456789");
        assert!(scratch.folders().read("long.txt", 10).is_ok());
        let error = scratch.folders().read("long.txt", 9).unwrap_err();
        assert_eq!(error, FileError::TooLong { path, max: 9 });
        let error = scratch.folders().read(".", 9).unwrap_err();
        assert!(matches!(error, FileError::NotAFile { .. }));
        let error = scratch.folders().read("a\0b", 9).unwrap_err();
        assert!(matches!(error, FileError::Unreadable { .. }));
        assert!(error.to_string().contains("a\\u{0}b cannot be read: "), "{error}");
    }

    #[test]
    fn a_missing_file_says_where_it_was_looked_for() {
        let folders = Folders::new("/no/where", "/no/棋");
        let message = folders.read("x/cmd.txt", 9).unwrap_err().to_string();
        if cfg!(unix) {
            let tried = "/no/where/x/cmd.txt and /no/\\u{68cb}/x/cmd.txt";
            assert_eq!(message, format!("File Not Found, tried {tried}"));
        }
        let once = Folders::new("/same", "/same").candidates("a");
        assert_eq!(once.len(), 1);
    }
}
