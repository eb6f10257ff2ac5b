//! Waiting by `poll`.

use super::LineSocket;
use crate::Process;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io;
use std::net::TcpListener;
use std::os::fd::AsFd;
use std::time::Duration;

/// Waits until a new connection can be accepted, a socket or a program can be read, or a socket with pending output can
/// be written; at most for `time`.
pub fn wait<'a>(
    listener: Option<&TcpListener>,
    sockets: impl IntoIterator<Item = &'a LineSocket>,
    process: Option<&Process>,
    time: Duration,
) -> io::Result<()> {
    let mut ends: Vec<PollFd<'_>> = Vec::new();
    ends.extend(listener.map(|listener| PollFd::from_borrowed_fd(listener.as_fd(), PollFlags::IN)));
    for socket in sockets {
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, socket.wants_more());
        flags.set(PollFlags::OUT, !socket.is_sent());
        if !flags.is_empty() {
            ends.push(PollFd::from_borrowed_fd(socket.stream.as_fd(), flags));
        }
    }
    let program = process.and_then(Process::readable_end);
    ends.extend(program.map(|end| PollFd::from_borrowed_fd(end, PollFlags::IN)));
    let timeout = Timespec {
        tv_sec: time.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: time.subsec_nanos().into(),
    };
    match poll(&mut ends, Some(&timeout)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
