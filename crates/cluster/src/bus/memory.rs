//! A bus in memory, with the faults of a bad network and a bad server.

use super::{Bus, BusError, Delivery, Message, Published, Queue, Settle, Stored};
use crate::names::{EVENTS, JOBS, RESULTS, RUNS, RunId, WORKERS};
use platform::Random;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often what goes wrong, in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Faults {
    /// A request that is not done, and fails.
    pub refused: u32,
    /// A request that is done, but whose answer is lost.
    pub unanswered: u32,
    /// A delivery that does not arrive.
    pub lost: u32,
    /// A delivery that arrives twice.
    pub repeated: u32,
    /// A settlement that the server never hears of.
    pub unheard: u32,
    /// Whether messages are delivered in any order.
    pub reordered: bool,
}

/// Time after which a delivery that was not settled is delivered again.
const PATIENCE: Duration = Duration::from_mins(1);

#[derive(Default)]
struct Stream {
    messages: BTreeMap<u64, (String, Vec<u8>)>,
    last: HashMap<String, u64>,
    ids: HashSet<String>,
    sequence: u64,
}

impl Stream {
    fn remove(&mut self, sequence: u64) {
        if let Some((subject, _)) = self.messages.remove(&sequence)
            && self.last.get(&subject) == Some(&sequence)
        {
            self.last.remove(&subject);
        }
    }
}

/// What a queue knows of a message.
#[derive(Clone, Copy, PartialEq)]
enum Held {
    Settled,
    Until(Duration),
}

struct Server {
    streams: HashMap<String, Stream>,
    queues: HashMap<Queue, HashMap<u64, Held>>,
    blobs: HashMap<String, Vec<u8>>,
    now: Duration,
    random: Random,
    faults: Faults,
    delivered: u64,
}

/// A bus in memory. Its clock stands still unless [`MemoryBus::advance`] moves it.
pub struct MemoryBus(Mutex<Server>);

impl Default for MemoryBus {
    fn default() -> Self {
        Self::new(Faults::default(), 0)
    }
}

impl MemoryBus {
    /// A bus with faults, which depend on the seed.
    #[must_use]
    pub fn new(faults: Faults, seed: u64) -> Self {
        Self(Mutex::new(Server {
            streams: HashMap::new(),
            queues: HashMap::new(),
            blobs: HashMap::new(),
            now: Duration::ZERO,
            random: Random::new(seed),
            faults,
            delivered: 0,
        }))
    }

    /// Moves its clock.
    pub fn advance(&self, time: Duration) {
        self.server().now += time;
    }

    /// Its clock.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.server().now
    }

    /// From now on without faults.
    pub fn heal(&self) {
        self.server().faults = Faults::default();
    }

    /// Loses everything, as a server whose store was deleted.
    pub fn lose_everything(&self) {
        let mut server = self.server();
        server.streams.clear();
        server.queues.clear();
        server.blobs.clear();
    }

    /// Replaces the content of a blob, as a lying worker or a damaged disk would.
    pub fn damage_blob(&self, name: &str, bytes: &[u8]) {
        self.server().blobs.insert(name.to_owned(), bytes.to_vec());
    }

    /// Number of messages that were delivered.
    #[must_use]
    pub fn delivered(&self) -> u64 {
        self.server().delivered
    }

    fn server(&self) -> MutexGuard<'_, Server> {
        // No method leaves the state half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Server {
    fn happens(&mut self, thousandths: u32) -> bool {
        thousandths > 0 && self.random.below(1000) < thousandths as usize
    }

    /// A request that may not arrive.
    fn request(&mut self) -> Result<(), BusError> {
        let refused = self.faults.refused;
        if self.happens(refused) { Err(BusError::Unavailable("refused".to_owned())) } else { Ok(()) }
    }

    /// An answer that may not arrive.
    fn answer<T>(&mut self, answer: T) -> Result<T, BusError> {
        let unanswered = self.faults.unanswered;
        if self.happens(unanswered) { Err(BusError::Unavailable("no answer".to_owned())) } else { Ok(answer) }
    }

    fn stream(&mut self, name: &str) -> Result<&mut Stream, BusError> {
        self.streams.get_mut(name).ok_or(BusError::Missing)
    }

    fn store(&mut self, message: Message) -> Result<Published, BusError> {
        let name = stream_of(&message.subject);
        let stream = self.stream(name)?;
        let last = stream.last.get(&message.subject).copied();
        if message.expected.is_some_and(|expected| expected != last.unwrap_or(0)) {
            return Err(BusError::Changed);
        }
        if let Some(id) = message.id
            && !stream.ids.insert(id)
        {
            return Ok(Published { sequence: stream.sequence, duplicate: true });
        }
        stream.sequence += 1;
        let sequence = stream.sequence;
        if name != JOBS
            && name != EVENTS
            && let Some(last) = last
        {
            stream.remove(last);
        }
        stream.last.insert(message.subject.clone(), sequence);
        stream.messages.insert(sequence, (message.subject, message.payload));
        Ok(Published { sequence, duplicate: false })
    }

    fn take(&mut self, queue: &Queue, most: usize) -> Result<Vec<Delivery>, BusError> {
        let now = self.now;
        let (name, begin) = source(queue);
        let held = self.queues.get(queue).ok_or(BusError::Missing)?;
        let stream = self.streams.get(name).ok_or(BusError::Missing)?;
        let free = |sequence: &u64| match held.get(sequence) {
            None => true,
            Some(Held::Settled) => false,
            Some(Held::Until(time)) => *time <= now,
        };
        let mut ready: Vec<u64> = stream
            .messages
            .iter()
            .filter(|(sequence, (subject, _))| subject.starts_with(&begin) && free(sequence))
            .map(|(sequence, _)| *sequence)
            .collect();
        let mut taken = Vec::new();
        while taken.len() < most && !ready.is_empty() {
            let index = if self.faults.reordered { self.random.below(ready.len()) } else { 0 };
            let sequence = ready.remove(index);
            let (lost, repeated) = (self.faults.lost, self.faults.repeated);
            // A repeated message is free again at once.
            let until = if self.happens(repeated) { now } else { now + PATIENCE };
            if let Some(held) = self.queues.get_mut(queue) {
                held.insert(sequence, Held::Until(until));
            }
            if self.happens(lost) {
                continue;
            }
            let Some((subject, payload)) =
                self.streams.get(name).and_then(|stream| stream.messages.get(&sequence)).cloned()
            else {
                continue;
            };
            self.delivered += 1;
            taken.push(Delivery { subject, payload, token: format!("{sequence}") });
        }
        Ok(taken)
    }

    fn settle(&mut self, delivery: &Delivery, how: Settle) {
        let Ok(sequence) = delivery.token.parse::<u64>() else { return };
        let now = self.now;
        let name = stream_of(&delivery.subject);
        for (queue, held) in &mut self.queues {
            let (source, begin) = source(queue);
            if source != name || !delivery.subject.starts_with(&begin) {
                continue;
            }
            let state = match how {
                Settle::Done | Settle::Never => Held::Settled,
                Settle::Later(time) => Held::Until(now + time),
                Settle::Working => Held::Until(now + PATIENCE),
            };
            held.insert(sequence, state);
        }
        if name == JOBS
            && matches!(how, Settle::Done | Settle::Never)
            && let Some(stream) = self.streams.get_mut(name)
        {
            stream.remove(sequence);
        }
    }
}

