//! Games read from a `variants.ini`: 66shogi, minishogi, dobutsu and every other relative of shogi that such a file
//! can describe.
//!
//! | item | what it is |
//! |---|---|
//! | [`Library`] | the variants that are known: shipped ones, and those of files |
//! | [`FairyGame`], [`Position`] | a variant as a game |
//! | [`Move`], [`Square`], [`Piece`] | its vocabulary, the same for all boards |
//! | [`Handcraft`] | an evaluation that follows from the rules alone |
//! | [`Rules`] | what a section says |
//! | [`betza`] | how pieces' moves are written |
//!
//! A section becomes [`Rules`]; from them tables of movement, masks and values are worked out once ([`Variant`]).
//! The generator writes legal moves only: by masks of checks and pins where all attacks are leaps and slides, by
//! looking at each move where pieces hop or leap lamely.

mod attack_map;
pub mod betza;
mod evaluation;
mod fairy_game;
mod goals;
mod ini;
mod keys;
mod kind;
mod library;
mod message;
mod move_list;
mod movegen;
mod movement;
mod moves;
mod notation;
mod picture;
mod piece;
mod position;
mod region;
mod rules;
mod square;
mod values;
mod variant;

pub use evaluation::Handcraft;
pub use fairy_game::FairyGame;
pub use kind::{Form, Kind, Piece};
pub use library::{Library, Report};
pub use message::{Message, Severity};
pub use move_list::Moves;
pub use movegen::Checks;
pub use moves::{Move, Turn};
pub use piece::{PieceId, PieceSet};
pub use position::{Change, Position, TextError};
pub use region::Region;
pub use rules::{ChoiceGroup, Rules, Verdict};
pub use square::{MOST_FILES, MOST_RANKS, Square, Squares};
pub use variant::Variant;
