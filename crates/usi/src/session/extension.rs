//! Options that turn one game into another: `FREEZE OK` makes shogi Freeze shogi.

use game::GameOption;

/// A game that is played instead of another one while an option says so. Hosts that know only the option never set
/// `USI_Variant`.
#[derive(Clone, Debug)]
pub struct Extension {
    /// The game that `USI_Variant` names. Its sessions offer the options, too.
    pub base: &'static str,
    /// The game that is played instead.
    pub game: &'static str,
    /// The name of the option that decides.
    pub switch: &'static str,
    /// The value of that option with which `base` is played.
    pub off: &'static str,
    /// The options of `game`, among them the one that decides.
    pub options: Vec<GameOption>,
    /// Why one of the options cannot have a value.
    pub check: fn(name: &str, value: &str) -> Result<(), String>,
    /// Why the arguments of `position`, which `base` refuses, are refused: `None` if they would not be those of `game`
    /// either.
    pub refusal: fn(arguments: &str) -> Option<String>,
}

impl Extension {
    /// The game that is played with this value of the option that decides.
    pub(super) fn game_with(&self, value: &str) -> &'static str {
        if value == self.off { self.base } else { self.game }
    }
}
