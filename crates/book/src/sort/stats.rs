//! Statistics of a book, and its faults.

use crate::{BookError, BookFormat, Entry, EntryStream, Problems, Ybb, open_stream};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Statistics of a book.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BookStats {
    /// Positions.
    pub positions: u64,
    /// With Black to move.
    pub black: u64,
    /// Moves.
    pub moves: u64,
    /// Illegal moves.
    pub illegal: u64,
    /// Positions that occur several times (in sorted books), ignoring move numbers.
    pub repeated: u64,
    /// Positions that are not greater than their predecessor.
    pub unsorted: u64,
    /// Invalid positions.
    pub impossible: u64,
    /// Smallest and largest move number.
    pub plies: Option<(u32, u32)>,
    /// Positions by depth of their first move, in steps of 8.
    pub depths: BTreeMap<i32, u64>,
    /// Positions by value of their best move, in steps of 100.
    pub values: BTreeMap<i32, u64>,
    /// The first illegal moves, with their positions.
    pub examples: Vec<(String, String)>,
}

/// Number of illegal moves listed.
const EXAMPLES: usize = 10;

impl BookStats {
    /// Reads a whole book.
    pub fn of(stream: &mut (impl EntryStream + ?Sized)) -> Result<Self, BookError> {
        let mut stats = Self::default();
        let mut last = Vec::new();
        while let Some(entry) = stream.next_entry()? {
            match entry.place.cmp(&last) {
                std::cmp::Ordering::Less => stats.unsorted += 1,
                std::cmp::Ordering::Equal => stats.repeated += 1,
                std::cmp::Ordering::Greater => {}
            }
            last.clone_from(&entry.place);
            stats.add(entry);
        }
        Ok(stats)
    }

    fn add(&mut self, entry: &Entry) {
        self.positions += 1;
        self.moves += entry.moves.len() as u64;
        let (least, most) = self.plies.unwrap_or((entry.ply, entry.ply));
        self.plies = Some((least.min(entry.ply), most.max(entry.ply)));
        if let Some(first) = entry.moves.first() {
            *self.depths.entry(first.depth.div_euclid(8) * 8).or_default() += 1;
        }
        if let Some(best) = entry.moves.iter().map(|m| m.value).max() {
            *self.values.entry(best.div_euclid(100) * 100).or_default() += 1;
        }
        let Ok(position) = entry.position() else {
            self.impossible += 1;
            return;
        };
        self.black += u64::from(position.side() == shogi::Color::Black);
        for m in &entry.moves {
            if !m.play.is_some_and(|play| position.is_legal(play)) {
                self.illegal += 1;
                if self.examples.len() < EXAMPLES {
                    let shown = m.play.map_or_else(|| "none".to_owned(), |play| play.to_string());
                    self.examples.push((shown, entry.sfen()));
                }
            }
        }
    }

    /// Whether programs can use it without problems.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        (self.illegal, self.repeated, self.unsorted, self.impossible) == (0, 0, 0, 0)
    }
}

impl fmt::Display for BookStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self { positions, black, moves, .. } = self;
        write!(
            f,
            "{positions} positions ({black} black, {} white to move), {moves} moves",
            positions - black
        )?;
        if let Some((least, most)) = self.plies {
            write!(f, "\nmove numbers {least} to {most}")?;
        }
        for (name, histogram, step) in [("depth", &self.depths, 8), ("value", &self.values, 100)] {
            for (from, count) in histogram {
                write!(f, "\n{name} {from} to {}: {count}", from + step - 1)?;
            }
        }
        Ok(())
    }
}

/// The faults of a book.
pub struct BookFaults {
    /// Messages about the first faulty lines and moves.
    pub examples: Vec<String>,
    /// The number of positions, or a summary of the faults.
    pub verdict: Result<u64, BookError>,
}

impl BookFaults {
    /// Reads a whole book.
    pub fn find(path: &Path) -> Result<Self, BookError> {
        let problems = Problems::skip();
        let mut stats = BookStats::of(&mut open_stream(path, problems.clone())?)?;
        match BookFormat::of_path(path)? {
            BookFormat::Db => {}
            BookFormat::Ybb => stats.unsorted = u64::from(Ybb::open(path)?.first_unsorted().is_some()),
            // These formats have orders of their own.
            BookFormat::Apery | BookFormat::Sbk => stats.unsorted = 0,
        }
        let mut examples = problems.first();
        examples.extend(stats.examples.iter().map(|(m, sfen)| format!("illegal move {m}: sfen {sfen}")));
        let bad_lines = problems.left_out() + problems.forgiven();
        let BookStats { illegal, repeated, unsorted, impossible, .. } = stats;
        let verdict = if stats.is_sound() && bad_lines == 0 {
            Ok(stats.positions)
        } else {
            let message = format!(
                "{bad_lines} bad lines, {illegal} illegal moves, {repeated} repeated positions, {unsorted} out of order, \
                 {impossible} impossible (`tsumugi book repair` writes a sound copy)"
            );
            Err(BookError::format(path, message))
        };
        Ok(Self { examples, verdict })
    }
}

/// Leaves out illegal moves, and positions without moves.
pub struct Repaired<S> {
    source: S,
    current: Entry,
    /// Moves left out.
    pub removed: u64,
}

