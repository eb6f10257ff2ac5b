//! Records of games that a `variants.ini` describes: USI lines, and KIF with the kanji that shogi has.
//!
//! The KIF is that of shogi with two more fields: 棋種 names the game, 開始局面 holds the SFEN of a start position other than
//! the game's own. Pieces without kanji are written with their letters.
//!
//! ```
//! use record::variant;
//! let game = fairy::Library::shipped().game("minishogi").unwrap();
//! let loaded = variant::read(&game, "startpos moves 3e3d 3a3b resign", None)?;
//! let kif = variant::write_kif(&game, &loaded[0].record);
//! assert!(kif.contains("棋種：minishogi\n") && kif.contains("   2 ３二銀(31)\n"));
//! let again = variant::read(&game, &kif, None)?;
//! assert_eq!(variant::write_usi(&game, &again[0].record), "startpos moves 3e3d 3a3b resign");
//! # Ok::<(), variant::VariantError>(())
//! ```

mod read;
mod show;
mod write;

pub use read::read;
pub use show::show;
pub use write::{write_kif, write_usi};

use crate::kif::{Line, classify};
use crate::{Fault, GameRecord};
use fairy::{Move, Position, TextError};

/// A record of a variant.
pub type VariantRecord = GameRecord<Position, Move>;

/// A record and what was wrong with its moves.
pub struct VariantLoaded {
    /// The game.
    pub record: VariantRecord,
    /// Moves that could not be taken over.
    pub faults: Vec<Fault>,
}

/// Why a record could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VariantError {
    /// No line begins a game.
    #[error("no record found: expected `startpos moves …`, `sfen …` or KIF")]
    Nothing,
    /// The file says that it is another game.
    #[error("line {line}: a record of {found}, expected {expected}")]
    OtherGame {
        /// Its number, from 1.
        line: usize,
        /// The game that is read.
        expected: String,
        /// The game of the file.
        found: String,
    },
    /// A start position that is none.
    #[error("line {line}: {error}")]
    Start {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        error: TextError,
    },
}

/// The field that names the game.
const GAME: &str = "棋種";
/// The field with the start position.
const START: &str = "開始局面";

/// The game that a KIF of a variant names.
///
/// ```
/// assert_eq!(record::variant::named("先手：A\n棋種：minishogi\n"), Some("minishogi"));
/// ```
#[must_use]
pub fn named(text: &str) -> Option<&str> {
    crate::lines::lines(text).find_map(|line| match classify(line) {
        Line::Field(GAME, name) => Some(name.trim()),
        _ => None,
    })
}
