//! Waiting on systems where sockets and pipes cannot be polled together: a short sleep, after which the caller checks
//! everything.

use super::LineSocket;
use crate::Process;
use std::io;
use std::net::TcpListener;
use std::time::Duration;

/// The longest time that a line waits to be noticed.
const STEP: Duration = Duration::from_millis(1);

/// Sleeps for a moment, at most for `time`; afterwards any of the ends may be ready.
#[allow(clippy::unnecessary_wraps)] // same signature as the other implementation
pub fn wait<'a>(
    _: Option<&TcpListener>,
    _: impl IntoIterator<Item = &'a LineSocket>,
    _: Option<&Process>,
    time: Duration,
) -> io::Result<()> {
    std::thread::sleep(time.min(STEP));
    Ok(())
}
