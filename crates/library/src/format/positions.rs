//! The index of positions: which games reach a position, and after how many moves.
//!
//! Entries are sorted by key, game and ply and cut into buckets by the first bits of the key; a bucket holds its keys, then its
//! games, then its plies. What was played in positions of many games is summed up beside them, so that they are answered at once.

use super::bytes::{Put, u16_at, u32_at, u64_at};
use super::directory::{SECTIONS, Section};
use super::row::Row;
use super::sink::Sink;
use game::Color;
use platform::workers::Workers;
use record::GameResult;
use std::io;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// A key, the number of a game in its segment, and a ply.
pub(crate) type Entry = (u64, u32, u16);

/// Bytes of an entry in the file.
pub(crate) const ENTRY: usize = 8 + 4 + 2;

/// A bucket has about so many entries.
const BUCKET_ENTRIES: u64 = 1 << 16;
const MOST_BITS: u32 = 16;

/// Positions of so many games are summed up.
pub(crate) const SUMMED_GAMES: usize = 128;

const SUMMARY_KEY: usize = 8 + 4 + 4;
const SUMMARY_ROW: usize = 4 + 2 + 2 + 5 * 4 + 4 + 8;

const _: () = assert!(SECTIONS == 9);

/// What became of some games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Tally {
    pub games: u64,
    pub black: u64,
    pub white: u64,
    pub draws: u64,
    /// Games in which the player to move has a rating, and the sum of those.
    pub rated: u64,
    pub ratings: f64,
}

impl Tally {
    /// Counts a game.
    pub fn count(&mut self, row: &Row, ply: u32) {
        self.games += 1;
        match row.result {
            GameResult::Win(Color::Black) => self.black += 1,
            GameResult::Win(Color::White) => self.white += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Unknown => {}
        }
        if let Some(rating) = row.rating(row.side_after(ply)) {
            self.rated += 1;
            self.ratings += f64::from(rating);
        }
    }

    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.black += other.black;
        self.white += other.white;
        self.draws += other.draws;
        self.rated += other.rated;
        self.ratings += other.ratings;
    }
}

/// What became of the games of a position in which the same move was played, and one of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Branch {
    pub game: u32,
    pub ply: u16,
    pub tally: Tally,
}

/// Games whose positions are indexed.
pub(crate) trait Games: Sync {
    /// Appends the entries whose keys are in a range, in any order.
    fn entries(&self, keys: &KeyRange, entries: &mut Vec<Entry>);
    /// A game.
    fn row(&self, game: u32) -> Row;
    /// Its move after so many others; empty at the end.
    fn move_at(&self, game: u32, ply: u16) -> &str;
}

/// The keys of a bucket: those that begin with some bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyRange {
    bits: u32,
    number: u64,
}

impl KeyRange {
    pub fn first(&self) -> u64 {
        if self.bits == 0 { 0 } else { self.number << (64 - self.bits) }
    }

    pub fn last(&self) -> u64 {
        if self.bits == 0 { u64::MAX } else { self.first() | u64::MAX >> self.bits }
    }

    pub fn contains(&self, key: u64) -> bool {
        (self.first()..=self.last()).contains(&key)
    }
}

/// A bucket, ready to be written.
struct Made {
    columns: Vec<u8>,
    count: u64,
    keys: Vec<u8>,
    rows: Vec<u8>,
}

/// Writes the index of `games` with about `expected` entries; returns how many there are.
pub(crate) fn write(
    sink: &mut Sink<'_>,
    games: &dyn Games,
    expected: u64,
    threads: usize,
) -> io::Result<u64> {
    let bits = (0..MOST_BITS).find(|bits| expected >> bits <= BUCKET_ENTRIES).unwrap_or(MOST_BITS);
    let (mut ends, mut summary_keys, mut summary_rows) = (vec![0; 8], Vec::new(), Vec::new());
    let mut total = 0;
    sink.section(Section::Positions, |pieces| {
        let never = AtomicBool::new(false);
        let workers = Workers { ahead: 4, ..Workers::new("positions", threads, &never) };
        let worker = || Some(|number: u64| Some(make(games, KeyRange { bits, number })));
        workers.work_in_order(
            0..1 << bits,
            worker,
            || (),
            |made: Made| {
                pieces.write(&made.columns)?;
                total += made.count;
                ends.put_u64(total);
                let before = (summary_rows.len() / SUMMARY_ROW) as u32;
                for key in made.keys.chunks_exact(SUMMARY_KEY) {
                    summary_keys.put_u64(u64_at(key, 0));
                    summary_keys.put_u32(before + u32_at(key, 2));
                    summary_keys.put_u32(u32_at(key, 3));
                }
                summary_rows.extend_from_slice(&made.rows);
                Ok::<(), io::Error>(())
            },
        )
    })?;
    sink.section(Section::Buckets, |pieces| pieces.write(&ends))?;
    sink.section(Section::SummaryKeys, |pieces| pieces.write(&summary_keys))?;
    sink.section(Section::SummaryRows, |pieces| pieces.write(&summary_rows))?;
    Ok(total)
}

