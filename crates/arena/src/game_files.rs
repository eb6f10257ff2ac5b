//! Writes games as files, with scores and principal variations as comments.

mod freeze;
mod variant;

use crate::engine::SearchInfo;
use crate::play::{Played, PlayedMove};
use crate::record_format::RecordFormat;
use crate::verdict::{Reason, Verdict};
use game::{Color, Game};
use record::analysis::{Analysis, Program, Score};
use record::encoding::{Encoding, LineEnd};
use record::notation::Readable;
use record::{Board, Ending, Field, Format, Header, NodeId, Record, Step, Tree, WriteOptions};
use shogi::{Move, Position, Setup, Shogi};
use std::time::Duration;

/// The header of a game.
pub struct Heading<'a> {
    /// Black's and White's names.
    pub names: [&'a str; 2],
    /// The start position, in the syntax of `position`.
    pub opening: &'a str,
    /// The event.
    pub event: String,
}

/// A game that can be written to files; by default no format is supported.
pub trait GameFiles: Readable {
    /// The bytes of a file; `None` if the game does not support the format.
    fn game_file(&self, format: RecordFormat, heading: &Heading<'_>, played: &Played) -> Option<Vec<u8>> {
        let _ = (format, heading, played);
        None
    }
}

impl GameFiles for Shogi {
    fn game_file(&self, format: RecordFormat, heading: &Heading<'_>, played: &Played) -> Option<Vec<u8>> {
        Some(record::write(&record_of(*self, format, heading, played)?, &writing(format)).bytes)
    }
}

/// The options of writing.
fn writing(format: RecordFormat) -> WriteOptions {
    WriteOptions {
        format: match format {
            RecordFormat::Kif => Format::Kif,
            RecordFormat::Csa => Format::Csa,
            RecordFormat::Usi => Format::Usi,
        },
        encoding: Some(Encoding::Utf8),
        line_end: Some(LineEnd::Lf),
    }
}

/// Fills in the header.
fn described(header: &mut Header, heading: &Heading<'_>) {
    let [black, white] = heading.names;
    for (field, value) in
        [(Field::Event, heading.event.as_str()), (Field::Black, black), (Field::White, white)]
    {
        if !value.is_empty() {
            header.set(field.kif(), value);
        }
    }
}

/// Fills in everything but the moves: the header, the times of the moves, the scores from Black's point of view, and
/// the ending. `sides` are the side that moved first and the side to move at the end.
fn noted<M>(
    header: &mut Header,
    tree: &mut Tree<M>,
    sides: [Color; 2],
    format: RecordFormat,
    heading: &Heading<'_>,
    played: &Played,
) {
    described(header, heading);
    let [first, side] = sides;
    let line: Vec<NodeId> = tree.main_line().collect();
    let opening = line.len().saturating_sub(played.moves.len());
    for id in &line[..opening] {
        tree[*id].time = Some(Duration::ZERO);
    }
    for (index, (id, PlayedMove { elapsed, search_info, .. })) in
        line[opening..].iter().zip(&played.moves).enumerate()
    {
        tree[*id].time = Some(*elapsed);
        let mover = if (opening + index).is_multiple_of(2) { first } else { !first };
        for comment in
            told(Program::ShogiHome, mover, search_info, Vec::new()).shogihome(&Board::from(&Setup::EMPTY))
        {
            tree.add_comment(*id, &comment);
        }
    }
    let last = line.last().copied().unwrap_or(NodeId::ROOT);
    tree.add_comment(last, &played.verdict.to_string());
    tree.add(last, Step::End(ending(format, &played.verdict, side)));
}

/// An engine's analysis, from Black's point of view.
fn told(program: Program, mover: Color, search_info: &SearchInfo, line: Vec<Move>) -> Analysis {
    let black = mover == Color::Black;
    let value = search_info.score.map(|score| if black { score.centipawns() } else { -score.centipawns() });
    Analysis {
        program,
        score: value.map(Score::Value),
        depth: search_info.depth,
        nodes: search_info.nodes,
        line,
    }
}

