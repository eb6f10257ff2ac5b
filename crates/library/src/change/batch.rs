//! Games that wait to be written as one segment.

use super::prepared::Prepared;
use crate::format::directory::{Section, SegmentPlace};
use crate::format::positions::{self, Entry, Games, KeyRange};
use crate::format::row::{Row, Text};
use crate::format::segment::SourceFile;
use crate::format::sink::Sink;
use crate::format::strings::Interner;
use std::io;

/// Entries are put into so many parts by the first bits of their keys as they come.
const PARTS: usize = 256;

/// Games in memory.
pub(crate) struct Batch {
    rows: Vec<Row>,
    strings: Interner,
    moves: Vec<u8>,
    files: Vec<SourceFile>,
    parts: Vec<Vec<Entry>>,
}

impl Batch {
    pub fn new() -> Self {
        Self {
            rows: Vec::new(),
            strings: Interner::new(),
            moves: Vec::new(),
            files: Vec::new(),
            parts: vec![Vec::new(); PARTS],
        }
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.files.is_empty()
    }

    /// The file that games come from now.
    pub fn file(&mut self, file: SourceFile) {
        self.files.push(file);
    }

    /// What has become of the last file.
    pub fn last_file(&mut self) -> Option<&mut SourceFile> {
        self.files.last_mut()
    }

    /// Takes a game of the last file.
    pub fn push(&mut self, game: &Prepared, inner: &str, number: u32) {
        let mut texts = [0; crate::format::row::TEXTS];
        for (place, text) in texts.iter_mut().zip(&game.texts) {
            *place = self.strings.number(text);
        }
        texts[Text::Inner as usize] = self.strings.number(inner);
        let id = self.rows.len() as u32;
        for (ply, &key) in game.keys.iter().enumerate() {
            self.parts[(key >> 56) as usize].push((key, id, ply as u16));
        }
        self.rows.push(Row {
            moves_at: self.moves.len() as u64,
            moves_length: game.moves.len() as u32,
            plies: game.plies,
            file: self.files.len().saturating_sub(1) as u32,
            number,
            ratings: game.ratings,
            result: game.result,
            first: game.first,
            texts,
        });
        self.moves.extend_from_slice(game.moves.as_bytes());
    }

    /// The names of the games that were played.
    pub fn variants(&self) -> Vec<&str> {
        let mut numbers: Vec<u32> = self.rows.iter().map(|row| row.texts[Text::Variant as usize]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().map(|number| self.strings.get(number)).collect()
    }

    /// Writes the segment; returns what the directory says of it, without its sections.
    pub fn write(mut self, sink: &mut Sink<'_>, threads: usize) -> io::Result<SegmentPlace> {
        let expected = self.parts.iter().map(|part| part.len() as u64).sum();
        let found = positions::write(sink, &self, expected, threads)?;
        let mut bytes = Vec::new();
        self.rows.iter().for_each(|row| row.put(&mut bytes));
        sink.section(Section::Rows, |pieces| pieces.write(&bytes))?;
        sink.section(Section::Moves, |pieces| pieces.write(&self.moves))?;
        bytes.clear();
        for file in &self.files {
            file.put(&mut self.strings, &mut bytes);
        }
        sink.section(Section::Files, |pieces| pieces.write(&bytes))?;
        write_strings(sink, self.strings)?;
        Ok(SegmentPlace { games: self.rows.len() as u32, positions: found, ..SegmentPlace::default() })
    }
}

/// Writes the texts of a segment.
pub(crate) fn write_strings(sink: &mut Sink<'_>, strings: Interner) -> io::Result<()> {
    let (bytes, ends) = strings.into_parts();
    sink.section(Section::Strings, |pieces| pieces.write(&bytes))?;
    let ends: Vec<u8> = ends.into_iter().flat_map(u64::to_le_bytes).collect();
    sink.section(Section::StringEnds, |pieces| pieces.write(&ends))
}

impl Games for Batch {
    fn entries(&self, keys: &KeyRange, entries: &mut Vec<Entry>) {
        let part = |key: u64| (key >> 56) as usize;
        for part in &self.parts[part(keys.first())..=part(keys.last())] {
            entries.extend(part.iter().filter(|entry| keys.contains(entry.0)));
        }
    }

    fn row(&self, game: u32) -> Row {
        self.rows[game as usize]
    }

    fn move_at(&self, game: u32, ply: u16) -> &str {
        let row = &self.rows[game as usize];
        let begin = row.moves_at as usize;
        let bytes = &self.moves[begin..begin + row.moves_length as usize];
        std::str::from_utf8(bytes).unwrap_or_default().split(' ').nth(ply.into()).unwrap_or_default()
    }
}
