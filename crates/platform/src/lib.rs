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

pub mod atomic_file;
pub mod clock;
mod desktop;
mod file_error;
pub mod file_lock;
mod file_name;
mod interrupts;
mod language;
#[cfg(any(unix, windows))]
mod lines;
pub mod memory;
#[cfg(any(unix, windows))]
pub mod net;
pub mod numa;
mod overwrite;
mod patiently;
mod pause_point;
mod prefetch;
#[cfg(any(unix, windows))]
pub mod process;
mod progress_line;
pub mod random;
mod sha256;
pub mod svg;
mod timers;
pub mod workers;

pub use atomic_file::AtomicFile;
pub use desktop::{data_folder, open_in_browser};
pub use file_error::{AtPath, FileError};
pub use file_lock::FileLock;
pub use file_name::{file_name, portable};
pub use interrupts::{count_interrupts, interrupts};
pub use language::{Language, ParseLanguageError};
pub use overwrite::check_overwrite;
pub use pause_point::pause_point;
pub use prefetch::prefetch;
#[cfg(any(unix, windows))]
pub use process::Process;
pub use progress_line::ProgressLine;
pub use random::Random;
pub use sha256::sha256;
pub use timers::use_precise_timers;
