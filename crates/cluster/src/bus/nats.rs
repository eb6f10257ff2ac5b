//! NATS JetStream as a bus.
//!
//! Everything goes by raw requests and direct gets where the client would ask for more rights than a worker has. `create_key_value`
//! fails against servers of version 2.9, so buckets are streams made by hand.

use super::{Bus, BusError, Delivery, Message, Published, Queue, Settle, Stored};
use crate::names::{BLOBS, Class, EVENTS, JOBS, RESULTS, RUNS, RunId, WORKERS};
use async_nats::jetstream::consumer::pull::Config as Pull;
use async_nats::jetstream::consumer::{AckPolicy, Consumer};
use async_nats::jetstream::context::{CreateStreamErrorKind, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::stream::{
    Config as Stream, DirectGetErrorKind, DiscardPolicy, RetentionPolicy, StorageType,
};
use async_nats::jetstream::{self, Context, ErrorCode};
use async_nats::{Client, ConnectOptions};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::fmt::Display;
use std::future::Future;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::runtime::{Builder, Runtime};

/// How to reach a hub.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Address {
    /// `nats://127.0.0.1:4222` or `tls://host:4222`.
    pub url: String,
    /// The seed of an NKey.
    pub seed: Option<String>,
    /// The first token of reply subjects after `_INBOX`.
    pub inbox: Option<String>,
    /// The file of a certificate authority.
    pub authority: Option<PathBuf>,
}

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes of all jobs that wait.
const JOB_BYTES: i64 = 256 << 20;
/// Bytes of all results that wait.
const RESULT_BYTES: i64 = 1 << 30;
/// Most deliveries of a queue that are not settled.
const PENDING: i64 = 20_000;
/// Time after which a job that was not settled is delivered again.
const ACK_WAIT: Duration = Duration::from_mins(1);

/// A connection to a hub.
pub struct NatsBus {
    runtime: Runtime,
    client: Client,
    context: Context,
    consumers: Mutex<HashMap<Queue, Consumer<Pull>>>,
}

fn unavailable(error: impl Display) -> BusError {
    BusError::Unavailable(error.to_string())
}

impl NatsBus {
    /// Connects; fails if there is no answer within some seconds. A connection that breaks later is made again for ever.
    pub fn connect(address: &Address, threads: usize) -> Result<Self, BusError> {
        let runtime = Builder::new_multi_thread().worker_threads(threads.max(1)).enable_all().build();
        let runtime = runtime.map_err(unavailable)?;
        let mut options = ConnectOptions::new()
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .reconnect_delay_callback(delay)
            .name("tsumugi");
        if let Some(seed) = &address.seed {
            options = options.nkey(seed.trim().to_owned());
        }
        if let Some(inbox) = &address.inbox {
            options = options.custom_inbox_prefix(format!("_INBOX.{inbox}"));
        }
        if let Some(authority) = &address.authority {
            options = options.add_root_certificates(authority.clone());
        }
        let url = address.url.clone();
        let client = runtime.block_on(async move {
            tokio::time::timeout(2 * PATIENCE, options.connect(url))
                .await
                .map_err(|_| BusError::Unavailable("no connection".to_owned()))?
                .map_err(unavailable)
        })?;
        // The context starts a task.
        let within = runtime.enter();
        let mut context = jetstream::new(client.clone());
        drop(within);
        context.set_timeout(PATIENCE);
        Ok(Self { runtime, client, context, consumers: Mutex::default() })
    }

    fn wait<T>(
        &self,
        patience: Duration,
        work: impl Future<Output = Result<T, BusError>>,
    ) -> Result<T, BusError> {
        self.runtime.block_on(async {
            match tokio::time::timeout(patience, work).await {
                Ok(done) => done,
                Err(_) => Err(BusError::Unavailable("it took too long".to_owned())),
            }
        })
    }

