//! Handling of faulty lines, and a record of the faults found.

use crate::error::{BookError, LineFault, forgiven, quote};
use crate::format::lines::BYTE_ORDER_MARK;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What to do about faulty lines. Clones share the record of faults, so that the caller can report them afterwards.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    skip: bool,
    met: Arc<Mutex<Met>>,
}

#[derive(Debug, Default)]
struct Met {
    /// Files in the order of reading.
    files: Vec<PathBuf>,
    /// The first messages, by file and line: threads may find them in any order.
    first: Vec<((usize, u64), String)>,
    left_out: u64,
    forgiven: u64,
}

impl Problems {
    /// Number of messages kept.
    const REMEMBERED: usize = 100;

    /// Stops at the first faulty line.
    #[must_use]
    pub fn stop() -> Self {
        Self::default()
    }

    /// Skips faulty lines.
    #[must_use]
    pub fn skip() -> Self {
        Self { skip: true, ..Self::default() }
    }

    /// Whether reading stops at the first faulty line.
    #[must_use]
    pub fn are_fatal(&self) -> bool {
        !self.skip
    }

    fn met(&self) -> MutexGuard<'_, Met> {
        // A panicked thread can at most have lost one message.
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first messages, at most a hundred.
    #[must_use]
    pub fn first(&self) -> Vec<String> {
        self.met().first.iter().map(|(_, message)| message.clone()).collect()
    }

    /// The messages, followed by their number if there are several.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let mut lines = self.first();
        for (count, what) in
            [(self.left_out(), "lines were left out"), (self.forgiven(), "numbers were taken as 0")]
        {
            if count > 1 {
                lines.push(format!("{count} {what}"));
            }
        }
        lines
    }

    /// Number of lines skipped.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.met().left_out
    }

    /// Number of malformed numbers that were read as 0.
    #[must_use]
    pub fn forgiven(&self) -> u64 {
        self.met().forgiven
    }

    /// Reports a faulty line.
    pub(super) fn report(&self, path: &Path, line: u64, fault: LineFault) -> Result<(), BookError> {
        let error = BookError::Line { path: path.to_owned(), line, fault };
        if self.are_fatal() {
            return Err(error);
        }
        let mut met = self.met();
        met.left_out += 1;
        met.remember(path, line, format!("{error}: left out"));
        Ok(())
    }

    /// Reports a malformed number.
    pub(super) fn forgive(&self, path: &Path, line: u64, fault: &LineFault) {
        let mut met = self.met();
        met.forgiven += 1;
        met.remember(path, line, forgiven(&PathBuf::from(format!("{}:{line}", path.display())), fault));
    }
}

impl Met {
    fn remember(&mut self, path: &Path, line: u64, message: String) {
        let file = self.files.iter().position(|file| file == path).unwrap_or_else(|| {
            self.files.push(path.to_owned());
            self.files.len() - 1
        });
        let at = self.first.partition_point(|(earlier, _)| *earlier <= (file, line));
        if at < Problems::REMEMBERED {
            self.first.insert(at, ((file, line), message));
            self.first.truncate(Problems::REMEMBERED);
        }
    }
}

/// Number of bytes examined to recognise a text book.
const LOOK: usize = 1 << 16;

/// Fails if the beginning of a file has content but no position: then it is another kind of file.
pub(crate) fn check_text_book(bytes: &[u8], path: &Path) -> Result<(), BookError> {
    let beginning = &bytes[..bytes.len().min(LOOK)];
    let beginning = beginning.strip_prefix(BYTE_ORDER_MARK).unwrap_or(beginning);
    let mut lines = beginning
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .map(<[u8]>::trim_ascii_end)
        .filter(|line| !line.is_empty() && !line.starts_with(b"#") && !line.starts_with(b"//"));
    match lines.next() {
        Some(first) if !first.starts_with(b"sfen ") && !lines.any(|line| line.starts_with(b"sfen ")) => {
            let message = format!("not a .db book: expected `sfen …`, found `{}`", quote(first));
            Err(BookError::format(path, message))
        }
        _ => Ok(()),
    }
}
