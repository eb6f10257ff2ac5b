//! 32 bytes as a stream of 256 bits, the lowest bit of each byte first.

use super::codes::Code;

/// Size of a packed position.
pub(super) const BYTES: usize = 32;
/// Its bits.
pub(super) const BITS: usize = BYTES * 8;
/// With room for the bit that a missing king pushes out, and for a word that is cut in two.
const WORDS: usize = BITS / 64 + 2;

/// Reads bits; zeros follow the end.
pub(super) struct BitReader {
    words: [u64; WORDS],
    cursor: usize,
}

impl BitReader {
    pub(super) fn new(bytes: &[u8; BYTES]) -> Self {
        let mut words = [0; WORDS];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Self { words, cursor: 0 }
    }

    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    pub(super) fn remaining(&self) -> usize {
        BITS - self.cursor
    }

    pub(super) fn rest_is_zero(&self) -> bool {
        let (word, bit) = (self.cursor / 64, self.cursor % 64);
        self.words[word] >> bit == 0 && self.words[word + 1..].iter().all(|word| *word == 0)
    }

    /// The next eight bits.
    pub(super) fn peek(&self) -> u8 {
        let (word, bit) = (self.cursor / 64, self.cursor % 64);
        (self.words[word] >> bit | self.words[word + 1] << 1 << (63 - bit)) as u8
    }

    /// Moves on by `count` bits; `None` if fewer are left.
    pub(super) fn skip(&mut self, count: usize) -> Option<()> {
        (count <= self.remaining()).then(|| self.cursor += count)
    }

    /// Reads up to eight bits.
    pub(super) fn take(&mut self, count: usize) -> Option<u8> {
        let bits = u16::from(self.peek()) & ((1 << count) - 1);
        self.skip(count).map(|()| bits as u8)
    }
}

/// Writes one bit more than fits at most; that bit is lost.
#[derive(Default)]
pub(super) struct BitWriter {
    words: [u64; WORDS],
    cursor: usize,
}

impl BitWriter {
    pub(super) fn put(&mut self, Code { bits, len }: Code) {
        let (word, bit) = (self.cursor / 64, self.cursor % 64);
        self.words[word] |= u64::from(bits) << bit;
        self.words[word + 1] |= u64::from(bits) >> 1 >> (63 - bit);
        self.cursor += usize::from(len);
    }

    pub(super) fn written(&self) -> usize {
        self.cursor
    }

    pub(super) fn finish(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        for (bytes, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(self.words) {
            *bytes = word.to_le_bytes();
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        // 7 * (1 + … + 8) = 252 bits.
        let fields: Vec<Code> =
            (0..56).map(|n| Code { len: n % 8 + 1, bits: 73_u8.wrapping_mul(n) >> (7 - n % 8) }).collect();
        let mut writer = BitWriter::default();
        writer.put(Code { bits: 0b101, len: 3 });
        for field in &fields {
            writer.put(*field);
        }
        assert_eq!(writer.written(), 255);
        let bytes = writer.finish();
        let mut reader = BitReader::new(&bytes);
        assert_eq!(reader.take(3), Some(0b101));
        for Code { bits, len } in fields {
            assert_eq!(reader.take(len.into()), Some(bits));
        }
        assert_eq!(reader.take(2), None);
        assert_eq!(reader.take(1), Some(0));
        assert_eq!((reader.remaining(), reader.peek(), reader.rest_is_zero()), (0, 0, true));
    }

    #[test]
    fn the_lowest_bit_comes_first() {
        let mut bytes = [0; BYTES];
        bytes[1] = 0b100;
        let mut reader = BitReader::new(&bytes);
        assert_eq!(reader.take(8), Some(0));
        assert_eq!(reader.take(2), Some(0));
        assert!(!reader.rest_is_zero());
        assert_eq!(reader.take(1), Some(1));
        assert!(reader.rest_is_zero());
        assert_eq!((reader.cursor(), reader.remaining()), (11, 245));
    }
}
