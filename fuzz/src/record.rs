//! Game records from any bytes.
//!
//! Not a module of the library beside it: the smoke test of this one lives in `crates/record`.

#[path = "freeze_notes.rs"]
mod freeze_notes;

use freeze_notes::freezes;
use record::encoding::Encoding;
use record::{Format, IllegalMoves, ReadOptions, Record, Step, WriteOptions, convert, read, write};
use shogi::Position;

/// Bytes read as one format (or as what they look like): refused in few words, or everything that was read can be
/// written in every format, and what the rules allow is read again as it was.
pub fn record(format: Option<Format>, data: &[u8]) {
    if format.is_none() {
        games(data);
    }
    freezes(format, data);
    for illegal in [IllegalMoves::Keep, IllegalMoves::Cut] {
        let options = ReadOptions { format, promised: None, illegal };
        let loaded = match read(data, &options) {
            Ok(loaded) => loaded,
            Err(error) => {
                assert!(error.to_string().len() < 500, "a long message: {error}");
                return;
            }
        };
        for fault in &loaded.faults {
            assert!(fault.to_string().len() < 500, "a long message: {fault}");
        }
        let game = &loaded.record;
        let sound = illegal == IllegalMoves::Cut && Position::try_from(game.start.clone()).is_ok();
        for format in Format::ALL {
            written(game, format, sound);
        }
        let _ = (game.result(), game.positions().last(), convert::rating(game, shogi::Color::Black));
        let _ = convert::Filter::default().passes(game);
        analysed(game);
    }
}

fn written(game: &Record, format: Format, sound: bool) {
    let options = WriteOptions { encoding: Some(Encoding::Utf8), ..WriteOptions::new(format) };
    let text = write(game, &options);
    let _ = write(game, &WriteOptions::new(format));
    if !sound || format == Format::Bod {
        return;
    }
    let again = read(&text.bytes, &ReadOptions { format: Some(format), ..Default::default() });
    let again = again.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&text.bytes)));
    let same = match format {
        Format::Kif | Format::Ki2 | Format::Jkf | Format::Usen => moves(&again.record) == moves(game),
        _ => again.record.moves().eq(game.moves()),
    };
    assert!(same, "{format}: {}", String::from_utf8_lossy(&text.bytes));
}

/// Every move of every line, with its number.
fn moves(game: &Record) -> Vec<(u32, shogi::Move)> {
    let tree = &game.tree;
    let played = tree.walk().filter_map(|id| match tree[id].step() {
        Some(Step::Move(m)) => Some((tree[id].ply(), *m)),
        _ => None,
    });
    played.collect()
}

fn analysed(game: &Record) {
    let mut after = record::Board::from(&game.start);
    for id in game.tree.main_line() {
        let before = after.clone();
        if let Some(m) = game.tree[id].played() {
            after.play(*m);
        }
        let _ = record::analysis::find(game.tree.note(id), &before, &after);
    }
}

/// Files with many games: each is cut out and read.
fn games(data: &[u8]) {
    let options = ReadOptions::default();
    for game in record::Games::new(data, options).expect("memory does not fail").take(1000) {
        let _ = read(&game.expect("memory does not fail"), &options);
    }
}
