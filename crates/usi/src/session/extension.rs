//! Options that choose a game: `FREEZE OK` turns shogi into Freeze shogi.

use game::GameOption;

/// A game that an option turns another one into, for hosts that set only this option and never `USI_Variant`.
#[derive(Clone, Debug)]
pub struct Extension {
    /// The game in `USI_Variant`, whose sessions offer the options, too.
    pub base: &'static str,
    /// The game played instead.
    pub game: &'static str,
    /// The deciding option.
    pub switch: &'static str,
    /// The value of that option for playing `base`.
    pub off: &'static str,
    /// The options of `game`, including the deciding one.
    pub options: Vec<GameOption>,
    /// Why an option cannot have a value.
    pub check: fn(name: &str, value: &str) -> Result<(), String>,
    /// Why `position` arguments that `base` refuses are refused; `None` if they are not valid in `game` either.
    pub refusal: fn(arguments: &str) -> Option<String>,
}

impl Extension {
    /// The game for a value of the deciding option.
    pub(super) fn game_with(&self, value: &str) -> &'static str {
        if value == self.off { self.base } else { self.game }
    }
}
