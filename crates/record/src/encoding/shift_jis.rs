//! Shift_JIS to text, quickly: ASCII many bytes at a time, and a table of the characters met before.

use crate::lines::wide;
use encoding_rs::SHIFT_JIS;
use std::sync::atomic::{AtomicU32, Ordering};

/// Characters of two bytes, in UTF-8, with the number of their bytes on top; 0 until one is met. The rows are those of the
/// first bytes that are not ASCII.
static MET: [[AtomicU32; 256]; 128] = [const { [const { AtomicU32::new(0) }; 256] }; 128];

/// So many bytes are looked at, and written, at once.
const CHUNK: usize = 32;

/// The text, unless there is more in it than ASCII and characters of two bytes.
pub(crate) fn decode(bytes: &[u8]) -> Option<String> {
    let mut out = Vec::new();
    // SAFETY: what is written there is whole characters.
    append(bytes, &mut out).then(|| unsafe { String::from_utf8_unchecked(out) })
}

/// Writes the text, in whole characters of UTF-8, behind what is there. False, and nothing is written, if there is more in it
/// than ASCII and characters of two bytes.
pub(crate) fn append(bytes: &[u8], out: &mut Vec<u8>) -> bool {
    Text::behind(out, bytes.len()).write(bytes).is_some()
}

impl Text<'_> {
    #[inline(always)]
    fn write(mut self, bytes: &[u8]) -> Option<()> {
        let out = &mut self;
        let mut rest = bytes;
        while let [first, ..] = rest {
            if let Some(next) = rest.first_chunk::<CHUNK>() {
                let ascii = wide(next).trailing_zeros() as usize;
                // SAFETY: `ascii` bytes are taken off `rest`, and those are ASCII.
                unsafe { out.push(*next, ascii) };
                rest = &rest[ascii..];
                if ascii == CHUNK {
                    continue;
                }
            } else if first.is_ascii() {
                // SAFETY: one byte is taken off `rest`, and it is ASCII.
                unsafe { out.push([*first], 1) };
                rest = &rest[1..];
                continue;
            }
            // Such characters seldom come alone.
            while let Some((pair, after)) = rest.split_first_chunk().filter(|(pair, _)| !pair[0].is_ascii()) {
                let glyph = double(*pair)?;
                // SAFETY: two bytes are taken off `rest`, and `utf8` has made of them a character of three at most.
                unsafe { out.push(glyph.to_le_bytes(), (glyph >> 24) as usize) };
                rest = after;
            }
            if matches!(rest, [last] if !last.is_ascii()) {
                return None;
            }
        }
        self.finish();
        Some(())
    }
}

/// Text that is written behind some bytes without asking for room each time.
struct Text<'a> {
    bytes: &'a mut Vec<u8>,
    length: usize,
}

impl<'a> Text<'a> {
    /// For what so many bytes of Shift_JIS become: two become three at most.
    fn behind(bytes: &'a mut Vec<u8>, count: usize) -> Self {
        bytes.reserve(count + count.div_ceil(2) + CHUNK);
        Self { length: bytes.len(), bytes }
    }

    /// Writes whole characters, of which `length` bytes count.
    ///
    /// # Safety
    /// These bytes are whole characters of UTF-8 that stand for some bytes of Shift_JIS which none before stood for: one for
    /// each byte, or up to three for two. There are no more of them than [`Self::behind`] was told.
    #[inline(always)]
    unsafe fn push<const N: usize>(&mut self, bytes: [u8; N], length: usize) {
        const { assert!(N <= CHUNK) };
        debug_assert!(length <= N && self.length + N <= self.bytes.capacity());
        // SAFETY: by the contract what was written is no longer than half as much again as the bytes it stands for, so
        // that `CHUNK` bytes of room are left behind it.
        unsafe { self.bytes.as_mut_ptr().add(self.length).cast::<[u8; N]>().write_unaligned(bytes) };
        self.length += length;
    }

    fn finish(self) {
        // SAFETY: so many bytes have been written.
        unsafe { self.bytes.set_len(self.length) };
    }
}

/// The character of two bytes, the first of them not ASCII, as [`MET`] holds it.
#[inline(always)]
fn double(bytes: [u8; 2]) -> Option<u32> {
    let place = &MET[usize::from(bytes[0] & 0x7f)][usize::from(bytes[1])];
    match place.load(Ordering::Relaxed) {
        0 => {
            let glyph = utf8(bytes)?;
            place.store(glyph, Ordering::Relaxed);
            Some(glyph)
        }
        glyph => Some(glyph),
    }
}

#[cold]
fn utf8(bytes: [u8; 2]) -> Option<u32> {
    let text = SHIFT_JIS.decode_without_bom_handling_and_without_replacement(&bytes)?;
    let mut encoded = [0; 4];
    let [first, rest @ ..] = text.as_bytes() else { return None };
    let one_of_two_or_three_bytes = text.chars().nth(1).is_none() && (1..=2).contains(&rest.len());
    encoded[0] = *first;
    encoded.get_mut(1..=rest.len())?.copy_from_slice(rest);
    encoded[3] = text.len() as u8;
    one_of_two_or_three_bytes.then_some(u32::from_le_bytes(encoded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As encoding_rs reads them, wherever we read them at all.
    fn compare(bytes: &[u8]) -> bool {
        let (text, damaged) = SHIFT_JIS.decode_without_bom_handling(bytes);
        let ours = decode(bytes);
        let taken = ours.is_some();
        if let Some(ours) = ours {
            assert_eq!((ours.as_str(), false), (&*text, damaged), "{bytes:x?}");
        }
        taken
    }

    #[test]
    fn every_pair_in_every_place() {
        let mut taken = 0;
        for (lead, trail) in (0..=255).flat_map(|lead| (0..=255).map(move |trail| (lead, trail))) {
            for before in ["", "a", "abcdefg", "abcdefgh"] {
                let bytes = [before.as_bytes(), &[lead, trail], b"\r\n"].concat();
                taken += usize::from(compare(&bytes));
            }
        }
        // ASCII, and what cp932 has in two bytes: JIS X 0208, NEC's and IBM's characters and those of users.
        assert!(taken > 4 * (128 * 128 + 9_000), "{taken}");
    }

    #[test]
    fn usual_texts_are_taken() {
        for text in ["", "   1 ７六歩(77)   ( 0:16/00:00:16)\r\n", "*①髙﨑 Σψ ж\n", "先手：羽生"]
        {
            assert!(compare(&SHIFT_JIS.encode(text).0), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0x20..0x7fu8, 0x81..0x9fu8], 0..60)) {
            compare(&bytes);
        }
    }
}
