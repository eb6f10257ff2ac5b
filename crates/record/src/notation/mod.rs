//! The trait [`Notation`]: reading, writing and showing the records of a game. All other code uses games through it.

pub mod freeze;
mod readable;
mod shogi;
mod told;
pub mod variant;

pub use self::readable::{Cell, Diagram, Fact, MoveOf, Readable};
pub use self::shogi::ShogiNotation;
pub use told::{Catalogue, FindVariant, GameVisitor, UnknownGame};

pub(crate) use told::{is_plainly_shogi, other_game};

use self::freeze::NoteStyle;
use self::variant::VariantError;
use crate::model::filter::Filter;
use crate::text::encoding::LineEnd;
use crate::{
    Ending, Fault, Format, GameResult, Games, Header, IllegalMoves, Note, ReadError, ReadOptions,
    ShowOptions, WriteOptions, Written,
};
use ::shogi::SetupError;
use game::{Color, Position};
use std::fmt::Write;
use std::sync::Arc;

/// The notation of one game.
pub trait Notation: Send + Sync {
    /// Reads a game that was split off its file; returns several if only this notation can separate them.
    fn read(&self, game: &[u8], options: &ReadOptions) -> Vec<ReadGame>;

    /// Reads all games of a file.
    fn read_file(&self, file: &[u8], options: &ReadOptions) -> Vec<ReadGame> {
        // Reading from memory does not fail.
        let games = Games::new(file, *options).into_iter().flatten().flatten();
        games.flat_map(|game| self.read(&game, options)).collect()
    }

    /// The write options for these options, with the game's defaults; fails if the game cannot be written so.
    fn write_options(&self, options: WriteOptions) -> Result<WriteOptions, NotationError> {
        Ok(options)
    }

    /// Whether illegal moves can be kept.
    fn keeps_illegal(&self) -> bool {
        false
    }
}

/// A game, or why it cannot be read.
pub type ReadGame = Result<Box<dyn LoadedGame>, NotationError>;

/// A game of any kind that was read.
pub trait LoadedGame {
    /// Whether it meets the conditions of a filter.
    fn passes(&self, filter: &Filter) -> bool;
    /// Moves of the main line.
    fn move_count(&self) -> usize;
    /// Its faults.
    fn notices(&self) -> Vec<Notice>;
    /// The bytes of a file, if the game supports the format.
    fn write(&self, options: &WriteOptions) -> Result<Written, NotationError>;
    /// Every position of the main line as SFEN, one to a line.
    fn positions(&self, line_end: LineEnd) -> String;
    /// Text for people to read.
    fn show(&self, options: &ShowOptions) -> String;
    /// The game's name, accepted by [`Catalogue::by_name`].
    fn game_name(&self) -> &str;
    /// Players, dates and other fields.
    fn header(&self) -> &Header;
    /// The header, mutably.
    fn header_mut(&mut self) -> &mut Header;
    /// The main line as the rules play it; an error where no game can start so.
    fn line(&self) -> Result<PlayedLine, SetupError>;
    /// A player's rating, as the record tells it.
    fn rating(&self, color: Color) -> Option<f64>;
    /// The ending of the main line, if the record has one.
    fn ending(&self) -> Option<&Ending>;
    /// The result.
    fn result(&self) -> GameResult;
    /// The notes after this many moves of the main line; `None` if it is shorter.
    fn note_mut(&mut self, moves: usize) -> Option<&mut Note>;
}

/// A main line, played by the rules of its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedLine {
    /// The text of the start position; `None` if it is the ordinary one.
    pub start: Option<String>,
    /// The side that moves first.
    pub first: Color,
    /// The moves in USI, blanks between them.
    pub moves: String,
    /// The key of each position, the start included: as many as there are moves, and one.
    pub keys: Vec<u64>,
}

impl PlayedLine {
    /// Plays moves as far as they are legal; `ordinary` is where games start if nothing else is said.
    pub fn play<P: Position>(mut position: P, ordinary: &P, moves: impl Iterator<Item = P::Move>) -> Self {
        let is_ordinary = position.key() == ordinary.key();
        let start = (!is_ordinary).then(|| position.to_text());
        let first = position.side();
        let (mut text, mut keys) = (String::new(), vec![position.key()]);
        for m in moves.take_while(|m| {
            let legal = position.is_legal(*m);
            if legal {
                position.do_move(*m);
                keys.push(position.key());
            }
            legal
        }) {
            if !text.is_empty() {
                text.push(' ');
            }
            // Writing to a string cannot fail.
            let _ = write!(text, "{m}");
        }
        Self { start, first, moves: text, keys }
    }
}

/// A notice about a game for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The kind, for counting.
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
    /// A game that is not in the catalogue.
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    /// An unknown name of a game.
    #[error(
        "--variant: expected shogi, freeze, binarsi or a game that `tsumugi variants list` shows, found `{0}`"
    )]
    NoSuchVariant(String),
    /// Keeping illegal moves is not supported for this game.
    #[error("--keep-illegal: only for shogi")]
    KeepIllegal,
    /// The game does not support the format.
    #[error("--to {0}: games of {1} are written as kif or usi")]
    Format(Format, String),
}

/// The notation for command-line options: a name, or a style of notes on freezes; else the records decide.
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