impl<S: EntryStream> Repaired<S> {
    /// Repairs a stream.
    pub fn new(source: S) -> Self {
        Self { source, current: Entry::default(), removed: 0 }
    }
}

impl<S: EntryStream> EntryStream for Repaired<S> {
    fn next_entry(&mut self) -> Result<Option<&Entry>, BookError> {
        loop {
            let Some(entry) = self.source.next_entry()? else { return Ok(None) };
            self.current.clone_from(entry);
            let Ok(position) = self.current.position() else {
                self.removed += self.current.moves.len() as u64;
                continue;
            };
            let before = self.current.moves.len();
            self.current.moves.retain(|m| m.play.is_some_and(|play| position.is_legal(play)));
            self.removed += (before - self.current.moves.len()) as u64;
            if !self.current.moves.is_empty() {
                return Ok(Some(&self.current));
            }
        }
    }
}

/// How two books differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Difference<'a> {
    /// Only the first has the position.
    Removed(&'a Entry),
    /// Only the second has it.
    Added(&'a Entry),
    /// Both, with different moves.
    Changed(&'a Entry, &'a Entry),
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marked = |mark, entry: &Entry| {
            format!("{mark} {}", entry.to_string().replace('\n', &format!("\n{mark} ")))
        };
        match self {
            Self::Removed(entry) => f.write_str(&marked('-', entry)),
            Self::Added(entry) => f.write_str(&marked('+', entry)),
            Self::Changed(one, other) => write!(f, "{}\n{}", marked('<', one), marked('>', other)),
        }
    }
}

/// How many positions of two books differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DiffCounts {
    /// The same in both.
    pub same: u64,
    /// In both, with different moves.
    pub changed: u64,
    /// Only in the first.
    pub removed: u64,
    /// Only in the second.
    pub added: u64,
}

impl fmt::Display for DiffCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { same, changed, removed, added } = self;
        write!(f, "{same} the same, {changed} changed, {removed} removed, {added} added")
    }
}

/// Compares two sorted books; `each` receives every difference.
pub fn diff(
    first: &mut dyn EntryStream,
    second: &mut dyn EntryStream,
    mut each: impl FnMut(Difference<'_>),
) -> Result<DiffCounts, BookError> {
    let read = |stream: &mut dyn EntryStream| -> Result<Option<Entry>, BookError> {
        Ok(stream.next_entry()?.map(|entry| {
            let mut entry = entry.clone();
            entry.sort();
            entry
        }))
    };
    let (mut a, mut b) = (read(first)?, read(second)?);
    let mut counts = DiffCounts::default();
    loop {
        let order = match (&a, &b) {
            (None, None) => return Ok(counts),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(a), Some(b)) => a.place.cmp(&b.place),
        };
        let (count, difference) = match (&a, &b) {
            (Some(entry), _) if order.is_lt() => (&mut counts.removed, Some(Difference::Removed(entry))),
            (_, Some(entry)) if order.is_gt() => (&mut counts.added, Some(Difference::Added(entry))),
            (Some(one), Some(other)) if one.moves != other.moves => {
                (&mut counts.changed, Some(Difference::Changed(one, other)))
            }
            _ => (&mut counts.same, None),
        };
        *count += 1;
        difference.into_iter().for_each(&mut each);
        if order.is_le() {
            a = read(first)?;
        }
        if order.is_ge() {
            b = read(second)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DbReader, Problems};

    const KING: &str = "4k4/9/9/9/9/9/9/9/4K4 b";

    fn reader(text: &str) -> DbReader<&[u8]> {
        DbReader::new(text.as_bytes(), "a.db", Problems::stop())
    }

    #[test]
    fn what_is_wrong_is_counted() {
        let text = format!(
            "sfen {KING} P 3\n5i5h none 150 17\n1a1b\nsfen {KING} 2P 1\n5i4h\nsfen {KING} 2P 2\n5i4h\n"
        );
        let stats = BookStats::of(&mut reader(&text)).unwrap();
        assert_eq!((stats.positions, stats.moves, stats.illegal), (3, 4, 1));
        assert_eq!((stats.unsorted, stats.repeated, stats.plies), (1, 1, Some((1, 3))));
        assert_eq!((stats.depths[&16], stats.values[&100]), (1, 1));
        assert!(!stats.is_sound());
        let mut repaired = Repaired::new(reader(&text));
        while repaired.next_entry().unwrap().is_some() {}
        assert_eq!(repaired.removed, 1);
    }

    #[test]
    fn differences() {
        let one = format!("sfen {KING} 2P 1\n5i4h\nsfen {KING} 3P 1\n5i4h\nsfen {KING} P 1\n5i4h\n");
        let two = format!("sfen {KING} 3P 1\n5i4h none 5\nsfen {KING} N 1\n5i4h\nsfen {KING} P 1\n5i4h\n");
        let mut told = Vec::new();
        let counts = diff(&mut reader(&one), &mut reader(&two), |difference| {
            let (mark, entry) = match difference {
                Difference::Removed(entry) => ('-', entry),
                Difference::Added(entry) => ('+', entry),
                Difference::Changed(_, entry) => ('~', entry),
            };
            told.push(format!("{mark}{}", entry.place_str().rsplit(' ').next().unwrap()));
        });
        assert_eq!(
            (counts.unwrap().same, told),
            (1, vec!["-2P".to_owned(), "~3P".to_owned(), "+N".to_owned()])
        );
    }
}
