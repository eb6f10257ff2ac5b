//! Fitting networks to training data.
//!
//! | to | see |
//! |---|---|
//! | hold a network as real numbers, read and write it | [`FloatNet`], [`parse_shape`] |
//! | make it a network that engines play with | [`FloatNet::quantise`], [`RoundingError`] |
//! | begin with a smaller network, or with one of whole numbers | [`FloatNet::grow`], [`FloatNet::from_quantised`] |
//! | correct scores by what results say | [`Correction`] |
//! | prepare training data | [`Samples`], [`Target`] |
//! | train, from beginning to end | [`Run`], [`Settings`], [`News`] |
//! | train, step by step | [`Trainer`] |
//! | see how it went | [`Experiment`] |

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
