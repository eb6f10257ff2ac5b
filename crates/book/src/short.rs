//! Short texts on the stack.

/// A text of limited length (a power of two), without looking for room at every letter.
pub(crate) struct Short<const MOST: usize> {
    bytes: [u8; MOST],
    length: usize,
}

impl<const MOST: usize> Short<MOST> {
    pub(crate) fn new() -> Self {
        const { assert!(MOST.is_power_of_two()) };
        Self { bytes: [0; MOST], length: 0 }
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, byte: u8) {
        self.bytes[self.length % MOST] = byte;
        self.length += 1;
    }

    /// Appends the byte if it counts; what does not count is written over.
    #[inline]
    pub(crate) fn push_if(&mut self, byte: u8, counts: bool) {
        self.bytes[self.length % MOST] = byte;
        self.length += usize::from(counts);
    }

    #[inline]
    pub(crate) fn push_all(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.push(*byte);
        }
    }

    /// Appends the first `count` bytes; what does not count is written over.
    #[inline]
    pub(crate) fn push_padded<const N: usize>(&mut self, bytes: [u8; N], count: usize) {
        if let Some(room) = self.bytes.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut) {
            *room = bytes;
        }
        self.length += count;
    }

    /// Appends it to something longer. Most are so short that copying some bytes too many is quicker than counting.
    #[inline]
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        match self.bytes.first_chunk::<32>() {
            Some(enough) if self.length <= enough.len() => {
                let end = out.len() + self.length;
                out.extend_from_slice(enough);
                out.truncate(end);
            }
            _ => out.extend_from_slice(self.as_bytes()),
        }
    }

    /// All of it in so many bytes, zeros behind it; `None` if it is longer.
    pub(crate) fn padded<const N: usize>(&self) -> Option<[u8; N]> {
        self.bytes.first_chunk().copied().filter(|_| self.length <= N)
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        debug_assert!(self.length <= MOST);
        &self.bytes[..self.length.min(MOST)]
    }
}
