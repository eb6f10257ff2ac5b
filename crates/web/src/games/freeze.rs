//! Freeze shogi.

use super::record::{ReadRecord, WriteStep, WrittenText, from_record, to_record, unreadable};
use super::shogi::{becomes, checked, formats, japanese, kind_key, losses, western};
use super::shown::Shown;
use super::{faces, sfen};
use crate::protocol::{
    Choice, EditedPosition, FreezeScene, GameName, Palette, Refusal, Scene, StartName, Words,
};
use ::freeze::{Acceptance, Counts, Freeze, Move, Position};
use ::shogi::Color;
use game::{Game, Position as _};
use record::freeze::{FreezeStart, NoteStyle};
use record::{Format, Games, ReadOptions, WriteOptions, encoding::Encoding};
use std::collections::BTreeMap;

/// The rules with everything that players may agree on.
pub(super) fn for_boards() -> Freeze {
    Freeze { acceptance: Acceptance::Ok, ..Freeze::default() }.for_referee()
}

impl Shown for Freeze {
    fn about(&self) -> GameName {
        let start = |name: Words, left: u8| StartName {
            name,
            position: Position::startpos(Counts::new(left, left)).to_text(),
        };
        let mut starts =
            vec![StartName { name: Words::new("平手", "Even"), position: self.startpos().to_text() }];
        for left in [1, 2, 5] {
            starts.push(start(
                Words::new(format!("平手（フリーズ{left}回）"), format!("Even, {left} freezes each")),
                left,
            ));
        }
        GameName {
            levels: super::level_names(game::Game::has_ranks(self)),
            game: "freeze".to_owned(),
            name: Words::new("フリーズ将棋", "Freeze shogi"),
            files: 9,
            ranks: 9,
            starts,
            formats: formats(),
            tsume: false,
            books: false,
        }
    }

    fn palette(&self) -> Palette {
        Palette { pieces: faces::shogi() }
    }

    fn japanese(&self, position: &Position, m: Move) -> String {
        let base = japanese(position.shogi(), m.base);
        match m.freezes.and_then(|kind| faces::kanji_of(&kind_key(kind))) {
            Some(kanji) => format!("{base}（{kanji}を凍結）"),
            None => base,
        }
    }

    fn western(&self, position: &Position, m: Move) -> Option<String> {
        let freezes = m.freezes.map_or_else(String::new, |kind| format!(" freezes {}", kind_key(kind)));
        let rivals = position.legal_moves();
        Some(western(position.shogi(), m.base, rivals.iter().map(|other| other.base)) + &freezes)
    }

    fn checked(&self, position: &Position) -> Vec<String> {
        checked(position.shogi())
    }

    fn decorate(&self, position: &Position, scene: &mut Scene) {
        let frozen = position.frozen().map(kind_key);
        for cell in scene.cells.iter_mut().flatten() {
            cell.frozen = cell.side == scene.side && Some(&cell.kind) == frozen.as_ref();
        }
        for held in &mut scene.hands[scene.side.index()] {
            held.frozen = Some(&held.kind) == frozen.as_ref();
        }
        let left = position.left();
        let left = Color::ALL.map(|color| u32::from(left.of(color)));
        scene.freeze = Some(FreezeScene { kind: frozen, left });
    }

    fn describe(&self, position: &Position, m: Move, choice: &mut Choice) {
        choice.becomes = becomes(position.shogi(), m.base);
        choice.freezes = m.freezes.map(kind_key);
    }

    fn compose(&self, position: &EditedPosition) -> String {
        let board = sfen::compose(position, 9, 9);
        let Some(freeze) = &position.freeze else { return board };
        let kind = freeze.kind.as_deref().map_or_else(String::new, |kind| match kind.strip_prefix('+') {
            Some(plain) => format!(" z{plain}+"),
            None => format!(" z{kind}"),
        });
        format!("{board}{kind} z{}Z{}", freeze.left[0], freeze.left[1])
    }

    fn read_records(&self, bytes: &[u8], promised: Option<Format>) -> Result<Vec<ReadRecord>, Refusal> {
        let options = ReadOptions { promised, ..ReadOptions::default() };
        let mut records = Vec::new();
        // Reading from memory does not fail.
        for game in Games::new(bytes, options).into_iter().flatten().flatten().take(crate::MOST_GAMES) {
            let loaded = match record::freeze::read(&game, None) {
                Ok(loaded) => loaded,
                Err(error) if records.is_empty() => return Err(unreadable(error)),
                Err(_) => break,
            };
            let start = loaded.record.start.position().map_err(unreadable)?;
            let mut read = from_record("freeze", start.to_text(), &loaded.record, |_| None);
            read.notices = loaded.faults.iter().map(ToString::to_string).collect();
            read.notices.extend(loaded.warnings.iter().map(ToString::to_string));
            records.push(read);
        }
        Ok(records)
    }

    fn write_record(
        &self,
        start: &str,
        header: &[[String; 2]],
        steps: &[WriteStep<'_>],
        format: Format,
        encoding: Encoding,
    ) -> Result<WrittenText, Refusal> {
        let position = self.position(start).map_err(unreadable)?;
        let start = FreezeStart {
            setup: position.shogi().setup(),
            frozen: position.frozen(),
            left: position.left(),
            said: BTreeMap::new(),
        };
        let record = to_record(start, header, steps, |text| text.parse::<Move>().ok())?;
        let options = WriteOptions { encoding: Some(encoding), ..WriteOptions::new(format) };
        let written = record::freeze::write(&record, &options, NoteStyle::Comments);
        Ok(WrittenText { bytes: written.bytes, losses: losses(&written.losses, format) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_kinds() {
        use ::shogi::PieceKind;
        // `+R`, where Freeze shogi writes `R+`.
        assert_eq!(kind_key(PieceKind::Dragon), "+R");
        assert_eq!(::freeze::kind_text(PieceKind::Dragon), "R+");
    }
}
