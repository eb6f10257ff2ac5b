//! Positions of Freeze shogi: whatever is read can be written, read again and played.

use freeze::{Acceptance, Freeze};
use game::{Game, Position};

/// What follows the word `position`, with every value of FREEZE.
pub fn freeze(data: &[u8]) {
    let Ok(command) = std::str::from_utf8(data) else { return };
    for acceptance in Acceptance::ALL {
        let game = Freeze { acceptance, ..Freeze::default() };
        let Ok(mut position) = game.position_command(command) else { continue };
        let text = position.to_text();
        if acceptance == Acceptance::Ok {
            let again = game.position(&text).expect("canonical text is read");
            assert_eq!(again.to_text(), text);
            assert_eq!(again.key(), position.key());
        }
        let moves = position.legal_moves();
        for &m in moves.iter().step_by(1 + moves.len() / 16) {
            assert_eq!(position.parse_move(&m.to_string()), Ok(m));
            position.do_move(m);
            position.undo_move();
        }
        assert_eq!(position.to_text(), text);
    }
}
