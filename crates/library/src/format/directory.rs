//! What a file holds: its segments, which of their games are gone, and by which rules positions were indexed.

use super::bytes::{Put, Take};
use std::collections::BTreeMap;

/// The parts of a segment, in their order in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Section {
    Rows,
    StringEnds,
    Strings,
    Moves,
    Files,
    Buckets,
    Positions,
    SummaryKeys,
    SummaryRows,
}

/// How many there are.
pub(crate) const SECTIONS: usize = 9;

impl Section {
    /// Their names, for messages about damage.
    pub const ALL: [(Self, &str); SECTIONS] = [
        (Self::Rows, "games"),
        (Self::StringEnds, "text lengths"),
        (Self::Strings, "texts"),
        (Self::Moves, "moves"),
        (Self::Files, "files"),
        (Self::Buckets, "index of positions"),
        (Self::Positions, "positions"),
        (Self::SummaryKeys, "index of summaries"),
        (Self::SummaryRows, "summaries"),
    ];
}

/// Where a section is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Extent {
    pub at: u64,
    pub length: u64,
    pub checksum: u32,
}

/// Where a segment is, and which of its games count no more.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SegmentPlace {
    /// Games, deleted ones included.
    pub games: u32,
    /// Entries of the index of positions.
    pub positions: u64,
    pub sections: [Extent; SECTIONS],
    /// The numbers of games that count no more, sorted.
    pub deleted: Vec<u32>,
}

impl SegmentPlace {
    /// How many bytes it has.
    pub fn bytes(&self) -> u64 {
        self.sections.iter().map(|section| section.length).sum()
    }

    /// Games that count.
    pub fn live(&self) -> u64 {
        u64::from(self.games) - self.deleted.len() as u64
    }

    pub fn is_deleted(&self, game: u32) -> bool {
        self.deleted.binary_search(&game).is_ok()
    }
}

/// All that a commit names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Directory {
    pub segments: Vec<SegmentPlace>,
    /// By the names of games, the sign of the keys that their positions were indexed with.
    pub signs: BTreeMap<String, u64>,
}

impl Directory {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.put_u32(self.segments.len() as u32);
        for segment in &self.segments {
            bytes.put_u32(segment.games);
            bytes.put_u64(segment.positions);
            for section in &segment.sections {
                bytes.put_u64(section.at);
                bytes.put_u64(section.length);
                bytes.put_u32(section.checksum);
            }
            bytes.put_u32(segment.deleted.len() as u32);
            segment.deleted.iter().for_each(|game| bytes.put_u32(*game));
        }
        bytes.put_u32(self.signs.len() as u32);
        for (name, sign) in &self.signs {
            bytes.put_text(name);
            bytes.put_u64(*sign);
        }
        bytes
    }

    /// Reads it; all sections end before `end`.
    pub fn read(bytes: &[u8], end: u64) -> Option<Self> {
        let mut take = Take(bytes);
        let mut directory = Self::default();
        for _ in 0..take.u32()? {
            let mut segment =
                SegmentPlace { games: take.u32()?, positions: take.u64()?, ..SegmentPlace::default() };
            for section in &mut segment.sections {
                *section = Extent { at: take.u64()?, length: take.u64()?, checksum: take.u32()? };
                section.at.checked_add(section.length).filter(|last| *last <= end)?;
            }
            for _ in 0..take.u32()? {
                segment.deleted.push(take.u32()?);
            }
            let sorted = segment.deleted.is_sorted_by(|a, b| a < b);
            let last = segment.deleted.last().is_none_or(|last| *last < segment.games);
            (sorted && last).then_some(())?;
            directory.segments.push(segment);
        }
        for _ in 0..take.u32()? {
            directory.signs.insert(take.text()?.to_owned(), take.u64()?);
        }
        Some(directory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_read_back_and_lies_are_refused() {
        let mut sections = [Extent::default(); SECTIONS];
        sections[3] = Extent { at: 4096, length: 100, checksum: 7 };
        let segment = SegmentPlace { games: 9, positions: 80, sections, deleted: vec![1, 4] };
        let directory = Directory {
            segments: vec![segment.clone(), SegmentPlace::default()],
            signs: [("shogi".to_owned(), 5)].into(),
        };
        let bytes = directory.to_bytes();
        assert_eq!(Directory::read(&bytes, 4196), Some(directory.clone()));
        assert_eq!(Directory::read(&bytes, 4195), None, "a section behind the end");
        for cut in 0..bytes.len() {
            assert_eq!(Directory::read(&bytes[..cut], 4196), None, "{cut}");
        }
        for deleted in [vec![4, 1], vec![9]] {
            let segments = vec![SegmentPlace { deleted, ..segment.clone() }];
            let wrong = Directory { segments, ..Directory::default() };
            assert_eq!(Directory::read(&wrong.to_bytes(), 4196), None);
        }
    }
}
