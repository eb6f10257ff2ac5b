//! `tsumugi net embed`.

use super::card;
use super::file::NetFile;
use anyhow::{Context, bail};
use eval::EmbeddedNet;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Put a network where the build looks for the one that becomes part of the program, with a card to be completed.
///
/// Writes nn.bin.zst, fv_scale.txt and CARD.md.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct EmbedArgs {
    /// Network file, or folder of `nn.bin`.
    file: PathBuf,
    /// What its values are divided by; by default what the file tells.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=128))]
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

/// More does not belong into a program.
const MOST_BYTES: usize = 16 << 20;

impl EmbedArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let file = NetFile::read(&self.file)?;
        let file = if self.facts.is_empty() { file } else { file.telling(&self.facts)? };
        let fv_scale = self.fv_scale.or(file.fv_scale);
        let fv_scale = fv_scale
            .with_context(|| format!("{} does not tell its FV_SCALE: give --fv-scale N", file.name))?;
        let there = [EmbeddedNet::FILE_NAME, EmbeddedNet::CARD_NAME].map(|name| self.to.join(name));
        if let Some(path) = there.iter().find(|path| path.exists() && !self.force) {
            bail!("{} is there already: --force replaces it", path.display());
        }
        let net = compress(&file.bytes, fv_scale);
        if net.file().context("what was compressed cannot be read again")? != file.bytes {
            bail!("what was compressed is not what is unpacked");
        }
        let size = net.compressed().len();
        if size > MOST_BYTES {
            bail!("{} has {size} bytes when it is compressed, more than {MOST_BYTES}", file.name);
        }
        let file = NetFile { fv_scale: Some(fv_scale), compressed: Some(size), ..file };
        net.save(&self.to, &text(&file))?;
        writeln!(
            io::stdout().lock(),
            "{}: {size} bytes, FV_SCALE {fv_scale}; complete {} and build again",
            self.to.join(EmbeddedNet::FILE_NAME).display(),
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

/// Compresses with the program `zstd` where there is one, which is better at it than what is built in.
fn compress(file: &[u8], fv_scale: i32) -> EmbeddedNet {
    let with_program = || {
        let mut program = Command::new("zstd")
            .args(["-19", "-q", "-c"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut input = program.stdin.take()?;
        // All output is read while the file is written, so that neither waits for the other.
        let output = std::thread::scope(|scope| {
            scope.spawn(move || input.write_all(file));
            program.wait_with_output()
        });
        output.ok().filter(|output| output.status.success()).map(|output| output.stdout)
    };
    match with_program() {
        Some(compressed) => EmbeddedNet::new(compressed, fv_scale),
        None => EmbeddedNet::compress(file, fv_scale),
    }
}

/// What a card must tell, whether the file does or not.
const SECTIONS: [(&str, &str, &str); 7] = [
    ("Data", "data", "positions, nodes for each move, openings"),
    ("Generations", "generations", "what played the games of each"),
    ("Recipe", "recipe", "loss, optimiser, schedule, visits"),
    ("Seeds", "seeds", "of data and training"),
    ("Gates passed", "gates", "opponents, games, results"),
    ("Parent", "parent", "the network it grew from"),
    ("Made by", "command", "the command that makes it again, and the commit"),
];

fn text(file: &NetFile) -> String {
    let mut card = String::from("# The default network\n\n| | |\n|---|---|\n");
    for (name, value) in card::facts(file) {
        writeln!(card, "| {name} | {} |", value.replace('|', "\\|")).expect("memory can be written");
    }
    let facts = file.loaded.parameters.facts();
    for (title, name, hint) in SECTIONS {
        let told = facts.get(name).map_or_else(|| format!("(to be told: {hint})"), str::to_owned);
        write!(card, "\n## {title}\n\n{told}\n").expect("memory can be written");
    }
    let others = facts.iter().filter(|(name, _)| SECTIONS.iter().all(|(_, known, _)| known != name));
    let others: Vec<String> = others.map(|(name, value)| format!("- {name}: {value}\n")).collect();
    if !others.is_empty() {
        card += "\n## Further facts\n\n";
        card += &others.concat();
    }
    card
}
