use game::Game;

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Script {
    /// Plain ASCII, safe on every terminal and for every host.
    #[default]
    Ascii,
    /// Japanese.
    Kanji,
}

/// What a game adds for a person at the console.
pub trait ConsoleGame: Game {
    /// The board, the hands, whatever a person wants to see; lines separated by `\n`.
    fn picture(&self, position: &Self::Position, script: Script) -> String;

    /// The position seen from the other side; `None` where the game has no such symmetry.
    fn flip(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }

    /// The position with very many moves that people test move generators on, if the game has one.
    fn festival(&self) -> Option<Self::Position> {
        None
    }
}
