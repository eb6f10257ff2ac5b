//! A program's pipes on systems without `poll`: one thread reads, another writes, and the caller never waits past its
//! deadline.

use crate::lines::{Heard, Lines};
use std::io::{self, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Limit of bytes read but not taken; beyond it, the pipe fills up.
const MOST_WAITING: usize = 1 << 24;

/// Standard input and output of a program.
pub(super) struct Pipes {
    writer: Option<Writer>,
    output: Arc<Output>,
}

impl Pipes {
    pub(super) fn new(stdin: ChildStdin, stdout: ChildStdout) -> io::Result<Self> {
        let output = Arc::new(Output::default());
        let reader = Arc::clone(&output);
        std::thread::Builder::new().spawn(move || reader.fill(stdout))?;
        Ok(Self { writer: Some(Writer::new(stdin)?), output })
    }

    /// Writes all of `text`, while the other thread goes on reading.
    pub(super) fn send(&mut self, text: &str, deadline: Instant) -> io::Result<()> {
        match &mut self.writer {
            Some(writer) => writer.write(text, deadline),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Waits for a line. The other program has its own reading thread.
    #[allow(clippy::unnecessary_wraps)] // same signature as the other implementation
    pub(super) fn listen(&mut self, deadline: Instant, _: Option<&mut Self>) -> io::Result<Heard> {
        Ok(self.output.take(deadline))
    }

    /// A line that has already arrived.
    pub(super) fn listen_now(&mut self) -> io::Result<Heard> {
        self.listen(Instant::now(), None)
    }

    /// Closes the program's standard input once everything sent has been written.
    pub(super) fn close_input(&mut self) {
        self.writer = None;
    }

    pub(super) fn total_heard(&self) -> u64 {
        self.output.state().lines.total()
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        self.output.state().abandoned = true;
        self.output.changed.notify_all();
    }
}

/// The thread that writes: one text at a time.
struct Writer {
    texts: SyncSender<String>,
    written: Receiver<io::Result<()>>,
    /// Whether a text that missed its deadline is still being written.
    late: bool,
}

impl Writer {
    fn new(mut stdin: ChildStdin) -> io::Result<Self> {
        let (texts, waiting) = sync_channel::<String>(1);
        let (done, written) = sync_channel(1);
        std::thread::Builder::new().spawn(move || {
            for text in waiting {
                let result = stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush());
                if done.send(result).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { texts, written, late: false })
    }

    fn write(&mut self, text: &str, deadline: Instant) -> io::Result<()> {
        if self.late {
            self.wait(deadline)?;
        }
        match self.texts.try_send(text.to_owned()) {
            Ok(()) => self.wait(deadline),
            Err(TrySendError::Full(_)) => Err(io::ErrorKind::TimedOut.into()),
            Err(TrySendError::Disconnected(_)) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Waits until the current text has been written.
    fn wait(&mut self, deadline: Instant) -> io::Result<()> {
        let left = deadline.saturating_duration_since(Instant::now());
        let result = match self.written.try_recv() {
            Err(TryRecvError::Empty) => self.written.recv_timeout(left),
            Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
            Ok(result) => Ok(result),
        };
        self.late = matches!(result, Err(RecvTimeoutError::Timeout));
        result.unwrap_or_else(|error| {
            Err(match error {
                RecvTimeoutError::Timeout => io::ErrorKind::TimedOut.into(),
                RecvTimeoutError::Disconnected => io::ErrorKind::BrokenPipe.into(),
            })
        })
    }
}

/// The program's output, shared with the reading thread.
#[derive(Default)]
struct Output {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    lines: Lines,
    closed: bool,
    /// Set when the [`Pipes`] are dropped: the reading thread may end.
    abandoned: bool,
}

impl Output {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, deadline: Instant) -> Heard {
        let left = deadline.saturating_duration_since(Instant::now());
        let empty = |state: &mut State| state.lines.waiting() == 0 && !state.closed;
        let waited = self.changed.wait_timeout_while(self.state(), left, empty);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match state.lines.take() {
            Some(line) => {
                self.changed.notify_all();
                Heard::Line(line)
            }
            None if state.closed => Heard::Closed,
            None => Heard::Silence,
        }
    }

    fn fill(&self, mut stdout: ChildStdout) {
        let mut buffer = vec![0; 1 << 14];
        loop {
            let read = match stdout.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.unwrap_or(0),
            };
            let full = |state: &mut State| state.lines.waiting() >= MOST_WAITING && !state.abandoned;
            let mut state =
                self.changed.wait_while(self.state(), full).unwrap_or_else(PoisonError::into_inner);
            if read == 0 {
                state.lines.end_of_input(Instant::now());
                state.closed = true;
            } else {
                state.lines.push(&buffer[..read], Instant::now());
            }
            let end = state.closed || state.abandoned;
            drop(state);
            self.changed.notify_all();
            if end {
                return;
            }
        }
    }
}