fn stream_of(subject: &str) -> &'static str {
    [("tsu.job.", JOBS), ("tsu.res.", RESULTS), ("tsu.ev.", EVENTS), ("$KV.tsu_runs.", RUNS)]
        .iter()
        .find(|(begin, _)| subject.starts_with(begin))
        .map_or(WORKERS, |(_, stream)| stream)
}

/// The stream of a queue and the beginning of its subjects.
fn source(queue: &Queue) -> (&'static str, String) {
    match queue {
        Queue::Jobs(class) => (JOBS, format!("tsu.job.{class}.")),
        Queue::Results(run) => (RESULTS, format!("tsu.res.{run}.")),
        Queue::Events(run) => (EVENTS, format!("tsu.ev.{run}.")),
    }
}

impl Bus for MemoryBus {
    fn set_up(&self, run: Option<&RunId>) -> Result<(), BusError> {
        let mut server = self.server();
        server.request()?;
        for name in [JOBS, RESULTS, EVENTS, RUNS, WORKERS] {
            server.streams.entry(name.to_owned()).or_default();
        }
        for class in crate::names::Class::ALL {
            server.queues.entry(Queue::Jobs(class)).or_default();
        }
        if let Some(run) = run {
            server.queues.entry(Queue::Results(run.clone())).or_default();
            server.queues.entry(Queue::Events(run.clone())).or_default();
        }
        server.answer(())
    }

    fn publish(&self, messages: Vec<Message>) -> Vec<Result<Published, BusError>> {
        let mut server = self.server();
        let one = |message| {
            server.request()?;
            let published = server.store(message)?;
            server.answer(published)
        };
        messages.into_iter().map(one).collect()
    }

    fn last(&self, stream: &str, subject: &str) -> Result<Option<Stored>, BusError> {
        let mut server = self.server();
        server.request()?;
        let stream = server.stream(stream)?;
        Ok(stream.last.get(subject).and_then(|sequence| {
            let (_, payload) = stream.messages.get(sequence)?;
            Some(Stored { sequence: *sequence, payload: payload.clone() })
        }))
    }

    fn subjects(&self, stream: &str, filter: &str) -> Result<Vec<String>, BusError> {
        let mut server = self.server();
        server.request()?;
        let stream = server.stream(stream)?;
        let matches = |subject: &&String| {
            let (mut words, mut wanted) = (subject.split('.'), filter.split('.'));
            loop {
                match (wanted.next(), words.next()) {
                    (Some(">"), Some(_)) | (None, None) => return true,
                    (Some(wanted), Some(word)) if wanted == "*" || wanted == word => {}
                    _ => return false,
                }
            }
        };
        Ok(stream.last.keys().filter(matches).cloned().collect())
    }

    fn pull(&self, queue: &Queue, most: usize, _: Duration) -> Result<Vec<Delivery>, BusError> {
        let mut server = self.server();
        server.request()?;
        server.take(queue, most)
    }

    fn settle(&self, delivery: &Delivery, how: Settle) -> Result<(), BusError> {
        let mut server = self.server();
        let unheard = server.faults.unheard;
        if !server.happens(unheard) {
            server.settle(delivery, how);
        }
        server.answer(())
    }

    fn forget(&self, run: &RunId) -> Result<(), BusError> {
        let mut server = self.server();
        server.request()?;
        let begin = format!("tsu.res.{run}.");
        let stream = server.stream(RESULTS)?;
        let old: Vec<u64> = stream
            .messages
            .iter()
            .filter(|(_, (subject, _))| subject.starts_with(&begin))
            .map(|(sequence, _)| *sequence)
            .collect();
        for sequence in old {
            stream.remove(sequence);
        }
        server.answer(())
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<String, BusError> {
        let name = platform::sha256(bytes);
        let mut server = self.server();
        server.request()?;
        server.blobs.insert(name.clone(), bytes.to_vec());
        server.answer(name)
    }

    fn get_blob(&self, name: &str) -> Result<Vec<u8>, BusError> {
        let mut server = self.server();
        server.request()?;
        server.blobs.get(name).cloned().ok_or(BusError::Missing)
    }
}
