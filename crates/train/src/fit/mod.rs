//! Fits networks to training data.
//!
//! | to | see |
//! |---|---|
//! | represent a network with real numbers, read and write it | [`FloatNet`], [`parse_shape`] |
//! | convert it to a network for engines | [`FloatNet::quantise`], [`RoundingError`] |
//! | start from a smaller or a quantised network | [`FloatNet::grow`], [`FloatNet::from_quantised`] |
//! | correct scores by results | [`Correction`] |
//! | prepare training data | [`Samples`], [`Target`] |
//! | run a whole training | [`Run`], [`Settings`], [`News`] |
//! | train, step by step | [`Trainer`] |
//! | evaluate a training | [`Experiment`] |

mod data;
mod net;
mod optimise;
mod run;

pub use data::correction::{Correction, Gain};
pub use data::samples::{Samples, SamplesError};
pub use data::target::{Loss, Target};
pub use net::files::NetFilesError;
pub use net::float_file::FloatNetError;
pub use net::float_net::{Activations, FloatLayer, FloatNet};
pub use net::growth::GrowthError;
pub use net::quantise::{RoundingError, random_positions};
pub use net::shape_name::parse_shape;
pub use optimise::trainer::{Cursor, Trainer, TrainerError, Validation};
pub use run::checkpoint::CheckpointError;
pub use run::experiment::{Data, Entry, Experiment, Finish};
pub use run::job::{FitError, FitJob};
pub use run::settings::Settings;
pub use run::{News, Pace, Run, RunError};
