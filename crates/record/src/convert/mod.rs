//! Files, folders and archives of records from one format to another, as `tsumugi convert` does it.
//!
//! One thread finds and cuts the games, as many as wanted read, judge, filter and write them, and one puts the
//! results in order. What waits between them is bounded, so the largest files stream.

mod filter;
mod output;
mod pipeline;
mod sources;
mod summary;
mod zip;

pub use filter::{Date, Filter, ParseDateError, ParseResultError, WantedResult, rating};
pub use output::{Destination, Existing, OutputError};
pub use pipeline::{
    Content, ConvertError, Job, Played, Progress, Silent, UnknownGame, VariantsByName, convert,
};
pub use sources::{EachRecord, Input, LoadError, SourceError, each_record, record_files};
pub use summary::{Notice, Summary};
