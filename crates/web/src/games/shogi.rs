//! Shogi with its handicaps.

use super::faces;
use super::record::{ReadRecord, WriteStep, WrittenText, from_record, to_record, unreadable};
use super::shown::Shown;
use crate::protocol::{Choice, FormatName, GameName, Palette, Refusal, StartName, Value, Words, side_words};
use record::analysis::{self, Score};
use record::{Board, Format, NodeId, ReadOptions, Record, WriteOptions, encoding::Encoding};
use shogi::{Color, Handicap, Move, PieceKind, Position, Setup, SetupError, SfenError, Shogi};
use std::collections::HashMap;

/// The formats of records of shogi and Freeze shogi, and those of positions.
pub(super) fn formats() -> Vec<FormatName> {
    let records = [
        ("kif", "kif"),
        ("ki2", "ki2"),
        ("csa", "csa"),
        ("csa3", "csa"),
        ("jkf", "json"),
        ("usi", "usi"),
        ("usen", "usen"),
    ];
    let positions = [("sfen", "sfen"), ("bod", "bod"), ("svg", "svg")];
    let format = |position: bool| {
        move |(format, extension): (&str, &str)| FormatName {
            format: format.to_owned(),
            position,
            extension: extension.to_owned(),
        }
    };
    records.into_iter().map(format(false)).chain(positions.into_iter().map(format(true))).collect()
}

/// 平手 and the handicaps.
pub(super) fn starts() -> Vec<StartName> {
    let english = |handicap: Handicap| match handicap {
        Handicap::Even => "Even".to_owned(),
        other => format!("Handicap {}", other.name()),
    };
    Handicap::ALL
        .into_iter()
        .map(|handicap| StartName {
            name: Words::new(handicap.name(), english(handicap)),
            position: handicap.setup().to_string(),
        })
        .collect()
}

/// The move in Japanese, after the last move.
pub(super) fn japanese(position: &Position, m: Move) -> String {
    let setup = Setup {
        board: *position.board(),
        hands: [position.hand(Color::Black), position.hand(Color::White)],
        side: position.side(),
        ply: position.ply(),
    };
    record::speak(&Board::from(&setup), m, position.last_move().map(Move::to))
}

/// The square of the king in check.
pub(super) fn checked(position: &Position) -> Vec<String> {
    let king = position.king(position.side()).filter(|_| position.in_check());
    king.map(|square| square.to_string()).into_iter().collect()
}

/// A kind as scenes name it: `+R`.
pub(super) fn kind_key(kind: PieceKind) -> String {
    let plus = if kind.is_promoted() { "+" } else { "" };
    format!("{plus}{}", kind.unpromoted().letter())
}

pub(super) use record::western;

/// The kind of piece that a move leaves behind.
pub(super) fn becomes(position: &Position, m: Move) -> Option<String> {
    Some(kind_key(position.piece_after(m)?.kind()))
}

impl Shown for Shogi {
    fn about(&self) -> GameName {
        GameName {
            levels: super::level_names(game::Game::has_ranks(self)),
            game: "shogi".to_owned(),
            name: Words::new("将棋", "Shogi"),
            files: 9,
            ranks: 9,
            starts: starts(),
            formats: formats(),
            tsume: true,
            books: true,
        }
    }

    fn palette(&self) -> Palette {
        Palette { pieces: faces::shogi() }
    }

    fn japanese(&self, position: &Position, m: Move) -> String {
        japanese(position, m)
    }

    fn western(&self, position: &Position, m: Move) -> Option<String> {
        let rivals = game::Position::legal_moves(position);
        Some(western(position, m, rivals.iter().copied()))
    }

    fn checked(&self, position: &Position) -> Vec<String> {
        checked(position)
    }

    fn describe(&self, position: &Position, m: Move, choice: &mut Choice) {
        choice.becomes = becomes(position, m);
    }

    fn problem_ja(&self, text: &str) -> Option<String> {
        let SfenError::Impossible(error) = Position::from_sfen(text.trim()).err()? else { return None };
        Some(match error {
            SetupError::TooManyPieces { piece, most } => {
                let kanji = faces::kanji_of(&kind_key(piece.kind())).unwrap_or_default();
                format!("{kanji}が多すぎます（{most} 枚まで）。")
            }
            SetupError::TwoKings(color) => format!("{}に玉が二枚あります。", side_words(color.into()).ja),
            SetupError::NoKing => "盤に玉がありません。".to_owned(),
        })
    }

    fn read_records(&self, bytes: &[u8], promised: Option<Format>) -> Result<Vec<ReadRecord>, Refusal> {
        let options = ReadOptions { promised, ..ReadOptions::default() };
        let mut records = Vec::new();
        for loaded in record::read_all(bytes, options).take(crate::MOST_GAMES) {
            let loaded = match loaded {
                Ok(loaded) => loaded,
                Err(error) if records.is_empty() => return Err(unreadable(error)),
                Err(_) => break,
            };
            let values = values(&loaded.record);
            let mut read = from_record("shogi", loaded.record.start.to_string(), &loaded.record, |id| {
                values.get(&id).copied()
            });
            read.notices = loaded.faults.iter().map(ToString::to_string).collect();
            if loaded.damaged {
                read.notices.push(format!("some bytes are no {} text", loaded.encoding));
            }
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
        let setup: Setup = start.parse().map_err(unreadable)?;
        let record: Record = to_record(setup, header, steps, |text| text.parse().ok())?;
        let options = WriteOptions { encoding: Some(encoding), ..WriteOptions::new(format) };
        let written = record::write(&record, &options);
        Ok(WrittenText { bytes: written.bytes, losses: losses(&written.losses, format) })
    }
}

/// Sentences about what a format lost, without what everybody expects of it.
pub(super) fn losses(losses: &[record::Loss], format: Format) -> Vec<String> {
    losses.iter().filter(|loss| !loss.is_expected(format)).map(ToString::to_string).collect()
}

/// What engines noted, in any program's words.
fn values(record: &Record) -> HashMap<NodeId, (Value, Option<u32>)> {
    let mut values = HashMap::new();
    let mut boards: Vec<(Option<NodeId>, Board)> = vec![(Some(NodeId::ROOT), Board::from(&record.start))];
    for id in record.tree.walk() {
        let parent = record.tree.parent(id);
        while boards.len() > 1 && boards.last().is_some_and(|(at, _)| *at != parent) {
            boards.pop();
        }
        let Some((_, before)) = boards.last() else { break };
        let mut after = before.clone();
        if let Some(m) = record.tree[id].played() {
            after.play(*m);
        }
        let note = record.tree.note(id);
        if !note.is_empty()
            && let Some(found) =
                analysis::find(note, before, &after).into_iter().find(|found| found.score.is_some())
        {
            let value = match found.score {
                Some(Score::Value(value)) => Value::Cp(value),
                Some(Score::Mate(color, plies)) => {
                    let plies = plies.unwrap_or(1).max(1) as i32;
                    Value::Mate(if color == Color::Black { plies } else { -plies })
                }
                None => continue,
            };
            values.insert(id, (value, found.depth));
        }
        boards.push((Some(id), after));
    }
    values
}
