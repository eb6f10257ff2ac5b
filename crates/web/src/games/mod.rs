//! Every game behind one face: positions to draw, moves to name, records to read and write.

mod adapter;
mod binarsi;
mod faces;
mod freeze;
mod named_pieces;
mod notes;
mod record;
mod sfen;
mod shogi;
mod shown;
mod typed;
mod variant;

pub use notes::ending_words;
pub use record::{Noted, ReadRecord, WriteStep, WrittenText};
pub use shown::Shown;

use crate::protocol::{
    Edited, EditedPosition, Expansion, NamedMove, Refusal, RefusalCode, Rules, Scene, SceneOutcome, Side,
    Words,
};
use ::record::{Format, encoding::Encoding};
use adapter::GameAdapter;
use engines::{Catalogue, Level, Rank};
use std::sync::Arc;

/// Names of the levels, the weakest first: ranks where a game has them.
fn level_names(ranks: bool) -> Vec<Words> {
    let name = |rank: Rank| {
        if ranks {
            Words::new(rank.japanese(), rank.english())
        } else {
            let number = rank.number();
            Words::new(format!("レベル {number}"), format!("Level {number}"))
        }
    };
    Rank::all().take(Level::STEPS).map(name).collect()
}

/// The rules of a game.
pub trait AnyGame: Send + Sync {
    /// What stays the same throughout a game.
    fn rules(&self) -> &Rules;

    /// A position of play, ready for moves.
    fn line(&self, start: &str) -> Result<Box<dyn Line>, Refusal>;

    /// The start position as canonical text.
    fn start(&self) -> String;

    /// A position that people put together, and what is wrong with it.
    fn compose(&self, position: &EditedPosition) -> Edited;

    /// A position given as text, and what is wrong with it.
    fn examine(&self, text: &str) -> Edited;

    /// All records in some bytes.
    fn read(&self, bytes: &[u8], promised: Option<Format>) -> Result<Vec<ReadRecord>, Refusal>;

    /// A record in a format.
    fn write(
        &self,
        start: &str,
        header: &[[String; 2]],
        steps: &[WriteStep<'_>],
        format: Format,
        encoding: Encoding,
    ) -> Result<WrittenText, Refusal>;
}

/// A position with the moves that led to it.
pub trait Line: Send {
    /// What to draw.
    fn scene(&self) -> Scene;

    /// The side to move.
    fn side(&self) -> Side;

    /// The position as text.
    fn text(&self) -> String;

    /// How the game ended by its rules.
    fn outcome(&self) -> Option<SceneOutcome>;

    /// The side to move may declare a win.
    fn may_declare(&self) -> bool;

    /// Whether there is a legal move that begins like this and no other.
    fn name(&self, text: &str) -> Result<NamedMove, Refusal>;

    /// Plays a move as the rules write it, or as people type it.
    fn play(&mut self, text: &str) -> Result<NamedMove, Refusal>;

    /// Plays a legal move as the rules write it, without naming it: the way to a node of a record.
    fn replay(&mut self, text: &str) -> Result<(), Refusal>;

    /// Takes the last move back; nothing happens at the start.
    fn undo(&mut self);

    /// The moves of a base move.
    fn expand(&self, base: &str) -> Result<Expansion, Refusal>;
}

/// All games by their names.
pub struct Games {
    games: Vec<Arc<dyn AnyGame>>,
}

impl Games {
    /// The games of a catalogue.
    #[must_use]
    pub fn new(catalogue: &Catalogue) -> Self {
        let games = catalogue.game_names().iter().filter_map(|name| open(catalogue, name)).collect();
        Self { games }
    }

    /// The game of this name.
    pub fn get(&self, name: &str) -> Result<Arc<dyn AnyGame>, Refusal> {
        let found = self.games.iter().find(|game| game.rules().game.game == name);
        found.cloned().ok_or_else(|| {
            let shown: String = name.chars().take(40).collect();
            Refusal::new(RefusalCode::Unknown, format!("no game `{shown}`: choose one that `about` lists"))
        })
    }

    /// All games.
    pub fn all(&self) -> impl Iterator<Item = &Arc<dyn AnyGame>> {
        self.games.iter()
    }

    /// Reads a file or a pasted text: records of any game in any format, or a position.
    pub fn read(
        &self,
        bytes: &[u8],
        promised: Option<Format>,
        hint: &str,
    ) -> Result<Vec<ReadRecord>, Refusal> {
        let named = ::record::variant::named(&::record::encoding::decode(bytes).text).map(str::to_owned);
        let name = match named {
            Some(name) if self.get(&name).is_ok() => name,
            _ if ::record::freeze::is_freeze(bytes) => "freeze".to_owned(),
            _ => "shogi".to_owned(),
        };
        let first = self.get(&name)?.read(bytes, promised);
        if name != "shogi" || hint == "shogi" {
            return first;
        }
        // A line of USI or a bare position does not say its game: the board at hand is asked, too.
        let Ok(hinted) = self.get(hint) else { return first };
        match (first, hinted.read(bytes, promised)) {
            (_, Ok(records)) => Ok(records),
            (first, Err(_)) => first,
        }
    }
}

/// The game of a name as boards see it.
fn open(catalogue: &Catalogue, name: &str) -> Option<Arc<dyn AnyGame>> {
    Some(match name {
        "shogi" => Arc::new(GameAdapter::new(::shogi::Shogi::default())),
        "freeze" => Arc::new(GameAdapter::new(freeze::for_boards())),
        "binarsi" => Arc::new(GameAdapter::new(::binarsi::Binarsi)),
        _ => Arc::new(GameAdapter::new(catalogue.variant(name)?)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_of_the_catalogue_opens() {
        let catalogue = Catalogue::default();
        let games = Games::new(&catalogue);
        for name in catalogue.game_names() {
            let game = games.get(&name).unwrap();
            let mut line = game.line(&game.start()).unwrap();
            let scene = line.scene();
            assert_eq!(scene.cells.len(), scene.files.len() * scene.ranks.len(), "{name}");
            let origin = &scene.legal[0];
            let base = format!("{}{}", origin.from, origin.to[0].to);
            let choices = line.expand(&base).unwrap().choices;
            assert!(!choices.is_empty(), "{name} {base}");
            let first = &choices[0];
            assert!(!first.name.ja.is_empty() && !first.name.en.is_empty(), "{name}");
            line.play(&first.text).unwrap();
            let next = line.scene();
            assert!(!next.last.is_empty() || name == "binarsi", "{name}");
            assert!(!next.say.ja.is_empty());
            line.undo();
            assert_eq!(line.text(), game.start(), "{name}");
            for cell in scene.cells.iter().flatten() {
                let kinds = &game.rules().palette.pieces;
                assert!(kinds.iter().any(|face| face.kind == cell.kind), "{name}: {}", cell.kind);
            }
        }
    }
}
