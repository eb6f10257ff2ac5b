//! Records of Binarsi and the games of a `variants.ini`: USI lines and KIF.
//!
//! The KIF is that of shogi with two more fields: 棋種 is the game's name, 開始局面 the SFEN of a start position other than
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

/// A record, with its faults.
pub struct VariantLoaded<G: Game> {
    /// The game.
    pub record: VariantRecord<G>,
    /// Moves that were left out.
    pub faults: Vec<Fault>,
}

/// Why a record could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VariantError {
    /// No line is the beginning of a game.
    #[error("no game record found: expected `startpos moves …`, `sfen …` or KIF")]
    Nothing,
    /// The file is of another game.
    #[error("line {line}: a record of {found}, expected {expected}")]
    OtherGame {
        /// Its number, from 1.
        line: usize,
        /// The expected game.
        expected: String,
        /// The game of the file.
        found: String,
    },
    /// An invalid start position.
    #[error("line {line}: {error}")]
    Start {
        /// Its number, from 1.
        line: usize,
        /// Why.
        error: String,
    },
}

/// The field with the name of the game.
const GAME: &str = "棋種";
/// The field with the start position.
const START: &str = "開始局面";

/// Whether bytes in any encoding contain the field 棋種: a quick test before [`named`].
pub(crate) fn may_be_named(bytes: &[u8]) -> bool {
    /// 棋種 in Shift_JIS.
    const SHIFT_JIS: &[u8] = b"\x8a\xfb\x8e\xed";
    [GAME.as_bytes(), SHIFT_JIS].iter().any(|name| memchr::memmem::find(bytes, name).is_some())
}

/// Names of shogi itself in the field 棋種.
pub(crate) const SHOGI: [&str; 4] = ["shogi", "将棋", "本将棋", "平手"];

/// The name of the game in a KIF of a variant.
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
