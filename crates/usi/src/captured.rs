//! An output that keeps a session's lines in memory.

use crate::Output;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Everything that a session has written, kept in memory: for tests, and for programs that run a session internally.
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
    /// The output for a session.
    #[must_use]
    pub fn output(&self) -> Output {
        Output::new(Writer(Arc::clone(&self.0)))
    }

    /// Everything written so far.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    /// The lines written so far.
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
