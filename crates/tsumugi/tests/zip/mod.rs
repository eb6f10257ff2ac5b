//! Archives for tests.

/// An archive with one stored file.
pub fn zip_of(name: &[u8], contents: &[u8]) -> Vec<u8> {
    // A CRC by the definition, bit by bit.
    let crc = !contents.iter().fold(!0u32, |mut crc, byte| {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { 0xedb8_8320 ^ crc >> 1 } else { crc >> 1 };
        }
        crc
    });
    let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    common.extend(crc.to_le_bytes());
    common.extend([(contents.len() as u32).to_le_bytes(); 2].concat());
    common.extend((name.len() as u16).to_le_bytes());
    common.extend([0, 0]);
    let mut zip = [b"PK\x03\x04", common.as_slice(), name, contents].concat();
    let directory = zip.len() as u32;
    zip.extend([b"PK\x01\x02\x14\x00", common.as_slice(), &[0; 14], name].concat());
    let size = zip.len() as u32 - directory;
    zip.extend(b"PK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00");
    zip.extend([size.to_le_bytes(), directory.to_le_bytes()].concat());
    zip.extend([0, 0]);
    zip
}
