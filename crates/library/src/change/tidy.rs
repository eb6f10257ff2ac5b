//! Segments are put together, so that few are left, and what is superseded goes.

use super::batch::write_strings;
use super::writer::Writer;
use crate::format::directory::{Directory, Section, SegmentPlace};
use crate::format::positions::{self, Entry, Games, KeyRange};
use crate::format::row::{Row, Text};
use crate::format::segment::{Segment, SourceFile};
use crate::format::sink::Sink;
use crate::format::strings::Interner;
use crate::{Library, LibraryError, Rules};
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

/// A segment is merged into the one before it unless that is so many times as large as all behind it.
const RATIO: u64 = 3;

/// So many superseded bytes are no reason to write a file anew.
const NEGLIGIBLE: u64 = 1 << 20;

/// The games of some files, for each segment.
pub(crate) fn games_of(library: &Library, files: &HashSet<String>) -> Vec<Vec<u32>> {
    let games = |segment: Segment<'_>| {
        let wanted: HashSet<u32> =
            (0..segment.files()).filter(|number| files.contains(&segment.path(*number))).collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        segment.rows().filter(|(_, row)| wanted.contains(&row.file)).map(|(game, _)| game).collect()
    };
    library.segments().map(games).collect()
}

/// Merges the segments at the end that are small beside each other, and writes the file anew where more than half of it is
/// superseded.
pub(crate) fn tidy(mut writer: Writer, threads: usize) -> Result<Writer, LibraryError> {
    let directory = writer.library().directory().clone();
    let first = first_to_merge(&directory.segments);
    let merging: Vec<usize> = (first..directory.segments.len()).collect();
    let kept_bytes: u64 = directory.segments[..first].iter().map(SegmentPlace::bytes).sum();
    let merged_bytes: u64 = directory.segments[first..].iter().map(SegmentPlace::bytes).sum();
    let live = kept_bytes + if merging.len() > 1 { 2 * merged_bytes } else { merged_bytes };
    let waste = writer.library().bytes().saturating_sub(kept_bytes + merged_bytes);
    let merges = merging.len() > 1 || deleted_share(&directory.segments[first..]);
    if !merges && waste <= live.max(NEGLIGIBLE) {
        return Ok(writer);
    }
    // What an append would leave behind counts as waste, too.
    if waste + if merges { merged_bytes } else { 0 } > live / 2 {
        let kept: Vec<usize> =
            if merges { (0..first).collect() } else { (0..directory.segments.len()).collect() };
        return writer.rewrite(&kept, &directory, |library, sink| {
            if merges { Merge::of(library, &merging, None).write(sink, threads).map(Some) } else { Ok(None) }
        });
    }
    // The library is opened again by the commit, so it is read through a second map.
    let library = Library::open(writer.library().path())?;
    let change = |directory: &mut Directory, segment: Option<SegmentPlace>| {
        directory.segments.truncate(first);
        directory.segments.extend(segment);
    };
    writer.commit(|sink| Merge::of(&library, &merging, None).write(sink, threads).map(Some), change)?;
    Ok(writer)
}

/// Indexes all positions anew, by the rules that hold now, and puts everything into one segment.
pub fn reindex(path: &Path, rules: Rules<'_>, threads: usize) -> Result<u64, LibraryError> {
    let writer = Writer::open(path, false)?;
    let mut directory = writer.library().directory().clone();
    for (name, sign) in &mut directory.signs {
        *sign = rules.sign(name)?;
    }
    let all: Vec<usize> = (0..directory.segments.len()).collect();
    let writer = writer.rewrite(&[], &directory, |library, sink| {
        Merge::of(library, &all, Some(rules)).write(sink, threads).map(Some)
    })?;
    Ok(writer.library().games())
}

/// Whether a quarter of the games counts no more.
fn deleted_share(segments: &[SegmentPlace]) -> bool {
    let deleted: u64 = segments.iter().map(|segment| segment.deleted.len() as u64).sum();
    let games: u64 = segments.iter().map(|segment| u64::from(segment.games)).sum();
    4 * deleted > games
}

