//! Records that say themselves of which game they are.

use super::freeze::{NoteStyle, is_freeze, may_be_freeze};
use super::{Notation, ReadGame, ShogiNotation, variant};
use crate::text::encoding::decode;
use crate::{Games, ReadOptions};
use binarsi::Binarsi;
use fairy::FairyGame;
use std::sync::Arc;

/// Finds the games of variants.ini files by their names.
pub type FindVariant = Box<dyn Fn(&str) -> Option<FairyGame> + Send + Sync>;

/// All games. As a notation it reads each record as the game that its field 棋種 names, as Freeze shogi where there are notes on
/// freezes, else as shogi.
pub struct Catalogue {
    /// How notes on freezes are written.
    pub style: NoteStyle,
    /// The games of variants.ini files.
    pub find: FindVariant,
}

/// A record of a game that is not known.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("棋種 {0}: no such game; --variant-path FILE with --variant {0} reads it from a variants.ini")]
pub struct UnknownGame(String);

/// Messages quote no more of a name.
const LONGEST_NAME: usize = 40;

impl Catalogue {
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

/// Whether no game of a file can be of anything but shogi; a quick look.
pub(crate) fn is_plainly_shogi(file: &[u8]) -> bool {
    !variant::may_be_named(file) && !may_be_freeze(file)
}

/// The game that a record names, unless that is shogi.
fn name_of(game: &[u8]) -> Option<String> {
    let named = variant::may_be_named(game).then(|| variant::named(&decode(game).text).map(str::to_owned));
    named.flatten().filter(|name| !variant::SHOGI.contains(&name.as_str()))
}

/// The game of a record of anything but shogi.
pub(crate) fn other_game(game: &[u8]) -> Option<String> {
    let freeze = || "Freeze shogi".to_owned();
    let named = || name_of(game).map(|name| name.chars().take(LONGEST_NAME).collect());
    is_freeze(game).then(freeze).or_else(named)
}
