//! Binarsi and the games of a variants.ini as [`Notation`]s.

use super::{KifGame, VariantLoaded, VariantRecord, read, show, write_kif, write_usi};
use crate::format::kif::KIF_DECLARATION;
use crate::model::filter::{Filter, rating};
use crate::notation::{LoadedGame, Notation, NotationError, Notice, PlayedLine, ReadGame};
use crate::text::encoding::{Encoding, LineEnd, decode, encode};
use crate::{
    Ending, Format, GameResult, Header, Loss, Note, ReadOptions, ShowOptions, WriteOptions, Written,
};
use game::{Color, Position};
use shogi::SetupError;

impl<G: KifGame> Notation for G {
    fn read(&self, game: &[u8], options: &ReadOptions) -> Vec<ReadGame> {
        match read(self, &decode(game).text, options.format) {
            Ok(games) => {
                let boxed = |VariantLoaded { record, faults }| {
                    Ok(Box::new(VariantGame { game: self.clone(), record, faults }) as _)
                };
                games.into_iter().map(boxed).collect()
            }
            Err(error) => vec![Err(error.into())],
        }
    }

    fn write_options(&self, options: WriteOptions) -> Result<WriteOptions, NotationError> {
        if !has_format(options.format) {
            return Err(NotationError::Format(options.format, "a variants.ini and Binarsi".to_owned()));
        }
        // Old programs, which expect Shift_JIS, cannot read these games anyway.
        Ok(WriteOptions {
            encoding: options.encoding.or(Some(Encoding::Utf8)),
            line_end: options.line_end.or(Some(LineEnd::Lf)),
            ..options
        })
    }
}

fn has_format(format: Format) -> bool {
    matches!(format, Format::Kif | Format::Usi)
}

/// A record with the rules of its game.
struct VariantGame<G: KifGame> {
    game: G,
    record: VariantRecord<G>,
    faults: Vec<crate::Fault>,
}

impl<G: KifGame> LoadedGame for VariantGame<G> {
    fn passes(&self, filter: &Filter) -> bool {
        filter.wants(&self.record, || self.result())
    }

    fn move_count(&self) -> usize {
        self.record.moves().count()
    }

    fn notices(&self) -> Vec<Notice> {
        self.faults.iter().map(Notice::from).collect()
    }

    fn write(&self, options: &WriteOptions) -> Result<Written, NotationError> {
        if !has_format(options.format) {
            return Err(NotationError::Format(options.format, self.game.name().to_owned()));
        }
        let (encoding, end) = (options.encoding(), options.line_end().as_str());
        let mut losses = Vec::new();
        let text = if options.format == Format::Kif {
            let text = write_kif(&self.game, &self.record);
            let declared = text.strip_prefix(KIF_DECLARATION).map(|rest| rest.trim_start().to_owned());
            declared.filter(|_| encoding == Encoding::ShiftJis).unwrap_or(text)
        } else {
            let branches = self.record.tree.leaves().saturating_sub(1);
            losses.extend((branches > 0).then_some(Loss::Branches(branches)));
            write_usi(&self.game, &self.record) + "\n"
        };
        let encoded = encode(text.replace('\n', end), encoding);
        if !encoded.lost.is_empty() {
            losses.push(Loss::Characters(encoded.lost));
        }
        Ok(Written { bytes: encoded.bytes, losses })
    }

    fn positions(&self, line_end: LineEnd) -> String {
        let mut position = self.record.start.clone();
        let mut text = position.to_text() + line_end.as_str();
        for m in self.record.moves() {
            position.do_move(m);
            text += &(position.to_text() + line_end.as_str());
        }
        text
    }

    fn show(&self, options: &ShowOptions) -> String {
        show(&self.game, &self.record, options)
    }

    fn game_name(&self) -> &str {
        self.game.name()
    }

    fn header(&self) -> &Header {
        &self.record.header
    }

    fn header_mut(&mut self) -> &mut Header {
        &mut self.record.header
    }

    fn line(&self) -> Result<PlayedLine, SetupError> {
        Ok(PlayedLine::play(self.record.start.clone(), &self.game.startpos(), self.record.moves()))
    }

    fn rating(&self, color: Color) -> Option<f64> {
        rating(&self.record, color)
    }

    fn ending(&self) -> Option<&Ending> {
        self.record.ending()
    }

    fn note_mut(&mut self, moves: usize) -> Option<&mut Note> {
        self.record.note_mut(moves)
    }

    /// The result by the record, else by its last position.
    fn result(&self) -> GameResult {
        let mut position = self.record.start.clone();
        self.record.moves().for_each(|m| position.do_move(m));
        let told = |ending: &Ending| ending.result(position.side());
        match (self.record.ending().map(told), position.outcome()) {
            (Some(known @ (GameResult::Win(_) | GameResult::Draw)), _) => known,
            (_, Some(outcome)) => outcome.winner().map_or(GameResult::Draw, GameResult::Win),
            (_, None) => GameResult::Unknown,
        }
    }
}
