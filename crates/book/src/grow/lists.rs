//! Lists of roots, positions and lines of play, one per line.

use crate::error::{At, BookError};
use crate::{
    Collection, Entries, Entry, EntrySorter, ExtendOptions, LineEnd, Plies, Problems, SortLimits,
    create_book, extend_tree, open_stream, parse_root, write_db,
};
use shogi::{Color, Position};
use std::io::Write;
use std::path::Path;

/// Writes entries in any order as a sorted book.
pub fn write_entries(
    entries: impl IntoIterator<Item = Entry>,
    path: &Path,
    line_end: LineEnd,
) -> Result<u64, BookError> {
    let mut sorter = EntrySorter::new(SortLimits::default());
    sorter.push_all(&mut Entries::new(entries), path)?;
    write_db(path, &mut sorter.finish().at(path)?, line_end)
}

/// Writes lines of text.
pub fn write_lines(lines: &[String], path: &Path) -> Result<(), BookError> {
    let mut file = create_book(path)?;
    for line in lines {
        writeln!(file, "{line}").at(path)?;
    }
    Ok(file.commit()?)
}

/// Selects positions for export.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExportFilter {
    /// Minimum value of the best move.
    pub min_value: Option<i32>,
    /// Maximum value of the best move.
    pub max_value: Option<i32>,
    /// Minimum move number.
    pub min_ply: Option<u32>,
    /// Maximum move number.
    pub max_ply: Option<u32>,
    /// Side to move.
    pub side: Option<Color>,
}

impl ExportFilter {
    fn wants(&self, entry: &Entry) -> bool {
        let best = entry.moves.iter().map(|m| m.value).max();
        let white = entry.place_str().split(' ').nth(1) == Some("w");
        self.min_value.is_none_or(|least| best.is_some_and(|best| best >= least))
            && self.max_value.is_none_or(|most| best.is_some_and(|best| best <= most))
            && self.min_ply.is_none_or(|least| entry.ply >= least)
            && self.max_ply.is_none_or(|most| entry.ply <= most)
            && self.side.is_none_or(|side| white == (side == Color::White))
    }
}

/// `export`: writes positions of a book, one `sfen` per line; returns their number.
pub fn export_positions(
    book: &Path,
    out: &Path,
    filter: &ExportFilter,
    problems: &Problems,
) -> Result<usize, BookError> {
    let mut stream = open_stream(book, problems.clone())?;
    let mut lines = Vec::new();
    while let Some(entry) = stream.next_entry()? {
        if filter.wants(entry) {
            lines.push(format!("sfen {}", entry.sfen()));
        }
    }
    write_lines(&lines, out)?;
    Ok(lines.len())
}

/// The roots in a file, one per line; lines that begin with `#` or `//` are comments.
pub fn read_roots(path: &Path) -> Result<Vec<(Position, String)>, BookError> {
    let text = std::fs::read_to_string(path).at(path)?;
    let mut roots = Vec::new();
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') && !line.starts_with("//") {
            let fault = |fault| BookError::Line { path: path.to_owned(), line: number as u64 + 1, fault };
            roots.push(parse_root(line).map_err(fault)?);
        }
    }
    if roots.is_empty() {
        return Err(BookError::format(path, "no root in it; expected lines such as `startpos moves 7g7f`"));
    }
    Ok(roots)
}

/// Reads a book into memory; `problems` collects the faults.
pub fn read_collection(path: &Path, plies: Plies, problems: &Problems) -> Result<Collection, BookError> {
    Collection::read(&mut open_stream(path, problems.clone())?, plies)
}

/// Writes the lines just outside of a book; returns their number.
pub fn extend(
    book: &Path,
    roots: &Path,
    out: &Path,
    options: ExtendOptions,
    plies: Plies,
    problems: &Problems,
) -> Result<usize, BookError> {
    let roots = read_roots(roots)?;
    let lines = extend_tree(&read_collection(book, plies, problems)?, roots, options);
    write_lines(&lines, out)?;
    Ok(lines.len())
}
