//! Records of the other games, those that a `variants.ini` describes and Binarsi: USI lines, and KIF.
//!
//! The KIF is that of shogi with two more fields: 棋種 names the game, 開始局面 holds the SFEN of a start position other than
//! the game's own. Pieces without kanji are written with their letters; moves of Binarsi are its own codes.
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

mod kif_game;
mod notation;
mod read;
mod show;
mod write;

pub use kif_game::{KifGame, KifMove};
pub use read::read;
pub use show::show;
pub use write::{write_kif, write_usi};

use crate::format::kif::{Line, classify};
use crate::{Fault, GameRecord};
use game::{Game, Position};

/// A record of a game.
pub type VariantRecord<G> = GameRecord<<G as Game>::Position, <<G as Game>::Position as Position>::Move>;

/// A record and what was wrong with its moves.
pub struct VariantLoaded<G: Game> {
    /// The game.
    pub record: VariantRecord<G>,
    /// Moves that could not be taken over.
    pub faults: Vec<Fault>,
}

/// Why a record could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VariantError {
    /// No line begins a game.
    #[error("no game record found: expected `startpos moves …`, `sfen …` or KIF")]
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
        error: String,
    },
}

/// The field that names the game.
const GAME: &str = "棋種";
/// The field with the start position.
const START: &str = "開始局面";

/// Whether bytes in any encoding hold the field that names a game: a quick look before [`named`].
pub(crate) fn may_be_named(bytes: &[u8]) -> bool {
    /// 棋種 in Shift_JIS.
    const SHIFT_JIS: &[u8] = b"\x8a\xfb\x8e\xed";
    [GAME.as_bytes(), SHIFT_JIS].iter().any(|name| memchr::memmem::find(bytes, name).is_some())
}

/// Names of shogi itself in the field 棋種.
pub(crate) const SHOGI: [&str; 4] = ["shogi", "将棋", "本将棋", "平手"];

/// The game that a KIF of a variant names.
///
/// ```
/// assert_eq!(record::variant::named("先手：A\n棋種：minishogi\n"), Some("minishogi"));
/// ```
#[must_use]
pub fn named(text: &str) -> Option<&str> {
    crate::text::lines::lines(text).find_map(|line| match classify(line) {
        Line::Field(GAME, name) => Some(name.trim()),
        _ => None,
    })
}
