//! Writes records as bytes.

use crate::format::{csa, jkf, kif, usen, usi};
use crate::text::encoding::{Encoding, LineEnd, encode};
use crate::{Ending, Format, NodeId, Record};
use std::fmt;
use std::time::Duration;

/// Options of writing.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// The format.
    pub format: Format,
    /// The encoding; `None` is the usual one of the format.
    pub encoding: Option<Encoding>,
    /// The line end; `None` is the usual one of the format.
    pub line_end: Option<LineEnd>,
}

impl WriteOptions {
    /// The usual options of the format.
    #[must_use]
    pub fn new(format: Format) -> Self {
        Self { format, encoding: None, line_end: None }
    }

    /// The encoding in effect.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding.unwrap_or(self.format.usual_encoding())
    }

    /// The line end in effect.
    #[must_use]
    pub fn line_end(&self) -> LineEnd {
        self.line_end.unwrap_or(self.format.usual_line_end())
    }
}

/// The bytes, and the information that they lack.
#[derive(Debug)]
pub struct Written {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The losses.
    pub losses: Vec<Loss>,
}

/// Information that a format or encoding cannot hold.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Loss {
    /// Lines besides the main line.
    Branches(usize),
    /// All moves.
    Moves(usize),
    /// Endings for which the format has no word, or a different one.
    Endings(usize),
    /// Fields of the header.
    Fields(usize),
    /// Thinking times, or their fractions of seconds.
    Times(usize),
    /// Comments.
    Comments(usize),
    /// Bookmarks.
    Bookmarks(usize),
    /// Remarks of programs.
    Remarks(usize),
    /// The number of the first move.
    FirstNumber,
    /// What is frozen, and the remaining freezes.
    Freezes,
    /// Characters missing in the encoding.
    Characters(Vec<char>),
}

impl Loss {
    /// Whether users of the format will expect the loss: a USI line has no place for a header.
    #[must_use]
    pub fn is_expected(&self, format: Format) -> bool {
        match format {
            Format::Usi | Format::Usen | Format::Bod => {
                !matches!(self, Self::Branches(_) | Self::Characters(_) | Self::Freezes)
            }
            Format::Ki2 => matches!(self, Self::Times(_)),
            _ => false,
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut count =
            |n: &usize, one: &str, many: &str| write!(f, "{n} {}", if *n == 1 { one } else { many });
        match self {
            Self::Branches(n) => count(n, "branch", "branches"),
            Self::Moves(n) => count(n, "move", "moves"),
            Self::Endings(n) => count(n, "ending", "endings"),
            Self::Fields(n) => count(n, "header field", "header fields"),
            Self::Times(n) => count(n, "time", "times"),
            Self::Comments(n) => count(n, "comment", "comments"),
            Self::Bookmarks(n) => count(n, "bookmark", "bookmarks"),
            Self::Remarks(n) => count(n, "remark", "remarks"),
            Self::FirstNumber => f.write_str("the number of the first move"),
            Self::Freezes => f.write_str("freezes and their counts"),
            Self::Characters(chars) => {
                let shown: String = chars.iter().take(20).collect();
                write!(
                    f,
                    "{} (written as 〓): {shown}",
                    if chars.len() == 1 { "a character" } else { "characters" }
                )
            }
        }
    }
}

/// Writes a record. Everything that the format cannot hold is reported.
#[must_use]
pub fn write(record: &Record, options: &WriteOptions) -> Written {
    let (format, encoding) = (options.format, options.encoding());
    let end = options.line_end().as_str();
    let mut losses = losses(record, format);
    let text = match format {
        Format::Kif => kif::write_kif(record, encoding, end),
        Format::Ki2 => kif::write_ki2(record, end),
        Format::Bod => kif::write_bod(record, end),
        Format::Csa => csa::write(record, csa::Version::V22, end),
        Format::Csa3 => csa::write(record, csa::Version::V3(encoding), end),
        Format::Jkf => jkf::write(record) + end,
        Format::Usi => usi::write_line(record, false) + end,
        Format::Usen => usen::write(record) + end,
    };
    let encoded = encode(text, encoding);
    if !encoded.lost.is_empty() {
        losses.push(Loss::Characters(encoded.lost));
    }
    Written { bytes: encoded.bytes, losses }
}

/// Parts of a record, besides moves, that a format may support.
#[derive(Clone, Copy)]
enum Part {
    Branches,
    Fields,
    Comments,
    Bookmarks,
    Remarks,
    FirstNumber,
}

/// The precision of times in a format.
#[derive(Clone, Copy)]
enum Times {
    None,
    Seconds,
    Fractions,
}

impl Times {
    /// Whether a time can be written exactly.
    fn tell(self, time: Duration) -> bool {
        match self {
            Self::None => time.is_zero(),
            Self::Seconds => time.subsec_nanos() == 0,
            Self::Fractions => true,
        }
    }
}

impl Format {
    fn holds(self, part: Part) -> bool {
        let a_line = matches!(self, Self::Usi | Self::Usen | Self::Bod);
        let csa = matches!(self, Self::Csa | Self::Csa3);
        match part {
            Part::Branches => !csa && !matches!(self, Self::Usi | Self::Bod),
            Part::Fields | Part::Comments => !a_line,
            Part::Bookmarks => !a_line && !csa,
            Part::Remarks => !a_line && self != Self::Jkf,
            Part::FirstNumber => !csa && self != Self::Usen,
        }
    }

