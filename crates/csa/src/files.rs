//! Files of a game, written by client and server: a line of `games.jsonl`, a CSA file, a KIF file.

use crate::clock::TimeRule;
use crate::summary::Summary;
use crate::wire::{EndReason, GameEnd};
use arena::tournament::{FolderError, RunFolder};
use arena::{GameResult, Reason, Score, SearchInfo};
use game::Color;
use platform::file_name;
use record::analysis::{self, Analysis, Program};
use record::encoding::{Encoding, LineEnd};
use record::{Board, Ending, Field, Format, NodeId, Record, Step, WriteOptions};
use serde::{Deserialize, Serialize};
use shogi::{Move, Position};
use std::path::Path;
use std::time::Duration;

/// Longer file names (in bytes) are shortened: most file systems allow 255.
const LONGEST_NAME: usize = 200;

/// A played move.
#[derive(Clone, PartialEq, Debug)]
pub struct SheetMove {
    /// The move.
    pub m: Move,
    /// The time that the server charged.
    pub time: Duration,
    /// For our moves, the time until the server's answer: network delay and the server's work.
    pub lag: Option<Duration>,
    /// The engine's search information.
    pub search_info: Option<SearchInfo>,
    /// The comment sent with it, without `'`.
    pub comment: Option<String>,
}

/// A game, recorded while it is played.
#[derive(Clone, PartialEq, Debug)]
pub struct Sheet {
    /// The game's summary.
    pub summary: Summary,
    /// When it began, as text.
    pub started: String,
    /// The moves after the start position.
    pub moves: Vec<SheetMove>,
    /// Why it ended, if the server sent a reason.
    pub reason: Option<EndReason>,
    /// How it ended for `summary.you`; `None` for a disconnected game.
    pub end: Option<GameEnd>,
    /// Faults.
    pub faults: Vec<String>,
    /// Remarks at the end.
    pub remarks: Vec<String>,
    /// The name of its files without extensions, once they are written.
    pub file: String,
}

impl Sheet {
    /// A game that starts now.
    #[must_use]
    pub fn new(summary: Summary) -> Self {
        let started = now();
        let (moves, faults, remarks) = (Vec::new(), Vec::new(), Vec::new());
        Self { summary, started, moves, reason: None, end: None, faults, remarks, file: String::new() }
    }

    /// The side to move.
    #[must_use]
    pub fn side(&self) -> Color {
        self.summary.side_after(self.summary.moves.len() + self.moves.len())
    }

    /// Who won; `None` if it has no result.
    #[must_use]
    pub fn result(&self) -> Option<GameResult> {
        match self.end? {
            GameEnd::Win => Some(GameResult::win(self.summary.you)),
            GameEnd::Lose => Some(GameResult::win(!self.summary.you)),
            GameEnd::Draw | GameEnd::Censored => Some(GameResult::Draw),
            GameEnd::Interrupted => None,
        }
    }

    /// How it ended, as text.
    #[must_use]
    pub fn outcome(&self) -> String {
        let reason = self.reason.map_or_else(String::new, |reason| reason.to_string());
        match self.end {
            Some(end) if reason.is_empty() => end.to_string(),
            Some(end) => format!("{reason} {end}"),
            None => CUT.to_owned(),
        }
    }

    /// The line of `games.jsonl`.
    #[must_use]
    pub fn entry(&self, game: u64, round: u64, left: [Duration; 2]) -> GameEntry {
        let millis = |time: Duration| (time.as_secs_f64() * 1_000_000.0).round() / 1000.0;
        let lags: Vec<_> = self.moves.iter().filter_map(|m| m.lag.map(millis)).collect();
        let own = lags.iter().copied().reduce(f64::max);
        let mut lag_ms = [None; 2];
        lag_ms[self.summary.you.index()] = own;
        GameEntry {
            game,
            round,
            id: self.summary.id.clone(),
            file: self.file.clone(),
            black: self.summary.names[0].clone(),
            white: self.summary.names[1].clone(),
            opening: self.summary.opening(),
            moves: self.moves.iter().map(|m| m.m.to_string()).collect::<Vec<_>>().join(" "),
            result: self.result(),
            reason: self.reason.map(reason_of),
            detail: (self.end.is_none() || self.reason.is_none()).then(|| self.outcome()),
            scores: self
                .moves
                .iter()
                .map(|m| m.search_info.as_ref().and_then(|search_info| search_info.score))
                .collect(),
            nodes: self
                .moves
                .iter()
                .map(|m| m.search_info.as_ref().and_then(|search_info| search_info.nodes))
                .collect(),
            ms: self.moves.iter().map(|m| millis(m.time)).collect(),
            left_ms: left.map(millis),
            lag_ms,
            lags,
            faults: self.faults.clone(),
            started: self.started.clone(),
        }
    }

