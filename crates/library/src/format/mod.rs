//! The file: a header with two slots, then segments and directories, each written once behind the others.
//!
//! ```text
//! 0       magic; slots at 512 and 1024: number of the commit, where its directory is, checksums
//! 4096    segment, directory, segment, directory …
//! ```
//!
//! A commit appends a segment and the directory of all segments, syncs, writes the older slot and syncs again: at every moment one
//! slot names a directory that is complete. What a killed process has appended without a slot is overwritten by the next one.
//! Nothing that a slot names is ever changed, so readers need no lock. What is superseded stays until the file is written anew
//! beside itself and renamed ([`crate::change::tidy`]).

pub(crate) mod bytes;
pub(crate) mod directory;
pub(crate) mod header;
pub(crate) mod positions;
pub(crate) mod row;
pub(crate) mod segment;
pub(crate) mod sink;
pub(crate) mod strings;
