//! Positions, moves and records of variants from any bytes.
//!
//! Not a module of the library beside it: the smoke test of this one lives in `crates/fairy`.

use fairy::{FairyGame, Library};
use game::{Game, Position};
use std::sync::OnceLock;

/// The first line names a shipped variant (or its number), the rest is what follows the word `position`. Whatever is accepted
/// can be written, read back and played; moves in Japanese are read without panic.
pub fn variant_positions(data: &[u8]) {
    static GAMES: OnceLock<Vec<FairyGame>> = OnceLock::new();
    let games = GAMES.get_or_init(|| {
        let library = Library::shipped();
        library.names().filter_map(|name| library.game(name)).collect()
    });
    let text = String::from_utf8_lossy(data);
    let (name, command) = text.split_once('\n').unwrap_or(("", &text));
    let number = name.bytes().fold(0, |sum, byte| sum + usize::from(byte)) % games.len();
    let game = games.iter().find(|game| game.name() == name).unwrap_or(&games[number]);
    let _ = game.startpos().read_kif_move(command);
    let Ok(mut position) = game.position_command(command) else { return };
    let again = game.position(&position.to_text()).expect("its own text");
    assert_eq!((again.to_text(), again.key()), (position.to_text(), position.key()));
    let key = position.key();
    let moves = position.legal_moves();
    for m in moves.iter() {
        assert_eq!(position.parse_move(&m.to_string()), Ok(*m));
        let kif = position.kif_move(*m);
        assert_eq!(position.read_kif_move(&kif), Some((*m, "")), "{kif} in {}", position.to_text());
        position.do_move(*m);
        let _ = position.outcome();
        position.undo_move();
    }
    assert_eq!(position.key(), key);
    assert!(!game.picture(&position, game::Script::Ascii).is_empty());
}
