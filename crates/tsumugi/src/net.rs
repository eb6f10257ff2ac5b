//! `tsumugi net …`: network files.

#![allow(clippy::doc_markdown, reason = "help texts are read in terminals")]

use crate::terminal::print;
use ::train::output::Output;
use anyhow::Context;
use clap::{Args, Subcommand, value_parser};
use eval::nnue::Features;
use eval::{Comparison, EmbeddedNet, Embedding, NetFile};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Describe, export and compare network files, and embed one in the program.
///
///     tsumugi net info nn.bin
///     tsumugi net export nn.bin out/nn.bin --as halfka-hm2
///     tsumugi net diff old/nn.bin new/nn.bin positions.sfen
///     tsumugi net embed nn.bin --fv-scale 16
#[derive(Args, PartialEq, Eq, Debug)]
#[command(verbatim_doc_comment)]
pub struct NetArgs {
    #[command(subcommand)]
    command: NetCommand,
}

#[derive(Subcommand, PartialEq, Eq, Debug)]
enum NetCommand {
    /// Show the architecture, training and hashes of a network, or why it is refused.
    Info {
        /// Network file, compressed with zstd or not, or folder of `nn.bin`; by default the built-in one.
        file: Option<PathBuf>,
    },
    Export(ExportArgs),
    Diff(DiffArgs),
    Embed(EmbedArgs),
}

/// Runs a command.
pub fn run(args: &NetArgs) -> anyhow::Result<()> {
    match &args.command {
        NetCommand::Info { file } => info(file.as_deref()),
        NetCommand::Export(args) => args.run(),
        NetCommand::Diff(args) => args.run(),
        NetCommand::Embed(args) => args.run(),
    }
}

fn info(file: Option<&Path>) -> anyhow::Result<()> {
    let file = file.map_or_else(NetFile::built_in, NetFile::read)?;
    Ok(print(file)?)
}

/// Write a network with other features, for engines that support only those; every position keeps its value.
///
/// Refused if that is impossible. Our own networks mirror boards with a king on the middle file depending on the other
/// pieces, which other engines do not: there values differ, and a note says so.
#[derive(Args, PartialEq, Eq, Debug)]
struct ExportArgs {
    /// Network file, compressed or not, or folder of `nn.bin`.
    input: PathBuf,
    /// File to write.
    output: PathBuf,
    /// Features: halfka-hm2, k-p, halfka-hm1, halfka1, halfka2, halfkp, halfkp-vm; `same` only unpacks.
    #[arg(long = "as", value_name = "FEATURES", value_parser = parse_target)]
    target: Target,
    /// Replace a file of another kind.
    #[arg(long)]
    force: bool,
}

/// The features to write; `None` for those of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Target(Option<Features>);

fn parse_target(word: &str) -> Result<Target, String> {
    match Features::of_word(word) {
        Some(features) => Ok(Target(Some(features))),
        None if word.eq_ignore_ascii_case("same") => Ok(Target(None)),
        None => Err("no features of that name".to_owned()),
    }
}

impl ExportArgs {
    fn run(&self) -> anyhow::Result<()> {
        let file = NetFile::read(&self.input)?;
        let (exported, leant) = match self.target.0 {
            Some(features) => file.export(features)?,
            None => (file.loaded.parameters, false),
        };
        if leant {
            eprintln!(
                "note: boards with a king on the middle file are no longer mirrored; values of such positions differ"
            );
        }
        Output::Network.check(&self.output, self.force)?;
        exported.save_as(&self.output)?;
        Ok(print(format_args!("{}: {}", self.output.display(), exported.architecture()))?)
    }
}

/// Show the positions in which two evaluations differ most.
#[derive(Args, PartialEq, Eq, Debug)]
struct DiffArgs {
    /// The first: network file, folder of `nn.bin` or of KPPT tables, or `<material>`.
    first: PathBuf,
    /// The second.
    second: PathBuf,
    /// Positions, one per line: SFEN, or arguments of `position`; `-` for standard input.
    positions: PathBuf,
    /// Divisor of the first one's values, unless the file states it.
    #[arg(long, default_value_t = 16, value_name = "N", value_parser = value_parser!(i32).range(1..=128))]
    first_scale: i32,
    /// Divisor of the second one's values, unless the file states it.
    #[arg(long, default_value_t = 16, value_name = "N", value_parser = value_parser!(i32).range(1..=128))]
    second_scale: i32,
    /// Number of positions to show.
    #[arg(long, default_value_t = 10, value_name = "N")]
    show: usize,
}

impl DiffArgs {
    fn run(&self) -> anyhow::Result<()> {
        let mut text = String::new();
        if self.positions == Path::new("-") {
            io::stdin().lock().read_to_string(&mut text).context("cannot read standard input")?;
        } else {
            text = std::fs::read_to_string(&self.positions)
                .with_context(|| format!("cannot read {}", self.positions.display()))?;
        }
        let evaluations = [(&*self.first, self.first_scale), (&*self.second, self.second_scale)];
        let (comparison, values) = Comparison::run(evaluations, &text, &self.positions)?;
        print(comparison)?;
        for ([a, b], position) in values.iter().take(self.show) {
            print(format_args!("{a:>6} {b:>6}  {}", position.sfen()))?;
        }
        Ok(())
    }
}

/// Put a network where the build looks for the one to embed, with a card to be completed.
///
/// Writes nn.bin.zst, fv_scale.txt and CARD.md.
#[derive(Args, PartialEq, Eq, Debug)]
struct EmbedArgs {
    /// Network file, or folder of `nn.bin`.
    file: PathBuf,
    /// Divisor of its values; by default the one stated in the file.
    #[arg(long, value_name = "N", value_parser = value_parser!(i32).range(1..=128))]
    fv_scale: Option<i32>,
    /// Add a fact to the network's header and card, as in --fact 'seeds=1 and 2'; may be repeated.
    #[arg(long = "fact", value_name = "NAME=VALUE", value_parser = fact)]
    facts: Vec<(String, String)>,
    /// The folder.
    #[arg(long, default_value = "nets", value_name = "FOLDER")]
    to: PathBuf,
    /// Replace the existing network and its card.
    #[arg(long)]
    force: bool,
}

impl EmbedArgs {
    fn run(&self) -> anyhow::Result<()> {
        let file = NetFile::read(&self.file)?;
        let file = if self.facts.is_empty() { file } else { file.with_facts(&self.facts)? };
        let embedding = file.embed(self.fv_scale, &self.to, self.force)?;
        let [net, card] = [EmbeddedNet::FILE_NAME, EmbeddedNet::CARD_NAME].map(|name| self.to.join(name));
        let (net, card, Embedding { size, fv_scale, .. }) = (net.display(), card.display(), embedding);
        Ok(print(format_args!("{net}: {size} bytes, FV_SCALE {fv_scale}; complete {card} and build again"))?)
    }
}

fn fact(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}
