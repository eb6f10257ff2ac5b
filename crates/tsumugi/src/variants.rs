//! `tsumugi variants`: games defined in files.

use crate::terminal::{print, warn};
use anyhow::bail;
use clap::{Args, Subcommand};
use engines::read_variants_file;
use fairy::Library;
use game::{Game, Position};
use std::path::PathBuf;

/// List the games defined in files, or check such a file.
#[derive(Args, PartialEq, Eq, Debug)]
pub struct VariantsArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, PartialEq, Eq, Debug)]
enum What {
    /// Check a variants.ini for errors.
    Check {
        /// The file.
        file: PathBuf,
    },
    /// Show the names of all variants with their boards and start positions.
    List {
        /// Include those of this variants.ini.
        file: Option<PathBuf>,
    },
}

/// Runs the command.
pub fn run(args: &VariantsArgs) -> anyhow::Result<()> {
    let mut library = Library::shipped();
    match &args.what {
        What::Check { file } => {
            let report = library.read(&read_variants_file(file)?);
            for message in &report.messages {
                print(format_args!("{}: {message}", file.display()))?;
            }
            print(format_args!("{}: {} variants can be played", file.display(), report.added.len()))?;
            if report.has_errors() {
                bail!("{}: not every section can be played", file.display());
            }
        }
        What::List { file } => {
            if let Some(file) = file {
                for message in library.read(&read_variants_file(file)?).messages {
                    warn(format_args!("{}: {message}", file.display()));
                }
            }
            for name in library.names() {
                let Some(game) = library.game(name) else { continue };
                let rules = game.variant().rules();
                let (files, ranks) = (rules.files, rules.ranks);
                print(format_args!("{name:<16} {files:>2}x{ranks:<2} {}", game.startpos().to_text()))?;
            }
        }
    }
    Ok(())
}