fn make(games: &dyn Games, range: KeyRange) -> Made {
    let mut entries = Vec::new();
    games.entries(&range, &mut entries);
    // Entries of merged segments come as sorted runs, which a stable sort makes use of.
    entries.sort_unstable();
    // A game that comes back to a position counts once, where it came first.
    entries.dedup_by_key(|entry| (entry.0, entry.1));
    let mut columns = Vec::with_capacity(entries.len() * ENTRY);
    for entry in &entries {
        columns.put_u64(entry.0);
    }
    for entry in &entries {
        columns.put_u32(entry.1);
    }
    for entry in &entries {
        columns.put_u16(entry.2);
    }
    let mut made = Made { columns, count: entries.len() as u64, keys: Vec::new(), rows: Vec::new() };
    for group in entries.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() >= SUMMED_GAMES) {
        made.keys.put_u64(group[0].0);
        made.keys.put_u32((made.rows.len() / SUMMARY_ROW) as u32);
        let branches = branches(games, group);
        made.keys.put_u32(branches.len() as u32);
        for Branch { game, ply, tally } in branches {
            made.rows.put_u32(game);
            made.rows.put_u16(ply);
            made.rows.put_u16(0);
            let counts = [tally.games, tally.black, tally.white, tally.draws, tally.rated];
            for count in counts {
                made.rows.put_u32(count as u32);
            }
            made.rows.put_u32(0);
            made.rows.put_u64(tally.ratings.to_bits());
        }
    }
    made
}

/// What was played in the position of a group.
fn branches(games: &dyn Games, group: &[Entry]) -> Vec<Branch> {
    let mut branches: Vec<(&str, Branch)> = Vec::new();
    for &(_, game, ply) in group {
        let (row, next) = (games.row(game), games.move_at(game, ply));
        let known = branches.iter().position(|(known, _)| *known == next).unwrap_or_else(|| {
            branches.push((next, Branch { game, ply, tally: Tally::default() }));
            branches.len() - 1
        });
        branches[known].1.tally.count(&row, u32::from(ply));
    }
    branches.into_iter().map(|(_, branch)| branch).collect()
}

/// The index of a segment.
#[derive(Clone, Copy)]
pub(crate) struct Positions<'a> {
    ends: &'a [u8],
    columns: &'a [u8],
    summary_keys: &'a [u8],
    summary_rows: &'a [u8],
}

/// A bucket in the file.
#[derive(Clone, Copy)]
struct Bucket<'a> {
    range: KeyRange,
    keys: &'a [u8],
    games: &'a [u8],
    plies: &'a [u8],
    count: usize,
}

impl<'a> Positions<'a> {
    pub fn new(section: impl Fn(Section) -> &'a [u8]) -> Self {
        Self {
            ends: section(Section::Buckets),
            columns: section(Section::Positions),
            summary_keys: section(Section::SummaryKeys),
            summary_rows: section(Section::SummaryRows),
        }
    }

    /// By how many bits it is cut into buckets; a damaged index has none.
    fn bits(&self) -> Option<u32> {
        let buckets = (self.ends.len() / 8).checked_sub(1).filter(|count| count.is_power_of_two())?;
        Some(buckets.trailing_zeros()).filter(|bits| *bits <= MOST_BITS)
    }

