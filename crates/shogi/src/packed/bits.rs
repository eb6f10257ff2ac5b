//! 32 bytes as a stream of 256 bits, the lowest bit of each byte first.

/// Size of a packed position.
pub(super) const BYTES: usize = 32;
const BITS: usize = BYTES * 8;

pub(super) struct BitReader {
    /// With zeros behind the end. Words, as loading bytes that were just stored in another way takes long.
    words: [u64; BYTES / 8 + 2],
    cursor: usize,
}

impl BitReader {
    #[inline]
    pub(super) fn new(bytes: &[u8; BYTES]) -> Self {
        let words = bytes.as_chunks::<8>().0;
        Self {
            words: std::array::from_fn(|i| words.get(i).map_or(0, |word| u64::from_le_bytes(*word))),
            cursor: 0,
        }
    }

    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    pub(super) fn remaining(&self) -> usize {
        BITS - self.cursor
    }

    pub(super) fn rest_is_zero(&self) -> bool {
        self.ahead() == 0
            && self.words[(self.cursor / 64 + 1).min(self.words.len())..].iter().all(|word| *word == 0)
    }

    /// The next 64 bits; zeros follow the end.
    #[inline]
    pub(super) fn ahead(&self) -> u64 {
        // The cursor never goes beyond the end.
        let (word, bit) = ((self.cursor / 64).min(BYTES / 8), self.cursor % 64);
        self.words[word] >> bit | self.words[word + 1] << 1 << (63 - bit)
    }

    /// The next eight bits.
    #[inline]
    pub(super) fn peek(&self) -> u8 {
        self.ahead() as u8
    }

    /// Moves on by `count` bits; `None` if there are not so many.
    #[inline]
    pub(super) fn skip(&mut self, count: usize) -> Option<()> {
        (count <= self.remaining()).then(|| self.cursor += count)
    }

    /// Goes to a place that was a cursor before.
    pub(super) fn go_to(&mut self, cursor: usize) {
        self.cursor = cursor.min(BITS);
    }

    /// Reads up to eight bits.
    #[cfg(test)]
    pub(super) fn take(&mut self, count: u8) -> Option<u8> {
        let bits = u16::from(self.peek()) & ((1 << count) - 1);
        self.skip(count.into()).map(|()| bits as u8)
    }
}

/// Room for a board full of the longest words, of which nobody has said yet that they fit.
const ROOM: usize = 128;

pub(super) struct BitWriter {
    bytes: [u8; ROOM + 8],
    /// Bits that are not in `bytes` yet.
    pending: u64,
    filled: u32,
    /// Where they will be stored.
    at: usize,
}

impl BitWriter {
    /// Begins behind so many bits, which are zero.
    pub(super) fn behind(bits: usize) -> Self {
        Self { bytes: [0; ROOM + 8], pending: 0, filled: bits as u32 % 8, at: bits / 8 }
    }

    /// So many bits can be written at once.
    pub(super) const MOST: u32 = 56;

    /// Writes the lowest `count` bits; all others must be zero.
    #[inline(always)]
    pub(super) fn put(&mut self, bits: u64, count: u32) {
        debug_assert!(count <= Self::MOST && bits < 1 << count);
        self.pending |= bits << self.filled;
        self.filled += count;
        // What is not a whole byte yet is stored again with what follows.
        if let Some(room) = self.bytes[self.at % ROOM..].first_chunk_mut() {
            *room = self.pending.to_le_bytes();
        }
        self.at += (self.filled / 8) as usize;
        self.pending >>= self.filled & 0x38;
        self.filled %= 8;
    }

    pub(super) fn written(&self) -> usize {
        self.at * 8 + self.filled as usize
    }

    /// The bytes, with these bits at their beginning; what was written beyond the end is lost.
    pub(super) fn finish(mut self, head: u16) -> [u8; BYTES] {
        let [low, high] = head.to_le_bytes();
        self.bytes[0] |= low;
        self.bytes[1] |= high;
        *self.bytes.first_chunk().unwrap_or(&[0; BYTES])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        // 7 * (1 + … + 8) = 252 bits.
        let fields: Vec<(u8, u8)> =
            (0..56).map(|n| (n % 8 + 1, 73_u8.wrapping_mul(n) >> (7 - n % 8))).collect();
        let mut writer = BitWriter::behind(3);
        for (count, bits) in &fields {
            writer.put((*bits).into(), (*count).into());
        }
        assert_eq!(writer.written(), 255);
        let bytes = writer.finish(0b101);
        let mut reader = BitReader::new(&bytes);
        assert_eq!(reader.take(3), Some(0b101));
        for (count, bits) in &fields {
            assert_eq!(reader.take(*count), Some(*bits));
        }
        assert_eq!(reader.take(2), None);
        assert_eq!(reader.take(1), Some(0));
        assert_eq!(reader.remaining(), 0);
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
