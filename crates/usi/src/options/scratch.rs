//! A temporary folder for tests that need real files.

use super::Folders;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// Two empty folders, `binary` and `current`, removed on drop.
pub(super) struct Scratch {
    root: PathBuf,
}

impl Scratch {
    pub(super) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("tsumugi-options-{}-{number}", std::process::id()));
        for folder in ["binary", "current"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        Self { root }
    }

    pub(super) fn folders(&self) -> Folders {
        Folders::new(self.root.join("binary"), self.root.join("current"))
    }

    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> PathBuf {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}
