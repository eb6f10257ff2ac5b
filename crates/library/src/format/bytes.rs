//! Numbers in bytes, little end first.

/// Appends numbers.
pub(crate) trait Put {
    fn put_u16(&mut self, value: u16);
    fn put_u32(&mut self, value: u32);
    fn put_u64(&mut self, value: u64);
    fn put_text(&mut self, text: &str);
}

impl Put for Vec<u8> {
    fn put_u16(&mut self, value: u16) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn put_u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn put_u64(&mut self, value: u64) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    /// Its length, then itself.
    fn put_text(&mut self, text: &str) {
        self.put_u32(text.len() as u32);
        self.extend_from_slice(text.as_bytes());
    }
}

/// Takes numbers from the beginning of what is left; `None` at the end.
#[derive(Clone, Copy)]
pub(crate) struct Take<'a>(pub &'a [u8]);

impl<'a> Take<'a> {
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn text(&mut self) -> Option<&'a str> {
        let length = self.u32()? as usize;
        std::str::from_utf8(self.bytes(length)?).ok()
    }
}

fn array_at<const N: usize>(bytes: &[u8], index: usize) -> Option<[u8; N]> {
    let at = index.checked_mul(N)?;
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

/// The number at an index of a column; 0 behind its end, where only damaged files lead.
pub(crate) fn u16_at(column: &[u8], index: usize) -> u16 {
    array_at(column, index).map_or(0, u16::from_le_bytes)
}

/// The same of 32 bits.
pub(crate) fn u32_at(column: &[u8], index: usize) -> u32 {
    array_at(column, index).map_or(0, u32::from_le_bytes)
}

/// The same of 64 bits.
pub(crate) fn u64_at(column: &[u8], index: usize) -> u64 {
    array_at(column, index).map_or(0, u64::from_le_bytes)
}
