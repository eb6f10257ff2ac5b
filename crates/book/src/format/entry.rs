//! One position of a book.

use crate::BookMove;
use crate::format::board_text::push_place;
use crate::format::book_move::{insert_move, sort_moves};
use shogi::{Position, Setup, SfenError};
use std::cmp::Ordering;
use std::fmt;

/// A position with its moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// Board, side to move and hands: canonical SFEN without the move number.
    pub place: Vec<u8>,
    /// The move number.
    pub ply: u32,
    /// The moves.
    pub moves: Vec<BookMove>,
}

/// The lines of a text book.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sfen {}", self.sfen())?;
        self.moves.iter().try_for_each(|m| write!(f, "\n{m}"))
    }
}

impl Entry {
    /// An entry for a position.
    #[must_use]
    pub fn of(position: &Position, moves: Vec<BookMove>) -> Self {
        let mut place = Vec::with_capacity(80);
        push_place(&mut place, &position.setup());
        Self { place, ply: position.ply(), moves }
    }

    /// The SFEN including the move number.
    #[must_use]
    pub fn sfen(&self) -> String {
        format!("{} {}", self.place_str(), self.ply)
    }

    /// The place as text.
    #[must_use]
    pub fn place_str(&self) -> &str {
        // Readers only accept ASCII.
        std::str::from_utf8(&self.place).unwrap_or_default()
    }

    /// The bare position.
    pub fn setup(&self) -> Result<Setup, SfenError> {
        Ok(Setup { ply: self.ply.max(1), ..self.place_str().parse()? })
    }

    /// The position, with room for some moves.
    pub fn position(&self) -> Result<Position, SfenError> {
        Ok(Position::with_room(&self.setup()?, 8)?)
    }

    /// Whether the moves are in the order of books.
    #[must_use]
    pub fn is_sorted(&self) -> bool {
        self.moves.is_sorted_by(|a, b| (b.count, b.value) <= (a.count, a.value))
    }

    /// Brings the moves into the order of books.
    pub fn sort(&mut self) {
        sort_moves(&mut self.moves);
    }

    /// Merges the moves of the same position later in the file.
    pub fn absorb(&mut self, later: &Self) {
        for m in &later.moves {
            insert_move(&mut self.moves, *m);
        }
    }

    /// Merges the same position later in the file: the smaller move number wins; with equal numbers the moves are
    /// united.
    pub(crate) fn unite(&mut self, later: Self) {
        match later.ply.cmp(&self.ply) {
            Ordering::Less => *self = later,
            Ordering::Equal => self.absorb(&later),
            Ordering::Greater => {}
        }
    }

    /// Merges moves that are listed twice.
    pub(crate) fn unite_moves(&mut self) {
        let twice = |moves: &[BookMove]| {
            moves.iter().enumerate().any(|(i, m)| moves[..i].iter().any(|earlier| earlier.play == m.play))
        };
        if twice(&self.moves) {
            let moves = std::mem::take(&mut self.moves);
            self.absorb(&Self { moves, ..Self::default() });
        }
    }

    /// The same position seen from the other side.
    pub fn flip(&self) -> Result<Self, SfenError> {
        let mut place = Vec::with_capacity(80);
        push_place(&mut place, &self.setup()?.flip());
        Ok(Self { place, ply: self.ply, moves: self.moves.iter().map(|m| m.flip()).collect() })
    }
}
