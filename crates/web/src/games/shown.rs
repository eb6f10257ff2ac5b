//! What a game adds to what follows from its text and its moves.

use super::record::{ReadRecord, WriteStep, WrittenText};
use crate::protocol::{Choice, EditedPosition, GameName, Palette, Refusal, RefusalCode, Scene};
use ::record::{Format, encoding::Encoding};
use game::{Game, Position};

/// A game that boards can show. Squares, pieces and hands follow from the position's text, and most of what people do from the
/// texts of its moves; this trait has the rest.
pub trait Shown: Game {
    /// Names, size, start positions and formats.
    fn about(&self) -> GameName;

    /// Every kind of piece.
    fn palette(&self) -> Palette;

    /// A legal move as Japanese players say it, without the sign of the side.
    fn japanese(&self, position: &Self::Position, m: <Self::Position as Position>::Move) -> String;

    /// A legal move in western notation, where that does not follow from its text.
    fn western(&self, position: &Self::Position, m: <Self::Position as Position>::Move) -> Option<String> {
        let _ = (position, m);
        None
    }

    /// Squares of royal pieces in check.
    fn checked(&self, position: &Self::Position) -> Vec<String> {
        let _ = position;
        Vec::new()
    }

    /// What only this game has.
    fn decorate(&self, position: &Self::Position, scene: &mut Scene) {
        let _ = (position, scene);
    }

    /// What a choice among moves of one base move shows of this one.
    fn describe(
        &self,
        position: &Self::Position,
        m: <Self::Position as Position>::Move,
        choice: &mut Choice,
    ) {
        let _ = (position, m, choice);
    }

    /// Where a move comes from and where it goes, as [`Origin`](crate::protocol::Origin) names both.
    fn ends<'a>(&self, text: &'a str) -> (&'a str, &'a str) {
        super::sfen::ends_of(text)
    }

    /// The text of a position that people put together.
    fn compose(&self, position: &EditedPosition) -> String {
        let about = self.about();
        super::sfen::compose(position, about.files.into(), about.ranks.into())
    }

    /// What is wrong with the text of a position, in Japanese; `None` where nothing is, or the game cannot say it.
    fn problem_ja(&self, text: &str) -> Option<String> {
        let _ = text;
        None
    }

    /// All records in some bytes.
    fn read_records(&self, bytes: &[u8], promised: Option<Format>) -> Result<Vec<ReadRecord>, Refusal>;

    /// A record in a format.
    fn write_record(
        &self,
        start: &str,
        header: &[[String; 2]],
        steps: &[WriteStep<'_>],
        format: Format,
        encoding: Encoding,
    ) -> Result<WrittenText, Refusal>;
}

/// The refusal for a format that a game does not have.
pub(super) fn no_format(format: Format, game: &str) -> Refusal {
    Refusal::new(RefusalCode::Unsupported, format!("{format}: games of {game} are written as kif or usi"))
}
