//! Everything that touches the operating system, and low-level utilities that all crates use.
//!
//! | module | what it is for |
//! |---|---|
//! | [`clock`] | the time, also where the system has no clock |
//! | [`atomic_file`] | files that are complete or not there at all |
//! | [`file_lock`] | locks between processes |
//! | [`file_name()`], [`portable()`] | file names that every system takes |
//! | [`count_interrupts()`], [`interrupts()`] | Ctrl-C, counted |
//! | [`Language`] | the language of texts for people |
//! | [`memory`] | large zeroed memory on large pages |
//! | [`net`] | TCP connections as lines |
//! | [`numa`] | which thread runs on which memory node |
//! | [`check_overwrite()`] | refuses to replace files of another kind |
//! | [`pause_point()`] | where a host without threads may take over |
//! | [`prefetch()`] | cache prefetching |
//! | [`ProgressLine`] | progress of a long command, on standard error |
//! | [`process`] | child processes and their pipes |
//! | [`random`] | `SplitMix64` |
//! | [`sha256()`] | SHA-256 in hexadecimal |
//! | [`svg`] | small charts |
//! | [`use_precise_timers()`] | short waits that end in time, on Windows |
//! | [`workers`] | parallel work with ordered results, thread pools |
//!
//! No other crate has `cfg(unix)`, `cfg(windows)` or system calls.

mod files;
#[cfg(any(unix, windows))]
mod lines;
pub mod memory;
#[cfg(any(unix, windows))]
pub mod net;
pub mod numa;
mod prefetch;
#[cfg(any(unix, windows))]
pub mod process;
pub mod random;
mod sha256;
pub mod svg;
mod time;
mod user;
pub mod workers;

pub use files::atomic_file::{self, AtomicFile};
pub use files::file_lock::{self, FileLock};
pub use files::{AtPath, FileError, check_overwrite, file_name, portable};
pub use prefetch::prefetch;
#[cfg(any(unix, windows))]
pub use process::Process;
pub use random::Random;
pub use sha256::sha256;
pub use time::{clock, pause_point, use_precise_timers};
pub use user::{
    Language, ParseLanguageError, ProgressLine, count_interrupts, data_folder, interrupts, open_in_browser,
};
