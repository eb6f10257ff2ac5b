//! A segment: games with their texts, moves, files and positions.

use super::bytes::{Put, Take, u64_at};
use super::directory::{Section, SegmentPlace};
use super::positions::Positions;
use super::row::{Row, Text};
use super::strings::Interner;

/// A file that games came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SourceFile {
    /// Its name; relative to the folder of the library where it is inside.
    pub path: String,
    pub size: u64,
    /// When it was last changed, in nanoseconds since 1970.
    pub modified: u64,
    /// Games that were read, bad ones included.
    pub seen: u32,
    /// Bad ones.
    pub failed: u32,
    /// Whether all its games were read.
    pub complete: bool,
}

/// Bytes of a file in its section.
const FILE: usize = 4 * 4 + 2 * 8;

impl SourceFile {
    pub fn put(&self, strings: &mut Interner, bytes: &mut Vec<u8>) {
        let path = strings.number(&self.path);
        for n in [path, self.seen, self.failed, u32::from(self.complete)] {
            bytes.put_u32(n);
        }
        bytes.put_u64(self.size);
        bytes.put_u64(self.modified);
    }
}

/// A segment in the file.
#[derive(Clone, Copy)]
pub(crate) struct Segment<'a> {
    pub place: &'a SegmentPlace,
    file: &'a [u8],
}

impl<'a> Segment<'a> {
    pub fn new(place: &'a SegmentPlace, file: &'a [u8]) -> Self {
        Self { place, file }
    }

    /// The bytes of a section. The directory was checked against the length of the file.
    pub fn section(&self, section: Section) -> &'a [u8] {
        let extent = self.place.sections[section as usize];
        self.file.get(extent.at as usize..(extent.at + extent.length) as usize).unwrap_or_default()
    }

    pub fn row(&self, game: u32) -> Option<Row> {
        if game >= self.place.games {
            return None;
        }
        Row::at(self.section(Section::Rows), game as usize)
    }

    /// The games that count, with their numbers.
    pub fn rows(self) -> impl Iterator<Item = (u32, Row)> + use<'a> {
        let live = move |game: &u32| !self.place.is_deleted(*game);
        (0..self.place.games).filter(live).map_while(move |game| Some((game, self.row(game)?)))
    }

    /// The text of a number; empty if the file is damaged.
    pub fn string(&self, number: u32) -> &'a str {
        let ends = self.section(Section::StringEnds);
        let begin = number.checked_sub(1).map_or(0, |before| u64_at(ends, before as usize));
        let range = begin as usize..u64_at(ends, number as usize) as usize;
        let bytes = self.section(Section::Strings).get(range).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// How many texts there are.
    pub fn strings(&self) -> u32 {
        (self.section(Section::StringEnds).len() / 8) as u32
    }

    pub fn text(&self, row: &Row, text: Text) -> &'a str {
        self.string(row.texts[text as usize])
    }

    /// The moves of a game in USI.
    pub fn moves(&self, row: &Row) -> &'a str {
        let begin = row.moves_at as usize;
        let end = begin.saturating_add(row.moves_length as usize);
        let bytes = self.section(Section::Moves).get(begin..end).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// The move after so many others; empty at the end.
    pub fn move_at(&self, row: &Row, ply: u16) -> &'a str {
        self.moves(row).split(' ').nth(ply.into()).unwrap_or_default()
    }

    pub fn file(&self, number: u32) -> Option<SourceFile> {
        let begin = (number as usize).checked_mul(FILE)?;
        let mut take = Take(self.section(Section::Files).get(begin..begin.checked_add(FILE)?)?);
        let path = self.string(take.u32()?).to_owned();
        let (seen, failed, complete) = (take.u32()?, take.u32()?, take.u32()? == 1);
        Some(SourceFile { path, size: take.u64()?, modified: take.u64()?, seen, failed, complete })
    }

    /// How many files it names.
    pub fn files(&self) -> u32 {
        (self.section(Section::Files).len() / FILE) as u32
    }

    /// The path of a file.
    pub fn path(&self, number: u32) -> String {
        self.file(number).map(|file| file.path).unwrap_or_default()
    }

    pub fn positions(&self) -> Positions<'a> {
        Positions::new(|section| self.section(section))
    }
}
