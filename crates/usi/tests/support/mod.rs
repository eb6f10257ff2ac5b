//! Sessions whose output can be looked at.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use usi::Output;

/// A buffer that the session writes to and the test reads.
#[derive(Clone, Default)]
pub struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    /// For a session to write to.
    pub fn output(&self) -> Output {
        Output::new(self.clone())
    }

    /// What has been written so far.
    pub fn lines(&self) -> Vec<String> {
        let bytes = self.0.lock().expect("no writer dies").clone();
        String::from_utf8(bytes).expect("answers are text").lines().map(str::to_owned).collect()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer dies").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
