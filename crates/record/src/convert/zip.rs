//! Zip archives: stored and deflated entries, names in UTF-8 or Shift_JIS.

use crate::encoding::decode;

/// One file of an archive.
pub(super) struct Entry<'a> {
    pub name: String,
    method: u16,
    crc: u32,
    packed: &'a [u8],
    size: usize,
}

/// What is wrong with an archive.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ZipError {
    /// The directory at the end is missing or points outside.
    #[error("not a zip archive, or a damaged one")]
    Damaged,
    /// A way of packing that is not known here.
    #[error("`{0}` is packed in a way that is not known here (only stored and deflated entries are)")]
    Method(String),
    /// The contents do not fit their checksum or size.
    #[error("`{0}` is damaged")]
    Contents(String),
}

/// Whether bytes begin like an archive.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// An entry may not unpack to more than this, whatever it says.
const LARGEST: usize = 1 << 30;

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize)
}

/// The files of an archive, in the order of its directory.
pub(super) fn entries(bytes: &[u8]) -> Result<Vec<Entry<'_>>, ZipError> {
    directory(bytes).ok_or(ZipError::Damaged)
}

fn directory(bytes: &[u8]) -> Option<Vec<Entry<'_>>> {
    // The end record is followed only by a comment of at most 65535 bytes.
    let oldest = bytes.len().saturating_sub(22 + 65_535);
    let end =
        (oldest..=bytes.len().checked_sub(22)?).rev().find(|at| bytes[*at..].starts_with(b"PK\x05\x06"))?;
    let count = u16_at(bytes, end + 10)?;
    let mut at = u32_at(bytes, end + 16)?;
    let mut entries = Vec::new();
    for _ in 0..count {
        if !bytes.get(at..)?.starts_with(b"PK\x01\x02") {
            return None;
        }
        let (name, extra, comment) =
            (u16_at(bytes, at + 28)?, u16_at(bytes, at + 30)?, u16_at(bytes, at + 32)?);
        let (packed, size) = (u32_at(bytes, at + 20)?, u32_at(bytes, at + 24)?);
        let local = u32_at(bytes, at + 42)?;
        // The local header has its own name and extra field before the data.
        let data = local + 30 + u16_at(bytes, local + 26)? + u16_at(bytes, local + 28)?;
        let name_bytes = bytes.get(at + 46..at + 46 + name)?;
        entries.push(Entry {
            name: decode(name_bytes).text.into_owned(),
            method: u16_at(bytes, at + 10)? as u16,
            crc: u32_at(bytes, at + 16)? as u32,
            packed: bytes.get(data..data.checked_add(packed)?)?,
            size,
        });
        at += 46 + name + extra + comment;
    }
    Some(entries)
}

impl Entry<'_> {
    /// The contents, checked.
    pub fn unpack(&self) -> Result<Vec<u8>, ZipError> {
        let damaged = || ZipError::Contents(self.name.clone());
        let contents = match self.method {
            0 => self.packed.to_vec(),
            8 => {
                let most = self.size.min(LARGEST);
                miniz_oxide::inflate::decompress_to_vec_with_limit(self.packed, most)
                    .map_err(|_| damaged())?
            }
            _ => return Err(ZipError::Method(self.name.clone())),
        };
        if contents.len() == self.size && crc32(&contents) == self.crc {
            Ok(contents)
        } else {
            Err(damaged())
        }
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut n = 0;
        while n < 256 {
            let mut c = n as u32;
            let mut bit = 0;
            while bit < 8 {
                c = if c & 1 == 1 { 0xedb8_8320 ^ c >> 1 } else { c >> 1 };
                bit += 1;
            }
            table[n] = c;
            n += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc, byte| TABLE[usize::from(crc as u8 ^ byte)] ^ crc >> 8)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Writes an archive the short way.
    pub(crate) fn archive(files: &[(&[u8], &[u8], bool)]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut directory = Vec::new();
        for (name, contents, deflate) in files {
            let packed =
                if *deflate { miniz_oxide::deflate::compress_to_vec(contents, 6) } else { contents.to_vec() };
            let method: u16 = if *deflate { 8 } else { 0 };
            let mut common = Vec::new();
            common.extend([20, 0, 0, 0]);
            common.extend(method.to_le_bytes());
            common.extend([0; 4]);
            common.extend(crc32(contents).to_le_bytes());
            common.extend((packed.len() as u32).to_le_bytes());
            common.extend((contents.len() as u32).to_le_bytes());
            common.extend((name.len() as u16).to_le_bytes());
            common.extend([0; 2]);
            let offset = out.len() as u32;
            out.extend(b"PK\x03\x04");
            out.extend(&common);
            out.extend(*name);
            out.extend(packed);
            directory.extend(b"PK\x01\x02\x14\x00");
            directory.extend(&common);
            directory.extend([0; 10]);
            directory.extend(offset.to_le_bytes());
            directory.extend(*name);
        }
        let at = out.len() as u32;
        let size = directory.len() as u32;
        out.extend(directory);
        out.extend(b"PK\x05\x06\x00\x00\x00\x00");
        out.extend([(files.len() as u16).to_le_bytes(); 2].concat());
        out.extend(size.to_le_bytes());
        out.extend(at.to_le_bytes());
        out.extend([0; 2]);
        out
    }

    #[test]
    fn archives_are_unpacked() {
        let name = crate::encoding::encode("棋譜.kif", crate::encoding::Encoding::ShiftJis).bytes;
        let bytes = archive(&[(b"a.csa", b"hello", false), (&name, &b"again ".repeat(1000), true)]);
        assert!(looks_like(&bytes));
        let entries = entries(&bytes).unwrap();
        assert_eq!(entries.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["a.csa", "棋譜.kif"]);
        assert_eq!(entries[0].unpack().unwrap(), b"hello");
        assert_eq!(entries[1].unpack().unwrap(), b"again ".repeat(1000));
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = archive(&[(b"a.csa", &b"hello ".repeat(100), true)]);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x5a;
            if let Ok(entries) = entries(&damaged) {
                for entry in &entries {
                    drop(entry.unpack());
                }
            }
            let _ = entries(&bytes[..at]);
        }
        assert_eq!(entries(b"PK").err(), Some(ZipError::Damaged));
    }
}
