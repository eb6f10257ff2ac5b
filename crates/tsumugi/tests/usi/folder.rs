//! A folder to start the program in.

use crate::host::Host;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A folder for one test, gone afterwards.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("usi-files-{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("the folder for tests can be written");
        Self(path)
    }

    /// Puts a file into it, in a folder of its own if the name says so.
    pub fn with(self, name: &str, contents: impl AsRef<[u8]>) -> Self {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("the folder can be written");
        fs::write(path, contents).expect("the folder can be written");
        self
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn start(&self, arguments: &[&str]) -> Host {
        Host::start_in(&self.0, arguments)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed lies in the target folder and does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