    async fn make_stream(&self, stream: Stream) -> Result<(), BusError> {
        let name = stream.name.clone();
        match self.context.create_stream(stream).await {
            Ok(_) => Ok(()),
            // It is there already, perhaps with settings of an administrator.
            Err(error)
                if matches!(error.kind(), CreateStreamErrorKind::JetStream(ref error)
                if error.error_code() == ErrorCode::STREAM_NAME_EXIST) =>
            {
                Ok(())
            }
            Err(error) => Err(BusError::Unavailable(format!("stream {name}: {error}"))),
        }
    }

    async fn make_consumer(
        &self,
        stream: &str,
        name: String,
        filter: String,
        ack_wait: Duration,
    ) -> Result<(), BusError> {
        let config = Pull {
            durable_name: Some(name.clone()),
            filter_subject: filter,
            ack_policy: AckPolicy::Explicit,
            ack_wait,
            max_deliver: -1,
            max_ack_pending: PENDING,
            max_waiting: PENDING,
            ..Pull::default()
        };
        let made = self.context.create_consumer_on_stream(config, stream).await;
        made.map(|_| ()).map_err(|error| BusError::Unavailable(format!("consumer {name}: {error}")))
    }

    async fn consumer(&self, queue: &Queue) -> Result<Consumer<Pull>, BusError> {
        let known = self.consumers.lock().unwrap_or_else(PoisonError::into_inner).get(queue).cloned();
        if let Some(consumer) = known {
            return Ok(consumer);
        }
        let (stream, name) = match queue {
            Queue::Jobs(class) => (JOBS, class.to_string()),
            Queue::Results(run) => (RESULTS, run.to_string()),
            Queue::Events(run) => (EVENTS, run.to_string()),
        };
        let found: Result<Consumer<Pull>, _> = self.context.get_consumer_from_stream(&name, stream).await;
        let consumer = found.map_err(|error| match error.kind() {
            jetstream::stream::ConsumerErrorKind::JetStream(_) => BusError::Missing,
            _ => unavailable(error),
        })?;
        self.consumers.lock().unwrap_or_else(PoisonError::into_inner).insert(queue.clone(), consumer.clone());
        Ok(consumer)
    }

