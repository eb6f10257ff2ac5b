//! Signed LEB128 blocks, which SFNN files use for their first layer.

use crate::nnue::NetworkError;
use crate::nnue::file::source::Source;
use std::io::{self, Read, Write};

const MAGIC: &[u8; 17] = b"COMPRESSED_LEB128";
/// The longest encoding of a number, at seven bits a byte.
const MOST_BYTES: u64 = 3;

/// Reads `count` numbers and passes them to `put` with their indices.
pub(crate) fn read<R: Read>(
    source: &mut Source<R>,
    section: &'static str,
    count: usize,
    mut put: impl FnMut(usize, i16),
) -> Result<(), NetworkError> {
    let damaged = |reason| NetworkError::Compression { section, reason };
    if source.array::<17>(section)? != *MAGIC {
        return Err(damaged("it does not begin with COMPRESSED_LEB128"));
    }
    let bytes = u64::from(source.u32(section)?);
    let least = count as u64;
    if !(least..=MOST_BYTES * least).contains(&bytes) {
        return Err(damaged("its length does not fit the number of weights"));
    }
    source.need(section, bytes)?;
    let mut left = bytes;
    for index in 0..count {
        let (mut value, mut shift) = (0_i32, 0);
        loop {
            if left == 0 {
                return Err(damaged("it ends inside a number"));
            }
            left -= 1;
            let byte = source.byte(section)?;
            value |= i32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                if byte & 0x40 != 0 {
                    value |= -1 << shift;
                }
                break;
            }
            if shift > 14 {
                return Err(damaged("a number is too long"));
            }
        }
        put(index, value as i16);
    }
    if left == 0 { Ok(()) } else { Err(damaged("bytes are left over")) }
}

/// Writes a block.
pub(crate) fn write(
    writer: &mut impl Write,
    values: impl Iterator<Item = i16> + Clone,
) -> Result<(), io::Error> {
    let bytes: usize = values.clone().map(|value| encode(value).1).sum();
    let bytes = u32::try_from(bytes).map_err(|_| io::Error::other("too many weights for a block"))?;
    writer.write_all(MAGIC)?;
    writer.write_all(&bytes.to_le_bytes())?;
    for value in values {
        let (bytes, count) = encode(value);
        writer.write_all(&bytes[..count])?;
    }
    Ok(())
}

/// The bytes of a number and how many they are.
fn encode(value: i16) -> ([u8; 3], usize) {
    let low = |shift: u32| (value >> shift) as u8 & 0x7f;
    match value {
        -64..=63 => ([low(0), 0, 0], 1),
        -8192..=8191 => ([low(0) | 0x80, low(7), 0], 2),
        _ => ([low(0) | 0x80, low(7) | 0x80, low(14)], 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_round_trip() {
        let mut bytes = Vec::new();
        write(&mut bytes, i16::MIN..=i16::MAX).unwrap();
        let mut source = Source::new(&bytes[..], bytes.len() as u64);
        let mut values = Vec::new();
        read(&mut source, "test", 65536, |_, value| values.push(value)).unwrap();
        assert!(values.into_iter().eq(i16::MIN..=i16::MAX));
        assert_eq!(source.left(), 0);
    }

    #[test]
    fn damage_is_noticed() {
        let block = |count: u32, bytes: &[u8]| [&MAGIC[..], &count.to_le_bytes(), bytes].concat();
        for bytes in [
            block(2, &[0x80, 0x80]),
            block(3, &[1, 2, 3]),
            block(6, &[0x80, 0x80, 0x80, 1, 1, 1]),
            block(7, &[0; 7]),
            block(1, &[0]),
            block(2, &[0]),
            MAGIC.to_vec(),
            vec![0; 40],
        ] {
            let mut source = Source::new(&bytes[..], bytes.len() as u64);
            assert!(read(&mut source, "test", 2, |_, _| ()).is_err(), "{bytes:x?}");
        }
    }
}
