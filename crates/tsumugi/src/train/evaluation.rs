//! The evaluation for self-play.

use eval::MaterialLevel;
use std::path::PathBuf;
use train::{EvaluationChoice, EvaluationChoiceError, IdentifiedEvaluation};

/// Options that choose the evaluation.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug)]
pub struct EvalArgs {
    /// Network file, or folder of `nn.bin`; by default the built-in network, or material if there is none.
    #[arg(long, value_name = "PATH")]
    eval: Option<PathBuf>,
    /// Divisor of that network's values.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(i32).range(1..=1024))]
    fv_scale: i32,
    /// Use the material evaluation of this level, 1 to 4, instead.
    #[arg(long, value_name = "LEVEL", conflicts_with = "eval")]
    material: Option<MaterialLevel>,
}

impl EvalArgs {
    /// Whether it differs from the default.
    pub fn is_chosen(&self) -> bool {
        self.eval.is_some() || self.material.is_some()
    }

    /// Loads it.
    pub fn load(&self) -> Result<IdentifiedEvaluation, EvaluationChoiceError> {
        match (&self.eval, self.material) {
            (_, Some(level)) => EvaluationChoice::Material(level),
            (Some(path), None) => EvaluationChoice::File { path, fv_scale: self.fv_scale },
            (None, None) => EvaluationChoice::BuiltIn,
        }
        .load()
    }

    /// The same for the workers of a hub.
    #[cfg(feature = "cluster")]
    pub fn for_hub(&self, hub: &cluster::run::Hub) -> anyhow::Result<cluster::kinds::net::Net> {
        match self.material {
            Some(level) => Ok(cluster::kinds::net::Net::Material(level.to_string())),
            None => crate::cluster::net(hub, self.eval.as_deref(), self.fv_scale),
        }
    }
}
