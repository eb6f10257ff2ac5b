//! Binarsi and games of a variants.ini: KIF with the field 棋種, and USI lines.

use super::{GameFiles, Heading, described, scored};
use crate::play::Played;
use crate::record_format::RecordFormat;
use binarsi::Binarsi;
use fairy::FairyGame;
use game::Position;
use record::variant::{KifGame, read, write_kif, write_usi};
use record::{Format, NodeId, Step};

impl GameFiles for FairyGame {
    fn game_file(&self, format: RecordFormat, heading: &Heading<'_>, played: &Played) -> Option<Vec<u8>> {
        game_file(self, format, heading, played)
    }
}

impl GameFiles for Binarsi {
    fn game_file(&self, format: RecordFormat, heading: &Heading<'_>, played: &Played) -> Option<Vec<u8>> {
        game_file(self, format, heading, played)
    }
}

fn game_file<G: KifGame>(
    game: &G,
    format: RecordFormat,
    heading: &Heading<'_>,
    played: &Played,
) -> Option<Vec<u8>> {
    let (start, opening) = heading.opening.split_once(" moves").unwrap_or((heading.opening, ""));
    let moves = played.moves.iter().map(|m| m.text.as_str());
    let words: Vec<&str> = opening.split_ascii_whitespace().chain(moves).collect();
    let line = format!("{start} moves {}", words.join(" "));
    let loaded = read(game, &line, Some(Format::Usi)).ok()?.pop()?;
    // What was played is legal.
    let mut record = Some(loaded).filter(|loaded| loaded.faults.is_empty())?.record;
    let mut position = record.start.clone();
    record.moves().for_each(|m| position.do_move(m));
    described(&mut record.header, heading);
    let nodes: Vec<NodeId> = record.tree.main_line().collect();
    let first = record.start.side();
    scored(&mut record.tree, &nodes, first, played);
    let last = nodes.last().copied().unwrap_or(NodeId::ROOT);
    record.tree.add_comment(last, &played.verdict.to_string());
    record.tree.add(last, Step::End(super::ending(format, &played.verdict, position.side())));
    match format {
        RecordFormat::Kif => Some(write_kif(game, &record).into_bytes()),
        RecordFormat::Usi => Some((write_usi(game, &record) + "\n").into_bytes()),
        RecordFormat::Csa => None,
    }
}
