//! Converts files, folders and archives of records of any game: `tsumugi convert`.
//!
//! `sources` finds files and splits large ones into games. Threads read, filter and write games through a
//! [`Notation`](crate::notation::Notation), as [`Reading`] does for other crates. The results are written in order. Queues are bounded, so files of any size
//! can be streamed.

mod archive;
mod output;
mod pipeline;
mod reading;
mod report;
mod sources;
mod summary;

pub use crate::model::filter::{
    Date, Filter, GameFacts, ParseDateError, ParseResultError, WantedResult, rating,
};
pub use archive::ArchiveError;
pub use output::{Destination, Existing, Output, OutputError, WhichFormat};
pub use pipeline::{Content, Job, convert};
pub use reading::{ReadCounts, Reading, WorkOnGame};
pub use report::{Progress, Report, ReportError, Screen, Silent};
pub use sources::{
    EachRecord, Input, LoadError, Origin, Place, SourceError, each_game, each_record, record_files,
};
pub use summary::Summary;
