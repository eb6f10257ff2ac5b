//! Detects the game of a record from its content.

use super::freeze::{NoteStyle, is_freeze, may_be_freeze};
use super::{Notation, ReadGame, Readable, ShogiNotation, variant};
use crate::text::encoding::decode;
use crate::{Games, ReadOptions};
use ::freeze::Freeze;
use ::shogi::Shogi;
use binarsi::Binarsi;
use fairy::FairyGame;
use game::Game;
use std::sync::Arc;

/// Finds the games of variants.ini files by their names.
pub type FindVariant = Box<dyn Fn(&str) -> Option<FairyGame> + Send + Sync>;

/// All games. As a notation it reads each record as the game in its field 棋種, as Freeze shogi if it has notes on
/// freezes, else as shogi.
pub struct Catalogue {
    /// How notes on freezes are written.
    pub style: NoteStyle,
    /// Finds games of variants.ini files.
    pub find: FindVariant,
}

/// A record of an unknown game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("棋種 {0}: no such game; --variant-path FILE with --variant {0} reads it from a variants.ini")]
pub struct UnknownGame(String);

/// Limit of a name quoted in messages.
const LONGEST_NAME: usize = 40;

/// Something to do with a game that is chosen by name: it is compiled for each game.
pub trait GameVisitor {
    /// The result.
    type Output;

    /// Does it.
    fn visit<G: Readable>(self, game: G) -> Self::Output;
}

impl Catalogue {
    /// Does something with the game of this name, in which all may be played that players can agree on; `None` if there is none.
    pub fn visit<V: GameVisitor>(&self, name: &str, visitor: V) -> Option<V::Output> {
        Some(match name {
            "shogi" => visitor.visit(Shogi::default().for_referee()),
            "freeze" => visitor.visit(Freeze::default().for_referee()),
            "binarsi" => visitor.visit(Binarsi.for_referee()),
            _ => visitor.visit((self.find)(name)?.for_referee()),
        })
    }

    /// The notation of the game of this name.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<Arc<dyn Notation>> {
        Some(match name {
            "shogi" => Arc::new(ShogiNotation),
            "freeze" => Arc::new(self.style),
            "binarsi" => Arc::new(Binarsi),
            _ => Arc::new((self.find)(name)?),
        })
    }
}

impl Notation for Catalogue {
    fn read(&self, game: &[u8], options: &ReadOptions) -> Vec<ReadGame> {
        match name_of(game) {
            Some(name) => match self.by_name(&name) {
                Some(notation) => notation.read(game, options),
                None => vec![Err(UnknownGame(name.chars().take(LONGEST_NAME).collect()).into())],
            },
            None if is_freeze(game) => self.style.read(game, options),
            None => ShogiNotation.read(game, options),
        }
    }

    fn read_file(&self, file: &[u8], options: &ReadOptions) -> Vec<ReadGame> {
        if is_plainly_shogi(file) {
            return ShogiNotation.read_file(file, options);
        }
        // Reading from memory does not fail.
        let games = Games::new(file, *options).into_iter().flatten().flatten();
        games.flat_map(|game| self.read(&game, options)).collect()
    }
}

/// Whether a file certainly contains only games of shogi; a quick test.
pub(crate) fn is_plainly_shogi(file: &[u8]) -> bool {
    !variant::may_be_named(file) && !may_be_freeze(file)
}

/// The name of the game in a record, unless that is shogi.
fn name_of(game: &[u8]) -> Option<String> {
    let named = variant::may_be_named(game).then(|| variant::named(&decode(game).text).map(str::to_owned));
    named.flatten().filter(|name| !variant::SHOGI.contains(&name.as_str()))
}

/// The name of the game of a record that is not shogi.
pub(crate) fn other_game(game: &[u8]) -> Option<String> {
    let freeze = || "Freeze shogi".to_owned();
    let named = || name_of(game).map(|name| name.chars().take(LONGEST_NAME).collect());
    is_freeze(game).then(freeze).or_else(named)
}
