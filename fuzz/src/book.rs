//! Opening books of every format.

#![allow(dead_code, reason = "each target uses one of these functions")]

use book::{
    AperyBook, BookError, DbReader, DbWriter, Entry, EntryStream, GameLine, LineEnd, Plies, Problems,
    SortLimits, TextBook, WorkOptions, Ybb, convert_book, read_sbk_bytes,
};
use shogi::Position;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

fn short(error: &BookError) {
    let message = error.to_string();
    assert!(message.len() < 1000 && !message.contains('\n'), "a long message: {message}");
}

fn all(stream: &mut dyn EntryStream) -> Result<Vec<Entry>, BookError> {
    let mut entries = Vec::new();
    while let Some(entry) = stream.next_entry()? {
        entries.push(entry.clone());
    }
    Ok(entries)
}

/// A text book is refused in few words or read; what could be read is found again, and what is written is read the
/// same. Lists of games are read from the same bytes.
pub fn book_db(data: &[u8]) {
    let path = Path::new("fuzz.db");
    if let Err(error) = all(&mut DbReader::new(data, path, Problems::stop())) {
        short(&error);
    }
    let entries = all(&mut DbReader::new(data, path, Problems::skip())).expect("bad lines are left out");
    let mut writer = DbWriter::new(Vec::new(), LineEnd::CrLf).expect("memory can be written");
    for entry in &entries {
        writer.write(entry).expect("memory can be written");
    }
    let written =
        all(&mut DbReader::new(&*writer.into_inner(), path, Problems::stop())).expect("our own book");
    let kept: Vec<&Entry> = entries.iter().filter(|entry| !entry.moves.is_empty()).collect();
    assert_eq!(written.iter().collect::<Vec<_>>(), kept);
    match TextBook::from_bytes(data.to_vec(), path, Problems::skip()) {
        Err(error) => short(&error),
        Ok(book) => {
            for entry in kept.iter().take(50) {
                let Ok(position) = entry.position() else { continue };
                let found =
                    book.find(&position, Plies::Ignored, &mut |_| ()).expect("a book in memory is sorted");
                assert!(!found.is_empty(), "{} is in the book", entry.sfen());
            }
        }
    }
    for line in String::from_utf8_lossy(data).lines().take(20) {
        let _ = GameLine::parse(line, 50);
    }
}

/// A `.ybb` is refused in few words or read to its end.
pub fn book_ybb(data: &[u8]) {
    match Ybb::from_bytes(data.to_vec(), Path::new("fuzz.ybb")) {
        Err(error) => short(&error),
        Ok(book) => {
            book.find(&Position::startpos()).map_or_else(|error| short(&error), drop);
            let _ = book.first_unsorted();
            all(&mut book.into_stream()).map_or_else(|error| short(&error), drop);
        }
    }
}

/// Entries behind a text, so that a broken one is not the last.
const BEHIND: &str = "
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d 2g2f 12 4 7
8c8d none -3 4
sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3
2g2f none 0 0 1
sfen lnsgkgsnl/1r7/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5
2g2f none 0 0 1
";

/// A text book becomes a `.ybb`, and that a text again: a conversion that stops at bad lines is refused in few words or writes
/// the same bytes as one that skips them.
pub fn book_convert(data: &[u8]) {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("tsumugi-fuzz-{}-{run}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = [data, BEHIND.as_bytes()].concat();
    std::fs::write(folder.join("a.db"), text).expect("a file");
    for (from, to) in [("a.db", "a.ybb"), ("a.ybb", "b.db")] {
        let convert = |to: &str, problems| {
            let limits = SortLimits { threads: 2, folder: folder.clone(), ..SortLimits::default() };
            let options = WorkOptions { problems, limits, ..WorkOptions::default() };
            let to = folder.join(to);
            convert_book(&folder.join(from), &to, &options, &mut |_| {})
                .map(|_| std::fs::read(to).expect("what was written"))
        };
        match convert(to, Problems::stop()) {
            Err(error) => {
                short(&error);
                break;
            }
            Ok(strict) => {
                let lenient = convert(&format!("again-{to}"), Problems::skip()).expect("nothing is bad");
                assert!(strict == lenient, "{from} becomes another {to}");
            }
        }
    }
    std::fs::remove_dir_all(folder).expect("it is of this run only");
}

/// An Apery book of whatever moves is asked and walked through.
pub fn book_apery(data: &[u8]) {
    match AperyBook::from_bytes(data.to_vec(), Path::new("fuzz.bin")) {
        Err(error) => short(&error),
        Ok(book) => {
            let _ = book.find(&Position::startpos());
            if book.len() < 100 {
                let _ = book.walk();
            }
        }
    }
}

/// An `.sbk` is refused in few words or read; its moves are legal.
pub fn book_sbk(data: &[u8]) {
    match read_sbk_bytes(data, Path::new("fuzz.sbk")) {
        Err(error) => short(&error),
        Ok(entries) => {
            for entry in entries {
                let position = entry.position().expect("a position that was reached");
                assert!(entry.moves.iter().all(|m| m.play.is_some_and(|play| position.is_legal(play))));
            }
        }
    }
}
