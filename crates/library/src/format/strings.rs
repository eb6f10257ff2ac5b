//! Texts of a segment, each once, known by numbers.

use std::collections::HashMap;

/// Gives texts numbers; the empty one has 0.
#[derive(Default)]
pub(crate) struct Interner {
    numbers: HashMap<String, u32>,
    bytes: Vec<u8>,
    ends: Vec<u64>,
}

impl Interner {
    pub fn new() -> Self {
        let mut interner = Self::default();
        interner.number("");
        interner
    }

    pub fn number(&mut self, text: &str) -> u32 {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let number = self.ends.len() as u32;
        self.bytes.extend_from_slice(text.as_bytes());
        self.ends.push(self.bytes.len() as u64);
        self.numbers.insert(text.to_owned(), number);
        number
    }

    /// The text of a number.
    pub fn get(&self, number: u32) -> &str {
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        // Texts were cut where they were put together.
        std::str::from_utf8(&self.bytes[begin as usize..self.ends[number as usize] as usize])
            .unwrap_or_default()
    }

    /// All texts one after another, and where each ends.
    pub fn into_parts(self) -> (Vec<u8>, Vec<u64>) {
        (self.bytes, self.ends)
    }
}
