//! `tsumugi net export`.

use super::file::NetFile;
use crate::train::overwrite::Output;
use anyhow::Context;
use eval::nnue::Features;
use std::io::{self, Write};
use std::path::PathBuf;

/// Write a network with other features, for engines that know those only; every position keeps its value.
///
/// The file is refused where that cannot be. Our own networks mirror boards with a king on the middle file by how the other
/// pieces stand, which other engines do not: there values differ, and a note says so.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct ExportArgs {
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

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    Same,
    Features(Features),
}

fn parse_target(word: &str) -> Result<Target, String> {
    let letters: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
    if letters.eq_ignore_ascii_case("same") {
        return Ok(Target::Same);
    }
    let features = Features::ALL.into_iter().find(|features| features.word().eq_ignore_ascii_case(&letters));
    features.map(Target::Features).ok_or_else(|| "no features of that name".to_owned())
}

impl ExportArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let parameters = NetFile::read(&self.input)?.loaded.parameters;
        let exported = match self.target {
            Target::Same => parameters,
            Target::Features(features) => {
                let leant = parameters.architecture().features.lean();
                let exported = parameters
                    .upright()
                    .with_features(features)
                    .with_context(|| format!("{} cannot be exported", self.input.display()))?;
                if leant {
                    eprintln!(
                        "note: boards with a king on the middle file are no longer mirrored; values of such positions differ"
                    );
                }
                exported
            }
        };
        Output::Network.check(&self.output, self.force)?;
        exported.save_as(&self.output)?;
        writeln!(io::stdout().lock(), "{}: {}", self.output.display(), exported.architecture())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_features() {
        for (word, features) in
            [("halfka-hm2", Features::HalfKaHm2), ("k-p", Features::Kp), ("HalfKP_vm", Features::HalfKpVm)]
        {
            assert_eq!(parse_target(word), Ok(Target::Features(features)));
        }
        assert_eq!(parse_target("same"), Ok(Target::Same));
        assert!(parse_target("halfka").is_err());
    }
}
