//! A program and all that it starts, as a process group.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::io;
use std::process::{Child, Command};

/// The process group of a program.
pub(super) struct Group;

impl Group {
    /// Gives the program a group of its own, so that Ctrl-C reaches only us and a wrapper script is ended with what it
    /// started.
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
    #[allow(clippy::unnecessary_wraps)] // as its twin
    pub(super) fn of(_: &Child) -> io::Result<Self> {
        Ok(Self)
    }

    /// Ends every program of the group at once. It may be empty already.
    #[allow(clippy::unused_self)] // as its twin
    pub(super) fn kill(&self, child: &Child) {
        if let Some(id) = id(child) {
            let _ = kill_process_group(id, Signal::KILL);
        }
    }
}

/// Sends SIGTERM to the program, which may be gone already.
pub(super) fn terminate(child: &Child) -> bool {
    let _ = id(child).map(|id| kill_process(id, Signal::TERM));
    true
}

fn id(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}
