//! Merges two books.

use crate::error::BookError;
use crate::format::book_move::BookMove;
use crate::sort::entry_stream::EntryStream;
use crate::{Entry, SortedEntries};
use shogi::Color;
use std::cmp::Ordering;

/// Which data to keep if both books have a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MergePolicy {
    /// The values of the deeper search, and all moves that were only played; their counts are added.
    #[default]
    Both,
    /// The deeper search, then the one with more moves, then the first book, as YaneuraOu's documentation says.
    DepthFirst,
    /// All moves of both; of the same move the one chosen more often.
    MaxCount,
    /// All moves of both, with their counts added; other data comes from the first book.
    SumCounts,
    /// The first book.
    PreferFirst,
    /// Positions of this side from the first book, those of the other from the second.
    BySide(Color),
}

impl MergePolicy {
    /// Its keywords on the command line, with their meanings.
    pub const WORDS: [(&'static str, &'static str, Self); 7] = [
        (
            "both",
            "The values of the deeper search, and all moves that were only played; their counts are added",
            Self::Both,
        ),
        ("depth", "The deeper search, then more moves, then the first book", Self::DepthFirst),
        ("max-count", "All moves; of the same move the one chosen more often", Self::MaxCount),
        ("sum-count", "All moves, counts added up", Self::SumCounts),
        ("first", "The first book", Self::PreferFirst),
        ("bw", "Black's positions from the first book, White's from the second", Self::BySide(Color::Black)),
        ("wb", "White's positions from the first book, Black's from the second", Self::BySide(Color::White)),
    ];
}

/// A comparison of the books.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MergeSummary {
    /// Positions in both.
    pub same: u64,
    /// Only in the first.
    pub only_first: u64,
    /// Only in the second.
    pub only_second: u64,
    /// Moves of either book that are missing in the result, or have another value or depth there.
    pub dropped: u64,
}

impl MergeSummary {
    /// A message about dropped moves.
    #[must_use]
    pub fn dropped_message(&self) -> String {
        match self.dropped {
            0 => "nothing dropped".to_owned(),
            count => format!("{count} moves or their values dropped"),
        }
    }
}

impl std::fmt::Display for MergeSummary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { same, only_first, only_second, .. } = self;
        write!(
            f,
            "{same} positions in both books, {only_first} only in the first, {only_second} only in the second; "
        )?;
        f.write_str(&self.dropped_message())
    }
}

impl std::ops::AddAssign for MergeSummary {
    fn add_assign(&mut self, other: Self) {
        self.same += other.same;
        self.only_first += other.only_first;
        self.only_second += other.only_second;
        self.dropped += other.dropped;
    }
}

/// Merges two sorted books as one stream.
pub struct Merged {
    sources: [SortedEntries; 2],
    heads: [Option<Entry>; 2],
    policy: MergePolicy,
    current: Entry,
    /// The counts so far.
    pub summary: MergeSummary,
}

impl Merged {
    /// Begins to merge.
    pub fn new(
        mut first: SortedEntries,
        mut second: SortedEntries,
        policy: MergePolicy,
    ) -> Result<Self, BookError> {
        let heads = [first.next_entry()?.cloned(), second.next_entry()?.cloned()];
        Ok(Self {
            sources: [first, second],
            heads,
            policy,
            current: Entry::default(),
            summary: MergeSummary::default(),
        })
    }

    /// Two books in parts, so that several threads can merge them.
    pub(crate) fn parts(
        first: SortedEntries,
        second: SortedEntries,
        policy: MergePolicy,
    ) -> Result<Vec<Self>, BookError> {
        let can_be_cut = !first.cuts().is_empty() && !second.cuts().is_empty();
        let cuts = if can_be_cut { first.cuts() } else { Vec::new() };
        let pairs = first.split(&cuts)?.into_iter().zip(second.split(&cuts)?);
        pairs.map(|(first, second)| Self::new(first, second, policy)).collect()
    }

    fn take(&mut self, which: usize) -> Result<Option<Entry>, BookError> {
        let next = self.sources[which].next_entry()?.cloned();
        Ok(std::mem::replace(&mut self.heads[which], next))
    }

    fn next_merged(&mut self) -> Result<Option<Entry>, BookError> {
        loop {
            let order = match &self.heads {
                [None, None] => return Ok(None),
                [Some(_), None] => Ordering::Less,
                [None, Some(_)] => Ordering::Greater,
                [Some(first), Some(second)] => first.place.cmp(&second.place),
            };
            let first = if order.is_le() { self.take(0)? } else { None };
            let second = if order.is_ge() { self.take(1)? } else { None };
            let merged = combine(first, second, self.policy, &mut self.summary);
            if merged.is_some() {
                return Ok(merged);
            }
        }
    }
}