fn first_to_merge(segments: &[SegmentPlace]) -> usize {
    let mut behind = 0;
    let mut first = segments.len();
    for (index, segment) in segments.iter().enumerate().rev() {
        // Segments without games have files that could not be read.
        let size = segment.positions + u64::from(segment.games) + 1;
        if first == segments.len() || size < RATIO * behind || deleted_share(std::slice::from_ref(segment)) {
            first = index;
        }
        behind += size;
    }
    first
}

/// Segments that become one.
pub(crate) struct Merge<'a> {
    segments: Vec<Segment<'a>>,
    /// The new numbers of games, by segment and old number.
    renumbered: Vec<Vec<Option<u32>>>,
    /// The places of games, by their new numbers.
    games: Vec<(u32, u32)>,
    /// Keys that replace those of the segments.
    keys: Option<Vec<Entry>>,
}

impl<'a> Merge<'a> {
    /// Those of a library at these indices; with `rules`, positions are indexed anew.
    fn of(library: &'a Library, which: &[usize], rules: Option<Rules<'_>>) -> Self {
        let all: Vec<Segment<'a>> = library.segments().collect();
        let segments: Vec<_> = which.iter().map(|index| all[*index]).collect();
        let mut games = Vec::new();
        let mut renumbered = Vec::new();
        for (number, segment) in segments.iter().enumerate() {
            let mut numbers = vec![None; segment.place.games as usize];
            for (game, _) in segment.rows() {
                numbers[game as usize] = Some(games.len() as u32);
                games.push((number as u32, game));
            }
            renumbered.push(numbers);
        }
        let mut merge = Self { segments, renumbered, games, keys: None };
        merge.keys = rules.map(|rules| merge.new_keys(rules));
        merge
    }

    fn new_keys(&self, rules: Rules<'_>) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (number, (segment, game)) in self.games.iter().enumerate() {
            let segment = &self.segments[*segment as usize];
            let Some(row) = segment.row(*game) else { continue };
            let (variant, start) = (segment.text(&row, Text::Variant), segment.text(&row, Text::Start));
            // A game of rules that are not known now keeps no positions.
            let keys = rules.keys(variant, start, segment.moves(&row)).unwrap_or_default();
            let plies = (0..=u16::MAX).zip(keys);
            entries.extend(plies.map(|(ply, key)| (key, number as u32, ply)));
        }
        entries.sort_unstable();
        entries
    }

    fn place(&self, game: u32) -> Option<(&Segment<'a>, Row)> {
        let (segment, old) = self.games.get(game as usize)?;
        let segment = &self.segments[*segment as usize];
        Some((segment, segment.row(*old)?))
    }

    fn write(&self, sink: &mut Sink<'_>, threads: usize) -> io::Result<SegmentPlace> {
        let expected = match &self.keys {
            Some(keys) => keys.len() as u64,
            None => self.segments.iter().map(|segment| segment.place.positions).sum(),
        };
        let positions = positions::write(sink, self, expected, threads)?;
        let mut strings = Interner::new();
        let (files, file_numbers) = self.files();
        let mut moves_at = 0;
        let mut known: Vec<HashMap<u32, u32>> = vec![HashMap::new(); self.segments.len()];
        sink.section(Section::Rows, |pieces| {
            let mut bytes = Vec::new();
            for (segment_number, old) in &self.games {
                let number = *segment_number as usize;
                let segment = &self.segments[number];
                let Some(mut row) = segment.row(*old) else { continue };
                let mut renumber = |text: u32| {
                    *known[number].entry(text).or_insert_with(|| strings.number(segment.string(text)))
                };
                row.texts.iter_mut().for_each(|text| *text = renumber(*text));
                row.moves_at = moves_at;
                row.moves_length = segment.moves(&row_at(segment, *old)).len() as u32;
                moves_at += u64::from(row.moves_length);
                row.file = file_numbers.get(&(*segment_number, row.file)).copied().unwrap_or_default();
                bytes.clear();
                row.put(&mut bytes);
                pieces.write(&bytes)?;
            }
            Ok::<(), io::Error>(())
        })?;
        sink.section(Section::Moves, |pieces| {
            self.games.iter().try_for_each(|(segment, old)| {
                let segment = &self.segments[*segment as usize];
                pieces.write(segment.moves(&row_at(segment, *old)).as_bytes())
            })
        })?;
        let mut bytes = Vec::new();
        for file in &files {
            file.put(&mut strings, &mut bytes);
        }
        sink.section(Section::Files, |pieces| pieces.write(&bytes))?;
        write_strings(sink, strings)?;
        Ok(SegmentPlace { games: self.games.len() as u32, positions, ..SegmentPlace::default() })
    }

    /// The files, each once in its newest state, and their new numbers by segment and old number.
    fn files(&self) -> (Vec<SourceFile>, HashMap<(u32, u32), u32>) {
        let (mut files, mut numbers) = (Vec::<SourceFile>::new(), HashMap::new());
        let mut by_path = HashMap::<String, u32>::new();
        for (number, segment) in self.segments.iter().enumerate() {
            for old in 0..segment.files() {
                let Some(file) = segment.file(old) else { continue };
                let new = *by_path.entry(file.path.clone()).or_insert(files.len() as u32);
                numbers.insert((number as u32, old), new);
                match files.get_mut(new as usize) {
                    Some(known) => *known = file,
                    None => files.push(file),
                }
            }
        }
        (files, numbers)
    }
}

