//! A kind of work for tests: numbers from numbers.

#![allow(dead_code, reason = "each test uses a part")]

use cluster::blobs::BlobCache;
use cluster::envelope::{Build, Job};
use cluster::kind::{Craft, Crafts, Failure, Kind, Pulse};
use platform::random::mix;
use serde_json::{Value, json};
use std::time::Duration;

/// The program of all honest workers.
pub const BUILD: &str = "1 toy";

pub fn build() -> Build {
    Build { build: BUILD.to_owned(), net: None }
}

/// The right output of a job.
pub fn right(n: u64) -> Vec<u8> {
    format!("{n}: {}\n", mix(n)).into_bytes()
}

/// So many numbers.
pub struct Toy(pub u64);

impl Kind for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn jobs(&self) -> u64 {
        self.0
    }

    fn work(&self, n: u64) -> Value {
        json!({ "number": n })
    }

    fn check(&self, n: u64, output: &[u8]) -> Result<(), String> {
        // The rules see the form, not the number.
        let text = std::str::from_utf8(output).map_err(|error| error.to_string())?;
        let whole = text.starts_with(&format!("{n}: ")) && text.ends_with('\n');
        if whole { Ok(()) } else { Err("no such number".to_owned()) }
    }

    fn is_deterministic(&self) -> bool {
        true
    }
}

/// How a worker does its jobs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    Honest,
    /// The form is right, the number is not.
    WrongNumber,
    /// The output is cut.
    Cut,
    /// Job 3 always fails.
    FailsAtThree,
    /// Takes its time.
    Slow(Duration),
}

pub struct ToyCraft(pub Manner);

impl Craft for ToyCraft {
    fn work(&mut self, job: &Job, _: &BlobCache<'_>, pulse: &Pulse) -> Result<Vec<u8>, Failure> {
        let n = job.work["number"].as_u64().ok_or_else(|| Failure::Failed("no number".to_owned()))?;
        pulse.tick();
        match self.0 {
            Manner::WrongNumber => Ok(format!("{n}: 7\n").into_bytes()),
            Manner::Cut => Ok(right(n)[..1].to_vec()),
            Manner::FailsAtThree if n == 3 => Err(Failure::Failed("three is not possible".to_owned())),
            Manner::Honest | Manner::FailsAtThree => Ok(right(n)),
            Manner::Slow(time) => {
                std::thread::sleep(time);
                Ok(right(n))
            }
        }
    }
}

impl Crafts for ToyCraft {
    fn craft(&mut self, kind: &str) -> Option<&mut dyn Craft> {
        (kind == "toy").then_some(self)
    }
}
