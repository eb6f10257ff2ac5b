//! Records of a game that is known only when the program runs.

use super::{KifGame, VariantError, VariantLoaded, VariantRecord, read, show, write_kif, write_usi};
use crate::convert::{Content, Filter, Notice};
use crate::encoding::{Encoding, encode};
use crate::kif::KIF_DECLARATION;
use crate::{Ending, Format, GameResult, Loss, ShowOptions, WriteOptions, Written};
use game::{Color, Position};

/// What is to become of records.
pub struct VariantOrder<'a> {
    /// Read as this format, whatever it looks like.
    pub from: Option<Format>,
    /// How to write: KIF or USI.
    pub write: WriteOptions,
    /// What of each game.
    pub content: Content,
    /// Which games.
    pub filter: &'a Filter,
}

/// A game that was converted.
pub struct VariantConverted {
    /// What is to be written; `None` if the filter does not want the game.
    pub written: Option<Written>,
    /// Its moves.
    pub moves: usize,
    /// Moves that were left out.
    pub warnings: Vec<Notice>,
}

/// A game that can be converted and shown, whichever it is.
pub trait AnyVariant: Send + Sync {
    /// Converts all games of a text.
    fn convert(&self, text: &str, order: &VariantOrder<'_>) -> Result<Vec<VariantConverted>, VariantError>;

    /// Game `number` (from 0) of a text for people to read, and what was wrong with its moves; `None` if there are fewer.
    fn show(
        &self,
        text: &str,
        from: Option<Format>,
        number: usize,
        options: &ShowOptions,
    ) -> Result<Option<(String, Vec<String>)>, VariantError>;
}

impl<G: KifGame> AnyVariant for G {
    fn convert(&self, text: &str, order: &VariantOrder<'_>) -> Result<Vec<VariantConverted>, VariantError> {
        let format = order.write.format;
        if !matches!(format, Format::Kif | Format::Usi) {
            return Err(VariantError::OtherFormat { game: self.name().to_owned(), format });
        }
        let loaded = read(self, text, order.from)?;
        Ok(loaded.iter().map(|loaded| converted(self, loaded, order)).collect())
    }

    fn show(
        &self,
        text: &str,
        from: Option<Format>,
        number: usize,
        options: &ShowOptions,
    ) -> Result<Option<(String, Vec<String>)>, VariantError> {
        let games = read(self, text, from)?;
        let faults = |loaded: &VariantLoaded<G>| loaded.faults.iter().map(ToString::to_string).collect();
        Ok(games.get(number).map(|loaded| (show(self, &loaded.record, options), faults(loaded))))
    }
}

fn converted<G: KifGame>(game: &G, loaded: &VariantLoaded<G>, order: &VariantOrder<'_>) -> VariantConverted {
    let record = &loaded.record;
    let wanted = order.filter.wants(record, result::<G>(record));
    VariantConverted {
        written: wanted.then(|| written(game, record, order)),
        moves: record.moves().count(),
        warnings: loaded.faults.iter().map(Notice::from).collect(),
    }
}

fn written<G: KifGame>(game: &G, record: &VariantRecord<G>, order: &VariantOrder<'_>) -> Written {
    let WriteOptions { format, .. } = order.write;
    let (encoding, end) = (order.write.encoding(), order.write.line_end().as_str());
    let mut losses = Vec::new();
    let text = match (order.content, format) {
        (Content::Positions, _) => positions::<G>(record),
        (Content::Record, Format::Kif) => {
            let text = write_kif(game, record);
            let declared = text.strip_prefix(KIF_DECLARATION).map(|rest| rest.trim_start().to_owned());
            declared.filter(|_| encoding == Encoding::ShiftJis).unwrap_or(text)
        }
        (Content::Record, _) => {
            let branches = record.tree.leaves().saturating_sub(1);
            losses.extend((branches > 0).then_some(Loss::Branches(branches)));
            write_usi(game, record) + "\n"
        }
    };
    let encoded = encode(text.replace('\n', end), encoding);
    if !encoded.lost.is_empty() {
        losses.push(Loss::Characters(encoded.lost));
    }
    Written { bytes: encoded.bytes, losses }
}

/// Every position of the main line, one to a line.
fn positions<G: KifGame>(record: &VariantRecord<G>) -> String {
    let mut position = record.start.clone();
    let mut text = position.to_text() + "\n";
    for m in record.moves() {
        position.do_move(m);
        text += &(position.to_text() + "\n");
    }
    text
}

/// Who won: the record says so, or the last position does.
fn result<G: KifGame>(record: &VariantRecord<G>) -> GameResult {
    let mut position = record.start.clone();
    record.moves().for_each(|m| position.do_move(m));
    let told = |ending: &Ending| ending.result(position.side());
    match (record.ending().map(told), position.outcome()) {
        (Some(known @ (GameResult::Win(_) | GameResult::Draw)), _) => known,
        (_, Some(outcome)) => {
            outcome.winner().map_or(GameResult::Draw, |winner: Color| GameResult::Win(winner))
        }
        (_, None) => GameResult::Unknown,
    }
}
