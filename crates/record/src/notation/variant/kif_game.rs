//! Moves of a game in KIF.

use binarsi::Binarsi;
use fairy::FairyGame;
use game::{Game, MoveTextError, Position};

/// The text after the number in a line of KIF.
pub enum KifMove<'a, M> {
    /// A legal move, and the rest of the line.
    Move(M, &'a str),
    /// An illegal move.
    Illegal,
    /// Something else, such as the word for an ending.
    Other,
}

/// A game with a notation of moves in KIF; the default is USI.
pub trait KifGame: Game {
    /// The text of a legal move.
    fn kif_move(position: &Self::Position, m: <Self::Position as Position>::Move) -> String {
        let _ = position;
        m.to_string()
    }

    /// Reads a move as [`KifGame::kif_move`] writes it.
    fn read_kif_move<'a>(
        position: &Self::Position,
        text: &'a str,
    ) -> KifMove<'a, <Self::Position as Position>::Move> {
        let word = text.split([' ', '\u{3000}', '\t']).next().unwrap_or_default();
        match position.parse_move(word) {
            Ok(m) => KifMove::Move(m, &text[word.len()..]),
            Err(MoveTextError::Illegal(_)) => KifMove::Illegal,
            Err(MoveTextError::Syntax(_)) => KifMove::Other,
        }
    }
}

impl KifGame for Binarsi {}

impl KifGame for FairyGame {
    fn kif_move(position: &fairy::Position, m: fairy::Move) -> String {
        position.kif_move(m)
    }

    fn read_kif_move<'a>(position: &fairy::Position, text: &'a str) -> KifMove<'a, fairy::Move> {
        match position.read_kif_move(text) {
            Some((m, rest)) => KifMove::Move(m, rest),
            None if has_square(text) => KifMove::Illegal,
            None => KifMove::Other,
        }
    }
}

/// Unlike moves, words for endings do not begin with squares.
fn has_square(text: &str) -> bool {
    text.starts_with('同') || text.starts_with(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c))
}