    fn times(self) -> Times {
        match self {
            Self::Csa3 => Times::Fractions,
            Self::Kif | Self::Csa | Self::Jkf => Times::Seconds,
            Self::Ki2 | Self::Usi | Self::Usen | Self::Bod => Times::None,
        }
    }

    /// Whether an ending is read back unchanged.
    fn keeps(self, ending: &Ending, record: &Record, ply: u32) -> bool {
        match self {
            Self::Kif => kif::kif_word(ending) == ending.kif(),
            Self::Ki2 => kif::ki2_keeps(ending, record, ply),
            Self::Csa | Self::Csa3 => ending.csa(record.side_after(ply - 1)).is_some(),
            Self::Jkf => true,
            Self::Usen => usen::keeps(ending),
            Self::Usi | Self::Bod => false,
        }
    }
}

/// Counts of what a format may lose.
#[derive(Default)]
struct Counts {
    /// Endings that are not read back unchanged.
    endings: usize,
    /// Times that cannot be written exactly.
    times: usize,
    comments: usize,
    bookmarks: usize,
    remarks: usize,
}

impl Counts {
    fn of(nodes: impl Iterator<Item = NodeId>, record: &Record, format: Format) -> Self {
        let told = format.times();
        let mut counts = Self::default();
        for id in nodes {
            let node = &record.tree[id];
            let unnamed = node.ending().is_some_and(|ending| !format.keeps(ending, record, node.ply()));
            counts.endings += usize::from(unnamed);
            counts.times += usize::from(node.time.is_some_and(|time| !told.tell(time)));
            let note = record.tree.note(id);
            counts.comments += usize::from(!note.comments.is_empty());
            counts.bookmarks += usize::from(note.bookmark.is_some());
            counts.remarks += usize::from(!note.remarks.is_empty());
        }
        counts
    }
}

fn losses(record: &Record, format: Format) -> Vec<Loss> {
    let tree = &record.tree;
    let mut losses = Vec::new();
    let mut lose = |loss: fn(usize) -> Loss, count: usize| {
        if count > 0 {
            losses.push(loss(count));
        }
    };
    let branches = format.holds(Part::Branches);
    if !branches {
        lose(Loss::Branches, tree.leaves().saturating_sub(1));
    }
    if format == Format::Bod {
        lose(Loss::Moves, record.moves().count());
    }
    // Counts only nodes in lines that are written; the others count as lost branches.
    let root = std::iter::once(NodeId::ROOT);
    let counts = if branches {
        Counts::of(root.chain(tree.walk()), record, format)
    } else {
        Counts::of(root.chain(tree.main_line()), record, format)
    };
    lose(Loss::Endings, counts.endings);
    if !format.holds(Part::Fields) {
        lose(Loss::Fields, record.header.iter().filter(|(_, value)| !value.is_empty()).count());
    }
    lose(Loss::Times, counts.times);
    let notes = [
        (Part::Comments, Loss::Comments as fn(usize) -> Loss, counts.comments),
        (Part::Bookmarks, Loss::Bookmarks, counts.bookmarks),
        (Part::Remarks, Loss::Remarks, counts.remarks),
    ];
    for (part, loss, count) in notes {
        if !format.holds(part) {
            lose(loss, count);
        }
    }
    if !format.holds(Part::FirstNumber) && record.start.ply != 1 {
        losses.push(Loss::FirstNumber);
    }
    losses
}
