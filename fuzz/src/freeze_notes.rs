//! Records of Freeze shogi.

use record::encoding::Encoding;
use record::freeze::{FreezeRecord, NoteStyle, positions, read, show, write};
use record::{Format, WriteOptions};

/// Notes on freezes are taken or left, and what was read is read again however it is written.
pub fn freezes(format: Option<Format>, data: &[u8]) {
    let Ok(loaded) = read(data, format) else { return };
    for warning in &loaded.warnings {
        assert!(warning.to_string().len() < 500, "a long message: {warning}");
    }
    let game = &loaded.record;
    let _ = (show(game, &record::ShowOptions::default()), positions(game, record::encoding::LineEnd::Lf));
    let moves = |game: &FreezeRecord| -> Vec<String> {
        let played =
            |id: record::NodeId| game.tree[id].played().map(|m| format!("{}: {m}", game.tree[id].ply()));
        game.tree.walk().filter_map(played).collect()
    };
    for (format, style) in [
        (Format::Kif, NoteStyle::Comments),
        (Format::Kif, NoteStyle::Inline),
        (Format::Ki2, NoteStyle::Comments),
    ] {
        let options = WriteOptions { encoding: Some(Encoding::Utf8), ..WriteOptions::new(format) };
        let written = write(game, &options, style);
        let text = String::from_utf8_lossy(&written.bytes);
        let again = read(&written.bytes, Some(format)).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(moves(&again.record), moves(game), "{format} {style:?}: {text}");
    }
    let _ = write(game, &WriteOptions::new(Format::Usi), NoteStyle::Comments);
}
