//! 32 bytes as a stream of 256 bits, the lowest bit of each byte first.

/// Size of a packed position.
pub(super) const BYTES: usize = 32;
const BITS: usize = BYTES * 8;

pub(super) struct BitReader<'a> {
    bytes: &'a [u8; BYTES],
    cursor: usize,
    /// Just behind the last bit that is set.
    ones_end: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8; BYTES]) -> Self {
        let ones_end = bytes
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |last| last * 8 + bytes[last].ilog2() as usize + 1);
        Self { bytes, cursor: 0, ones_end }
    }

    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    pub(super) fn remaining(&self) -> usize {
        BITS - self.cursor
    }

    pub(super) fn rest_is_zero(&self) -> bool {
        self.cursor >= self.ones_end
    }

    /// The next eight bits; zeros follow the end.
    pub(super) fn peek(&self) -> u8 {
        let byte = |index| u16::from(self.bytes.get(index).copied().unwrap_or(0));
        let index = self.cursor / 8;
        ((byte(index) | byte(index + 1) << 8) >> (self.cursor % 8)) as u8
    }

    /// Moves on by `count` bits; `None` if there are not so many.
    pub(super) fn skip(&mut self, count: u8) -> Option<()> {
        let count = usize::from(count);
        (count <= self.remaining()).then(|| self.cursor += count)
    }

    /// Reads up to eight bits.
    pub(super) fn take(&mut self, count: u8) -> Option<u8> {
        let bits = u16::from(self.peek()) & ((1 << count) - 1);
        self.skip(count).map(|()| bits as u8)
    }
}

pub(super) struct BitWriter {
    /// With room for what is written beyond the end and lost.
    bytes: [u8; BYTES + 2],
    cursor: usize,
}

impl BitWriter {
    pub(super) fn new() -> Self {
        Self { bytes: [0; BYTES + 2], cursor: 0 }
    }

    /// Writes the lowest `count` (up to eight) bits; all others must be zero. At most eight bits may be written
    /// beyond the end.
    pub(super) fn put(&mut self, bits: u8, count: u8) {
        debug_assert!(u16::from(bits) < 1 << count);
        let [low, high] = (u16::from(bits) << (self.cursor % 8)).to_le_bytes();
        let index = self.cursor / 8;
        self.bytes[index] |= low;
        self.bytes[index + 1] |= high;
        self.cursor += usize::from(count);
    }

    pub(super) fn written(&self) -> usize {
        self.cursor
    }

    pub(super) fn finish(self) -> [u8; BYTES] {
        std::array::from_fn(|index| self.bytes[index])
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
        let mut writer = BitWriter::new();
        for (count, bits) in &fields {
            writer.put(*bits, *count);
        }
        assert_eq!(writer.written(), 252);
        let bytes = writer.finish();
        let mut reader = BitReader::new(&bytes);
        for (count, bits) in &fields {
            assert_eq!(reader.take(*count), Some(*bits));
        }
        assert_eq!(reader.take(5), None);
        assert_eq!(reader.take(4), Some(0));
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
