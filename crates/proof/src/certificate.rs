//! Reads certificate files.

use crate::board::{Board, Bytes, Move, Side};
use std::collections::HashMap;

/// The first line of every certificate.
pub const MAGIC: &str = "tsumugi mate certificate 2";

const ENTRY: usize = 20;

/// Why a file is not a certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileError {
    /// Another kind of file.
    #[error("not a certificate: expected the line `{MAGIC}` at the beginning")]
    Magic,
    /// A malformed line of the header.
    #[error("expected {expected} on line {line}, found `{found}`")]
    Header {
        /// What was expected.
        expected: &'static str,
        /// Where.
        line: usize,
        /// What was found.
        found: String,
    },
    /// The position.
    #[error("line 2 is not a position: {0}")]
    Position(&'static str),
    /// Too few or too many bytes.
    #[error("expected {expected} bytes of entries, found {found}")]
    Size {
        /// The size by the number of entries.
        expected: usize,
        /// The size found.
        found: usize,
    },
    /// An entry that is not a move.
    #[error("entry {0} holds no move")]
    Move(usize),
}

pub(crate) struct Certificate {
    pub(crate) sfen: String,
    pub(crate) start: Board,
    pub(crate) attacker: Side,
    entries: HashMap<u128, (Move, u16)>,
}

impl Certificate {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, FileError> {
        let mut rest = bytes;
        let mut line = || {
            let end = rest.iter().take(500).position(|byte| *byte == b'\n')?;
            let text = String::from_utf8_lossy(&rest[..end]).into_owned();
            rest = &rest[end + 1..];
            Some(text)
        };
        if line().as_deref() != Some(MAGIC) {
            return Err(FileError::Magic);
        }
        let header = |expected, line, found: Option<String>| FileError::Header {
            expected,
            line,
            found: found.unwrap_or_default().chars().take(40).collect(),
        };
        let sfen = line().ok_or_else(|| header("an SFEN", 2, None))?;
        let start = Board::from_sfen(&sfen).map_err(FileError::Position)?;
        let attacker = match line() {
            Some(word) if word == "b" => Side::Black,
            Some(word) if word == "w" => Side::White,
            other => return Err(header("`b` or `w`", 3, other)),
        };
        let count = line();
        let Some(count) = count.as_ref().and_then(|word| word.parse::<u32>().ok()) else {
            return Err(header("a number of entries", 4, count));
        };
        let expected = count as usize * ENTRY;
        if rest.len() != expected {
            return Err(FileError::Size { expected, found: rest.len() });
        }
        let mut entries = HashMap::with_capacity(count as usize);
        for (index, entry) in rest.chunks_exact(ENTRY).enumerate() {
            let word = |at: usize| u16::from_le_bytes([entry[at], entry[at + 1]]);
            let key = entry[..16].iter().rev().fold(0, |key, byte| key << 8 | u128::from(*byte));
            let m = Move::from_bits(word(16)).ok_or(FileError::Move(index))?;
            entries.insert(key, (m, word(18)));
        }
        Ok(Self { sfen, start, attacker, entries })
    }

    /// The check to play, and an upper bound of the plies to mate.
    pub(crate) fn answer(&self, position: &Bytes) -> Option<(Move, u32)> {
        self.entries.get(&key(position)).map(|(m, plies)| (*m, u32::from(*plies)))
    }
}

/// FNV-1a of 128 bits.
fn key(bytes: &[u8]) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(BASIS, |key, byte| (key ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    /// Values from the definition of FNV.
    #[test]
    fn keys_are_fnv() {
        assert_eq!(super::key(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(super::key(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
