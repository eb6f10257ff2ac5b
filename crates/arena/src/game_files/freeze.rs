//! Freeze shogi: KIF with notes on freezes, and USI lines with markers.

use super::{GameFiles, Heading, described, scored, writing};
use crate::play::Played;
use crate::record_format::RecordFormat;
use freeze::Freeze;
use game::{Game, Position};
use record::freeze::{NoteStyle, of_position, write};
use record::{NodeId, Step};

impl GameFiles for Freeze {
    fn game_file(&self, format: RecordFormat, heading: &Heading<'_>, played: &Played) -> Option<Vec<u8>> {
        let mut position = self.position_command(heading.opening).ok()?;
        for m in &played.moves {
            let m = position.parse_move(&m.text).ok()?;
            position.do_move(m);
        }
        let side = position.side();
        let mut record = of_position(position);
        let first = record.start.setup.side;
        described(&mut record.header, heading);
        let nodes: Vec<NodeId> = record.tree.main_line().collect();
        scored(&mut record.tree, &nodes, first, played);
        let last = nodes.last().copied().unwrap_or(NodeId::ROOT);
        record.tree.add_comment(last, &played.verdict.to_string());
        record.tree.add(last, Step::End(super::ending(format, &played.verdict, side)));
        Some(write(&record, &writing(format), NoteStyle::Comments).bytes)
    }
}