/// Combines the entries of a position from either or both books.
fn combine(
    first: Option<Entry>,
    second: Option<Entry>,
    policy: MergePolicy,
    summary: &mut MergeSummary,
) -> Option<Entry> {
    match (first, second) {
        (None, None) => None,
        (Some(first), None) => {
            summary.only_first += 1;
            wanted(first, policy, 0, summary)
        }
        (None, Some(second)) => {
            summary.only_second += 1;
            wanted(second, policy, 1, summary)
        }
        (Some(first), Some(second)) => {
            if first.ply == second.ply || policy != MergePolicy::DepthFirst {
                summary.same += 1;
            } else {
                summary.only_first += 1;
                summary.only_second += 1;
            }
            let united = unite(first.clone(), second.clone(), policy);
            summary.dropped += dropped(&first, &united) + dropped(&second, &united);
            Some(united)
        }
    }
}

/// A position that only one book has, unless the policy leaves it out.
fn wanted(entry: Entry, policy: MergePolicy, which: usize, summary: &mut MergeSummary) -> Option<Entry> {
    if wants(policy, which, &entry) {
        return Some(entry);
    }
    summary.dropped += entry.moves.len() as u64;
    None
}

/// Number of moves of a book that are missing in the result, or have another value or depth there.
fn dropped(source: &Entry, result: &Entry) -> u64 {
    let is_kept = |m: &BookMove| {
        result.moves.iter().any(|kept| {
            let same_worth = (kept.value, kept.depth) == (m.value, m.depth);
            kept.play == m.play && (same_worth || m.is_played_only())
        })
    };
    source.moves.iter().filter(|m| !is_kept(m)).count() as u64
}

/// Whether the policy uses the position; false for the wrong side if each side has its own book.
fn wants(policy: MergePolicy, which: usize, entry: &Entry) -> bool {
    match policy {
        MergePolicy::BySide(side) => (side_of(entry) == side) == (which == 0),
        _ => true,
    }
}

fn side_of(entry: &Entry) -> Color {
    let white = entry.place.split(|byte| *byte == b' ').nth(1) == Some(b"w");
    if white { Color::White } else { Color::Black }
}

impl EntryStream for Merged {
    fn next_entry(&mut self) -> Result<Option<&Entry>, BookError> {
        let Some(entry) = self.next_merged()? else { return Ok(None) };
        self.current = entry;
        Ok(Some(&self.current))
    }
}

/// Merges the entries of a position in both books.
fn unite(first: Entry, second: Entry, policy: MergePolicy) -> Entry {
    let ply = first.ply.min(second.ply);
    let mut united = match policy {
        MergePolicy::Both => return with_values_and_counts(&first, &second),
        MergePolicy::DepthFirst => return deeper(first, second),
        MergePolicy::PreferFirst => {
            if first.moves.is_empty() {
                second
            } else {
                first
            }
        }
        MergePolicy::BySide(side) => {
            if side_of(&first) == side {
                first
            } else {
                second
            }
        }
        MergePolicy::MaxCount => with_moves_of(first, &second, |ours, theirs| {
            if theirs.count > ours.count {
                *ours = theirs;
            }
        }),
        MergePolicy::SumCounts => with_moves_of(first, &second, |ours, theirs| {
            ours.count = ours.count.saturating_add(theirs.count);
        }),
    };
    united.ply = ply;
    united
}

/// The moves of the deeper search, and those that were only played. Values of two searches do not mix: a shallow one
/// may overrate a move that a deeper one did not even list.
fn with_values_and_counts(first: &Entry, second: &Entry) -> Entry {
    let searched = |entry: &Entry| -> Vec<BookMove> {
        entry.moves.iter().copied().filter(|m| !m.is_played_only()).collect()
    };
    let effort = |moves: &[BookMove]| (moves.iter().map(|m| m.depth).max(), moves.len());
    let (ours, theirs) = (searched(first), searched(second));
    let (mut moves, others) = if effort(&ours) >= effort(&theirs) { (ours, theirs) } else { (theirs, ours) };
    for m in &mut moves {
        let other = others.iter().find(|other| other.play == m.play);
        m.count = m.count.max(other.map_or(0, |other| other.count));
    }
    for played in first.moves.iter().chain(&second.moves).filter(|m| m.is_played_only()) {
        match moves.iter_mut().find(|m| m.play == played.play) {
            Some(m) => {
                m.count = m.count.saturating_add(played.count);
                m.reply = m.reply.or(played.reply);
            }
            None => moves.push(*played),
        }
    }
    Entry { place: first.place.clone(), ply: first.ply.min(second.ply), moves }
}

