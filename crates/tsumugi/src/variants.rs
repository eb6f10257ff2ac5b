//! `tsumugi variants`: the games that files describe.

use anyhow::bail;
use clap::{Args, Subcommand};
use engines::read_variants_file;
use fairy::Library;
use game::{Game, Position};
use std::io::{self, Write};
use std::path::PathBuf;

/// List the games that are read from files, or check such a file.
#[derive(Args, PartialEq, Eq, Debug)]
pub struct VariantsArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, PartialEq, Eq, Debug)]
enum What {
    /// Look for mistakes in a variants.ini, without playing.
    Check {
        /// The file.
        file: PathBuf,
    },
    /// Show the names of all variants with their boards and start positions.
    List {
        /// Also those of this variants.ini.
        file: Option<PathBuf>,
    },
}

/// Runs the command.
pub fn run(args: &VariantsArgs) -> anyhow::Result<()> {
    let mut library = Library::shipped();
    let mut out = io::stdout().lock();
    match &args.what {
        What::Check { file } => {
            let report = library.read(&read_variants_file(file)?);
            for message in &report.messages {
                writeln!(out, "{}: {message}", file.display())?;
            }
            writeln!(out, "{}: {} variants can be played", file.display(), report.added.len())?;
            if report.has_errors() {
                bail!("{}: not every section can be played", file.display());
            }
        }
        What::List { file } => {
            if let Some(file) = file {
                for message in library.read(&read_variants_file(file)?).messages {
                    writeln!(io::stderr(), "{}: {message}", file.display())?;
                }
            }
            for name in library.names() {
                let Some(game) = library.game(name) else { continue };
                let rules = game.variant().rules();
                writeln!(
                    out,
                    "{name:<16} {:>2}x{:<2} {}",
                    rules.files,
                    rules.ranks,
                    game.startpos().to_text()
                )?;
            }
        }
    }
    Ok(())
}
