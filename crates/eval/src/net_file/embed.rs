//! `net embed`: makes a network the one that the build compiles in.

use super::NetFile;
use crate::{EmbeddedNet, EmbeddedNetError, WriteError};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A network that cannot be embedded.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// The divisor of its values is unknown.
    #[error("no FV_SCALE in {0}: give --fv-scale N")]
    NoScale(String),
    /// There is a network already.
    #[error("{} exists already: give --force to replace it", .0.display())]
    Exists(PathBuf),
    /// It cannot be unpacked.
    #[error("the compressed network cannot be unpacked: {0}")]
    Unreadable(EmbeddedNetError),
    /// It unpacks to something else.
    #[error("the compressed network does not unpack to the same bytes")]
    Damaged,
    /// It is too large for a program.
    #[error("{name} has {size} bytes when it is compressed, more than {MOST_BYTES}")]
    TooLarge {
        /// The file.
        name: String,
        /// Its bytes.
        size: usize,
    },
    /// The files cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A network that was embedded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Embedding {
    /// Compressed bytes.
    pub size: usize,
    /// The divisor of its values.
    pub fv_scale: i32,
}

/// Larger networks are not meant to be compiled in.
const MOST_BYTES: usize = 16 << 20;

impl NetFile {
    /// Writes the files that the build looks for to `folder`, with a card to be completed. `fv_scale` overrides the
    /// value that the file states.
    pub fn embed(self, fv_scale: Option<i32>, folder: &Path, force: bool) -> Result<Embedding, EmbedError> {
        let fv_scale = fv_scale.or(self.fv_scale).ok_or_else(|| EmbedError::NoScale(self.name.clone()))?;
        let files = [EmbeddedNet::FILE_NAME, EmbeddedNet::CARD_NAME].map(|name| folder.join(name));
        if let Some(path) = files.into_iter().find(|path| path.exists() && !force) {
            return Err(EmbedError::Exists(path));
        }
        let net = compress(&self.bytes, fv_scale);
        if net.file().map_err(EmbedError::Unreadable)? != self.bytes {
            return Err(EmbedError::Damaged);
        }
        let size = net.compressed().len();
        if size > MOST_BYTES {
            return Err(EmbedError::TooLarge { name: self.name, size });
        }
        let file = Self { fv_scale: Some(fv_scale), compressed: Some(size), ..self };
        net.save(folder, &card(&file))?;
        Ok(Embedding { size, fv_scale })
    }
}

/// Compresses with the program `zstd` where there is one: its files are smaller.
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
        // Output is read while the file is written, so that neither pipe blocks.
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

/// Sections of a card with their facts, and hints for facts that the file lacks.
const SECTIONS: [(&str, &str, &str); 7] = [
    ("Data", "data", "positions, nodes for each move, openings"),
    ("Generations", "generations", "what played the games of each"),
    ("Recipe", "recipe", "loss, optimiser, schedule, visits"),
    ("Seeds", "seeds", "of data and training"),
    ("Gates passed", "gates", "opponents, games, results"),
    ("Parent", "parent", "the network it grew from"),
    ("Made by", "command", "the command that makes it again, and the commit"),
];

fn card(file: &NetFile) -> String {
    let mut card = String::from("# The default network\n\n| | |\n|---|---|\n");
    for (name, value) in file.description() {
        writeln!(card, "| {name} | {} |", value.replace('|', "\\|")).expect("memory can be written");
    }
    let facts = file.loaded.parameters.facts();
    for (title, name, hint) in SECTIONS {
        let text = facts.get(name).map_or_else(|| format!("(to be told: {hint})"), str::to_owned);
        write!(card, "\n## {title}\n\n{text}\n").expect("memory can be written");
    }
    let others = facts.iter().filter(|(name, _)| SECTIONS.iter().all(|(_, known, _)| known != name));
    let others: Vec<String> = others.map(|(name, value)| format!("- {name}: {value}\n")).collect();
    if !others.is_empty() {
        card += "\n## Further facts\n\n";
        card += &others.concat();
    }
    card
}