    fn bucket(&self, range: KeyRange) -> Option<Bucket<'a>> {
        let number = range.number as usize;
        let begin = u64_at(self.ends, number);
        let count = u64_at(self.ends, number + 1).checked_sub(begin)? as usize;
        let begin = usize::try_from(begin).ok()?.checked_mul(ENTRY)?;
        let block = self.columns.get(begin..begin.checked_add(count.checked_mul(ENTRY)?)?)?;
        let (keys, rest) = block.split_at_checked(8 * count)?;
        let (games, plies) = rest.split_at_checked(4 * count)?;
        Some(Bucket { range, keys, games, plies, count })
    }

    /// The games that reach a position, and when.
    pub fn find(&self, key: u64) -> Vec<(u32, u16)> {
        let found = self.bits().and_then(|bits| {
            let number = if bits == 0 { 0 } else { key >> (64 - bits) };
            let bucket = self.bucket(KeyRange { bits, number })?;
            Some(bucket.equal(key).map(|at| (u32_at(bucket.games, at), u16_at(bucket.plies, at))).collect())
        });
        found.unwrap_or_default()
    }

    /// What was played in a position, if it was summed up.
    pub fn summary(&self, key: u64) -> Option<Vec<Branch>> {
        let count = self.summary_keys.len() / SUMMARY_KEY;
        let at = lower_bound(count, 0, |index| u64_at(self.summary_keys, 2 * index) < key);
        if at >= count || u64_at(self.summary_keys, 2 * at) != key {
            return None;
        }
        let numbers = &self.summary_keys[SUMMARY_KEY * at + 8..SUMMARY_KEY * (at + 1)];
        let (first, rows) = (u32_at(numbers, 0) as usize, u32_at(numbers, 1) as usize);
        let rows = self.summary_rows.chunks_exact(SUMMARY_ROW).skip(first).take(rows);
        Some(rows.map(branch).collect())
    }

    /// Appends the entries whose keys are in a range.
    pub fn entries(&self, range: &KeyRange, entries: &mut Vec<Entry>) {
        let Some(bits) = self.bits() else { return };
        let of = |key: u64| if bits == 0 { 0 } else { key >> (64 - bits) };
        for number in of(range.first())..=of(range.last()) {
            let Some(bucket) = self.bucket(KeyRange { bits, number }) else { return };
            let begin = bucket.lower_bound(range.first());
            let keys = (begin..bucket.count).map(|at| (u64_at(bucket.keys, at), at));
            let inside = keys.take_while(|(key, _)| range.contains(*key));
            entries.extend(inside.map(|(key, at)| (key, u32_at(bucket.games, at), u16_at(bucket.plies, at))));
        }
    }

    /// Whether all keys are in order and all games below `games`; damaged files may have the right checksums, too.
    pub fn is_sound(&self, games: u32, positions: u64) -> bool {
        let Some(bits) = self.bits() else { return false };
        let total = u64_at(self.ends, 1 << bits);
        total == positions
            && (0..1 << bits).all(|number| {
                let range = KeyRange { bits, number };
                self.bucket(range).is_some_and(|bucket| {
                    let entry = |at| (u64_at(bucket.keys, at), u32_at(bucket.games, at));
                    (0..bucket.count).all(|at| range.contains(entry(at).0) && entry(at).1 < games)
                        && (1..bucket.count).all(|at| entry(at - 1) < entry(at))
                })
            })
    }
}

fn branch(row: &[u8]) -> Branch {
    let count = |index| u64::from(u32_at(row, index));
    let tally = Tally {
        games: count(2),
        black: count(3),
        white: count(4),
        draws: count(5),
        rated: count(6),
        ratings: f64::from_bits(u64_at(row, 4)),
    };
    Branch { game: u32_at(row, 0), ply: u16_at(row, 2), tally }
}

impl Bucket<'_> {
    /// Keys are spread evenly, so it is looked for where it should be.
    fn lower_bound(&self, key: u64) -> usize {
        let part = u128::from(key.saturating_sub(self.range.first())) << self.range.bits;
        let guess = ((part * self.count as u128) >> 64) as usize;
        lower_bound(self.count, guess, |at| u64_at(self.keys, at) < key)
    }

    fn equal(&self, key: u64) -> Range<usize> {
        let begin = self.lower_bound(key);
        let end = lower_bound(self.count, begin, |at| u64_at(self.keys, at) <= key);
        begin..end
    }
}

/// The first of `count` indices that is not `less`, near a guess.
fn lower_bound(count: usize, guess: usize, less: impl Fn(usize) -> bool) -> usize {
    let guess = guess.min(count);
    let (mut low, mut high, mut step) = (guess, guess, 16);
    if guess < count && less(guess) {
        loop {
            high = low.saturating_add(step).min(count);
            if high == count || !less(high) {
                break;
            }
            (low, step) = (high, 2 * step);
        }
    } else {
        loop {
            low = high.saturating_sub(step);
            if low == 0 || less(low) {
                break;
            }
            (high, step) = (low, 2 * step);
        }
    }
    while low < high {
        let middle = low.midpoint(high);
        if less(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_found_from_any_guess() {
        let keys: Vec<u64> = (0..200).map(|number| number / 3 * 10).collect();
        for wanted in 0..700 {
            let expected = keys.partition_point(|key| *key < wanted);
            for guess in [0, 1, 50, 100, 199, 200, 1000] {
                assert_eq!(
                    lower_bound(keys.len(), guess, |at| keys[at] < wanted),
                    expected,
                    "{wanted} {guess}"
                );
            }
        }
        assert_eq!(lower_bound(0, 0, |_| true), 0);
    }

    #[test]
    fn ranges_of_keys() {
        let all = KeyRange { bits: 0, number: 0 };
        assert_eq!((all.first(), all.last()), (0, u64::MAX));
        let third = KeyRange { bits: 2, number: 2 };
        assert_eq!((third.first(), third.last()), (1 << 63, (1 << 63 | u64::MAX >> 2)));
    }
}
