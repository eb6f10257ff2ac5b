//! Ctrl-C, counted.

use std::sync::atomic::{AtomicU32, Ordering};

static COUNT: AtomicU32 = AtomicU32::new(0);

/// From now on Ctrl-C is counted instead of ending the process. The third one ends it, with status 130.
///
/// Fails if the program has already called this.
#[cfg(any(unix, windows))]
pub fn count_interrupts() -> Result<(), String> {
    ctrlc::set_handler(|| {
        if COUNT.fetch_add(1, Ordering::Relaxed) >= 2 {
            std::process::exit(130);
        }
    })
    .map_err(|error| error.to_string())
}

/// Nothing interrupts a program here.
#[cfg(not(any(unix, windows)))]
pub fn count_interrupts() -> Result<(), String> {
    Ok(())
}

/// How often Ctrl-C has been pressed since [`count_interrupts`].
#[must_use]
pub fn interrupts() -> u32 {
    COUNT.load(Ordering::Relaxed)
}
