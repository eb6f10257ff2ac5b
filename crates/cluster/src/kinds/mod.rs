//! The kinds of work, each in two halves: a plan for the coordinator, a craft for the workers.

pub mod generate;
pub mod mate;
pub mod net;
pub mod think;

use crate::kind::{Craft, Crafts, Failure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// All crafts of this program.
#[derive(Default)]
pub struct AllCrafts {
    think: think::ThinkCraft,
    mate: mate::MateCraft,
    generate: generate::GenerateCraft,
}

impl Crafts for AllCrafts {
    fn craft(&mut self, kind: &str) -> Option<&mut dyn Craft> {
        Some(match kind {
            think::NAME => &mut self.think,
            mate::NAME => &mut self.mate,
            generate::NAME => &mut self.generate,
            _ => return None,
        })
    }
}

/// The work of a job, as its kind defines it.
fn read<T: DeserializeOwned>(work: &Value) -> Result<T, Failure> {
    T::deserialize(work).map_err(|error| Failure::Failed(format!("the job cannot be read: {error}")))
}

/// JSON of settings and work: text, numbers and lists only.
fn json(value: impl Serialize) -> Value {
    // Nothing of this has keys that are no strings, which alone could fail.
    serde_json::to_value(value).unwrap_or_default()
}

/// Most jobs of a run; larger plans put more into a job.
const MOST_JOBS: usize = 10_000;

/// Number of items of a job.
fn share(items: usize) -> usize {
    items.div_ceil(MOST_JOBS).max(1)
}
