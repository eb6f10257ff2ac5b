//! Interruption of running commands by `stop` and `quit`.
//!
//! The lines of a script arrive together, before the first is executed; each waits for the command before it. A person
//! or host that sends `stop` or `quit` during a command means that command. The time at which a line arrives
//! distinguishes the two cases.

use platform::clock::Instant;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A line that may interrupt a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Interruption {
    /// `stop`, `gameover`: the command ends, the session goes on.
    Stop,
    /// `quit`: both end.
    Quit,
    /// The end of the input: like `quit`.
    End,
}

impl Interruption {
    /// Time after the start of a command within which the line still counts as part of the same script. A script may
    /// arrive in several pieces, and its writer may take a moment to close the pipe.
    const fn head_start(self) -> Duration {
        match self {
            Self::Stop | Self::Quit => Duration::from_millis(200),
            Self::End => Duration::from_secs(2),
        }
    }
}

/// State shared by the reading thread and the session's.
#[derive(Default)]
pub(super) struct Interrupt {
    /// When the running command started.
    began: Mutex<Option<Instant>>,
    /// Whether the running command must end.
    stop: AtomicBool,
    /// Whether the session must end.
    leave: AtomicBool,
}

impl Interrupt {
    fn began(&self) -> MutexGuard<'_, Option<Instant>> {
        self.began.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a command.
    pub(super) fn begin(&self) {
        *self.began() = Some(Instant::now());
    }

    /// Ends the command.
    pub(super) fn end(&self) {
        let mut began = self.began();
        *began = None;
        self.stop.store(self.must_leave(), Relaxed);
    }

    /// Handles a line that arrived at `arrival`.
    pub(super) fn hear(&self, what: Interruption, arrival: Instant) {
        // The lock is held so that the line cannot affect the next command.
        let began = self.began();
        if began.is_some_and(|began| arrival >= began + what.head_start()) {
            self.leave.store(self.must_leave() || what != Interruption::Stop, Relaxed);
            self.stop.store(true, Relaxed);
        }
    }

    /// Whether the running command must end.
    pub(super) fn is_raised(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether the session must end.
    pub(super) fn must_leave(&self) -> bool {
        self.leave.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Interruption; 3] = [Interruption::Stop, Interruption::Quit, Interruption::End];

    #[test]
    fn what_came_with_the_command_waits() {
        for what in ALL {
            let interrupt = Interrupt::default();
            let before = Instant::now();
            interrupt.hear(what, before);
            interrupt.begin();
            interrupt.hear(what, before);
            interrupt.hear(what, Instant::now());
            assert!(!interrupt.is_raised() && !interrupt.must_leave(), "{what:?}");
        }
    }

    #[test]
    fn what_comes_later_interrupts() {
        for what in ALL {
            let interrupt = Interrupt::default();
            let later = || Instant::now() + what.head_start();
            interrupt.begin();
            interrupt.hear(what, later());
            assert!(interrupt.is_raised(), "{what:?}");
            assert_eq!(interrupt.must_leave(), what != Interruption::Stop);
            interrupt.hear(Interruption::Stop, later());
            interrupt.end();
            interrupt.hear(what, later());
            assert_eq!(interrupt.is_raised(), what != Interruption::Stop, "the next command is another one");
            assert_eq!(interrupt.must_leave(), what != Interruption::Stop);
        }
    }
}
