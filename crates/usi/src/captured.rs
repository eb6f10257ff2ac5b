//! Sessions whose answers are looked at, not sent.

use crate::Output;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// What a session has said, kept in memory: for tests, and for programs that hold a session inside themselves.
///
/// ```
/// let said = usi::Captured::default();
/// said.output().line("readyok");
/// assert_eq!(said.text(), "readyok\n");
/// assert_eq!(said.lines(), ["readyok"]);
/// ```
#[derive(Clone, Default)]
pub struct Captured(Arc<Mutex<Vec<u8>>>);

impl Captured {
    /// For a session to write to.
    #[must_use]
    pub fn output(&self) -> Output {
        Output::new(Writer(Arc::clone(&self.0)))
    }

    /// All of it so far.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    /// The same, line by line.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.text().lines().map(str::to_owned).collect()
    }
}

struct Writer(Arc<Mutex<Vec<u8>>>);

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
