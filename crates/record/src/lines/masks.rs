//! Where in a short text some byte stands.
//!
//! Most lines are short, and files have many: what a general search does before it looks at the first byte would cost more
//! than the search, and so would a branch for each character.

/// So many bytes are looked at at once.
const CHUNK: usize = 16;

/// Behind so many bytes a line is a long one.
const SHORT: usize = 5 * CHUNK;

/// Where the first `\n` is.
#[inline]
pub(crate) fn line_end(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(chunk) = text[at..].first_chunk().filter(|_| at < SHORT) {
        let ends = equal(chunk, b'\n');
        if ends != 0 {
            return Some(at + ends.trailing_zeros() as usize);
        }
        at += CHUNK;
    }
    memchr::memchr(b'\n', &text[at..]).map(|end| at + end)
}

/// A bit for each of the first 64 bytes that is this one.
#[inline(always)]
pub(crate) fn places<const N: usize>(text: &[u8; N], byte: u8) -> u64 {
    const { assert!(N <= 64 && N.is_multiple_of(CHUNK)) };
    let (chunks, _) = text.as_chunks();
    chunks.iter().rev().fold(0, |places, chunk| places << (CHUNK % 64) | u64::from(equal(chunk, byte)))
}

/// A bit for each byte that is not ASCII.
#[inline(always)]
pub(crate) fn wide(text: &[u8; 32]) -> u32 {
    let (chunks, _) = text.as_chunks();
    chunks.iter().rev().fold(0, |wide, chunk| wide << CHUNK | high_bits(chunk))
}

/// Whether no byte differs from the one of `base` in its place in bits that are worth more than that of `most`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn near(text: &[u8; CHUNK], base: &[u8; CHUNK], most: &[u8; CHUNK]) -> bool {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_setzero_si128, _mm_subs_epu8, _mm_xor_si128,
    };
    // SAFETY: every x86-64 processor has SSE2, and the chunks have the sixteen bytes that are loaded.
    unsafe {
        let load = |chunk: &[u8; CHUNK]| _mm_loadu_si128(chunk.as_ptr().cast());
        let excess = _mm_subs_epu8(_mm_xor_si128(load(text), load(base)), load(most));
        _mm_movemask_epi8(_mm_cmpeq_epi8(excess, _mm_setzero_si128())) == 0xffff
    }
}

/// Whether no byte differs from the one of `base` in its place in bits that are worth more than that of `most`.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn near(text: &[u8; CHUNK], base: &[u8; CHUNK], most: &[u8; CHUNK]) -> bool {
    plainly_near(text, base, most)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn plainly_near(text: &[u8; CHUNK], base: &[u8; CHUNK], most: &[u8; CHUNK]) -> bool {
    text.iter().zip(base).zip(most).all(|((byte, base), most)| byte ^ base <= *most)
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn high_bits(chunk: &[u8; CHUNK]) -> u32 {
    use std::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8};
    // SAFETY: every x86-64 processor has SSE2, and the chunk has the sixteen bytes that are loaded.
    unsafe { _mm_movemask_epi8(_mm_loadu_si128(chunk.as_ptr().cast())) as u32 }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn high_bits(chunk: &[u8; CHUNK]) -> u32 {
    chunk.iter().rev().fold(0, |bits, byte| bits << 1 | u32::from(!byte.is_ascii()))
}

/// A bit for each byte that is this one.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn equal(chunk: &[u8; CHUNK], byte: u8) -> u32 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8};
    // SAFETY: every x86-64 processor has SSE2, and the chunk has the sixteen bytes that are loaded.
    unsafe {
        let bytes = _mm_loadu_si128(chunk.as_ptr().cast());
        _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8))) as u32
    }
}

/// A bit for each byte that is this one.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn equal(chunk: &[u8; CHUNK], byte: u8) -> u32 {
    plainly_equal(chunk, byte)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn plainly_equal(chunk: &[u8; CHUNK], byte: u8) -> u32 {
    chunk.iter().rev().fold(0, |places, other| places << 1 | u32::from(*other == byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bytes_are_near(text: [u8; CHUNK], change in prop::array::uniform16(0..4u8), most in prop::array::uniform16(0..5u8)) {
            let base = std::array::from_fn(|i| text[i] ^ change[i]);
            prop_assert_eq!(near(&text, &base, &most), plainly_near(&text, &base, &most));
            prop_assert_eq!(near(&text, &change, &most), plainly_near(&text, &change, &most));
        }

        #[test]
        fn bytes_are_found(text in prop::collection::vec(prop_oneof![50 => any::<u8>(), 1 => Just(b'\n')], 0..300)) {
            prop_assert_eq!(line_end(&text), text.iter().position(|byte| *byte == b'\n'));
            for chunk in text.windows(CHUNK).filter_map(|chunk| chunk.first_chunk()) {
                prop_assert_eq!(equal(chunk, b'\n'), plainly_equal(chunk, b'\n'));
            }
            for text in text.windows(32).filter_map(|text| text.first_chunk::<32>()) {
                let found = wide(text);
                prop_assert!((0..32).all(|at| text[at].is_ascii() == (found >> at & 1 == 0)));
            }
            for text in text.windows(64).filter_map(|text| text.first_chunk::<64>()) {
                let found = places(text, b'\n');
                prop_assert!((0..64).all(|at| (text[at] == b'\n') == (found >> at & 1 == 1)));
            }
        }
    }
}
