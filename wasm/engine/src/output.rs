//! What the session says, until the host takes it.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

static SAID: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn said() -> MutexGuard<'static, Vec<u8>> {
    SAID.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Collects what is written.
pub struct Collected;

impl Write for Collected {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        said().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Says why the module has failed; it cannot go on after that.
pub fn begin_to_tell_panics() {
    std::panic::set_hook(Box::new(|panic| {
        // One that strikes while this is held is not told.
        if let Ok(mut said) = SAID.try_lock() {
            let message = panic.to_string().replace('\n', " ");
            let _ = writeln!(said, "info string Error! the engine has failed: {message}");
        }
    }));
}

/// Where the output begins.
#[unsafe(no_mangle)]
pub extern "C" fn output_start() -> *const u8 {
    said().as_ptr()
}

/// How many bytes of output there are.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    said().len()
}

/// The output has been taken.
#[unsafe(no_mangle)]
pub extern "C" fn clear_output() {
    said().clear();
}
