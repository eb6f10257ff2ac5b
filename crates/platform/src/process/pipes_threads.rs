//! A program's pipes where there is no `poll`: a thread reads from each program.

use super::lines::{Heard, Line, Lines};
use std::io::{self, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::Instant;

/// Lines read ahead of what is taken; beyond that, the pipe is left to fill up.
const MOST_WAITING: usize = 1 << 17;

/// Standard input and output of a program.
pub(super) struct Pipes {
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    total: Arc<AtomicU64>,
}

impl Pipes {
    pub(super) fn new(stdin: ChildStdin, stdout: ChildStdout) -> io::Result<Self> {
        let (sender, lines) = sync_channel(MOST_WAITING);
        let total = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&total);
        std::thread::Builder::new().spawn(move || hear(stdout, &sender, &counter))?;
        Ok(Self { stdin: Some(stdin), lines, total })
    }

    /// Writes all of `text`.
    pub(super) fn send(&mut self, text: &str, _: Instant) -> io::Result<()> {
        let Some(stdin) = &mut self.stdin else { return Err(io::ErrorKind::BrokenPipe.into()) };
        stdin.write_all(text.as_bytes())?;
        stdin.flush()
    }

    /// Waits for a line.
    #[allow(clippy::unnecessary_wraps)] // as its twin
    pub(super) fn listen(&mut self, deadline: Instant, _: Option<&mut Self>) -> io::Result<Heard> {
        let left = deadline.saturating_duration_since(Instant::now());
        Ok(match self.lines.recv_timeout(left) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Timeout) => Heard::Silence,
            Err(RecvTimeoutError::Disconnected) => Heard::Closed,
        })
    }

    /// A line that has arrived already.
    #[allow(clippy::unnecessary_wraps)] // as its twin
    pub(super) fn listen_now(&mut self) -> io::Result<Heard> {
        Ok(match self.lines.try_recv() {
            Ok(line) => Heard::Line(line),
            Err(TryRecvError::Empty) => Heard::Silence,
            Err(TryRecvError::Disconnected) => Heard::Closed,
        })
    }

    /// Closes the program's standard input.
    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }

    pub(super) fn total_heard(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }
}

fn hear(mut stdout: ChildStdout, sender: &SyncSender<Line>, total: &AtomicU64) {
    let mut lines = Lines::default();
    let mut buffer = vec![0; 1 << 14];
    loop {
        match stdout.read(&mut buffer) {
            Ok(0) | Err(_) => lines.end_of_input(Instant::now()),
            Ok(read) => {
                lines.push(&buffer[..read], Instant::now());
                total.store(lines.total(), Ordering::Relaxed);
                while let Some(line) = lines.take() {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
                continue;
            }
        }
        while let Some(line) = lines.take() {
            if sender.send(line).is_err() {
                return;
            }
        }
        return;
    }
}
