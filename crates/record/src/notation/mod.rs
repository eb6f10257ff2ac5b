//! How the records of each game are read, written and shown; everything else goes through this trait.

pub mod freeze;
mod shogi;
mod told;
pub mod variant;

pub use self::shogi::ShogiNotation;
pub use told::{Catalogue, FindVariant, UnknownGame};

pub(crate) use told::{is_plainly_shogi, other_game};

use self::freeze::NoteStyle;
use self::variant::VariantError;
use crate::model::filter::Filter;
use crate::text::encoding::LineEnd;
use crate::{Fault, Format, Games, IllegalMoves, ReadError, ReadOptions, ShowOptions, WriteOptions, Written};
use std::sync::Arc;

/// The notation of one game.
pub trait Notation: Send + Sync {
    /// Reads a game that was cut out of its file; more than one where only this notation can tell them apart.
    fn read(&self, game: &[u8], options: &ReadOptions) -> Vec<ReadGame>;

    /// Reads all games of a file.
    fn read_file(&self, file: &[u8], options: &ReadOptions) -> Vec<ReadGame> {
        // Reading from memory does not fail.
        let games = Games::new(file, *options).into_iter().flatten().flatten();
        games.flat_map(|game| self.read(&game, options)).collect()
    }

    /// How games are written unless something else is chosen, or why they cannot be.
    fn write_options(&self, options: WriteOptions) -> Result<WriteOptions, NotationError> {
        Ok(options)
    }

    /// Whether moves against the rules can be kept.
    fn keeps_illegal(&self) -> bool {
        false
    }
}

/// A game, or why there is none.
pub type ReadGame = Result<Box<dyn LoadedGame>, NotationError>;

/// A game that was read, of whichever kind.
pub trait LoadedGame {
    /// Whether a filter lets it pass.
    fn passes(&self, filter: &Filter) -> bool;
    /// Moves of the main line.
    fn move_count(&self) -> usize;
    /// What was wrong with it.
    fn notices(&self) -> Vec<Notice>;
    /// The bytes of a file, if the game has the format.
    fn write(&self, options: &WriteOptions) -> Result<Written, NotationError>;
    /// Every position of the main line as SFEN, one to a line.
    fn positions(&self, line_end: LineEnd) -> String;
    /// Text for people to read.
    fn show(&self, options: &ShowOptions) -> String;
}

/// Something about a game that the user should know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// What kind of thing it is, for counting.
    pub kind: &'static str,
    /// What it is.
    pub text: String,
}

impl From<&Fault> for Notice {
    fn from(fault: &Fault) -> Self {
        Self { kind: fault.reason.kind(), text: fault.to_string() }
    }
}

/// Why a game cannot be read or written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotationError {
    /// A record of shogi or Freeze shogi.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A record of another game.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A game that the catalogue does not have.
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    /// A name that is none of a game.
    #[error(
        "--variant: expected shogi, freeze, binarsi or a game that `tsumugi variants list` shows, found `{0}`"
    )]
    NoSuchVariant(String),
    /// Moves against the rules of another game.
    #[error("--keep-illegal: only for shogi")]
    KeepIllegal,
    /// A format that the game does not have.
    #[error("--to {0}: games of {1} are written as kif or usi")]
    Format(Format, String),
}

/// The notation for what a command line says: a name, or notes on freezes of some style; else each record says it.
pub fn choose(
    name: Option<&str>,
    freeze: Option<NoteStyle>,
    illegal: IllegalMoves,
    find: FindVariant,
) -> Result<Arc<dyn Notation>, NotationError> {
    let keep = illegal == IllegalMoves::Keep;
    let catalogue = Catalogue { style: freeze.unwrap_or_default(), find };
    let notation: Arc<dyn Notation> = match name {
        Some(name) => catalogue.by_name(name).ok_or_else(|| NotationError::NoSuchVariant(name.to_owned()))?,
        None if freeze.is_some() => Arc::new(catalogue.style),
        None if keep => Arc::new(ShogiNotation),
        None => Arc::new(catalogue),
    };
    if keep && !notation.keeps_illegal() {
        return Err(NotationError::KeepIllegal);
    }
    Ok(notation)
}
