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

    /// All of it, with what is behind.
    #[inline]
    pub(crate) fn ahead(&self) -> Ahead<'_> {
        Ahead { bytes: &self.bytes, length: self.length.min(MOST) }
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        debug_assert!(self.length <= MOST);
        &self.bytes[..self.length.min(MOST)]
    }
}

/// Some bytes, and others behind them that may be copied with them: to copy always as many takes less time than to
/// count.
#[derive(Clone, Copy)]
pub(crate) struct Ahead<'a> {
    bytes: &'a [u8],
    length: usize,
}

impl<'a> Ahead<'a> {
    /// So many bytes are copied at once, if they are there.
    pub(crate) const WIDTH: usize = 32;

    /// `None` if there are not so many.
    #[inline]
    pub(crate) fn new(bytes: &'a [u8], length: usize) -> Option<Self> {
        (length <= bytes.len()).then_some(Self { bytes, length })
    }

    #[inline]
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn length(self) -> usize {
        self.length
    }

    /// Copies all, and perhaps some of what is behind.
    #[inline]
    pub(crate) fn copy_to(self, out: &mut [u8]) {
        match (self.bytes.first_chunk(), out.first_chunk_mut::<{ Ahead::WIDTH }>()) {
            (Some(bytes), Some(room)) if self.length <= Self::WIDTH => *room = *bytes,
            _ => self.copy_counted(out),
        }
    }

    /// The same where the bytes have to be counted; few are so many.
    #[inline(never)]
    fn copy_counted(self, out: &mut [u8]) {
        out[..self.length].copy_from_slice(self.bytes());
    }
}
