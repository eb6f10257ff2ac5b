//! Freeze shogi: KIF with notes on freezes, and USI lines with markers.

use super::{GameFiles, Heading, noted, writing};
use crate::play::Played;
use crate::record_format::RecordFormat;
use freeze::Freeze;
use game::{Game, Position};
use record::freeze::{NoteStyle, of_position, write};

impl GameFiles for Freeze {
    fn game_file(&self, format: RecordFormat, heading: &Heading<'_>, played: &Played) -> Option<Vec<u8>> {
        let mut position = self.position_command(heading.opening).ok()?;
        for m in &played.moves {
            let m = position.parse_move(&m.text).ok()?;
            position.do_move(m);
        }
        let side = position.side();
        let mut record = of_position(position);
        let sides = [record.start.setup.side, side];
        noted(&mut record.header, &mut record.tree, sides, format, heading, played);
        Some(write(&record, &writing(format), NoteStyle::Comments).bytes)
    }
}
