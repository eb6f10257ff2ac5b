//! The reading thread: reads lines ahead, so that `stop` and `quit` take effect at once.

use super::command::Command;
use super::interrupt::{Interrupt, Interruption};
use super::lines::{Line, Lines, MAX_LINE};
use platform::clock::Instant;
use std::cell::Cell;
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::JoinHandle;

/// Number of lines read ahead.
const AHEAD: usize = 64;

/// An item of the input.
pub(super) enum Heard {
    /// A line, with its line end if it had one.
    Line(Vec<u8>),
    /// A line that was too long.
    TooLong,
}

/// Where lines come from.
pub(super) trait Source {
    /// The next line; `None` at the end of the input, and after `quit`.
    fn next(&self) -> io::Result<Option<Heard>>;
}

/// A single line.
pub(super) struct OneLine(Cell<Option<Heard>>);

impl OneLine {
    pub(super) fn new(line: &[u8]) -> Self {
        let fits = line.len() <= MAX_LINE;
        Self(Cell::new(Some(if fits { Heard::Line(line.to_vec()) } else { Heard::TooLong })))
    }
}

impl Source for OneLine {
    fn next(&self) -> io::Result<Option<Heard>> {
        Ok(self.0.take())
    }
}

impl Source for Reader {
    fn next(&self) -> io::Result<Option<Heard>> {
        self.heard.recv().ok().transpose()
    }
}

pub(super) struct Reader {
    heard: Receiver<io::Result<Heard>>,
    thread: JoinHandle<()>,
}

impl Reader {
    pub(super) fn start(input: impl Read + Send + 'static, interrupt: Arc<Interrupt>) -> io::Result<Self> {
        let (sender, heard) = mpsc::sync_channel(AHEAD);
        let read = move || read(input, &interrupt, &sender);
        let thread = std::thread::Builder::new().name("input".to_owned()).spawn(read)?;
        Ok(Self { heard, thread })
    }

    /// Lets the thread go. It can be waited for when it has read everything (`at_end`); otherwise it may wait for
    /// input that never comes.
    pub(super) fn close(self, at_end: bool) {
        drop(self.heard);
        if at_end {
            // Even if it has panicked, it has ended.
            let _ = self.thread.join();
        }
    }
}

/// Reads until `quit`, the end, an error, or until the session has ended.
fn read(input: impl Read, interrupt: &Interrupt, sender: &SyncSender<io::Result<Heard>>) {
    let mut lines = Lines::new(BufReader::new(Stamped { input, arrival: Instant::now() }));
    loop {
        let (heard, interruption) = match lines.next() {
            Ok(Some(Line::Text(line))) => (Ok(Heard::Line(line.to_vec())), interruption(line)),
            Ok(Some(Line::TooLong)) => (Ok(Heard::TooLong), None),
            Ok(None) => return interrupt.hear(Interruption::End, lines.input().get_ref().arrival),
            Err(error) => (Err(error), Some(Interruption::End)),
        };
        if let Some(what) = interruption {
            interrupt.hear(what, lines.input().get_ref().arrival);
        }
        let is_last = matches!(interruption, Some(Interruption::Quit | Interruption::End));
        if sender.send(heard).is_err() || is_last {
            return;
        }
    }
}

fn interruption(line: &[u8]) -> Option<Interruption> {
    match Command::parse(&String::from_utf8_lossy(line)) {
        Ok(Some(Command::Stop | Command::GameOver(_))) => Some(Interruption::Stop),
        Ok(Some(Command::Quit)) => Some(Interruption::Quit),
        _ => None,
    }
}

/// Records when bytes arrived. Lines that arrived together share that time, however late they are processed.
struct Stamped<R> {
    input: R,
    arrival: Instant,
}

impl<R: Read> Read for Stamped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer);
        self.arrival = Instant::now();
        read
    }
}
