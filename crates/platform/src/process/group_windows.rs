//! A program and all that it starts, as a job object, which also ends when this process is killed.

use std::ffi::c_void;
use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW};

/// The job object of a program. Closing its handle ends the job; the system closes it if this process is killed.
pub(super) struct Group(OwnedHandle);

impl Group {
    /// Keeps Ctrl-C and console windows away from the program.
    pub(super) fn prepare(command: &mut Command) {
        command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
    }

    /// Puts a program that has just been started into a job of its own.
    pub(super) fn of(child: &Child) -> io::Result<Self> {
        // SAFETY: both pointers may be null: no security attributes, no name.
        let job = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if job.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle was just made and belongs to nothing else.
        let job = unsafe { OwnedHandle::from_raw_handle(job) };
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let size = size_of_val(&limits) as u32;
        let limits: *const c_void = (&raw const limits).cast();
        // SAFETY: the handle is open, and `limits` points to `size` bytes of the kind that the class names.
        let done = unsafe {
            SetInformationJobObject(job.as_raw_handle(), JobObjectExtendedLimitInformation, limits, size) != 0
        // SAFETY: both handles are open.
            && AssignProcessToJobObject(job.as_raw_handle(), child.as_raw_handle()) != 0
        };
        if done { Ok(Self(job)) } else { Err(io::Error::last_os_error()) }
    }

    /// Ends every program of the job at once.
    pub(super) fn kill(&self, _: &Child) {
        // SAFETY: the handle is open.
        let _ = unsafe { TerminateJobObject(self.0.as_raw_handle(), 1) };
    }
}

/// There is no SIGTERM.
pub(super) fn terminate(_: &Child) -> bool {
    false
}