    /// Writes `ID.csa` and `ID.kifu`, or `ID_2.csa` and so on if a game of that name exists, and stores the name.
    pub fn write(&mut self, folder: &RunFolder) -> Result<(), FolderError> {
        let name = free_name(folder.path(), &self.summary.id);
        let fractions = self.moves.iter().any(|m| m.time.subsec_nanos() > 0);
        let csa = if fractions { Format::Csa3 } else { Format::Csa };
        for (extension, format) in [("csa", csa), ("kifu", Format::Kif)] {
            let options =
                WriteOptions { format, encoding: Some(Encoding::Utf8), line_end: Some(LineEnd::Lf) };
            let bytes = record::write(&self.record(format), &options).bytes;
            folder.write(&format!("{name}.{extension}"), &bytes)?;
        }
        self.file = name;
        Ok(())
    }

    /// The game with its comments in the form that readers of the format expect.
    #[must_use]
    pub fn record(&self, format: Format) -> Record {
        let summary = &self.summary;
        let mut record = Record::new(summary.start.clone());
        let [black, white] = &summary.names;
        for (field, value) in [
            (Field::Event, summary.id.as_str()),
            (Field::Start, self.started.as_str()),
            (Field::Black, black.as_str()),
            (Field::White, white.as_str()),
        ] {
            record.header.set(field.kif(), value);
        }
        let [own, other] = summary.rules.map(time_limit);
        if own == other {
            record.header.set(Field::TimeLimit.kif(), &own);
        } else {
            record.header.set(Field::BlackTimeLimit.kif(), &own);
            record.header.set(Field::WhiteTimeLimit.kif(), &other);
        }
        let mut board = Board::from(&summary.start);
        let mut last = NodeId::ROOT;
        for (m, time) in &summary.moves {
            last = record.tree.add(last, Step::Move(*m));
            record.tree[last].time = Some(*time);
            board.play(*m);
        }
        for played in &self.moves {
            last = record.tree.add(last, Step::Move(played.m));
            record.tree[last].time = Some(played.time);
            for comment in comments(played, &board, format) {
                record.tree.add_comment(last, &comment);
            }
            board.play(played.m);
        }
        let remarks = self.faults.iter().chain(&self.remarks).cloned().chain([self.outcome()]);
        for remark in remarks {
            match format {
                Format::Kif => record.tree.note_mut(last).comments.push(&remark),
                _ => record.tree.note_mut(last).remarks.push(&remark),
            }
        }
        record.tree.add(last, Step::End(self.ending()));
        record
    }

    fn ending(&self) -> Ending {
        let won = self.result().and_then(GameResult::winner) == Some(self.side());
        match self.reason {
            _ if matches!(self.end, None | Some(GameEnd::Interrupted)) => Ending::Interrupt,
            Some(EndReason::Resign) => Ending::Resign,
            Some(EndReason::TimeUp) => Ending::Timeout,
            Some(EndReason::Repetition) => Ending::Repetition,
            Some(EndReason::MaxMoves) => Ending::MaxMoves,
            Some(EndReason::Declaration) => Ending::Declaration,
            Some(EndReason::IllegalMove | EndReason::IllegalAction | EndReason::PerpetualCheck) if won => {
                Ending::IllegalBefore
            }
            Some(EndReason::IllegalMove | EndReason::IllegalAction | EndReason::PerpetualCheck) => {
                Ending::IllegalHere
            }
            None if self.end == Some(GameEnd::Draw) => Ending::Draw,
            None => Ending::Interrupt,
        }
    }
}

/// An unused file name for the game of this name.
fn free_name(folder: &Path, id: &str) -> String {
    let mut name = file_name(id);
    if name.len() > LONGEST_NAME {
        // The end of a name contains the players and the time; a hash distinguishes names that differ only in the
        // removed middle part.
        let hash = &platform::sha256(id.as_bytes())[..8];
        let head: String = name.chars().take(LONGEST_NAME / 8).collect();
        let tail: String = name.chars().skip(name.chars().count().saturating_sub(LONGEST_NAME / 8)).collect();
        name = format!("{head}_{hash}_{tail}");
    }
    let is_free = |name: &String| {
        ["csa", "kifu"].iter().all(|extension| !folder.join(format!("{name}.{extension}")).exists())
    };
    let others = (2_u64..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.clone()).chain(others).find(is_free).unwrap_or(name)
}

/// The comments of a move; `board` is the position before it.
fn comments(played: &SheetMove, board: &Board, format: Format) -> Vec<String> {
    match (&played.search_info, format) {
        (Some(search_info), Format::Kif) => {
            let position = Position::with_room(&board.setup(1), 64).ok();
            let line = position
                .map_or_else(Vec::new, |position| arena::game_files::playable(&position, &search_info.pv));
            analysis_of(search_info, board.side(), Program::ShogiHome, line).shogihome(board)
        }
        _ => played.comment.iter().cloned().collect(),
    }
}

