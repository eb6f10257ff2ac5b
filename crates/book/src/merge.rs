//! Two books into one.

use crate::book_move::BookMove;
use crate::error::BookError;
use crate::stream::EntryStream;
use crate::{Entry, SortedEntries};
use shogi::Color;
use std::cmp::Ordering;

/// Who wins where both books have a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MergePolicy {
    /// The deeper search, then more moves, then the first book; as the documents say.
    #[default]
    DepthFirst,
    /// All moves of both; of the same move the one chosen more often.
    MaxCount,
    /// All moves of both, counts added up; what else is known comes from the first book.
    SumCounts,
    /// The first book.
    PreferFirst,
    /// Positions of this side from the first book, those of the other from the second.
    BySide(Color),
}

/// How the books compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MergeSummary {
    /// In both.
    pub same: u64,
    /// Only in the first.
    pub only_first: u64,
    /// Only in the second.
    pub only_second: u64,
}

/// Two sorted books as one stream.
pub struct Merged {
    sources: [SortedEntries; 2],
    heads: [Option<Entry>; 2],
    policy: MergePolicy,
    current: Entry,
    /// What was met so far.
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

/// One position of either book or of both.
pub(crate) fn combine(
    first: Option<Entry>,
    second: Option<Entry>,
    policy: MergePolicy,
    summary: &mut MergeSummary,
) -> Option<Entry> {
    match (first, second) {
        (None, None) => None,
        (Some(first), None) => {
            summary.only_first += 1;
            Some(first).filter(|entry| wants(policy, 0, entry))
        }
        (None, Some(second)) => {
            summary.only_second += 1;
            Some(second).filter(|entry| wants(policy, 1, entry))
        }
        (Some(first), Some(second)) => {
            if first.ply == second.ply || policy != MergePolicy::DepthFirst {
                summary.same += 1;
            } else {
                summary.only_first += 1;
                summary.only_second += 1;
            }
            Some(unite(first, second, policy))
        }
    }
}

/// Whether positions of one book alone are always taken over.
pub(crate) fn wants_everything(policy: MergePolicy) -> bool {
    !matches!(policy, MergePolicy::BySide(_))
}

/// With one book for each side, positions of the wrong side are left out.
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

/// One position of two books.
fn unite(first: Entry, second: Entry, policy: MergePolicy) -> Entry {
    let ply = first.ply.min(second.ply);
    let mut united = match policy {
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

/// The file keeps a position at its smallest move number only, whatever the depth of the other.
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
