//! Work spread over many machines by NATS JetStream.
//!
//! | to | see |
//! |---|---|
//! | say what travels | [`envelope`], [`names`] |
//! | define a kind of work | [`kind`] |
//! | post jobs and collect results | [`coordinator`], with [`ledger`] on its disk |
//! | do jobs | [`worker`], with [`spool`] and [`blobs`] on its disk |
//! | carry messages | [`bus`]: NATS, or memory with faults for tests |
//!
//! NATS only carries. The truth is the plan, the ledger and the outputs in the coordinator's folder, so a run survives the loss of
//! the server's whole store.

#![allow(clippy::doc_markdown, reason = "names of programs are not code")]

pub mod blobs;
pub mod bus;
pub mod control;
pub mod coordinator;
pub mod envelope;
pub mod hub;
pub mod kind;
pub mod kinds;
pub mod ledger;
pub mod names;
pub mod run;
pub mod spool;
pub mod work;
pub mod worker;
