//! Records of Freeze shogi: KIF and KI2 with notes on freezes, and lines of USI.
//!
//! ```
//! use record::freeze::{NoteStyle, read, write};
//! use record::encoding::Encoding;
//! use record::{Format, WriteOptions};
//! let kif = "手合割：平手\n手数----指手---------消費時間--\n*Freeze 先手 3回 後手 3回\n\
//!            1 ７六歩(77)   ( 0:00/00:00:00)\n*z金 先手2回 後手3回\n";
//! let loaded = read(kif.as_bytes(), None)?;
//! assert_eq!(loaded.record.moves().map(|m| m.to_string()).collect::<Vec<_>>(), ["7g7fzG"]);
//! let options = WriteOptions { encoding: Some(Encoding::Utf8), ..WriteOptions::new(Format::Kif) };
//! let written = write(&loaded.record, &options, NoteStyle::Inline);
//! assert!(String::from_utf8_lossy(&written.bytes).contains("(z金 先手2回 後手3回)"));
//! # Ok::<(), record::ReadError>(())
//! ```

mod line;
mod notation;
mod notes;
mod read;
mod show;
mod write;

pub use line::of_position;
pub use read::{FreezeLoaded, Warning, is_freeze, read};
pub use show::show;
pub use write::{NoteStyle, positions, write};

pub(in crate::notation) use notes::marker_text;
pub(crate) use read::may_be_freeze;
pub(crate) use write::with_notes;

use crate::{GameRecord, NodeId};
use ::freeze::{Counts, Move, Position};
use game::Position as _;
use shogi::{PieceKind, Setup, SetupError};
use std::collections::BTreeMap;

/// The start position of a game of Freeze shogi.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FreezeStart {
    /// Board and hands.
    pub setup: Setup,
    /// The frozen kind, for the side to move.
    pub frozen: Option<PieceKind>,
    /// The freezes of each player at the start.
    pub left: Counts,
    /// Counts after moves as the file states them, where they differ from those that the moves lead to.
    pub said: BTreeMap<NodeId, Counts>,
}

impl FreezeStart {
    /// The position, if it is valid.
    pub fn position(&self) -> Result<Position, SetupError> {
        Ok(Position::new(shogi::Position::try_from(self.setup.clone())?, self.frozen, self.left))
    }

    /// Plays the move of a node, if it is legal. Records may raise the counts of freezes during a game.
    fn play(&self, position: &mut Position, id: NodeId, m: Move) -> bool {
        let (side, left) = (position.side(), position.left());
        if m.freezes.is_some() && left.of(side) == 0 {
            position.set_left(left.with_one_more(side));
        }
        if !position.is_legal(m) {
            position.set_left(left);
            return false;
        }
        position.do_move(m);
        if let Some(said) = self.said.get(&id) {
            position.set_left(*said);
        }
        true
    }
}

/// A record of Freeze shogi.
pub type FreezeRecord = GameRecord<FreezeStart, Move>;

/// The positions of the main line, the start position first; empty if that is invalid.
fn main_line(record: &FreezeRecord) -> Vec<Position> {
    let Ok(mut position) = record.start.position() else { return Vec::new() };
    let mut positions = vec![position.clone()];
    for id in record.tree.main_line() {
        let Some(m) = record.tree[id].played() else { break };
        if !record.start.play(&mut position, id, *m) {
            break;
        }
        positions.push(position.clone());
    }
    positions
}

/// Prefix of a comment that stands for a note on the line of its move.
const INLINE: &str = "@freeze-inline@";
