//! A program and all that it starts, as a process group.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::io;
use std::process::{Child, Command};

/// The process group of a program.
pub(super) struct Group;

impl Group {
    /// Puts the program into a group of its own: Ctrl-C then reaches only this process, and a wrapper script is ended
    /// together with what it started.
    pub(super) fn prepare(command: &mut Command) {
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(target_os = "linux")]
        {
            let die_with_us = || {
                rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
                Ok(())
            };
            // SAFETY: between fork and exec the closure makes one system call and allocates nothing.
            unsafe { std::os::unix::process::CommandExt::pre_exec(command, die_with_us) };
        }
    }

    /// The group of a program that has just been started.
    #[allow(clippy::unnecessary_wraps)] // same signature as the other implementation
    pub(super) fn of(_: &Child) -> io::Result<Self> {
        Ok(Self)
    }

    /// Ends every program of the group at once. The group may already be empty.
    #[allow(clippy::unused_self)] // same signature as the other implementation
    pub(super) fn kill(&self, child: &Child) {
        if let Some(id) = id(child) {
            let _ = kill_process_group(id, Signal::KILL);
        }
    }
}

/// Sends SIGTERM to the program, which may already have ended.
pub(super) fn terminate(child: &Child) -> bool {
    let _ = id(child).map(|id| kill_process(id, Signal::TERM));
    true
}

fn id(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}