/// The row of a game that is there.
fn row_at(segment: &Segment<'_>, game: u32) -> Row {
    let empty = Row {
        moves_at: 0,
        moves_length: 0,
        plies: 0,
        file: 0,
        number: 0,
        ratings: [f32::NAN; 2],
        result: record::GameResult::Unknown,
        first: game::Color::Black,
        texts: [0; crate::format::row::TEXTS],
    };
    segment.row(game).unwrap_or(empty)
}

impl Games for Merge<'_> {
    fn entries(&self, keys: &KeyRange, entries: &mut Vec<Entry>) {
        if let Some(all) = &self.keys {
            let begin = all.partition_point(|entry| entry.0 < keys.first());
            entries.extend(all[begin..].iter().take_while(|entry| keys.contains(entry.0)));
            return;
        }
        for (segment, numbers) in self.segments.iter().zip(&self.renumbered) {
            let mut old = Vec::new();
            segment.positions().entries(keys, &mut old);
            let renumber = |(key, game, ply): Entry| Some((key, (*numbers.get(game as usize)?)?, ply));
            entries.extend(old.into_iter().filter_map(renumber));
        }
    }

    fn row(&self, game: u32) -> Row {
        let (segment, old) = self.games[game as usize];
        row_at(&self.segments[segment as usize], old)
    }

    fn move_at(&self, game: u32, ply: u16) -> &str {
        self.place(game).map_or("", |(segment, row)| segment.move_at(&row, ply))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(positions: u64, games: u32, deleted: u32) -> SegmentPlace {
        SegmentPlace { games, positions, deleted: (0..deleted).collect(), ..SegmentPlace::default() }
    }

    #[test]
    fn small_segments_at_the_end_are_merged() {
        let first = |sizes: &[u64]| {
            let segments: Vec<_> = sizes.iter().map(|size| segment(*size, 0, 0)).collect();
            first_to_merge(&segments)
        };
        assert_eq!(first(&[]), 0);
        assert_eq!(first(&[100]), 0);
        assert_eq!(first(&[1000, 100]), 1);
        assert_eq!(first(&[1000, 100, 50]), 1);
        assert_eq!(first(&[1000, 300, 100, 50]), 0);
        assert_eq!(first_to_merge(&[segment(1000, 10, 5), segment(10, 1, 0)]), 0, "half of it is gone");
    }
}
