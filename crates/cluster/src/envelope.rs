//! What travels: jobs, results, events, the states of runs and workers. JSON, checked when it is read.

use crate::names::{RunId, is_worker};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of all envelopes.
pub const VERSION: u32 = 1;
/// The longest job.
pub const LONGEST_JOB: usize = 64 << 10;
/// The longest result; servers take messages of 1 MB.
pub const LONGEST_RESULT: usize = 512 << 10;
/// The longest text about a failure.
pub const LONGEST_COMPLAINT: usize = 4 << 10;

/// What is wrong with an envelope.
#[derive(Debug, thiserror::Error)]
pub enum EnvelopeError {
    /// It is too long.
    #[error("{0} bytes, more than {1}")]
    Long(usize, usize),
    /// It is not JSON of this kind.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It is of another version of the program.
    #[error("version {0} of the envelope, this program reads version {VERSION}")]
    Version(u32),
    /// The worker has no valid name.
    #[error("`{0}` is no worker")]
    Worker(String),
    /// The output was damaged or cut.
    #[error("the output does not have the checksum that was sent with it")]
    Sum,
    /// The output is not valid base 64.
    #[error("the output is not valid base 64")]
    Base64,
}

/// The program and the evaluation that a job needs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// Version and signature of the program.
    pub build: String,
    /// The hash of the network file, or nothing for the one that is built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub net: Option<String>,
}

/// A unit of work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// [`VERSION`].
    pub v: u32,
    /// The run.
    pub run: RunId,
    /// Its number in the run.
    pub n: u64,
    /// 0, or more for a twin or a job that is done again.
    pub k: u32,
    /// How often it was posted before.
    #[serde(rename = "try")]
    pub attempt: u32,
    /// The kind of work.
    pub kind: String,
    /// The program that it needs.
    pub engine: Build,
    /// The settings of the run and the part of the work, as the kind defines them.
    pub work: Value,
}

impl Job {
    /// Reads and checks a job.
    pub fn read(bytes: &[u8]) -> Result<Self, EnvelopeError> {
        let job: Self = read(bytes, LONGEST_JOB)?;
        version(job.v)?;
        Ok(job)
    }

    /// The identity of the message, by which the server recognises a repetition.
    #[must_use]
    pub fn message_id(&self) -> String {
        format!("{}:{}:{}:{}", self.run, self.n, self.k, self.attempt)
    }
}

/// The result of a job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobResult {
    /// [`VERSION`].
    pub v: u32,
    /// The run.
    pub run: RunId,
    /// The job.
    pub n: u64,
    /// Its repetition.
    pub k: u32,
    /// The worker.
    pub worker: String,
    /// Its program.
    pub build: String,
    /// Milliseconds of work.
    pub cpu_ms: u64,
    /// What the kind counts: nodes or games.
    pub nodes: u64,
    /// The output in base 64.
    pub out: String,
    /// The SHA-256 of the output.
    pub sum: String,
}

impl JobResult {
    /// The result of a job.
    #[must_use]
    pub fn new(job: &Job, worker: &str, build: &str, output: &[u8]) -> Self {
        Self {
            v: VERSION,
            run: job.run.clone(),
            n: job.n,
            k: job.k,
            worker: worker.to_owned(),
            build: build.to_owned(),
            cpu_ms: 0,
            nodes: 0,
            out: BASE64.encode(output),
            sum: platform::sha256(output),
        }
    }

    /// Reads and checks a result.
    pub fn read(bytes: &[u8]) -> Result<Self, EnvelopeError> {
        let result: Self = read(bytes, LONGEST_RESULT)?;
        version(result.v)?;
        worker(&result.worker)?;
        Ok(result)
    }

    /// The output, if it is whole.
    pub fn output(&self) -> Result<Vec<u8>, EnvelopeError> {
        let output = BASE64.decode(&self.out).map_err(|_| EnvelopeError::Base64)?;
        if platform::sha256(&output) == self.sum { Ok(output) } else { Err(EnvelopeError::Sum) }
    }

    /// The identity of the message.
    #[must_use]
    pub fn message_id(&self) -> String {
        format!("{}:{}:{}", self.run, self.n, self.k)
    }
}

/// What a worker says about a job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// [`VERSION`].
    pub v: u32,
    /// The run.
    pub run: RunId,
    /// The worker.
    pub worker: String,
    /// The job that failed.
    pub n: u64,
    /// Why, at most [`LONGEST_COMPLAINT`] bytes.
    pub complaint: String,
}

impl Event {
    /// Reads and checks an event.
    pub fn read(bytes: &[u8]) -> Result<Self, EnvelopeError> {
        let event: Self = read(bytes, 4 * LONGEST_COMPLAINT)?;
        version(event.v)?;
        worker(&event.worker)?;
        Ok(event)
    }
}

/// Whether jobs of a run are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Yes.
    #[default]
    Open,
    /// Not now.
    Paused,
    /// Never again.
    Cancelled,
    /// All of them are done.
    Done,
}

