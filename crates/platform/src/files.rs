//! Files that are never torn, locked between processes, and named for every system.

pub mod atomic_file;
mod file_error;
pub mod file_lock;
mod file_name;
mod overwrite;
mod patiently;

pub use file_error::{AtPath, FileError};
pub use file_name::{file_name, portable};
pub use overwrite::check_overwrite;
