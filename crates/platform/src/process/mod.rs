//! Other programs: started, talked to line by line, never waited for without a limit, ended with all that they started.

#[cfg(unix)]
#[path = "group_unix.rs"]
mod group;
#[cfg(windows)]
#[path = "group_windows.rs"]
mod group;
mod lines;
// Where there is `poll`, the twin that needs none is built for its tests only.
#[cfg(all(unix, test))]
mod pipes_tests;
#[cfg(any(not(unix), test))]
mod pipes_threads;
#[cfg(unix)]
mod pipes_unix;

use group::Group;
pub use lines::{Heard, Line};
#[cfg(not(unix))]
use pipes_threads::Pipes;
#[cfg(unix)]
use pipes_unix::Pipes;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// So much of standard error is looked at for its last line.
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
    /// Where its standard error goes, and how much was there before.
    errors: Option<(PathBuf, u64)>,
}

impl Process {
    /// Starts the program. What it writes to standard error goes to the end of `errors`, or nowhere.
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

    /// The last line that was written to standard error since it was started, if that is kept.
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

    /// Says lines, each ended by a newline, by the deadline.
    pub fn send(&mut self, text: &str, deadline: Instant) -> io::Result<()> {
        self.pipes.send(text, deadline)
    }

    /// Waits for a line; meanwhile what `other` says is kept for later.
    pub fn listen(&mut self, deadline: Instant, other: Option<&mut Self>) -> io::Result<Heard> {
        self.pipes.listen(deadline, other.map(|other| &mut other.pipes))
    }

    /// A line that has arrived already.
    pub fn listen_now(&mut self) -> io::Result<Heard> {
        self.pipes.listen_now()
    }

    /// Closes the program's standard input.
    pub fn close_input(&mut self) {
        self.pipes.close_input();
    }

    /// All the bytes that the program ever wrote.
    #[must_use]
    pub fn total_heard(&self) -> u64 {
        self.pipes.total_heard()
    }

    /// Its process number.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the program to end by itself.
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

    /// Asks it to end with SIGTERM; `false` on systems without that signal.
    #[must_use]
    pub fn terminate(&self) -> bool {
        group::terminate(&self.child)
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        self.group.kill(&self.child);
        // It may be gone already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Closes this process's standard output for good: nothing that is written later arrives. Elsewhere than on Unix the process
/// ends instead. For programs that test how others take that.
pub fn silence_stdout() {
    #[cfg(unix)]
    if let Ok(nowhere) = File::options().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(nowhere);
    }
    #[cfg(not(unix))]
    std::process::exit(3);
}
