//! `tsumugi net …`: network files, looked at and changed.

#![allow(clippy::doc_markdown, reason = "help texts are read in terminals")]

mod card;
mod diff;
mod embed;
mod export;
mod file;
mod info;

pub use file::NetFile;

use clap::Subcommand;

/// Look into network files, write them for other engines, compare them, build one in.
///
///     tsumugi net info nn.bin
///     tsumugi net export nn.bin out/nn.bin --as halfka-hm2
///     tsumugi net diff old/nn.bin new/nn.bin positions.sfen
///     tsumugi net embed nn.bin --fv-scale 16
#[derive(clap::Args, PartialEq, Eq, Debug)]
#[command(verbatim_doc_comment)]
pub struct NetArgs {
    #[command(subcommand)]
    command: NetCommand,
}

#[derive(Subcommand, PartialEq, Eq, Debug)]
enum NetCommand {
    Info(info::InfoArgs),
    Export(export::ExportArgs),
    Diff(diff::DiffArgs),
    Embed(embed::EmbedArgs),
}

/// Does what the command line asks for.
pub fn run(args: &NetArgs) -> anyhow::Result<()> {
    match &args.command {
        NetCommand::Info(args) => args.run(),
        NetCommand::Export(args) => args.run(),
        NetCommand::Diff(args) => args.run(),
        NetCommand::Embed(args) => args.run(),
    }
}
