//! What the commands have in common: memory, line ends, progress, positions.

use anyhow::Context;
use book::{LineEnd, Output, Problems, SortLimits, WorkOptions};
use game::Game;
use indicatif::{ProgressBar, ProgressStyle};
use shogi::{Position, Shogi};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A file that a command writes, and what it writes there.
pub type OutputFile<'a> = (&'a Path, Output);

/// How books are read and written.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug)]
pub struct WorkArgs {
    /// Use no more memory than about this for sorting, such as 256M or 4G; what does not fit goes to temporary files.
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,
    /// Folder for temporary files; by default the one of the book that is written.
    #[arg(long, value_name = "FOLDER")]
    temporary: Option<PathBuf>,
    /// Leave out lines that cannot be understood instead of stopping at the first.
    #[arg(long)]
    lenient: bool,
    /// Ends of lines in a .db: crlf as the reference program writes them, or lf.
    #[arg(long, value_enum, default_value_t = Eol::Crlf, value_name = "END")]
    eol: Eol,
}

/// How lines end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Eol {
    Lf,
    Crlf,
}

impl From<Eol> for LineEnd {
    fn from(eol: Eol) -> Self {
        match eol {
            Eol::Lf => Self::Lf,
            Eol::Crlf => Self::CrLf,
        }
    }
}

/// A number of bytes with a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size(pub usize);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected a size such as 256M or 4G, found `{text}`");
        let (digits, unit) = match text.char_indices().last() {
            Some((last, 'k' | 'K')) => (&text[..last], 1 << 10),
            Some((last, 'm' | 'M')) => (&text[..last], 1 << 20),
            Some((last, 'g' | 'G')) => (&text[..last], 1 << 30),
            _ => (text, 1),
        };
        let number: usize = digits.parse().map_err(|_| wrong())?;
        number.checked_mul(unit).filter(|size| *size >= 1 << 20).map(Self).ok_or_else(wrong)
    }
}

impl WorkArgs {
    /// For writing `out`.
    pub fn options(&self, out: &Path) -> WorkOptions {
        let beside = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut limits = SortLimits {
            folder: self.temporary.clone().unwrap_or_else(|| beside.to_owned()),
            ..SortLimits::default()
        };
        if let Some(Size(memory)) = self.memory {
            limits.memory = memory;
        }
        WorkOptions {
            problems: if self.lenient { Problems::skip() } else { Problems::stop() },
            limits,
            line_end: self.eol.into(),
        }
    }

    pub fn line_end(&self) -> LineEnd {
        self.eol.into()
    }
}

/// Tells what was met in books: on the command line as warnings.
pub fn warn(problems: &Problems) {
    for line in problems.remarks() {
        // When this fails there is no place left for a message.
        let _ = writeln!(io::stderr(), "warning: {line}");
    }
}

/// A progress bar for a person; logs and pipes get none.
pub struct Bar(ProgressBar);

const STEPS: u64 = 1000;

impl Bar {
    pub fn new(what: &str) -> Self {
        let bar = if io::stderr().is_terminal() { ProgressBar::new(STEPS) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent}% {elapsed} {eta}") {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        Self(bar)
    }

    /// How far it is, from 0 to 1.
    pub fn tell(&self, part: f64) {
        self.0.set_position((part.clamp(0.0, 1.0) * STEPS as f64) as u64);
    }

    /// What is being done, and how far it is.
    pub fn stage(&self, what: &str, part: f64) {
        if self.0.message() != what {
            self.0.set_message(what.to_owned());
        }
        self.tell(part);
    }

    /// A line above the bar.
    pub fn note(&self, line: &str) {
        if self.0.is_hidden() {
            // When this fails there is no place left for a message.
            let _ = writeln!(io::stderr(), "{line}");
        } else {
            self.0.println(line);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Prints a line; a closed pipe is told by the error.
pub fn print(line: impl std::fmt::Display) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{line}")
}

/// A position as the console's `position` takes it.
pub fn parse_position(text: &str) -> anyhow::Result<Position> {
    Shogi::default().position_command(text).with_context(|| format!("bad position '{text}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!("256M".parse(), Ok(Size(256 << 20)));
        assert_eq!("2g".parse(), Ok(Size(2 << 30)));
        assert_eq!("1048576".parse(), Ok(Size(1 << 20)));
        for bad in ["", "M", "1", "12X", "-3M", "99999999999999999999G", "1歩"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
    }
}
