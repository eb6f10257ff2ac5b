//! A program's pipes by `poll`: one thread reads from two programs and blocks on neither.

use crate::lines::{Heard, Lines};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// Limit of bytes read but not taken; beyond it, the pipe fills up.
const MOST_WAITING: usize = 1 << 24;

/// Standard input and output of a program.
pub(super) struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    lines: Lines,
    closed: bool,
    /// Kept between reads, because clearing a new one costs more than reading.
    buffer: Box<[u8]>,
}

/// Bytes read at a time.
const CHUNK: usize = 1 << 14;

impl Pipes {
    pub(super) fn new(stdin: ChildStdin, stdout: ChildStdout) -> io::Result<Self> {
        set_nonblocking(&stdin)?;
        set_nonblocking(&stdout)?;
        Ok(Self {
            stdin: Some(stdin),
            stdout,
            lines: Lines::default(),
            closed: false,
            buffer: vec![0; CHUNK].into(),
        })
    }

    /// Writes all of `text` and reads meanwhile: the program may not read on before its output is taken.
    pub(super) fn send(&mut self, text: &str, deadline: Instant) -> io::Result<()> {
        let mut bytes = text.as_bytes();
        while !bytes.is_empty() {
            let Some(stdin) = &self.stdin else { return Err(io::ErrorKind::BrokenPipe.into()) };
            match rustix::io::write(stdin, bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(Errno::AGAIN) => {
                    let Some(left) = time_left(deadline) else { return Err(io::ErrorKind::TimedOut.into()) };
                    let mut ends =
                        [PollFd::new(stdin, PollFlags::OUT), PollFd::new(&self.stdout, PollFlags::IN)];
                    let listen = if self.wants_more() { 2 } else { 1 };
                    wait(&mut ends[..listen], left)?;
                    if listen == 2 {
                        self.fill()?;
                    }
                }
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Waits for a line. Lines of `other` that arrive meanwhile are buffered.
    pub(super) fn listen(&mut self, deadline: Instant, mut other: Option<&mut Self>) -> io::Result<Heard> {
        loop {
            if let Some(line) = self.lines.take() {
                return Ok(Heard::Line(line));
            }
            if self.closed {
                return Ok(Heard::Closed);
            }
            let left = time_left(deadline);
            let listening = other.as_deref().filter(|other| other.wants_more());
            let own = || PollFd::new(&self.stdout, PollFlags::IN);
            // Without another program, its place holds our own pipe a second time, unused.
            let mut ends =
                [own(), listening.map_or_else(own, |other| PollFd::new(&other.stdout, PollFlags::IN))];
            let count = if listening.is_some() { 2 } else { 1 };
            let any = wait(&mut ends[..count], left.unwrap_or(Duration::ZERO))?;
            let [own_speaks, other_speaks] = ends.map(|end| !end.revents().is_empty());
            if own_speaks {
                self.fill()?;
            }
            if other_speaks && let Some(other) = other.as_deref_mut() {
                other.fill()?;
            }
            if !any && left.is_none() {
                return Ok(Heard::Silence);
            }
        }
    }

    /// A line that has already arrived.
    pub(super) fn listen_now(&mut self) -> io::Result<Heard> {
        if self.lines.waiting() == 0 && !self.closed {
            self.fill()?;
        }
        Ok(match self.lines.take() {
            Some(line) => Heard::Line(line),
            None if self.closed => Heard::Closed,
            None => Heard::Silence,
        })
    }

    /// Closes the program's standard input.
    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }

    pub(super) const fn total_heard(&self) -> u64 {
        self.lines.total()
    }

    /// The pipe from the program, if it should be read.
    pub(super) fn readable_end(&self) -> Option<BorrowedFd<'_>> {
        self.wants_more().then(|| self.stdout.as_fd())
    }

    const fn wants_more(&self) -> bool {
        !self.closed && self.lines.waiting() < MOST_WAITING
    }

    /// Reads what is available, up to one buffer.
    fn fill(&mut self) -> io::Result<()> {
        match rustix::io::read(&self.stdout, &mut self.buffer[..]) {
            Ok(0) => {
                self.closed = true;
                self.lines.end_of_input(Instant::now());
            }
            Ok(read) => self.lines.push(&self.buffer[..read], Instant::now()),
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}

fn set_nonblocking(end: &impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(end)?;
    Ok(fcntl_setfl(end, flags | OFlags::NONBLOCK)?)
}

fn time_left(deadline: Instant) -> Option<Duration> {
    deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
}

/// Polls the ends; returns whether any of them became ready in time.
fn wait(ends: &mut [PollFd<'_>], time: Duration) -> io::Result<bool> {
    let timeout = Timespec {
        tv_sec: time.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: time.subsec_nanos().into(),
    };
    match poll(ends, Some(&timeout)) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
