use std::io::{self, ErrorKind};
use std::time::Duration;

/// How often, and how far apart.
const TRIES: u32 = if cfg!(windows) { 5 } else { 1 };
const PAUSE: Duration = Duration::from_millis(50);

/// Retries an operation on a file for a quarter of a second on Windows, which refuses files that a virus scanner or an
/// indexer holds open for a moment, and names that another process is just deleting.
pub(crate) fn patiently<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let mut tries = TRIES;
    loop {
        tries -= 1;
        match attempt() {
            Err(error) if tries > 0 && error.kind() == ErrorKind::PermissionDenied => {
                std::thread::sleep(PAUSE);
            }
            result => return result,
        }
    }
}
