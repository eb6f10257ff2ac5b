//! Files, folders and archives of records of any game from one format to another, as `tsumugi convert` does it.
//!
//! `sources` finds files and cuts large ones into games; threads read, filter and write them through a
//! [`Notation`](crate::notation::Notation); the results are put out in order. What waits in between is bounded, so the largest
//! files stream.

mod archive;
mod output;
mod pipeline;
mod report;
mod sources;
mod summary;

pub use crate::model::filter::{Date, Filter, ParseDateError, ParseResultError, WantedResult, rating};
pub use archive::ArchiveError;
pub use output::{Destination, Existing, OutputError, WhichFormat};
pub use pipeline::{Content, Job, convert};
pub use report::{Progress, Report, ReportError, Screen, Silent};
pub use sources::{EachRecord, Input, LoadError, SourceError, each_record, record_files};
pub use summary::Summary;
