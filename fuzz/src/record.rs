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
    games(format, data);
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

/// Files with many games: what is read without being cut is what each game gives that is cut out, as `tsumugi convert` does
/// with small files and with large ones.
fn games(format: Option<Format>, data: &[u8]) {
    const MOST: usize = 1000;
    let options = ReadOptions { format, ..Default::default() };
    let cut = record::Games::new(data, options).expect("memory does not fail").take(MOST);
    let mut cut = cut.map(|game| read(&game.expect("memory does not fail"), &options));
    // A mark says something of the encoding, and is cut off.
    let marked = data.starts_with(b"\xef\xbb\xbf");
    for whole in record::read_all(data, options).take(MOST) {
        match (whole, cut.next().expect("as many games")) {
            _ if marked => {}
            (Ok(whole), Ok(cut)) => {
                assert_eq!((whole.format, whole.encoding), (cut.format, cut.encoding));
                assert_eq!((whole.record, whole.faults), (cut.record, cut.faults));
            }
            (whole, cut) => assert_eq!(whole.err(), cut.err()),
        }
    }
    assert!(cut.next().is_none(), "as many games");
}
