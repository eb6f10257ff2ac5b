//! `tsumugi net info`.

use super::card;
use super::file::NetFile;
use std::io::{self, Write};
use std::path::PathBuf;

/// Show the shape of a network, how it was made, its hashes; or why it is refused.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct InfoArgs {
    /// Network file, compressed with zstd or not, or folder of `nn.bin`; by default the built-in one.
    file: Option<PathBuf>,
}

impl InfoArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let file = match &self.file {
            Some(path) => NetFile::read(path)?,
            None => NetFile::built_in()?,
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{}", file.name)?;
        for (name, value) in card::facts(&file) {
            writeln!(out, "{name:<14} {value}")?;
        }
        for mismatch in &file.loaded.mismatches {
            writeln!(out, "{:<14} {mismatch}", "warning")?;
        }
        let facts = file.loaded.parameters.facts();
        if facts.is_empty() {
            writeln!(out, "{:<14} none: the file does not tell how it was made", "facts")?;
        }
        for (name, value) in facts.iter() {
            writeln!(out, "  {name:<12} {value}")?;
        }
        Ok(())
    }
}
