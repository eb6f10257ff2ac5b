//! Tuning of an engine's options by self-play (SPSA).

mod parameters;
mod run;
mod spsa;

pub use parameters::{Kind, Parameter, ParametersError, ParametersFile};
pub use run::{TuneConfig, TuneError, run_tune};
pub use spsa::{Gains, Iteration, Perturbation, Spsa};
