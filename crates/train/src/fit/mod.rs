//! Fitting networks to teachers.
//!
//! | to | see |
//! |---|---|
//! | hold a network as real numbers, read and write it | [`FloatNet`], [`parse_shape`] |
//! | make it a network that engines play with | [`FloatNet::quantise`], [`RoundingError`] |
//! | begin with a smaller network, or with one of whole numbers | [`FloatNet::grow`], [`FloatNet::from_quantised`] |
//! | correct scores by what results say | [`Correction`] |
//! | make teachers ready | [`Samples`], [`Target`] |
//! | train, from beginning to end | [`Run`], [`Settings`], [`News`] |
//! | train, step by step | [`Trainer`] |
//! | see how it went | [`Experiment`] |

mod adam;
mod batch;
mod checkpoint;
mod correction;
mod experiment;
mod first_layer;
mod float_file;
mod float_net;
mod growth;
mod pass;
mod quantise;
mod report;
mod run;
mod samples;
mod settings;
mod shape_name;
mod target;
mod trainer;
mod upper;
mod vector;

pub use checkpoint::CheckpointError;
pub use correction::{Correction, Gain};
pub use experiment::{Data, Entry, Experiment, Finish};
pub use float_file::FloatNetError;
pub use float_net::{Activations, FloatLayer, FloatNet};
pub use growth::GrowthError;
pub use quantise::{RoundingError, random_positions};
pub use run::{News, Pace, Run, RunError};
pub use samples::{Samples, SamplesError};
pub use settings::Settings;
pub use shape_name::parse_shape;
pub use target::{Loss, Target};
pub use trainer::{Cursor, Exam, Trainer, TrainerError};