/// The state of a run: written by its coordinator, and by `tsumugi cluster` to pause, cancel or withdraw.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunState {
    /// Whether jobs are taken.
    pub phase: Phase,
    /// The kind of work.
    pub kind: String,
    /// The coordinator, or nothing if it has left.
    pub owner: String,
    /// Counted up by the coordinator while it lives.
    pub beat: u64,
    /// Number of jobs.
    pub jobs: u64,
    /// Number of jobs done.
    pub done: u64,
    /// Jobs that were given up.
    #[serde(default)]
    pub poison: Vec<u64>,
    /// Workers whose results do not count.
    #[serde(default)]
    pub withdrawn: Vec<String>,
}

/// The longest state of a run or worker.
const LONGEST_STATE: usize = 256 << 10;

impl RunState {
    /// Reads a state.
    pub fn read(bytes: &[u8]) -> Result<Self, EnvelopeError> {
        read(bytes, LONGEST_STATE)
    }
}

/// The state of a worker, written once a minute.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerState {
    /// Its name.
    pub name: String,
    /// Its program.
    pub build: String,
    /// Jobs at the same time.
    pub slots: u32,
    /// Jobs done since it began.
    pub done: u64,
    /// Jobs failed since it began.
    pub failed: u64,
    /// Seconds since 1970, by the worker's clock.
    pub seen: u64,
    /// What keeps it from working, if anything does.
    #[serde(default)]
    pub complaint: String,
}

impl WorkerState {
    /// Reads a state.
    pub fn read(bytes: &[u8]) -> Result<Self, EnvelopeError> {
        read(bytes, LONGEST_STATE)
    }
}

/// The JSON of an envelope.
pub fn write(envelope: &impl Serialize) -> Vec<u8> {
    // Envelopes have only string keys and finite numbers, so writing them to memory cannot fail.
    serde_json::to_vec(envelope).unwrap_or_default()
}

fn read<T: DeserializeOwned>(bytes: &[u8], longest: usize) -> Result<T, EnvelopeError> {
    if bytes.len() > longest {
        return Err(EnvelopeError::Long(bytes.len(), longest));
    }
    Ok(serde_json::from_slice(bytes)?)
}

fn version(version: u32) -> Result<(), EnvelopeError> {
    if version == VERSION { Ok(()) } else { Err(EnvelopeError::Version(version)) }
}

fn worker(name: &str) -> Result<(), EnvelopeError> {
    if is_worker(name) { Ok(()) } else { Err(EnvelopeError::Worker(name.to_owned())) }
}

/// The last bytes of a text, at most as many as an event may have.
#[must_use]
pub fn complaint(text: &str) -> String {
    let mut start = text.len().saturating_sub(LONGEST_COMPLAINT);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text[start..].to_owned()
}

/// Reads bytes as each kind of envelope: the entry for fuzzing.
pub fn fuzz(bytes: &[u8]) {
    if let Ok(job) = Job::read(bytes) {
        assert_eq!(Job::read(&write(&job)).ok().as_ref(), Some(&job));
    }
    if let Ok(result) = JobResult::read(bytes) {
        let _ = result.output();
        assert_eq!(JobResult::read(&write(&result)).ok().as_ref(), Some(&result));
    }
    let _ = (Event::read(bytes), RunState::read(bytes), WorkerState::read(bytes));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn job() -> Job {
        let engine = Build { build: "1 abc".to_owned(), net: None };
        let work = serde_json::json!({ "a": [1, 2] });
        let run = RunId::of_plan(b"x");
        Job { v: VERSION, run, n: 7, k: 1, attempt: 2, kind: "mate".to_owned(), engine, work }
    }

    #[test]
    fn results_are_whole_or_refused() {
        let result = JobResult::new(&job(), "attic.1", "1 abc", b"some output");
        let read = JobResult::read(&write(&result)).unwrap();
        assert_eq!(read.output().unwrap(), b"some output");
        let cut = JobResult { out: BASE64.encode(b"some outp"), ..result.clone() };
        assert!(matches!(cut.output(), Err(EnvelopeError::Sum)));
        let bad = JobResult { out: "?".to_owned(), ..result.clone() };
        assert!(matches!(bad.output(), Err(EnvelopeError::Base64)));
        let nobody = JobResult { worker: "a b".to_owned(), ..result };
        assert!(matches!(JobResult::read(&write(&nobody)), Err(EnvelopeError::Worker(_))));
    }

    #[test]
    fn other_versions_and_long_envelopes_are_refused() {
        let job = job();
        assert_eq!(Job::read(&write(&job)).unwrap(), job);
        assert_eq!(job.message_id(), format!("{}:7:1:2", job.run));
        let later = Job { v: 2, ..job };
        assert!(matches!(Job::read(&write(&later)), Err(EnvelopeError::Version(2))));
        assert!(matches!(Job::read(&vec![b' '; LONGEST_JOB + 1]), Err(EnvelopeError::Long(..))));
        assert_eq!(complaint(&"あ".repeat(2000)).len(), LONGEST_COMPLAINT / 3 * 3);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            fuzz(&bytes);
        }

        #[test]
        fn changed_envelopes_are_read_or_refused(at in 0_usize..150, byte in any::<u8>()) {
            let job = job();
            for mut bytes in [write(&job), write(&JobResult::new(&job, "a.1", "b", b"out"))] {
                let at = at % bytes.len();
                bytes[at] = byte;
                fuzz(&bytes);
            }
        }
    }
}
