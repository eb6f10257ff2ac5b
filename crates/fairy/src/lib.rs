//! Games defined in a `variants.ini`: 66shogi, minishogi, dobutsu and other relatives of shogi.
//!
//! | item | what it is |
//! |---|---|
//! | [`Library`] | the known variants: shipped ones, and those of files |
//! | [`FairyGame`], [`Position`] | a variant as a game |
//! | [`Move`], [`Square`], [`Piece`] | types that all boards share |
//! | [`Handcraft`] | an evaluation derived from the rules alone |
//! | [`Rules`] | the rules of a section |
//! | [`betza`] | the notation of piece moves |
//!
//! A section is parsed to [`Rules`], from which a [`Variant`] with tables of movement, masks and values is built once.
//! Only legal moves are generated: by masks of checks and pins if all attacks are leaps and slides, else (pieces that
//! hop or leap lamely) by testing each move.

mod board;
mod definition;
mod evaluation;
mod fairy_game;
mod movegen;
mod position;
mod shown;
mod text;
mod variant;

pub use board::kind::{Form, Kind, Piece};
pub use board::move_list::Moves;
pub use board::moves::{Move, Turn};
pub use board::square::{MOST_FILES, MOST_RANKS, Square, Squares};
pub use definition::betza;
pub use definition::library::{Library, Report};
pub use definition::message::{Message, Severity};
pub use definition::piece::{PieceId, PieceSet};
pub use definition::region::Region;
pub use definition::rules::{ChoiceGroup, Rules, Verdict};
pub use evaluation::Handcraft;
pub use fairy_game::FairyGame;
pub use movegen::Checks;
pub use position::{Change, Position, TextError};
pub use shown::{GroupProgress, SetupProgress};
pub use variant::Variant;
