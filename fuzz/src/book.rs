//! Opening books of every format.

use book::{
    AperyBook, BookError, DbReader, DbWriter, Entry, EntryStream, GameLine, LineEnd, Plies, Problems,
    TextBook, Ybb, read_sbk_bytes,
};
use shogi::Position;
use std::path::Path;

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
    if let Err(error) = all(&mut DbReader::new(data, path, Problems::Stop)) {
        short(&error);
    }
    let entries = all(&mut DbReader::new(data, path, Problems::skip())).expect("bad lines are left out");
    let mut writer = DbWriter::new(Vec::new(), LineEnd::CrLf).expect("memory can be written");
    for entry in &entries {
        writer.write(entry).expect("memory can be written");
    }
    let written = all(&mut DbReader::new(&*writer.into_inner(), path, Problems::Stop)).expect("our own book");
    let kept: Vec<&Entry> = entries.iter().filter(|entry| !entry.moves.is_empty()).collect();
    assert_eq!(written.iter().collect::<Vec<_>>(), kept);
    match TextBook::from_bytes(data.to_vec(), path, Problems::skip()) {
        Err(error) => short(&error),
        Ok(book) => {
            for entry in kept.iter().take(50) {
                let Ok(position) = entry.position() else { continue };
                let found = book.find(&position, Plies::Ignored).expect("a book in memory is sorted");
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
