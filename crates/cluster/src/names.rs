//! Names of streams, subjects and queues, and the classes of jobs.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The stream of jobs.
pub const JOBS: &str = "TSU_JOBS";
/// The stream of results.
pub const RESULTS: &str = "TSU_RES";
/// The stream of events.
pub const EVENTS: &str = "TSU_EV";
/// The stream of the bucket `tsu_runs`.
pub const RUNS: &str = "KV_tsu_runs";
/// The stream of the bucket `tsu_workers`.
pub const WORKERS: &str = "KV_tsu_workers";
/// The object store for blobs.
pub const BLOBS: &str = "tsu_blobs";

/// What a job needs, and so which workers take it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A core.
    Cpu,
    /// Much memory.
    Mem,
    /// A graphics card.
    Gpu,
    /// A machine that does nothing else: games on the clock.
    Quiet,
}

impl Class {
    /// All of them; each has a queue of its own.
    pub const ALL: [Self; 4] = [Self::Cpu, Self::Mem, Self::Gpu, Self::Quiet];

    /// The word in subjects, and the name of the queue.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Mem => "mem",
            Self::Gpu => "gpu",
            Self::Quiet => "quiet",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The identity of a run: 12 letters, from the SHA-256 of its plan.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

impl RunId {
    /// The identity of a plan.
    #[must_use]
    pub fn of_plan(plan: &[u8]) -> Self {
        let digits = platform::sha256(plan);
        // 60 of its 256 bits; the digits of SHA-256 are hexadecimal.
        let number = u64::from_str_radix(&digits[..15], 16).unwrap_or(0);
        let letter = |i: u32| LETTERS[(number >> (55 - 5 * i) & 31) as usize] as char;
        Self((0..12).map(letter).collect())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text that is not the identity of a run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no run: 12 of the letters A-Z and digits 2-7 are one")]
pub struct ParseRunIdError(String);

impl FromStr for RunId {
    type Err = ParseRunIdError;

    fn from_str(text: &str) -> Result<Self, ParseRunIdError> {
        let right = text.len() == 12 && text.bytes().all(|byte| LETTERS.contains(&byte));
        if right { Ok(Self(text.to_owned())) } else { Err(ParseRunIdError(text.to_owned())) }
    }
}

impl TryFrom<String> for RunId {
    type Error = ParseRunIdError;

    fn try_from(text: String) -> Result<Self, ParseRunIdError> {
        text.parse()
    }
}

impl From<RunId> for String {
    fn from(run: RunId) -> Self {
        run.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a text can be the name of a worker or a part of its identity: one token of a subject.
#[must_use]
pub fn is_token(text: &str) -> bool {
    (1..=32).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// Whether a text is the identity of a worker: `NAME.NUMBER`.
#[must_use]
pub fn is_worker(text: &str) -> bool {
    text.split_once('.').is_some_and(|(name, number)| is_token(name) && is_token(number))
}

/// The subject of a job.
#[must_use]
pub fn job_subject(class: Class, run: &RunId, n: u64, k: u32) -> String {
    format!("tsu.job.{class}.{run}.{n}.{k}")
}

/// The number of the job of a subject of [`job_subject`] or [`result_subject`], and its repetition.
#[must_use]
pub fn job_of_subject(subject: &str) -> Option<(u64, u32)> {
    let mut words = subject.rsplit('.');
    let k = words.next()?.parse().ok()?;
    Some((words.next()?.parse().ok()?, k))
}

/// The subject of a result.
#[must_use]
pub fn result_subject(run: &RunId, n: u64, k: u32) -> String {
    format!("tsu.res.{run}.{n}.{k}")
}

/// The subject of a worker's events.
#[must_use]
pub fn event_subject(run: &RunId, worker: &str) -> String {
    format!("tsu.ev.{run}.{worker}")
}

/// The subject of a run's state.
#[must_use]
pub fn run_subject(run: &RunId) -> String {
    format!("$KV.tsu_runs.{run}")
}

/// The subject of a worker's state.
#[must_use]
pub fn worker_subject(worker: &str) -> String {
    format!("$KV.tsu_workers.{worker}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_twelve_letters() {
        let run = RunId::of_plan(b"a plan");
        assert_eq!(run.as_str().parse(), Ok(run.clone()));
        assert_ne!(run, RunId::of_plan(b"another"));
        for wrong in ["", "ABC", "ABCDEFGHIJK1", "ABCDEFGHIJKLM", "abcdefghijkl", "ABCDEFGHIJ.>"] {
            assert!(wrong.parse::<RunId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn subjects_name_their_jobs() {
        let run = RunId::of_plan(b"");
        let subject = job_subject(Class::Cpu, &run, 12, 3);
        assert_eq!(subject, format!("tsu.job.cpu.{run}.12.3"));
        assert_eq!(job_of_subject(&subject), Some((12, 3)));
        assert_eq!(job_of_subject("tsu.job.cpu"), None);
        assert!(is_worker("attic.k3d9") && !is_worker("attic") && !is_worker("a.b.c") && !is_worker("a.>"));
    }
}
