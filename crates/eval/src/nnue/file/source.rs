//! A file of known length, read from front to back.

use crate::nnue::NetworkError;
use std::io::{self, BufRead, BufReader, Read};

pub(crate) struct Source<R> {
    reader: BufReader<R>,
    left: u64,
}

impl<R: Read> Source<R> {
    pub(crate) fn new(reader: R, length: u64) -> Self {
        Self { reader: BufReader::with_capacity(1 << 16, reader), left: length }
    }

    /// Bytes that have not been read.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Fails if fewer bytes are left.
    pub(crate) fn need(&self, section: &'static str, bytes: u64) -> Result<(), NetworkError> {
        if bytes <= self.left {
            Ok(())
        } else {
            Err(NetworkError::Cut { section, expected: bytes, found: self.left })
        }
    }

    pub(crate) fn fill(&mut self, section: &'static str, bytes: &mut [u8]) -> Result<(), NetworkError> {
        self.need(section, bytes.len() as u64)?;
        self.reader.read_exact(bytes)?;
        self.left -= bytes.len() as u64;
        Ok(())
    }

    pub(crate) fn array<const N: usize>(&mut self, section: &'static str) -> Result<[u8; N], NetworkError> {
        let mut bytes = [0; N];
        self.fill(section, &mut bytes)?;
        Ok(bytes)
    }

    pub(crate) fn byte(&mut self, section: &'static str) -> Result<u8, NetworkError> {
        self.need(section, 1)?;
        let Some(byte) = self.reader.fill_buf()?.first().copied() else {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        };
        self.reader.consume(1);
        self.left -= 1;
        Ok(byte)
    }

    pub(crate) fn u32(&mut self, section: &'static str) -> Result<u32, NetworkError> {
        Ok(u32::from_le_bytes(self.array(section)?))
    }

    pub(crate) fn i32(&mut self, section: &'static str) -> Result<i32, NetworkError> {
        Ok(i32::from_le_bytes(self.array(section)?))
    }

    pub(crate) fn i32s(&mut self, section: &'static str, numbers: &mut [i32]) -> Result<(), NetworkError> {
        numbers.iter_mut().try_for_each(|number| {
            *number = self.i32(section)?;
            Ok(())
        })
    }

    pub(crate) fn i16s(&mut self, section: &'static str, numbers: &mut [i16]) -> Result<(), NetworkError> {
        let mut bytes = [0; 4096];
        for numbers in numbers.chunks_mut(bytes.len() / 2) {
            let bytes = &mut bytes[..2 * numbers.len()];
            self.fill(section, bytes)?;
            let (pairs, _) = bytes.as_chunks::<2>();
            numbers.iter_mut().zip(pairs).for_each(|(number, pair)| *number = i16::from_le_bytes(*pair));
        }
        Ok(())
    }

    pub(crate) fn i8s(&mut self, section: &'static str, numbers: &mut [i8]) -> Result<(), NetworkError> {
        let mut bytes = vec![0; numbers.len()];
        self.fill(section, &mut bytes)?;
        numbers.iter_mut().zip(bytes).for_each(|(number, byte)| *number = byte as i8);
        Ok(())
    }
}