/// Search information as an analysis, from Black's view.
#[must_use]
pub fn analysis_of(search_info: &SearchInfo, mover: Color, program: Program, line: Vec<Move>) -> Analysis {
    let black = mover == Color::Black;
    let score = search_info.score.map(|score| match score {
        Score::Centipawns(value) => {
            analysis::Score::Value(if black { value } else { value.saturating_neg() })
        }
        Score::Mate(plies) => {
            let winner = if plies > 0 { mover } else { !mover };
            analysis::Score::Mate(winner, Some(plies.unsigned_abs()))
        }
    });
    Analysis { program, score, depth: search_info.depth, nodes: search_info.nodes, line }
}

/// `300+0+10`, as in version 3 of the CSA format.
fn time_limit(rule: TimeRule) -> String {
    let seconds = |time: Duration| match time.subsec_millis() {
        0 => time.as_secs().to_string(),
        millis => format!("{}.{millis:03}", time.as_secs()),
    };
    format!("{}+{}+{}", seconds(rule.total), seconds(rule.byoyomi), seconds(rule.increment))
}

/// The reason as used in results of matches.
const fn reason_of(reason: EndReason) -> Reason {
    match reason {
        EndReason::Resign => Reason::Resignation,
        EndReason::TimeUp => Reason::Time,
        EndReason::IllegalMove => Reason::IllegalMove,
        EndReason::IllegalAction => Reason::ExtraBestmove,
        EndReason::Repetition => Reason::Repetition,
        EndReason::PerpetualCheck => Reason::PerpetualCheck,
        EndReason::Declaration => Reason::Declaration,
        EndReason::MaxMoves => Reason::MoveLimit,
    }
}

/// A line of `games.jsonl`: the fields of a match's results as far as they apply, and fields only for server games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameEntry {
    /// Its number in this folder, from 0.
    pub game: u64,
    /// The round of a tournament, from 1; else 0.
    pub round: u64,
    /// The server's name of the game.
    pub id: String,
    /// The name of its files without `.csa` and `.kifu`; empty if the game was not played.
    pub file: String,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// The start position, as an argument of `position`.
    pub opening: String,
    /// The moves played from there, separated by blanks.
    pub moves: String,
    /// The winner; null without a result.
    pub result: Option<GameResult>,
    /// The reason, if the server sent one.
    pub reason: Option<Reason>,
    /// What happened instead of a regular end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Our engine's scores of its moves.
    pub scores: Vec<Option<Score>>,
    /// The nodes it searched.
    pub nodes: Vec<Option<u64>>,
    /// The time the server charged for each move, in milliseconds.
    pub ms: Vec<f64>,
    /// The remaining times of Black and White.
    pub left_ms: [f64; 2],
    /// The longest lag of our moves.
    pub lag_ms: [Option<f64>; 2],
    /// All lags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lags: Vec<f64>,
    /// Faults.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// When it began.
    pub started: String,
}

/// The `detail` of a game that was disconnected or interrupted: it does not count.
const CUT: &str = "cut";

impl GameEntry {
    /// A pairing of a tournament that was not played: the reason, and who gets the point.
    #[must_use]
    pub fn not_played(names: [String; 2], round: u64, detail: String, result: Option<GameResult>) -> Self {
        let [black, white] = names;
        Self {
            game: 0,
            round,
            id: String::new(),
            file: String::new(),
            black,
            white,
            opening: "startpos".to_owned(),
            moves: String::new(),
            result,
            reason: None,
            detail: Some(detail),
            scores: Vec::new(),
            nodes: Vec::new(),
            ms: Vec::new(),
            left_ms: [0.0; 2],
            lag_ms: [None; 2],
            lags: Vec::new(),
            faults: Vec::new(),
            started: now(),
        }
    }

    /// Whether the game was disconnected or interrupted, so that it does not count.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.detail.as_deref() == Some(CUT)
    }

    /// Whether the game was played at all.
    #[must_use]
    pub fn was_played(&self) -> bool {
        !self.file.is_empty()
    }
}

fn now() -> String {
    jiff::Zoned::now().strftime("%Y/%m/%d %H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_free_short_and_different() {
        let folder = tempfile::tempdir().unwrap();
        let name = |id: &str| free_name(folder.path(), id);
        let id = "wdoor+floodgate-300-10F+a_rather_long_name+another_name+20261119193000";
        assert_eq!(name(id), file_name(id));
        std::fs::write(folder.path().join("x_y.kifu"), "").unwrap();
        assert_eq!(name("x+y"), "x_y_2");
        let [one, other] =
            ["1", "2"].map(|end| name(&format!("{}{end}{}", "名".repeat(100), "前".repeat(200))));
        assert!(one.len() <= LONGEST_NAME && one != other, "{one}");
    }
}
