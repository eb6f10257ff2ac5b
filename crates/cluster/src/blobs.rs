//! Blobs by the hash of their content: fetched once, checked, kept on disk.

use crate::bus::{Bus, BusError};
use platform::{FileError, atomic_file};
use std::path::{Path, PathBuf};

/// Why a blob cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// The bus.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// What is stored under the name has another hash.
    #[error("blob {0}: its content has another hash: damaged, or not what the run asks for")]
    Hash(String),
    /// No hash.
    #[error("`{0}` is no name of a blob")]
    Name(String),
}

/// The blobs that a worker has fetched.
pub struct BlobCache<'a> {
    bus: &'a dyn Bus,
    folder: PathBuf,
}

impl<'a> BlobCache<'a> {
    /// A cache in a folder.
    #[must_use]
    pub fn new(bus: &'a dyn Bus, folder: &Path) -> Self {
        Self { bus, folder: folder.to_owned() }
    }

    /// The file of a blob, fetched if it is not there yet.
    pub fn file(&self, name: &str) -> Result<PathBuf, BlobError> {
        if name.len() != 64 || !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(BlobError::Name(name.to_owned()));
        }
        let path = self.folder.join(name);
        if std::fs::read(&path).is_ok_and(|bytes| platform::sha256(&bytes) == name) {
            return Ok(path);
        }
        let bytes = self.bus.get_blob(name)?;
        if platform::sha256(&bytes) != name {
            return Err(BlobError::Hash(name.to_owned()));
        }
        atomic_file::write(&path, &bytes)?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::memory::MemoryBus;

    #[test]
    fn a_damaged_blob_is_refused_and_a_good_one_is_fetched_once() {
        let bus = MemoryBus::default();
        let folder = tempfile::tempdir().unwrap();
        let cache = BlobCache::new(&bus, folder.path());
        let name = bus.put_blob(b"a network").unwrap();
        bus.damage_blob(&name, b"a netw");
        assert!(matches!(cache.file(&name), Err(BlobError::Hash(_))));
        bus.put_blob(b"a network").unwrap();
        let path = cache.file(&name).unwrap();
        bus.lose_everything();
        assert_eq!(std::fs::read(cache.file(&name).unwrap()).unwrap(), b"a network");
        // A file that was damaged on the disk is not used either.
        std::fs::write(&path, b"a net").unwrap();
        assert!(matches!(cache.file(&name), Err(BlobError::Bus(BusError::Missing))));
        assert!(matches!(cache.file("../x"), Err(BlobError::Name(_))));
    }
}
