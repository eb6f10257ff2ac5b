//! Child processes: started, talked to line by line with deadlines, ended together with all that they started.

#[cfg(unix)]
#[path = "group_unix.rs"]
mod group;
#[cfg(windows)]
#[path = "group_windows.rs"]
mod group;
// On systems with `poll`, the implementation by threads is built for its tests only.
#[cfg(all(unix, test))]
mod pipes_tests;
#[cfg(any(not(unix), test))]
mod pipes_threads;
#[cfg(unix)]
mod pipes_unix;

pub use crate::lines::{Heard, Line};
use group::Group;
#[cfg(not(unix))]
use pipes_threads::Pipes;
#[cfg(unix)]
use pipes_unix::Pipes;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How many bytes at the end of standard error are searched for the last line.
const MOST_OF_A_LINE: u64 = 500;

/// A program to start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The executable.
    pub command: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder that it runs in.
    pub folder: PathBuf,
}

/// A running program and its pipes; dropping it ends the program and all that it started.
pub struct Process {
    child: Child,
    group: Group,
    pipes: Pipes,
    /// The file that receives its standard error, and the length of that file at the start.
    errors: Option<(PathBuf, u64)>,
}

impl Process {
    /// Starts the program. Its standard error is appended to `errors`, or discarded.
    pub fn start(program: &Program, errors: Option<&Path>) -> io::Result<Self> {
        let (stderr, errors) = match errors {
            Some(path) => {
                let file = File::options().append(true).create(true).open(path)?;
                let before = file.metadata()?.len();
                (file.into(), Some((path.to_owned(), before)))
            }
            None => (Stdio::null(), None),
        };
        let mut command = Command::new(&program.command);
        command
            .args(&program.arguments)
            .current_dir(&program.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr);
        Group::prepare(&mut command);
        let mut child = command.spawn()?;
        let group = Group::of(&child).inspect_err(|_| {
            let _ = child.kill();
        })?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        Ok(Self { child, group, pipes: Pipes::new(stdin, stdout)?, errors })
    }

    /// The last line of its standard error since the start, if that is kept.
    #[must_use]
    pub fn last_error_line(&self) -> Option<String> {
        let (path, before) = self.errors.as_ref()?;
        let mut file = File::open(path).ok()?;
        let end = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start((*before).max(end.saturating_sub(MOST_OF_A_LINE)))).ok()?;
        let mut bytes = Vec::new();
        file.take(MOST_OF_A_LINE).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned)
    }

    /// Sends lines, each ended by a newline; fails if that takes until the deadline.
    pub fn send(&mut self, text: &str, deadline: Instant) -> io::Result<()> {
        self.pipes.send(text, deadline)
    }

    /// Waits for a line. Lines of `other` that arrive meanwhile are buffered.
    pub fn listen(&mut self, deadline: Instant, other: Option<&mut Self>) -> io::Result<Heard> {
        self.pipes.listen(deadline, other.map(|other| &mut other.pipes))
    }

    /// A line that has already arrived.
    pub fn listen_now(&mut self) -> io::Result<Heard> {
        self.pipes.listen_now()
    }

    /// Closes the program's standard input.
    pub fn close_input(&mut self) {
        self.pipes.close_input();
    }

    /// Bytes that the program has written in total.
    #[must_use]
    pub fn total_heard(&self) -> u64 {
        self.pipes.total_heard()
    }

    /// The pipe from the program, for polling it together with others. `None` once it is closed, or while so much is
    /// buffered that nothing more is read.
    #[cfg(unix)]
    pub(crate) fn readable_end(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        self.pipes.readable_end()
    }

    /// The process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the program ends by itself, at most for `patience`.
    pub fn wait(&mut self, patience: Duration) -> io::Result<Option<ExitStatus>> {
        let deadline = Instant::now() + patience;
        loop {
            let status = self.child.try_wait()?;
            if status.is_some() || Instant::now() >= deadline {
                return Ok(status);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sends SIGTERM; returns `false` on systems without that signal.
    #[must_use]
    pub fn terminate(&self) -> bool {
        group::terminate(&self.child)
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.group.kill(&self.child);
        // Fails if it has already ended, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Closes this process's standard output for good: later output is lost. On systems other than Unix the process ends
/// instead. For tests of how other programs handle that.
pub fn silence_stdout() {
    #[cfg(unix)]
    if let Ok(nowhere) = File::options().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(nowhere);
    }
    #[cfg(not(unix))]
    std::process::exit(3);
}
