//! The writer that all threads share: writes whole lines, flushes them, and copies them to the log.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The output of a session. Clones share the writer and write one line at a time.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Sink>>);

struct Sink {
    out: Box<dyn Write + Send>,
    log: Option<BufWriter<File>>,
    closed: bool,
    /// The first error.
    fault: Option<Fault>,
}

/// The class of an error message, for the exit status of the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A command failed: exit status 1.
    Failure,
    /// A line was wrong: exit status 2.
    WrongUsage,
}

impl Output {
    /// Writes to `out`.
    pub fn new(out: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Sink { out: Box::new(out), log: None, closed: false, fault: None })))
    }

    fn with<T>(&self, act: impl FnOnce(&mut Sink) -> T) -> T {
        // A panicked thread leaves at worst half a line behind.
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes a line, or several at once separated by `
    /// `, without other lines in between.
    pub fn line(&self, text: impl Display) {
        self.with(|sink| {
            let text = text.to_string();
            if !sink.closed {
                let written = writeln!(sink.out, "{text}").and_then(|()| sink.out.flush());
                // The reader has closed the pipe: the session ends before its next line.
                sink.closed = written.is_err();
            }
            sink.log('<', &text);
        });
    }

    /// Writes an `info string` line, which hosts log or ignore. Characters other than printable ASCII are escaped, and
    /// the length is limited, because the message may quote input. A message that begins with `Error` is a failure.
    pub fn info(&self, message: impl Display) {
        const MAX_LENGTH: usize = 500;
        let message = message.to_string();
        if message.starts_with("Error") {
            self.note_fault(Fault::Failure);
        }
        let printable: String = message[..message.floor_char_boundary(MAX_LENGTH)]
            .chars()
            .flat_map(|c| match c {
                ' '..='~' => vec![c],
                _ => c.escape_default().collect(),
            })
            .collect();
        self.line(format_args!("info string {printable}"));
    }

    /// Writes an `info string Error!` line about a command that failed.
    pub fn error(&self, message: impl Display) {
        self.info(format_args!("Error! {message}"));
    }

    /// Writes an `info string` line about wrong input.
    pub fn wrong_usage(&self, message: impl Display) {
        self.note_fault(Fault::WrongUsage);
        self.info(message);
    }

    fn note_fault(&self, fault: Fault) {
        self.with(|sink| *sink.fault.get_or_insert(fault));
    }

    /// The first error, if any.
    #[must_use]
    pub fn first_fault(&self) -> Option<Fault> {
        self.with(|sink| sink.fault)
    }

    /// Whether the reader has closed the pipe.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.with(|sink| sink.closed)
    }

    /// Copies a line of input to the log.
    pub fn heard(&self, line: &str) {
        self.with(|sink| sink.log('>', line));
    }

    /// Starts copying everything to a file, or ends it.
    pub fn log_to(&self, path: Option<&Path>) -> io::Result<()> {
        let log = path.map(File::create).transpose()?.map(BufWriter::new);
        self.with(|sink| sink.log = log);
        Ok(())
    }
}

impl Sink {
    /// A log that cannot be written is abandoned: playing is more important.
    fn log(&mut self, direction: char, text: &str) {
        if let Some(log) = &mut self.log {
            let lines = text.lines().try_for_each(|line| writeln!(log, "{direction} {line}"));
            if lines.and_then(|()| log.flush()).is_err() {
                self.log = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Collects what is written.
    struct Collect(mpsc::Sender<u8>);

    impl Write for Collect {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            bytes.iter().try_for_each(|b| self.0.send(*b)).map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn messages_are_one_ascii_line_of_bounded_length() {
        let (sender, receiver) = mpsc::channel();
        let output = Output::new(Collect(sender));
        output.error("`歩\u{7f}\r\nbestmove`");
        output.info("x".repeat(100_000));
        let text = String::from_utf8(receiver.try_iter().collect()).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("info string Error! `\\u{6b69}\\u{7f}\\r\\nbestmove`"));
        assert_eq!(lines.next().map(str::len), Some("info string ".len() + 500));
        assert_eq!(lines.next(), None);
        assert!(!output.is_closed());
        drop(receiver);
        output.line("anyone?");
        assert!(output.is_closed());
    }
}
