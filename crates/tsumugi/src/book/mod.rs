//! `tsumugi book …`: the command line of crate `book`.

#![allow(clippy::doc_markdown, reason = "help texts are read in terminals")]

mod change;
mod import;
mod look;
mod thinking;
mod usi_thinker;
mod work;

use clap::Subcommand;
use work::OutputFile;

/// Make, change and look into opening books: .db (YANEURAOU-DB2016), .ybb, Apery's .bin and ShogiGUI's .sbk.
///
/// Files are replaced only by complete ones; jobs that take long go on where they were when they are started again.
///
///     tsumugi book import games/ -o book.db --moves 32 --min-count 2
///     tsumugi book think book.sfen user_book1.db --depth 20 --lines 3
///     tsumugi book minmax user_book1.db peta.db
///     tsumugi book mine user_book1.db --rounds 100 --nodes 1000000
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct BookArgs {
    /// Replace a file that is there even if it is nothing that this command writes.
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
    Convert(change::ConvertArgs),
    Probe(look::ProbeArgs),
    Show(look::ShowArgs),
    Edit(change::EditArgs),
    Diff(look::DiffArgs),
    Stats(look::StatsArgs),
    Check(look::CheckArgs),
    Repair(change::RepairArgs),
    Export(look::ExportArgs),
    Synth(change::SynthArgs),
}

impl BookCommand {
    /// Every file that the command replaces.
    fn outputs(&self) -> anyhow::Result<Vec<OutputFile<'_>>> {
        Ok(match self {
            Self::Import(args) => vec![args.output()?],
            Self::Think(args) => vec![args.output()],
            Self::Merge(args) => vec![args.output()?],
            Self::Sort(args) => vec![args.output()?],
            Self::Minmax(args) => vec![args.output()?],
            Self::Extend(args) => args.outputs(),
            Self::Mine(args) => args.outputs()?,
            Self::Convert(args) => vec![args.output()?],
            Self::Repair(args) => vec![args.output()?],
            Self::Export(args) => vec![args.output()],
            Self::Synth(args) => vec![args.output()?],
            // An edit reads the book that it changes.
            Self::Edit(_)
            | Self::Probe(_)
            | Self::Show(_)
            | Self::Diff(_)
            | Self::Stats(_)
            | Self::Check(_) => Vec::new(),
        })
    }
}

/// Does what the command line asks for.
pub fn run(args: &BookArgs) -> anyhow::Result<()> {
    for (path, output) in args.command.outputs()? {
        if !args.force {
            output.check(path)?;
        }
    }
    match &args.command {
        BookCommand::Import(args) => args.run(),
        BookCommand::Think(args) => args.run(),
        BookCommand::Merge(args) => args.run(),
        BookCommand::Sort(args) => args.run(),
        BookCommand::Minmax(args) => args.run(),
        BookCommand::Extend(args) => args.run(),
        BookCommand::Mine(args) => args.run(),
        BookCommand::Convert(args) => args.run(),
        BookCommand::Probe(args) => args.run(),
        BookCommand::Show(args) => args.run(),
        BookCommand::Edit(args) => args.run(),
        BookCommand::Diff(args) => args.run(),
        BookCommand::Stats(args) => args.run(),
        BookCommand::Check(args) => args.run(),
        BookCommand::Repair(args) => args.run(),
        BookCommand::Export(args) => args.run(),
        BookCommand::Synth(args) => args.run(),
    }
}