/// The file format keeps a position at its smallest move number only, whatever the depth of the other.
fn deeper(first: Entry, second: Entry) -> Entry {
    let by_ply = second.ply.cmp(&first.ply);
    let by_emptiness = second.moves.is_empty().cmp(&first.moves.is_empty());
    let depth = |entry: &Entry| entry.moves.first().map_or(0, |m| m.depth);
    let by_depth = depth(&first).cmp(&depth(&second));
    let by_size = first.moves.len().cmp(&second.moves.len());
    if by_ply.then(by_emptiness).then(by_depth).then(by_size).is_ge() { first } else { second }
}

fn with_moves_of(mut first: Entry, second: &Entry, both: impl Fn(&mut BookMove, BookMove)) -> Entry {
    for theirs in &second.moves {
        match first.moves.iter_mut().find(|ours| ours.play == theirs.play) {
            Some(ours) => both(ours, *theirs),
            None => first.moves.push(*theirs),
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(ply: u32, lines: &[&str]) -> Entry {
        let moves = lines.iter().map(|line| BookMove::parse(line.as_bytes()).unwrap()).collect();
        Entry { place: b"4k4/9/9/9/9/9/9/9/4K4 b -".to_vec(), ply, moves }
    }

    #[test]
    fn policies() {
        let first = entry(5, &["7g7f none 1 10 3", "2g2f none 0 10 1"]);
        let second = entry(5, &["7g7f none 9 12 8", "5g5f none 0 12 1"]);
        let merged = |policy| {
            let entry = unite(first.clone(), second.clone(), policy);
            let show = |m: &BookMove| format!("{} {} {}", m.play.unwrap(), m.value, m.count);
            entry.moves.iter().map(show).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(merged(MergePolicy::DepthFirst), "7g7f 9 8, 5g5f 0 1");
        assert_eq!(merged(MergePolicy::PreferFirst), "7g7f 1 3, 2g2f 0 1");
        assert_eq!(merged(MergePolicy::MaxCount), "7g7f 9 8, 2g2f 0 1, 5g5f 0 1");
        assert_eq!(merged(MergePolicy::SumCounts), "7g7f 1 11, 2g2f 0 1, 5g5f 0 1");
        assert_eq!(merged(MergePolicy::BySide(Color::White)), "7g7f 9 8, 5g5f 0 1");
    }

    /// An evaluated book keeps its values, a book of games its counts.
    #[test]
    fn values_and_counts_are_kept() {
        let games = entry(5, &["7g7f 8c8d 0 0 500", "6g6f none 0 0 20"]);
        let of_the_reference = entry(5, &["7g7f 8c8d 0 32 500", "6g6f none 0 32 20"]);
        let thought = entry(7, &["2g2f none 60 24 10", "7g7f 3c3d 50 24 10"]);
        let show = |entry: &Entry| -> Vec<String> {
            let show = |m: &BookMove| format!("{} {} {} {}", m.play.unwrap(), m.value, m.depth, m.count);
            entry.moves.iter().map(show).collect()
        };
        for (games, depth) in [(games, 0), (of_the_reference, 32)] {
            for [first, second] in [[&games, &thought], [&thought, &games]] {
                let mut summary = MergeSummary::default();
                let merged =
                    combine(Some(first.clone()), Some(second.clone()), MergePolicy::Both, &mut summary)
                        .unwrap();
                let played = format!("6g6f 0 {depth} 20");
                assert_eq!(show(&merged), ["2g2f 60 24 10", "7g7f 50 24 510", &played]);
                assert_eq!((merged.ply, summary.same, summary.dropped), (5, 1, 0));
            }
        }
        // The deeper of two searches wins, and what that drops is counted.
        let shallow = entry(5, &["5g5f none 90 8 700", "7g7f none 80 8 700"]);
        let mut summary = MergeSummary::default();
        let merged = combine(Some(shallow), Some(thought.clone()), MergePolicy::Both, &mut summary).unwrap();
        assert_eq!(show(&merged), ["2g2f 60 24 10", "7g7f 50 24 700"]);
        assert_eq!(summary.dropped, 2);
        // Merging a book with itself changes nothing.
        let mut summary = MergeSummary::default();
        let merged =
            combine(Some(thought.clone()), Some(thought.clone()), MergePolicy::Both, &mut summary).unwrap();
        assert_eq!((merged, summary.dropped), (thought, 0));
    }

    #[test]
    fn depth_first_in_all_its_steps() {
        let one = entry(5, &["7g7f none 0 9 1"]);
        let two = entry(5, &["7g7f none 0 9 1", "2g2f none 0 9 1"]);
        let none = entry(5, &[]);
        let early = entry(3, &["7g7f none 0 1 1"]);
        assert_eq!(deeper(one.clone(), two.clone()), two);
        assert_eq!(deeper(none, one.clone()), one);
        assert_eq!(deeper(one.clone(), early.clone()), early);
        let other = entry(5, &["5g5f none 7 9 1"]);
        assert_eq!(deeper(one.clone(), other), one);
    }
}
