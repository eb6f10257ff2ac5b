//! Progress lines of long commands.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Writes progress to standard error: on a terminal every second over the last line, else every ten seconds on a new
/// line.
pub struct ProgressLine {
    live: bool,
    last: Instant,
}

impl ProgressLine {
    /// The first line is shown after one second (or ten).
    #[must_use]
    #[allow(clippy::new_without_default, reason = "it begins to count now")]
    pub fn new() -> Self {
        Self { live: io::stderr().is_terminal(), last: Instant::now() }
    }

    /// Whether standard error is a terminal.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.live
    }

    /// Shows a line if the interval has passed.
    pub fn update(&mut self, line: impl Display) {
        if self.last.elapsed() < Duration::from_secs(if self.live { 1 } else { 10 }) {
            return;
        }
        self.last = Instant::now();
        let mut err = io::stderr();
        // There is no place to report that standard error cannot be written.
        let _ = if self.live { write!(err, "\r{line}\x1b[K") } else { writeln!(err, "{line}") };
        let _ = err.flush();
    }

    /// Shows a line that later ones do not overwrite.
    pub fn keep(&self, line: impl Display) {
        self.clear();
        let _ = writeln!(io::stderr(), "{line}");
    }

    /// Takes the line off a terminal.
    pub fn clear(&self) {
        if self.live {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