    fn forget_consumers(&self) {
        self.consumers.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    async fn objects(&self) -> Result<ObjectStore, BusError> {
        self.context.get_object_store(BLOBS).await.map_err(|_| BusError::Missing)
    }

    async fn send(&self, message: Message) -> Result<jetstream::context::PublishAckFuture, BusError> {
        let mut publish = PublishMessage::build().payload(message.payload.into());
        if let Some(id) = message.id {
            publish = publish.message_id(id);
        }
        if let Some(expected) = message.expected {
            publish = publish.expected_last_subject_sequence(expected);
        }
        self.context.send_publish(message.subject, publish).await.map_err(|error| publish_error(&error))
    }
}

fn publish_error(error: &jetstream::context::PublishError) -> BusError {
    match error.kind() {
        PublishErrorKind::StreamNotFound => BusError::Missing,
        PublishErrorKind::WrongLastSequence => BusError::Changed,
        _ => {
            let text = format!("{error:?}");
            if text.contains("maximum") { BusError::Full(text) } else { BusError::Unavailable(text) }
        }
    }
}

/// The time before the next attempt to connect: growing to two minutes, and different for each worker.
fn delay(attempts: usize) -> Duration {
    let longest = 1000_u64 << attempts.saturating_sub(1).min(7);
    let jitter = platform::Random::fresh_seed() % (longest / 2 + 1);
    Duration::from_millis((longest / 2 + jitter).min(120_000))
}

fn streams() -> [Stream; 5] {
    let base = |name: &str, subject: &str| Stream {
        name: name.to_owned(),
        subjects: vec![subject.to_owned()],
        storage: StorageType::File,
        num_replicas: 1,
        ..Stream::default()
    };
    let bucket = |name: &str| Stream {
        discard: DiscardPolicy::New,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        ..base(name, &format!("${}.>", name.replace("KV_", "KV.")))
    };
    [
        Stream {
            retention: RetentionPolicy::WorkQueue,
            duplicate_window: Duration::from_hours(2),
            max_bytes: JOB_BYTES,
            discard: DiscardPolicy::New,
            ..base(JOBS, "tsu.job.>")
        },
        Stream {
            max_messages_per_subject: 1,
            max_age: Duration::from_hours(14 * 24),
            duplicate_window: Duration::from_hours(24),
            allow_direct: true,
            max_bytes: RESULT_BYTES,
            discard: DiscardPolicy::New,
            ..base(RESULTS, "tsu.res.>")
        },
        Stream {
            storage: StorageType::Memory,
            max_age: Duration::from_hours(1),
            duplicate_window: Duration::from_mins(2),
            max_bytes: 64 << 20,
            discard: DiscardPolicy::Old,
            ..base(EVENTS, "tsu.ev.>")
        },
        Stream { max_messages_per_subject: 5, ..bucket(RUNS) },
        Stream {
            max_messages_per_subject: 1,
            max_age: Duration::from_mins(10),
            duplicate_window: Duration::from_mins(2),
            ..bucket(WORKERS)
        },
    ]
}

impl Bus for NatsBus {
    fn set_up(&self, run: Option<&RunId>) -> Result<(), BusError> {
        self.forget_consumers();
        self.wait(6 * PATIENCE, async {
            for stream in streams() {
                self.make_stream(stream).await?;
            }
            for class in Class::ALL {
                let filter = format!("tsu.job.{class}.>");
                self.make_consumer(JOBS, class.to_string(), filter, ACK_WAIT).await?;
            }
            let objects = jetstream::object_store::Config {
                bucket: BLOBS.to_owned(),
                ..jetstream::object_store::Config::default()
            };
            if self.objects().await.is_err() {
                self.context.create_object_store(objects).await.map_err(unavailable)?;
            }
            if let Some(run) = run {
                let (results, events) = (format!("tsu.res.{run}.>"), format!("tsu.ev.{run}.>"));
                self.make_consumer(RESULTS, run.to_string(), results, ACK_WAIT).await?;
                self.make_consumer(EVENTS, run.to_string(), events, ACK_WAIT).await?;
            }
            Ok(())
        })
    }

    fn publish(&self, messages: Vec<Message>) -> Vec<Result<Published, BusError>> {
        self.runtime.block_on(async {
            let mut sent = Vec::with_capacity(messages.len());
            for message in messages {
                sent.push(self.send(message).await);
            }
            let mut answers = Vec::with_capacity(sent.len());
            for sent in sent {
                let answer = match sent {
                    Ok(answer) => match tokio::time::timeout(PATIENCE, answer).await {
                        Ok(Ok(ack)) => Ok(Published { sequence: ack.sequence, duplicate: ack.duplicate }),
                        Ok(Err(error)) => Err(publish_error(&error)),
                        Err(_) => Err(BusError::Unavailable("a message was not confirmed".to_owned())),
                    },
                    Err(error) => Err(error),
                };
                answers.push(answer);
            }
            answers
        })
    }

    fn last(&self, stream: &str, subject: &str) -> Result<Option<Stored>, BusError> {
        self.wait(PATIENCE, async {
            let stream = self.context.get_stream_no_info(stream).await.map_err(unavailable)?;
            match stream.direct_get_last_for_subject(subject).await {
                Ok(message) => {
                    Ok(Some(Stored { sequence: message.sequence, payload: message.payload.to_vec() }))
                }
                Err(error) => match error.kind() {
                    DirectGetErrorKind::NotFound => Ok(None),
                    DirectGetErrorKind::Request if format!("{error:?}").contains("NoResponders") => {
                        Err(BusError::Missing)
                    }
                    _ => Err(unavailable(error)),
                },
            }
        })
    }

