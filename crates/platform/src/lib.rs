//! The ground floor: everything that touches the operating system, and plain machinery that every room uses.
//!
//! | module | what it is for |
//! |---|---|
//! | [`atomic_file`] | files that are complete under their name or not there at all |
//! | [`file_lock`] | one process at a time |
//! | [`memory`] | large zeroed memory on large pages |
//! | [`numa`] | which thread runs on which memory node |
//! | [`check_overwrite()`] | only files of the same kind are replaced |
//! | [`prefetch()`] | a hint to the cache |
//! | [`process`] | other programs and their pipes |
//! | [`random`] | `SplitMix64` |
//! | [`sha256()`] | SHA-256 in digits |
//! | [`svg`] | small charts |
//! | [`use_precise_timers()`] | waits that end when they should |
//! | [`workers`] | work spread over threads, results in order |
//!
//! No other crate has `cfg(unix)`, `cfg(windows)` or calls the system by itself.

pub mod atomic_file;
mod file_error;
pub mod file_lock;
pub mod memory;
pub mod numa;
mod overwrite;
mod prefetch;
#[cfg(any(unix, windows))]
pub mod process;
pub mod random;
mod sha256;
pub mod svg;
mod timers;
pub mod workers;

pub use atomic_file::AtomicFile;
pub use file_error::{AtPath, FileError};
pub use file_lock::FileLock;
pub use overwrite::check_overwrite;
pub use prefetch::prefetch;
#[cfg(any(unix, windows))]
pub use process::Process;
pub use random::Random;
pub use sha256::sha256;
pub use timers::use_precise_timers;
