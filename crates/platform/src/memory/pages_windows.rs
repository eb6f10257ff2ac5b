//! Zeroed pages by `VirtualAlloc`, large ones where the user has the right to lock pages in memory.

use std::ffi::c_void;
use std::io;
use std::ops::{Deref, DerefMut};
use std::ptr::{NonNull, null, null_mut};
use std::sync::OnceLock;
use windows_sys::Win32::Foundation::{CloseHandle, ERROR_SUCCESS, GetLastError, LUID};
use windows_sys::Win32::Security::{
    AdjustTokenPrivileges, LUID_AND_ATTRIBUTES, LookupPrivilegeValueW, SE_LOCK_MEMORY_NAME,
    SE_PRIVILEGE_ENABLED, TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES,
};
use windows_sys::Win32::System::Memory::{
    GetLargePageMinimum, MEM_COMMIT, MEM_LARGE_PAGES, MEM_RELEASE, MEM_RESERVE, PAGE_READWRITE, VirtualAlloc,
    VirtualFree,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

pub(super) struct Pages {
    start: NonNull<u8>,
    bytes: usize,
    large: bool,
}

// SAFETY: the memory belongs to this value alone, as that of a `Vec`.
unsafe impl Send for Pages {}
// SAFETY: shared access only reads.
unsafe impl Sync for Pages {}

impl Pages {
    /// Allocates at least one byte. Large pages are best effort: without them memory is only slower.
    pub(super) fn new(bytes: usize, large: bool) -> io::Result<Self> {
        let large_page = if large { large_page() } else { None };
        if let Some(page) = large_page
            && let Some(rounded) = bytes.checked_next_multiple_of(page)
            && let Some(start) = allocate(rounded, MEM_LARGE_PAGES)
        {
            return Ok(Self { start, bytes, large: true });
        }
        let start = allocate(bytes, 0).ok_or_else(io::Error::last_os_error)?;
        Ok(Self { start, bytes, large: false })
    }

    pub(super) const fn are_large(&self) -> bool {
        self.large
    }

    /// Does nothing: committed memory is allocated when it is touched.
    #[allow(clippy::unused_self)] // same signature as the other implementation
    pub(super) fn populate(&self) {}
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: `VirtualAlloc` gave this address, and nothing refers to the memory any more.
        let _ = unsafe { VirtualFree(self.start.as_ptr().cast(), 0, MEM_RELEASE) };
    }
}

impl Deref for Pages {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        // SAFETY: so many bytes were allocated, began as zeros and live as long as this value.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }
}

impl DerefMut for Pages {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `deref`, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }
}

fn allocate(bytes: usize, kind: u32) -> Option<NonNull<u8>> {
    // SAFETY: the address is null, so the system chooses one; the memory is new.
    let start: *mut c_void =
        unsafe { VirtualAlloc(null(), bytes, MEM_RESERVE | MEM_COMMIT | kind, PAGE_READWRITE) };
    NonNull::new(start.cast())
}

/// The size of a large page; `None` where the user lacks the right "Lock pages in memory" (`SeLockMemoryPrivilege`).
fn large_page() -> Option<usize> {
    static SIZE: OnceLock<Option<usize>> = OnceLock::new();
    *SIZE.get_or_init(|| {
        // SAFETY: the function has no arguments.
        let size = unsafe { GetLargePageMinimum() };
        (size > 0 && may_lock_pages()).then_some(size)
    })
}

/// Enables the privilege for this process; Windows grants it only to users that a policy names.
fn may_lock_pages() -> bool {
    let mut id = LUID::default();
    // SAFETY: the name is a constant of the system, and `id` has room for the answer.
    if unsafe { LookupPrivilegeValueW(null(), SE_LOCK_MEMORY_NAME, &raw mut id) } == 0 {
        return false;
    }
    let mut token = null_mut();
    // SAFETY: the process is this one, and `token` has room for the handle.
    if unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES, &raw mut token) } == 0 {
        return false;
    }
    let wanted = TOKEN_PRIVILEGES {
        PrivilegeCount: 1,
        Privileges: [LUID_AND_ATTRIBUTES { Luid: id, Attributes: SE_PRIVILEGE_ENABLED }],
    };
    // SAFETY: the handle is open, `wanted` holds the one entry that it counts, and the former state is not requested.
    let adjusted =
        unsafe { AdjustTokenPrivileges(token, 0, &raw const wanted, 0, null_mut(), null_mut()) } != 0;
    // It also succeeds without granting anything; only the error code tells.
    // SAFETY: the function takes nothing.
    let granted = adjusted && unsafe { GetLastError() } == ERROR_SUCCESS;
    // SAFETY: the handle is open and not used any more.
    unsafe { CloseHandle(token) };
    granted
}
