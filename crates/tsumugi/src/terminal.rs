//! Output for users: lines, and progress bars, which are not written to logs and pipes.

use crate::language::translate;
use indicatif::{ProgressBar, ProgressStyle};
use record::convert::Screen;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// Prints lines; returns an error if the pipe is closed.
pub fn print(lines: impl Display) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{lines}")
}

/// Prints lines in the language of the user.
pub fn tell(lines: impl Display) -> io::Result<()> {
    print(translate(&lines))
}

/// Prints lines to standard error, in the language of the user.
pub fn warn(lines: impl Display) {
    // If this fails, there is no place to report it.
    let _ = writeln!(io::stderr(), "{}", translate(&lines));
}

/// A bar on standard error, removed on drop.
pub struct Bar(ProgressBar);

const STEPS: u64 = 1000;

impl Bar {
    /// A bar for a task of unknown size.
    pub fn new(what: &str) -> Self {
        let bar = Self::styled(true, STEPS, "{msg} {wide_bar} {percent}% {elapsed} {eta}");
        bar.0.set_message(what.to_owned());
        bar
    }

    /// A bar for bytes read.
    pub fn of_bytes(wanted: bool) -> Self {
        Self::styled(wanted, 0, "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}")
    }

    fn styled(wanted: bool, length: u64, template: &str) -> Self {
        let visible = wanted && io::stderr().is_terminal();
        let bar = if visible { ProgressBar::new(length) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }

    /// Sets the progress, from 0 to 1.
    pub fn tell(&self, part: f64) {
        self.0.set_position((part.clamp(0.0, 1.0) * STEPS as f64) as u64);
    }

    /// Sets the current stage and its progress.
    pub fn stage(&self, what: &str, part: f64) {
        if self.0.message() != what {
            self.0.set_message(what.to_owned());
        }
        self.tell(part);
    }
}

impl Screen for Bar {
    fn has_bar(&self) -> bool {
        !self.0.is_hidden()
    }

    fn total(&self, bytes: u64) {
        self.0.set_length(bytes);
    }

    fn advance(&self, bytes: u64) {
        self.0.inc(bytes);
    }

    fn line(&self, text: &str) {
        self.0.suspend(|| warn(text));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.clear();
    }
}
