//! Lists of roots, positions and lines of play, one to a line.

use crate::error::{At, BookError};
use crate::{
    Collection, Entries, Entry, EntrySorter, ExtendOptions, LineEnd, Plies, Problems, SortLimits,
    create_book, extend_tree, open_stream, parse_root, write_db,
};
use shogi::Position;
use std::io::Write;
use std::path::Path;

/// Writes entries of any order as a sorted book.
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

/// The roots in a file, one to a line; lines that begin with `#` or `//` are comments.
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

/// Reads a book into memory; what was met in it is in `problems`.
pub fn read_collection(path: &Path, plies: Plies, problems: &Problems) -> Result<Collection, BookError> {
    Collection::read(&mut open_stream(path, problems.clone())?, plies)
}

/// Writes the lines just outside of a book; tells how many.
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