/// The record with comments in the notation that readers of the format expect.
fn record_of(game: Shogi, format: RecordFormat, heading: &Heading<'_>, played: &Played) -> Option<Record> {
    let (start, opening) = heading.opening.split_once(" moves").unwrap_or((heading.opening, ""));
    let mut position = game.position_command(start).ok()?;
    let mut record = Record::new(position.setup());
    described(&mut record.header, heading);
    let mut last = NodeId::ROOT;
    for word in opening.split_ascii_whitespace() {
        let m: Move = word.parse().ok()?;
        last = record.tree.add(last, Step::Move(m));
        record.tree[last].time = Some(Duration::ZERO);
        position.do_move(m);
    }
    for PlayedMove { text, elapsed, search_info } in &played.moves {
        let Ok(m) = text.parse() else { break };
        last = record.tree.add(last, Step::Move(m));
        record.tree[last].time = Some(*elapsed);
        for comment in comments(format, &mut position, m, search_info) {
            record.tree.add_comment(last, &comment);
        }
    }
    let note = record.tree.note_mut(last);
    let words = played.verdict.to_string();
    match format {
        RecordFormat::Kif | RecordFormat::Usi => note.comments.push(&words),
        RecordFormat::Csa => note.remarks.push(&words),
    }
    record.tree.add(last, Step::End(ending(format, &played.verdict, position.side())));
    Some(record)
}

/// Plays a move and returns comments with its analysis: in `ShogiHome`'s notation in KIF, in floodgate's in CSA.
fn comments(format: RecordFormat, position: &mut Position, m: Move, search_info: &SearchInfo) -> Vec<String> {
    let before = position.clone();
    position.do_move(m);
    let told = |program: Program, line: Vec<Move>| told(program, before.side(), search_info, line);
    match format {
        RecordFormat::Usi => Vec::new(),
        RecordFormat::Kif => told(Program::ShogiHome, playable(&before, &search_info.pv))
            .shogihome(&Board::from(&before.setup())),
        RecordFormat::Csa => {
            let rest = search_info.pv.split_first().filter(|(first, _)| **first == m.to_string());
            let line = rest.map_or_else(Vec::new, |(_, rest)| playable(position, rest));
            let told = told(Program::Floodgate, line).floodgate(&Board::from(&position.setup()));
            told.into_iter().collect()
        }
    }
}

/// The legal beginning of a line.
#[must_use]
pub fn playable(position: &Position, pv: &[String]) -> Vec<Move> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for word in pv {
        let Some(m) = word.parse().ok().filter(|m| position.is_legal(*m)) else { break };
        line.push(m);
        position.do_move(m);
    }
    line
}

/// The ending, with `side` to move.
fn ending(format: RecordFormat, verdict: &Verdict, side: Color) -> Ending {
    let won = verdict.result.winner() == Some(side);
    match (verdict.reason, format) {
        // In some games a side without moves wins, or the game is drawn.
        (Reason::NoLegalMove, _) if won => Ending::Won,
        (Reason::NoLegalMove, _) if verdict.result.winner().is_none() => Ending::Draw,
        (Reason::NoLegalMove, _) => Ending::Mate,
        (Reason::Resignation, _) => Ending::Resign,
        // The try rule: the side whose king arrived has won, and the other side is to move.
        (Reason::Declaration, RecordFormat::Kif) if !won => Ending::Other("トライ".into()),
        (Reason::Declaration, _) => Ending::Declaration,
        (Reason::Repetition, _) => Ending::Repetition,
        (Reason::MoveLimit, _) => Ending::MaxMoves,
        (Reason::Time | Reason::Hang, _) => Ending::Timeout,
        (Reason::Goal | Reason::Points, _) => match verdict.result.winner() {
            None => Ending::Draw,
            Some(_) if won => Ending::Won,
            Some(_) => Ending::Lost,
        },
        (Reason::ScoreWin | Reason::ScoreDraw | Reason::Interrupted, _) => Ending::Interrupt,
        (
            Reason::PerpetualCheck
            | Reason::IllegalMove
            | Reason::Garbage
            | Reason::FalseDeclaration
            | Reason::Crash
            | Reason::ClosedOutput
            | Reason::ExtraBestmove
            | Reason::Flood
            | Reason::NoStart,
            _,
        ) => {
            if won {
                Ending::IllegalBefore
            } else {
                Ending::IllegalHere
            }
        }
    }
}