    fn subjects(&self, stream: &str, filter: &str) -> Result<Vec<String>, BusError> {
        self.wait(6 * PATIENCE, async {
            let stream = self.context.get_stream_no_info(stream).await.map_err(unavailable)?;
            let mut info = match stream.info_with_subjects(filter).await {
                Ok(info) => info,
                Err(error) if format!("{error:?}").contains("10059") => return Err(BusError::Missing),
                Err(error) => return Err(unavailable(error)),
            };
            let mut subjects = Vec::new();
            while let Some(subject) = info.next().await {
                subjects.push(subject.map_err(unavailable)?.0);
            }
            Ok(subjects)
        })
    }

    fn pull(&self, queue: &Queue, most: usize, wait: Duration) -> Result<Vec<Delivery>, BusError> {
        let pulled = self.wait(PATIENCE + wait, async {
            let consumer = self.consumer(queue).await?;
            let mut messages = if wait.is_zero() {
                consumer.fetch().max_messages(most).messages().await.map_err(unavailable)?
            } else {
                let batch = consumer.batch().max_messages(most).expires(wait);
                batch.messages().await.map_err(unavailable)?
            };
            let mut taken = Vec::new();
            while let Some(message) = messages.next().await {
                let message = match message {
                    Ok(message) => message,
                    Err(_) if !taken.is_empty() => break,
                    Err(error) => return Err(unavailable(error)),
                };
                let Some(reply) = &message.reply else { continue };
                taken.push(Delivery {
                    subject: message.subject.to_string(),
                    token: reply.to_string(),
                    payload: message.payload.to_vec(),
                });
            }
            Ok(taken)
        });
        if pulled.is_err() {
            // The consumer may be gone; the next pull looks for it.
            self.forget_consumers();
        }
        pulled
    }

    fn settle(&self, delivery: &Delivery, how: Settle) -> Result<(), BusError> {
        let body = match how {
            Settle::Done => "+ACK".to_owned(),
            Settle::Later(delay) => format!("-NAK {{\"delay\":{}}}", delay.as_nanos().max(1)),
            Settle::Never => "+TERM".to_owned(),
            Settle::Working => "+WPI".to_owned(),
        };
        let token = delivery.token.clone();
        self.wait(PATIENCE, async {
            if how == Settle::Done {
                self.client.request(token, body.into()).await.map(|_| ()).map_err(unavailable)
            } else {
                self.client.publish(token, body.into()).await.map_err(unavailable)
            }
        })
    }

    fn forget(&self, run: &RunId) -> Result<(), BusError> {
        self.wait(6 * PATIENCE, async {
            let stream = self.context.get_stream_no_info(RESULTS).await.map_err(unavailable)?;
            stream.purge().filter(format!("tsu.res.{run}.>")).await.map_err(unavailable)?;
            for name in [RESULTS, EVENTS] {
                // The next run of this plan makes them again.
                let _ = self.context.delete_consumer_from_stream(run.to_string(), name).await;
            }
            Ok(())
        })?;
        self.forget_consumers();
        Ok(())
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<String, BusError> {
        let name = platform::sha256(bytes);
        self.wait(Duration::from_mins(30), async {
            let objects = self.objects().await?;
            if objects.info(&name).await.is_err() {
                let mut bytes = bytes;
                objects.put(name.as_str(), &mut bytes).await.map_err(unavailable)?;
            }
            Ok(())
        })?;
        Ok(name)
    }

    fn get_blob(&self, name: &str) -> Result<Vec<u8>, BusError> {
        self.wait(Duration::from_mins(30), async {
            let mut object = self.objects().await?.get(name).await.map_err(|_| BusError::Missing)?;
            let mut bytes = Vec::new();
            object.read_to_end(&mut bytes).await.map_err(unavailable)?;
            Ok(bytes)
        })
    }
}
