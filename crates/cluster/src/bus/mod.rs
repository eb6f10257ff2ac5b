//! The bus: what a coordinator and its workers need from a message system.

pub mod memory;
pub mod nats;

use crate::names::RunId;
use std::time::Duration;

/// Why the bus did not do something.
#[derive(Debug, thiserror::Error)]
pub enum BusError {
    /// The streams or queues are not there: the server is new, or has lost its store.
    #[error("the hub has no streams yet, or has lost them")]
    Missing,
    /// Another process has written the same key.
    #[error("another process has changed it meanwhile")]
    Changed,
    /// The stream is full.
    #[error("the hub is full: {0}")]
    Full(String),
    /// The server does not answer, or not in time; trying again may help.
    #[error("no answer from the hub: {0}")]
    Unavailable(String),
    /// The content is not what it should be.
    #[error("{0}")]
    Broken(String),
}

/// A message to be stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Its subject; the subject determines the stream.
    pub subject: String,
    /// The identity by which the server drops repetitions.
    pub id: Option<String>,
    /// Store it only if the last message of the subject has this number; 0: if there is none.
    pub expected: Option<u64>,
    /// The content.
    pub payload: Vec<u8>,
}

/// The server has stored a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Published {
    /// Its number in the stream.
    pub sequence: u64,
    /// The server has had a message of this identity before, and dropped this one.
    pub duplicate: bool,
}

/// The last message of a subject.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// Its number in the stream.
    pub sequence: u64,
    /// The content.
    pub payload: Vec<u8>,
}

/// A message that was pulled and must be settled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// Its subject.
    pub subject: String,
    /// The content.
    pub payload: Vec<u8>,
    /// How the bus finds it again.
    pub token: String,
}

/// What becomes of a delivery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settle {
    /// It is done; returns only when the server knows.
    Done,
    /// Deliver it again, to any worker, after this time.
    Later(Duration),
    /// Never deliver it again.
    Never,
    /// It is still being worked on.
    Working,
}

/// What messages are pulled from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Queue {
    /// The jobs of a class.
    Jobs(crate::names::Class),
    /// The results of a run.
    Results(RunId),
    /// The events of a run.
    Events(RunId),
}

/// A message system. All methods block, at most for about ten seconds.
pub trait Bus: Send + Sync {
    /// Creates all streams and queues that are not there yet; those of a run, too.
    fn set_up(&self, run: Option<&RunId>) -> Result<(), BusError>;

    /// Stores messages; the answers are in their order.
    fn publish(&self, messages: Vec<Message>) -> Vec<Result<Published, BusError>>;

    /// The last message of a subject.
    fn last(&self, stream: &str, subject: &str) -> Result<Option<Stored>, BusError>;

    /// The subjects of a stream that match a filter.
    fn subjects(&self, stream: &str, filter: &str) -> Result<Vec<String>, BusError>;

    /// Takes messages, waiting for the first at most so long.
    fn pull(&self, queue: &Queue, most: usize, wait: Duration) -> Result<Vec<Delivery>, BusError>;

    /// Settles a delivery.
    fn settle(&self, delivery: &Delivery, how: Settle) -> Result<(), BusError>;

    /// Deletes the results of a run.
    fn forget(&self, run: &RunId) -> Result<(), BusError>;

    /// Stores a blob; returns its name, the SHA-256 of its content.
    fn put_blob(&self, bytes: &[u8]) -> Result<String, BusError>;

    /// Fetches a blob; its content need not be right.
    fn get_blob(&self, name: &str) -> Result<Vec<u8>, BusError>;
}

/// Stores one message.
pub fn publish(bus: &dyn Bus, message: Message) -> Result<Published, BusError> {
    // One answer for each message.
    bus.publish(vec![message]).pop().unwrap_or(Err(BusError::Missing))
}
