//! Binarsi and games of a variants.ini: KIF with the field 棋種, and USI lines.

use super::{GameFiles, Heading, noted};
use crate::play::Played;
use crate::record_format::RecordFormat;
use binarsi::Binarsi;
use fairy::FairyGame;
use game::Position;
use record::Format;
use record::variant::{KifGame, read, write_kif, write_usi};

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
    // Cannot fail, because the moves played are legal.
    let mut record = Some(loaded).filter(|loaded| loaded.faults.is_empty())?.record;
    let mut position = record.start.clone();
    record.moves().for_each(|m| position.do_move(m));
    let sides = [record.start.side(), position.side()];
    noted(&mut record.header, &mut record.tree, sides, format, heading, played);
    match format {
        RecordFormat::Kif => Some(write_kif(game, &record).into_bytes()),
        RecordFormat::Usi => Some((write_usi(game, &record) + "\n").into_bytes()),
        RecordFormat::Csa => None,
    }
}
