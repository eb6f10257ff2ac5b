//! `games export`.

use super::print::print_json;
use super::wanted::{WantedArgs, catalogue};
use crate::records::VariantChoice;
use crate::terminal::{Bar, tell};
use crate::words::{LINE_ENDS, cores, one_of};
use anyhow::ensure;
use library::{ExportJob, FileNames, GameNumber, Library, Rules};
use record::convert::{Destination, Existing, Report};
use record::encoding::{Encoding, LineEnd};
use record::{Format, IllegalMoves, WriteOptions};
use std::fmt::Write;
use std::path::PathBuf;

/// Write games as records in any format, with file names from their headers.
///
/// Records are read from the added files, with comments, times and branches. If a file is missing, header and moves are
/// written.
#[derive(clap::Args, PartialEq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub struct ExportArgs {
    /// One file for all games, or a folder (existing, or with a / at the end) with a file for each; standard output without this.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// kif, ki2, csa, csa3, jkf, usi, usen or bod; by default decided by the name of OUT.
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Names of files in a folder, with any of {number} {date} {black} {white} {event} {site} {result} {ending} {plies} {opening}
    /// {variant} {file}; "{date} {black} - {white}" without this.
    #[arg(long, value_name = "PATTERN")]
    names: Option<FileNames>,
    /// Only the games of these numbers, as `list` shows them.
    #[arg(long, value_name = "N", num_args = 1.., help_heading = "Filters")]
    number: Vec<u64>,
    #[command(flatten)]
    wanted: WantedArgs,
    /// A variants.ini with more games.
    #[arg(long, value_name = "FILE")]
    variant_path: Option<String>,
    /// utf-8, utf-8-bom or shift-jis; by default what readers of the format expect (KIF, KI2, BOD: shift-jis).
    #[arg(long, value_name = "ENCODING")]
    encoding: Option<Encoding>,
    /// Ends of lines; by default what readers of the format expect (KIF, KI2, BOD: crlf).
    #[arg(long, value_parser = one_of(LINE_ENDS), value_name = "END")]
    eol: Option<LineEnd>,
    /// Replace files that exist.
    #[arg(long, visible_alias = "force")]
    overwrite: bool,
    /// Leave files that exist as they are and write the others.
    #[arg(long, conflicts_with = "overwrite")]
    skip_existing: bool,
    /// No progress bar, no warnings, no summary; only failures.
    #[arg(short, long)]
    quiet: bool,
    /// Print the summary as JSON, on standard error if the records go to standard output.
    #[arg(long, requires = "output")]
    json: bool,
}

impl ExportArgs {
    pub fn run(&self, library: &Library) -> anyhow::Result<()> {
        let filter = self.wanted.filter();
        let chosen = |number: GameNumber| self.number.is_empty() || self.number.contains(&number.0);
        let wanted: Vec<_> = library.list(&filter).filter(|game| chosen(game.number)).collect();
        ensure!(!wanted.is_empty(), "no game passes the filters; nothing is written");
        let destination = Destination::from(self.output.as_ref());
        let format = destination.format(self.to)?;
        // The wanted game is not how records are read: each says it itself, unless a file with more games is given.
        let choice = VariantChoice::of(self.wanted.variant.clone(), self.variant_path.clone());
        let notation = choice.notation(None, IllegalMoves::Cut)?;
        let games = catalogue(self.variant_path.as_deref())?;
        let write = WriteOptions { format, encoding: self.encoding, line_end: self.eol };
        let existing = Existing::of_switches(self.overwrite, self.skip_existing);
        let job = ExportJob {
            games: &wanted,
            destination,
            write: notation.write_options(write)?,
            existing,
            names: self.names.clone().unwrap_or_default(),
            notation: &*notation,
            rules: Rules(&games),
            threads: cores(),
        };
        let report = Report::new(Bar::of_bytes(!self.quiet), self.quiet, None)?;
        let exported = library::export(&job, &report)?;
        report.screen().clear();
        if self.json {
            print_json(&exported)?;
        } else if !self.quiet && self.output.is_some() {
            let mut text = format!("{} games written", exported.written);
            if exported.from_library > 0 {
                // Writing to a string cannot fail.
                let _ = write!(text, ", {} of them header and moves only", exported.from_library);
            }
            tell(text)?;
        }
        ensure!(exported.failed == 0, "{} games could not be written", exported.failed);
        let refused = existing == Existing::Refuse && exported.existing > 0;
        ensure!(!refused, "{} files exist already: give --skip-existing or --overwrite", exported.existing);
        Ok(())
    }
}
