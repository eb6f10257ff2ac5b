//! The formats of game files that matches write.

use serde::{Deserialize, Serialize};

/// The formats of game files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordFormat {
    /// KIF, in UTF-8.
    Kif,
    /// CSA.
    Csa,
    /// A line of USI.
    Usi,
}

impl RecordFormat {
    /// The default formats of a game.
    #[must_use]
    pub fn defaults(game: &str) -> Vec<Self> {
        vec![Self::Kif, if game == crate::setup::SHOGI { Self::Csa } else { Self::Usi }]
    }

    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Kif => "kifu",
            Self::Csa => "csa",
            Self::Usi => "usi",
        }
    }
}
