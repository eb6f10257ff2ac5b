//! Precise waiting.

/// Makes waiting threads wake within a millisecond of their deadline until the process ends. The default on Windows is
/// 15.6 ms, which loses games with short byoyomi. A no-op elsewhere.
pub fn use_precise_timers() {
    #[cfg(windows)]
    // SAFETY: the argument is a plain number; an unsupported period is refused and changes nothing.
    let _ = unsafe { windows_sys::Win32::Media::timeBeginPeriod(1) };
}
