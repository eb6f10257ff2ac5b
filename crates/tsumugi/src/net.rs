//! `tsumugi net …`: network files.

#![allow(clippy::doc_markdown, reason = "help texts are read in terminals")]

use ::train::output::Output;
use anyhow::Context;
use clap::{Args, Subcommand, value_parser};
use eval::nnue::Features;
use eval::{Comparison, EmbeddedNet, NetFile};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Look into network files, write them for other engines, compare them, build one in.
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
    Info(InfoArgs),
    Export(ExportArgs),
    Diff(DiffArgs),
    Embed(EmbedArgs),
}

/// Runs a command.
pub fn run(args: &NetArgs) -> anyhow::Result<()> {
    match &args.command {
        NetCommand::Info(args) => args.run(),
        NetCommand::Export(args) => args.run(),
        NetCommand::Diff(args) => args.run(),
        NetCommand::Embed(args) => args.run(),
    }
}

/// Show the shape of a network, how it was made, its hashes; or why it is refused.
#[derive(Args, PartialEq, Eq, Debug)]
struct InfoArgs {
    /// Network file, compressed with zstd or not, or folder of `nn.bin`; by default the built-in one.
    file: Option<PathBuf>,
}

impl InfoArgs {
    fn run(&self) -> anyhow::Result<()> {
        let file = match &self.file {
            Some(path) => NetFile::read(path)?,
            None => NetFile::built_in()?,
        };
        writeln!(io::stdout().lock(), "{file}")?;
        Ok(())
    }
}

/// Write a network with other features, for engines that know those only; every position keeps its value.
///
/// The file is refused where that cannot be. Our own networks mirror boards with a king on the middle file by how the other
/// pieces stand, which other engines do not: there values differ, and a note says so.
#[derive(Args, PartialEq, Eq, Debug)]
struct ExportArgs {
    /// Network file, compressed or not, or folder of `nn.bin`.
    input: PathBuf,
    /// File to write.
    output: PathBuf,
    /// Features: halfka-hm2, k-p, halfka-hm1, halfka1, halfka2, halfkp, halfkp-vm; `same` only unpacks.
    #[arg(long = "as", value_name = "FEATURES", value_parser = parse_target)]
    target: Target,
    /// Replace a file that holds something else.
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
        writeln!(io::stdout().lock(), "{}: {}", self.output.display(), exported.architecture())?;
        Ok(())
    }
}

/// Show where two evaluations disagree most.
#[derive(Args, PartialEq, Eq, Debug)]
struct DiffArgs {
    /// The first: network file, folder of `nn.bin` or of KPPT tables, or `<material>`.
    first: PathBuf,
    /// The second.
    second: PathBuf,
    /// Positions, one to a line: SFEN, or what follows `position`; `-` for standard input.
    positions: PathBuf,
    /// What values of the first are divided by, where the file does not tell.
    #[arg(long, default_value_t = 16, value_name = "N", value_parser = value_parser!(i32).range(1..=128))]
    first_scale: i32,
    /// The same for the second.
    #[arg(long, default_value_t = 16, value_name = "N", value_parser = value_parser!(i32).range(1..=128))]
    second_scale: i32,
    /// How many positions to show.
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
        let mut out = io::stdout().lock();
        writeln!(out, "{comparison}")?;
        for ([a, b], position) in values.iter().take(self.show) {
            writeln!(out, "{a:>6} {b:>6}  {}", position.sfen())?;
        }
        Ok(())
    }
}

/// Put a network where the build looks for the one that becomes part of the program, with a card to be completed.
///
/// Writes nn.bin.zst, fv_scale.txt and CARD.md.
#[derive(Args, PartialEq, Eq, Debug)]
struct EmbedArgs {
    /// Network file, or folder of `nn.bin`.
    file: PathBuf,
    /// What its values are divided by; by default what the file tells.
    #[arg(long, value_name = "N", value_parser = value_parser!(i32).range(1..=128))]
    fv_scale: Option<i32>,
    /// Tell a fact of the network in its header and on its card, as in --fact 'seeds=1 and 2'; any number of times.
    #[arg(long = "fact", value_name = "NAME=VALUE", value_parser = fact)]
    facts: Vec<(String, String)>,
    /// The folder.
    #[arg(long, default_value = "nets", value_name = "FOLDER")]
    to: PathBuf,
    /// Replace the network that is there, and its card.
    #[arg(long)]
    force: bool,
}

impl EmbedArgs {
    fn run(&self) -> anyhow::Result<()> {
        let file = NetFile::read(&self.file)?;
        let file = if self.facts.is_empty() { file } else { file.with_facts(&self.facts)? };
        let embedding = file.embed(self.fv_scale, &self.to, self.force)?;
        writeln!(
            io::stdout().lock(),
            "{}: {} bytes, FV_SCALE {}; complete {} and build again",
            self.to.join(EmbeddedNet::FILE_NAME).display(),
            embedding.size,
            embedding.fv_scale,
            self.to.join(EmbeddedNet::CARD_NAME).display()
        )?;
        Ok(())
    }
}

fn fact(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}
