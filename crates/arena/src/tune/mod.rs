//! Tuning an engine's options by letting it play against itself (SPSA).

mod parameters;
mod run;
mod spsa;

pub use parameters::{Kind, Parameter, ParametersError, ParametersFile};
pub use run::{TuneConfig, TuneError, run_tune};
pub use spsa::{Gains, Iteration, Perturbation, Spsa};
