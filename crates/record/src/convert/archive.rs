//! Zip archives: stored and deflated files, names in UTF-8 or Shift_JIS.

use crate::text::encoding::decode;
use std::io::{Cursor, Read};
use std::sync::Arc;
use zip::ZipArchive;
use zip::result::ZipError;

/// Errors of archives.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The directory at the end is missing or points outside.
    #[error("not a zip archive, or a damaged one")]
    Damaged,
    /// An unsupported compression method.
    #[error("`{0}`: unsupported compression; only stored and deflated entries can be read")]
    Method(String),
    /// The content does not match its checksum or size.
    #[error("`{0}` is damaged")]
    Contents(String),
}

/// Whether bytes have the header of an archive.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Limit of an entry's unpacked size, whatever the directory claims.
const LARGEST: u64 = 1 << 30;

/// An archive in memory; copies share it.
#[derive(Clone)]
pub(super) struct Archive(ZipArchive<Cursor<Arc<[u8]>>>);

impl Archive {
    pub fn new(bytes: &[u8]) -> Result<Self, ArchiveError> {
        ZipArchive::new(Cursor::new(bytes.into())).map(Self).map_err(|_| ArchiveError::Damaged)
    }

    /// The names of its files with their indices, in the order of the directory.
    pub fn names(&mut self) -> Vec<(usize, String)> {
        let count = self.0.len();
        let name = |index| {
            let entry = self.0.by_index_raw(index).ok()?;
            Some((index, decode(entry.name_raw()).text.into_owned()))
        };
        (0..count).filter_map(name).collect()
    }

    /// Unpacks a file and checks it.
    pub fn unpack(&mut self, index: usize, name: &str) -> Result<Vec<u8>, ArchiveError> {
        let damaged = || ArchiveError::Contents(name.to_owned());
        let mut entry = self.0.by_index(index).map_err(|error| match error {
            ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
                ArchiveError::Method(name.to_owned())
            }
            _ => damaged(),
        })?;
        let size = entry.size();
        let mut contents = Vec::new();
        // Memory grows with the actual content, not with the claimed size.
        let read = entry.by_ref().take(size.min(LARGEST) + 1).read_to_end(&mut contents);
        read.ok().filter(|read| *read as u64 == size && size <= LARGEST).ok_or_else(damaged)?;
        Ok(contents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::write::{SimpleFileOptions, ZipWriter};

    fn archive(files: &[(&str, &[u8], bool)]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, contents, deflate) in files {
            let method =
                if *deflate { zip::CompressionMethod::Deflated } else { zip::CompressionMethod::Stored };
            let options = SimpleFileOptions::default().compression_method(method);
            writer.start_file(*name, options).unwrap();
            writer.write_all(contents).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn unpacked(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, ArchiveError> {
        let mut archive = Archive::new(bytes)?;
        let names = archive.names();
        names.into_iter().map(|(index, name)| Ok((name.clone(), archive.unpack(index, &name)?))).collect()
    }

    #[test]
    fn archives_are_unpacked() {
        let long = b"again ".repeat(1000);
        let mut bytes = archive(&[("a.csa", b"hello", false), ("kifu.kif", &long, true)]);
        // A name in Shift_JIS, as old programs write it.
        let name = crate::text::encoding::encode("棋譜", crate::text::encoding::Encoding::ShiftJis).bytes;
        while let Some(at) = memchr::memmem::find(&bytes, b"kifu.kif") {
            bytes[at..at + 4].copy_from_slice(&name);
        }
        assert!(looks_like(&bytes));
        let expected = [("a.csa".to_owned(), b"hello".to_vec()), ("棋譜.kif".to_owned(), long)];
        assert_eq!(unpacked(&bytes).unwrap(), expected);
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = archive(&[("a.csa", &b"hello ".repeat(100), true)]);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x5a;
            let _ = unpacked(&damaged);
            assert!(unpacked(&bytes[..at]).is_err());
        }
        assert_eq!(unpacked(b"PK"), Err(ArchiveError::Damaged));
    }

    /// An entry is not unpacked beyond its claimed size, and memory is not reserved for a huge claimed size.
    #[test]
    fn claims_are_not_believed() {
        let contents = vec![0; 1 << 20];
        let bytes = archive(&[("a.csa", &contents, true)]);
        let at = memchr::memmem::rfind(&bytes, b"PK\x01\x02").unwrap() + 24;
        for claim in [10u32, u32::MAX - 1] {
            let mut lying = bytes.clone();
            lying[at..at + 4].copy_from_slice(&claim.to_le_bytes());
            assert_eq!(unpacked(&lying), Err(ArchiveError::Contents("a.csa".to_owned())));
        }
    }
}
