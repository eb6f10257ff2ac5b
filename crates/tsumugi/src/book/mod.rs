//! `tsumugi book …`: the command line of crate `book`.

#![allow(clippy::doc_markdown, reason = "help texts are read in terminals")]

mod change;
#[cfg(feature = "cluster")]
mod hub;
mod import;
mod look;
mod thinking;
mod work;

use clap::Subcommand;
use work::Force;

/// Make, change and look into opening books: .db (YANEURAOU-DB2016), .ybb, Apery's .bin and ShogiGUI's .sbk.
///
/// Files are replaced only by complete ones; interrupted jobs resume when they are started again.
///
///     tsumugi book import games/ -o book.db --moves 32 --min-count 2
///     tsumugi book think book.sfen user_book1.db --depth 20 --lines 3
///     tsumugi book minmax user_book1.db peta.db
///     tsumugi book mine user_book1.db --rounds 100 --nodes 1000000
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct BookArgs {
    /// Replace an existing file even if this command would not write that kind of file.
    #[arg(long, global = true)]
    force: bool,
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, PartialEq, Debug)]
enum BookCommand {
    Import(Box<import::ImportArgs>),
    Think(thinking::ThinkArgs),
    Merge(change::MergeArgs),
    Sort(change::SortArgs),
    Minmax(change::MinMaxArgs),
    Extend(thinking::ExtendArgs),
    Mine(Box<thinking::MineArgs>),
    /// Convert a book to another format, given by the file extension.
    Convert(change::InOutArgs),
    Probe(look::ProbeArgs),
    Show(look::ShowArgs),
    Edit(change::EditArgs),
    Diff(look::DiffArgs),
    /// Show statistics of a book.
    Stats(look::BookPath),
    /// List the faults of a book; fails if there are any.
    Check(look::BookPath),
    /// Write a book without its faults: malformed lines, illegal moves, repeated or unsorted positions.
    Repair(change::InOutArgs),
    Export(look::ExportArgs),
    Synth(change::SynthArgs),
}

/// Runs the command.
pub fn run(args: &BookArgs) -> anyhow::Result<()> {
    let force = Force(args.force);
    match &args.command {
        BookCommand::Import(args) => args.run(force),
        BookCommand::Think(args) => args.run(force),
        BookCommand::Merge(args) => args.run(force),
        BookCommand::Sort(args) => args.run(force),
        BookCommand::Minmax(args) => args.run(force),
        BookCommand::Extend(args) => args.run(force),
        BookCommand::Mine(args) => args.run(force),
        BookCommand::Convert(args) => args.convert(force),
        BookCommand::Probe(args) => args.run(),
        BookCommand::Show(args) => args.run(),
        // An edit reads the book that it changes.
        BookCommand::Edit(args) => args.run(),
        BookCommand::Diff(args) => args.run(),
        BookCommand::Stats(args) => args.stats(),
        BookCommand::Check(args) => args.check(),
        BookCommand::Repair(args) => args.repair(force),
        BookCommand::Export(args) => args.run(force),
        BookCommand::Synth(args) => args.run(force),
    }
}
