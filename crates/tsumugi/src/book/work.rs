//! Shared by the commands: memory, line ends, progress, positions.

use crate::terminal::{self, Bar, print};
use crate::words::{LINE_ENDS, one_of};
use anyhow::Context;
use book::{BookError, LineEnd, MemorySize, Output, Problems, WorkOptions};
use game::Game;
use shogi::{Position, Shogi};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Options of reading and writing books.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug)]
pub struct WorkArgs {
    /// Approximate limit of memory for sorting, such as 256M or 4G; the rest goes to temporary files.
    #[arg(long, value_name = "SIZE")]
    memory: Option<MemorySize>,
    /// Folder of temporary files; by default that of the book to write.
    #[arg(long, value_name = "FOLDER")]
    temporary: Option<PathBuf>,
    /// Skip malformed lines instead of stopping at the first.
    #[arg(long)]
    lenient: bool,
    /// Line ends of a .db: crlf, as YaneuraOu writes them, or lf.
    #[arg(long, value_parser = one_of(LINE_ENDS), default_value = "crlf", value_name = "END")]
    pub eol: LineEnd,
}

impl WorkArgs {
    /// The options for writing `out`.
    pub fn options(&self, out: &Path) -> WorkOptions {
        let mut options = WorkOptions::beside(out, self.temporary.as_deref());
        options.line_end = self.eol;
        if self.lenient {
            options.problems = Problems::skip();
        }
        if let Some(MemorySize(memory)) = self.memory {
            options.limits.memory = memory;
        }
        options
    }
}

/// Whether files of any kind may be replaced.
#[derive(Clone, Copy)]
pub struct Force(pub bool);

impl Force {
    /// Fails if a file of another kind would be replaced.
    pub fn check(self, path: &Path, output: Output) -> Result<(), BookError> {
        if self.0 { Ok(()) } else { output.check(path) }
    }

    /// Like [`Force::check`], for a book of the format of its name.
    pub fn check_book(self, path: &Path) -> Result<(), BookError> {
        self.check(path, Output::book(path)?)
    }
}

/// Runs a task with a progress bar, then prints the faults of the books and the result.
pub fn work<T: Display>(
    what: &str,
    problems: &Problems,
    job: impl FnOnce(&mut dyn FnMut(f64)) -> Result<T, BookError>,
) -> anyhow::Result<()> {
    let bar = Bar::new(what);
    let done = job(&mut |part| bar.tell(part))?;
    drop(bar);
    warn(problems);
    Ok(print(done)?)
}

/// Prints the faults of books as warnings.
pub fn warn(problems: &Problems) {
    problems.remarks().iter().for_each(|line| terminal::warn(format_args!("warning: {line}")));
}

/// Parses a position in the syntax of the console's `position`.
pub fn parse_position(text: &str) -> anyhow::Result<Position> {
    Shogi::default().position_command(text).with_context(|| format!("bad position '{text}'"))
}
