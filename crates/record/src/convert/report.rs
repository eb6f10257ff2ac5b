//! Reports of a conversion while it runs and at its end.

use super::{Existing, Summary};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Callbacks of a conversion.
pub trait Progress: Sync {
    /// Whether [`total`](Self::total) is needed; it requires checking every file before the first is read.
    fn wants_total(&self) -> bool {
        true
    }
    /// The total size in bytes, as far as it is known.
    fn total(&self, bytes: u64);
    /// More bytes have been read.
    fn advance(&self, bytes: u64);
    /// A warning.
    fn warn(&self, message: &str);
    /// A failure.
    fn fail(&self, message: &str);
}

/// Ignores everything.
pub struct Silent;

impl Progress for Silent {
    fn wants_total(&self) -> bool {
        false
    }
    fn total(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn warn(&self, _: &str) {}
    fn fail(&self, _: &str) {}
}

/// The display of a [`Report`].
pub trait Screen: Sync {
    /// Whether it has a progress bar.
    fn has_bar(&self) -> bool;
    /// Sets the length of the bar.
    fn total(&self, bytes: u64);
    /// Advances the bar.
    fn advance(&self, bytes: u64);
    /// Writes a line.
    fn line(&self, text: &str);
}

/// Further warnings are only counted, unless they go to a file.
const SHOWN_WARNINGS: usize = 100;

/// Shows progress and warnings on a screen, and writes everything to a log.
pub struct Report<S> {
    screen: S,
    quiet: bool,
    warnings: AtomicUsize,
    log: Option<(PathBuf, Mutex<BufWriter<File>>)>,
}

/// Why a conversion was incomplete.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The log cannot be written.
    #[error("--log {0}: {1}")]
    Log(String, io::Error),
    /// Files that should be written already exist.
    #[error("{0} of the files exist already, such as {1}: give --skip-existing or --overwrite")]
    Existing(usize, String),
    /// Some inputs could not be read.
    #[error("{0} of the inputs could not be converted")]
    Failed(usize),
}

impl<S: Screen> Report<S> {
    /// A report with an optional log. With `quiet`, the screen shows only failures.
    pub fn new(screen: S, quiet: bool, log: Option<PathBuf>) -> Result<Self, ReportError> {
        let open = |path: PathBuf| match File::create(&path) {
            Ok(file) => Ok((path, Mutex::new(BufWriter::new(file)))),
            Err(error) => Err(ReportError::Log(path.display().to_string(), error)),
        };
        Ok(Self { screen, quiet, warnings: AtomicUsize::new(0), log: log.map(open).transpose()? })
    }

    /// The screen.
    pub fn screen(&self) -> &S {
        &self.screen
    }

    fn log(&self, line: &str) {
        if let Some((_, log)) = &self.log {
            // The error recurs when the file is flushed.
            let _ = writeln!(log.lock().unwrap_or_else(PoisonError::into_inner), "{line}");
        }
    }

    /// Shows the summary and completes the log.
    pub fn finish(&self, summary: &Summary, existing: Existing) -> Result<(), ReportError> {
        let hidden = self.warnings.load(Ordering::Relaxed).saturating_sub(SHOWN_WARNINGS);
        if hidden > 0 && !self.quiet {
            let place = match &self.log {
                None => "; --log FILE takes all of them".to_owned(),
                Some((path, _)) => format!(" in {}", path.display()),
            };
            self.screen.line(&format!("warning: {hidden} more warnings{place}"));
        }
        if let Some((path, log)) = &self.log {
            let flushed = log.lock().unwrap_or_else(PoisonError::into_inner).flush();
            flushed.map_err(|error| ReportError::Log(path.display().to_string(), error))?;
        }
        if !self.quiet {
            self.screen.line(&summary.to_string());
        }
        match (&summary.first_existing, summary.failed) {
            (Some(path), _) if existing == Existing::Refuse => {
                Err(ReportError::Existing(summary.existing, path.clone()))
            }
            (_, 0) => Ok(()),
            (_, failed) => Err(ReportError::Failed(failed)),
        }
    }
}

impl<S: Screen> Progress for Report<S> {
    fn wants_total(&self) -> bool {
        self.screen.has_bar()
    }

    fn total(&self, bytes: u64) {
        self.screen.total(bytes);
    }

    fn advance(&self, bytes: u64) {
        self.screen.advance(bytes);
    }

    fn warn(&self, message: &str) {
        self.log(&format!("warning: {message}"));
        if !self.quiet && self.warnings.fetch_add(1, Ordering::Relaxed) < SHOWN_WARNINGS {
            self.screen.line(&format!("warning: {message}"));
        }
    }

    fn fail(&self, message: &str) {
        self.log(&format!("error: {message}"));
        self.screen.line(&format!("error: {message}"));
    }
}
