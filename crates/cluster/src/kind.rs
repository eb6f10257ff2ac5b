//! A kind of work: on the coordinator a plan of jobs, on a worker the craft that does one.

use crate::blobs::BlobCache;
use crate::envelope::Job;
use crate::names::Class;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A plan of jobs, and what a result must be.
pub trait Kind: Send + Sync {
    /// Its word in jobs.
    fn name(&self) -> &'static str;

    /// Which workers can do it.
    fn class(&self) -> Class {
        Class::Cpu
    }

    /// Number of jobs.
    fn jobs(&self) -> u64;

    /// The settings and the part of the work of a job.
    fn work(&self, n: u64) -> Value;

    /// What an output breaks of the rules of the game, if anything.
    fn check(&self, n: u64, output: &[u8]) -> Result<(), String>;

    /// Whether the output depends on the job alone, so that two workers must agree.
    fn is_deterministic(&self) -> bool;
}

/// How jobs of a kind are done.
pub trait Craft: Send {
    /// Does a job; returns its output.
    fn work(&mut self, job: &Job, blobs: &BlobCache<'_>, pulse: &Pulse) -> Result<Vec<u8>, Failure>;
}

/// All crafts of a slot, by the names of their kinds.
pub trait Crafts: Send {
    /// The craft of a kind; `None` if this program does not know it.
    fn craft(&mut self, kind: &str) -> Option<&mut dyn Craft>;
}

/// Why a job was not done.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The job cannot be done, here or perhaps anywhere.
    #[error("{0}")]
    Failed(String),
    /// The slot was stopped.
    #[error("stopped")]
    Stopped,
    /// A blob is not there, or not what it should be; later it may be.
    #[error("{0}")]
    Blob(String),
}

/// What a craft shows of its progress, and how it is stopped.
#[derive(Debug, Default)]
pub struct Pulse {
    moved: AtomicU64,
    stop: AtomicBool,
}

impl Pulse {
    /// Something was done: nodes, a game.
    pub fn tick(&self) {
        self.moved.fetch_add(1, Relaxed);
    }

    /// How often something was done.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.moved.load(Relaxed)
    }

    /// Whether to stop. Asking is a sign of progress, because searches ask every few hundred nodes.
    #[must_use]
    pub fn must_stop(&self) -> bool {
        self.tick();
        self.stop.load(Relaxed)
    }

    /// Whether it was stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The flag, for searches that take one.
    #[must_use]
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Stops the job.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Before the next job.
    pub fn reset(&self) {
        self.stop.store(false, Relaxed);
    }
}
