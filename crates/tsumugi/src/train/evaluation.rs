//! Which evaluation plays the games.

use anyhow::{Context, bail};
use eval::nnue::Isa;
use eval::{EmbeddedNet, Evaluator, LoadOptions, Material, MaterialLevel};
use std::path::{Path, PathBuf};

/// The evaluation that is asked for.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug)]
pub struct EvalArgs {
    /// Network file, or folder of `nn.bin`; without it, the built-in network, or material where there is none.
    #[arg(long, value_name = "PATH")]
    eval: Option<PathBuf>,
    /// What values of that network are divided by.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(i32).range(1..=1024))]
    fv_scale: i32,
    /// Use the material evaluation of this level, 1 to 4, instead.
    #[arg(long, value_name = "LEVEL", conflicts_with = "eval")]
    material: Option<MaterialLevel>,
}

/// An evaluation and what tells it from others.
pub struct Chosen {
    /// The evaluation.
    pub evaluation: Evaluator,
    /// Its name and, if it has a file, a hash of it.
    pub identity: String,
}

impl EvalArgs {
    /// Whether it is another than the usual one.
    pub fn is_chosen(&self) -> bool {
        self.eval.is_some() || self.material.is_some()
    }

    /// Loads it.
    pub fn load(&self) -> anyhow::Result<Chosen> {
        if let Some(level) = self.material {
            return Ok(material(level));
        }
        if let Some(path) = &self.eval {
            let options = LoadOptions { fv_scale: self.fv_scale, ..LoadOptions::default() };
            let loaded =
                Evaluator::load(path, options).with_context(|| format!("cannot use {}", path.display()))?;
            let Some((evaluation, _)) = loaded else {
                bail!("neither nn.bin nor KPPT tables in {}", path.display())
            };
            let identity = format!("{} / {}", identity_of_file(path)?, self.fv_scale);
            return Ok(Chosen { evaluation, identity });
        }
        match EmbeddedNet::of_build() {
            Some(net) => {
                let evaluation = Evaluator::Nnue(Box::new(net.unpack(Isa::best())?));
                Ok(Chosen {
                    evaluation,
                    identity: format!("built-in network of {}", env!("CARGO_PKG_VERSION")),
                })
            }
            None => Ok(material(MaterialLevel::default())),
        }
    }
}

fn material(level: MaterialLevel) -> Chosen {
    Chosen {
        evaluation: Evaluator::Material(Material::new(level)),
        identity: format!("material level {level}"),
    }
}

/// A network by its content, tables by their place.
fn identity_of_file(path: &Path) -> anyhow::Result<String> {
    let file = if path.is_dir() { path.join(eval::nnue::FILE_NAME) } else { path.to_owned() };
    if !file.is_file() {
        return Ok(path.display().to_string());
    }
    let bytes = std::fs::read(&file).with_context(|| file.display().to_string())?;
    Ok(format!("network {:016x}", train::fingerprint(&bytes)))
}
