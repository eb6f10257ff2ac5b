//! `games add` and `games check`.

use super::print::print_json;
use super::wanted::catalogue;
use crate::records::VariantChoice;
use crate::terminal::{Bar, tell, warn};
use crate::words::cores;
use anyhow::ensure;
use library::{AddJob, FileFault, Library, Rules};
use record::IllegalMoves;
use record::convert::{Report, Silent};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Add games: KIF, KI2, CSA, JKF, USI and USEN files, folders and zip archives of them.
///
/// Files that have not changed since the last run are skipped; the games of a changed file replace the earlier ones. A
/// killed run loses the last few seconds at most; the same command resumes.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct AddArgs {
    /// Files, folders with all below them, zip archives, patterns such as 'games/**/*.kif'.
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// Remove the games of files below the inputs that are no longer there.
    #[arg(long)]
    prune: bool,
    #[command(flatten)]
    variant: VariantChoice,
    /// Number of threads; by default one for each core.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Commit after every N games (and at least every ten seconds).
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::new(library::STEP).unwrap_or(NonZeroUsize::MIN))]
    step: NonZeroUsize,
    /// Write all warnings and failures to this file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// No progress bar, no warnings, no summary; only failures.
    #[arg(short, long)]
    quiet: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

impl AddArgs {
    pub fn run(&self, db: &Path) -> anyhow::Result<()> {
        let notation = self.variant.notation(None, IllegalMoves::Cut)?;
        let games = catalogue(self.variant.path())?;
        let report = Report::new(Bar::of_bytes(!self.quiet), self.quiet, self.log.clone())?;
        let job = AddJob {
            inputs: &self.inputs,
            notation: &*notation,
            rules: Rules(&games),
            threads: self.threads.map_or_else(cores, NonZeroUsize::get),
            prune: self.prune,
            step: self.step.get(),
        };
        let summary = library::add(db, &job, &report)?;
        report.screen().clear();
        if self.json {
            print_json(&summary)?;
        } else if !self.quiet {
            tell(&summary)?;
        }
        ensure!(summary.failed == 0, "{} of the inputs could not be added", summary.failed);
        Ok(())
    }
}

/// Read everything, write nothing, and report damage: in the library itself, and in every file it refers to.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct CheckArgs {
    /// Check these files and folders instead of those in the library.
    #[arg(value_name = "IN")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    variant: VariantChoice,
    /// Number of threads; by default one for each core.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// The result of a check.
#[derive(serde::Serialize)]
struct Checked {
    /// Games that can be read.
    readable: usize,
    /// Damage in the library.
    library: Vec<String>,
    /// Faults of files.
    files: Vec<FileFault>,
}

impl CheckArgs {
    pub fn run(&self, db: &Path) -> anyhow::Result<()> {
        let notation = self.variant.notation(None, IllegalMoves::Cut)?;
        let threads = self.threads.map_or_else(cores, NonZeroUsize::get);
        let mut checked = Checked { readable: 0, library: Vec::new(), files: Vec::new() };
        let mut inputs = self.inputs.clone();
        if inputs.is_empty() {
            let library = Library::open(db)?;
            checked.library = library.check();
            let games = catalogue(self.variant.path())?;
            checked.library.extend(library.check_rules(Rules(&games)).err().map(|error| error.to_string()));
            (inputs, checked.files) = library.source_files();
        }
        let files = &mut checked.files;
        checked.readable =
            library::check_files(&inputs, &*notation, threads, &Silent, &mut |fault| files.push(fault));
        if self.json {
            print_json(&checked)?;
        } else {
            checked.library.iter().for_each(|fault| warn(format_args!("{}: {fault}", db.display())));
            for FileFault { place, fault, .. } in &checked.files {
                tell(format_args!("{place}: {fault}"))?;
            }
            tell(format_args!("{} games can be read", checked.readable))?;
        }
        let broken = checked.files.iter().filter(|fault| fault.broken).count();
        ensure!(checked.library.is_empty(), "{}: the library is damaged", db.display());
        ensure!(broken == 0, "{broken} of the games and files are broken");
        Ok(())
    }
}
