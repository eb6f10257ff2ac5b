//! Files of variants from any bytes.
//!
//! Not a module of the library beside it: the smoke test of this one lives in `crates/fairy`.

use fairy::Library;
use game::{Game, Position};
use std::sync::OnceLock;

/// Any bytes are read without panic; each remark names a line of the file, and whatever was accepted can be played: the
/// list agrees with `is_legal`, texts are read back, undo restores all.
pub fn variants(data: &[u8]) {
    static SHIPPED: OnceLock<Library> = OnceLock::new();
    let text = String::from_utf8_lossy(data);
    let mut library = SHIPPED.get_or_init(Library::shipped).clone();
    let report = library.read(&text);
    let lines = text.split('\n').count();
    for message in &report.messages {
        assert!((1..=lines).contains(&message.line), "{message}");
        assert!(message.to_string().len() < 1000 + text.len(), "{message}");
    }
    for name in report.added.iter().take(3) {
        let game = library.game(name).expect("what was added is known");
        let mut position = game.startpos();
        for ply in 0..12 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[(data.len() * 31 + ply * 7) % moves.len()];
            assert!(position.is_legal(m), "{m} in {}", position.to_text());
            position.do_move(m);
            let again = game.position(&position.to_text()).expect("its own text");
            assert_eq!(again.to_text(), position.to_text());
        }
        while position.can_undo() {
            position.undo_move();
        }
        assert_eq!(position.key(), game.startpos().key());
        assert!(!game.picture(&position, game::Script::Kanji).is_empty());
    }
}
