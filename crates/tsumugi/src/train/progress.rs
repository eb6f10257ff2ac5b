//! Progress lines of long commands.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Writes lines to standard error: on a terminal each second over the last one, else every ten seconds below it.
pub struct ProgressLine {
    live: bool,
    last: Instant,
}

impl ProgressLine {
    pub fn new() -> Self {
        Self { live: io::stderr().is_terminal(), last: Instant::now() }
    }

    /// Whether standard error is a terminal.
    pub fn is_live(&self) -> bool {
        self.live
    }

    /// Shows a line if it is time.
    pub fn update(&mut self, line: impl Display) {
        if self.last.elapsed() < Duration::from_secs(if self.live { 1 } else { 10 }) {
            return;
        }
        self.last = Instant::now();
        let mut err = io::stderr();
        // A message about an unwritable standard error has no place to go.
        let _ = if self.live { write!(err, "\r{line}\x1b[K") } else { writeln!(err, "{line}") };
        let _ = err.flush();
    }

    /// Shows a line to keep.
    pub fn keep(&self, line: impl Display) {
        let clear = if self.live { "\r\x1b[K" } else { "" };
        let _ = writeln!(io::stderr(), "{clear}{line}");
    }
}
