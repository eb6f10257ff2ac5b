//! Records of shogi: what cshogi's parsers tell of a game, whatever format it was written in.

use crate::conversion::bytes_of;
use crate::moves::number_of;
use crate::value_error;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use record::analysis::{self, Score};
use record::encoding::{Encoding, LineEnd, decode};
use record::{
    Board, Ending, Format, GameResult, IllegalMoves, Loaded, NodeId, NoteRef, ReadOptions, WriteOptions,
};
use shogi::Color;

/// What a mate counts as in lists of scores.
const MATE_SCORE: i32 = 100_000;

/// A record of shogi.
#[pyclass(frozen, module = "tsumugi")]
pub struct Record {
    loaded: Loaded,
    main: MainLine,
    /// What only CSA files say, in their own words.
    csa: Csa,
}

/// The main line as lists.
#[derive(Default)]
struct MainLine {
    moves: Vec<u32>,
    /// One more than moves where the ending has a time; empty if nothing has one.
    times: Vec<u64>,
    scores: Vec<i32>,
    comments: Vec<Option<String>>,
    /// How it ends, and after how many plies.
    ending: Option<(Ending, u32)>,
}

impl MainLine {
    fn of(record: &record::Record, is_csa: bool) -> Self {
        let mut line = Self::default();
        let mut board = Board::from(&record.start);
        let mut times = Vec::new();
        for id in record.tree.main_line() {
            let node = &record.tree[id];
            if let Some(ending) = node.ending() {
                line.ending = Some((ending.clone(), node.ply() - 1));
                times.extend(node.time.is_some().then_some(node.time));
                continue;
            }
            let Some(&m) = node.played() else { continue };
            line.moves.push(number_of(m, |square| board.piece_at(square)));
            times.push(node.time);
            let note = record.tree.note(id);
            if note.is_empty() {
                line.scores.push(0);
                line.comments.push(None);
                board.play(m);
                continue;
            }
            let before = board.clone();
            board.play(m);
            line.scores.push(score(note, &before, &board));
            line.comments.push(comment(note, is_csa));
        }
        if times.iter().any(Option::is_some) {
            line.times = times.into_iter().map(|time| time.map_or(0, |time| time.as_secs())).collect();
        }
        line
    }
}

fn score(note: NoteRef<'_>, before: &Board, after: &Board) -> i32 {
    let noted = analysis::find(note, before, after).into_iter().find_map(|analysis| analysis.score);
    match noted {
        None => 0,
        Some(Score::Value(value)) => value,
        Some(Score::Mate(Color::Black, _)) => MATE_SCORE,
        Some(Score::Mate(Color::White, _)) => -MATE_SCORE,
    }
}

/// The lines of a comment; the star that tells comments for programs apart is left out.
fn comment(note: NoteRef<'_>, is_csa: bool) -> Option<String> {
    let plain = |line: &str| {
        let star = if is_csa { line.strip_prefix("* ") } else { line.strip_prefix('*') };
        star.unwrap_or(line).to_owned()
    };
    let lines: Vec<String> = note.comments.iter().map(plain).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Lines of a CSA file that mean nothing to other formats.
#[derive(Default)]
struct Csa {
    version: String,
    information: Vec<(String, String)>,
    comment: String,
    ratings: [f32; 2],
    /// How a server of floodgate sums a game up.
    summary: Option<String>,
}

impl Csa {
    fn of(text: &str) -> Self {
        let mut csa = Self::default();
        for line in text.lines() {
            let line = line.trim_end_matches('\r');
            if line.starts_with('V') {
                line.clone_into(&mut csa.version);
            } else if let Some((name, value)) = line.strip_prefix('$').and_then(|rest| rest.split_once(':')) {
                csa.information.push((name.to_owned(), value.to_owned()));
            } else if line.starts_with("'** ") {
                // Belongs to its move.
            } else if let Some(rest) = line.strip_prefix('\'') {
                csa.remark(line, rest);
            }
        }
        csa
    }

    fn remark(&mut self, line: &str, rest: &str) {
        for (index, name) in ["black_rate:", "white_rate:"].into_iter().enumerate() {
            if let Some((_, value)) = rest.strip_prefix(name).and_then(|value| value.rsplit_once(':')) {
                self.ratings[index] = value.trim().parse().unwrap_or(0.0);
                return;
            }
        }
        self.comment.push_str(line);
        self.comment.push('\n');
        if let Some((reason, _)) = rest.strip_prefix("summary:").and_then(|words| words.split_once(':')) {
            self.summary = Some(reason.to_owned());
        }
    }

    /// The ending that a summary means where the game itself has none.
    fn summed_up(&self) -> Option<&'static str> {
        match self.summary.as_deref()? {
            "illegal move" => Some("%ILLEGAL_MOVE"),
            "max_moves" => Some("%JISHOGI"),
            "abnormal" => Some("%ERROR"),
            _ => None,
        }
    }
}

impl Record {
    fn new(loaded: Loaded, text: &str) -> Self {
        let is_csa = matches!(loaded.format, Format::Csa | Format::Csa3);
        let main = MainLine::of(&loaded.record, is_csa);
        let csa = if is_csa { Csa::of(text) } else { Csa::default() };
        Self { loaded, main, csa }
    }

    fn side_to_move(&self, plies: u32) -> Color {
        self.loaded.record.side_after(plies)
    }
}

fn result_number(result: GameResult) -> Option<u8> {
    match result {
        GameResult::Draw => Some(0),
        GameResult::Win(Color::Black) => Some(1),
        GameResult::Win(Color::White) => Some(2),
        GameResult::Unknown => None,
    }
}

#[pymethods]
impl Record {
    /// The format that it was read from.
    #[getter]
    fn format(&self) -> &'static str {
        self.loaded.format.name()
    }

    /// The start position as SFEN.
    #[getter]
    fn sfen(&self) -> String {
        self.loaded.record.start.to_string()
    }

    /// The moves of the main line.
    #[getter]
    fn moves(&self) -> Vec<u32> {
        self.main.moves.clone()
    }

    /// Seconds for each move, and for the ending where it has a time; empty if no move has one.
    #[getter]
    fn times(&self) -> Vec<u64> {
        self.main.times.clone()
    }

    /// What engines noted for each move, from Black's view as files have it; 0 where nothing was noted.
    #[getter]
    fn scores(&self) -> Vec<i32> {
        self.main.scores.clone()
    }

    /// The comment to each move.
    #[getter]
    fn comments(&self) -> Vec<Option<String>> {
        self.main.comments.clone()
    }

    /// The comment before the first move; all comments that belong to no move in CSA, as they stand there.
    #[getter]
    fn comment(&self) -> String {
        if matches!(self.loaded.format, Format::Csa | Format::Csa3) {
            return self.csa.comment.clone();
        }
        self.loaded.record.tree.note(NodeId::ROOT).comments.iter().collect::<Vec<_>>().join("\n")
    }

    /// The players; `None` for a name that is not known.
    #[getter]
    fn names(&self) -> [Option<String>; 2] {
        Color::ALL.map(|color| self.loaded.record.header.player(color).map(str::to_owned))
    }

    /// The ratings of the players that CSA files of floodgate have, else 0.
    #[getter]
    fn ratings(&self) -> [f32; 2] {
        self.csa.ratings
    }

    /// The version line of a CSA file.
    #[getter]
    fn version(&self) -> &str {
        &self.csa.version
    }

    /// The fields of the header under the names of the file.
    #[getter]
    fn var_info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        if matches!(self.loaded.format, Format::Csa | Format::Csa3) {
            self.csa.information.iter().try_for_each(|(name, value)| fields.set_item(name, value))?;
        } else {
            self.loaded.record.header.iter().try_for_each(|(name, value)| fields.set_item(name, value))?;
        }
        Ok(fields)
    }

    /// When the game was played, as the record writes it.
    #[getter]
    fn date(&self) -> Option<&str> {
        self.loaded.record.header.date()
    }

    /// How the game ended, as CSA writes it with its `%`; `None` if the record does not say.
    #[getter]
    fn endgame(&self) -> Option<String> {
        let Some((ending, plies)) = &self.main.ending else { return self.csa.summed_up().map(str::to_owned) };
        Some(format!("%{}", ending.csa(self.side_to_move(*plies))?))
    }

    /// How the game ended, in Japanese.
    #[getter]
    fn ending(&self) -> Option<String> {
        self.main.ending.as_ref().map(|(ending, _)| ending.to_string())
    }

    /// Who won: 0 for a draw, 1 for Black, 2 for White; `None` if the record does not say.
    #[getter]
    fn win(&self) -> Option<u8> {
        match &self.main.ending {
            Some((ending, plies)) => result_number(ending.result(self.side_to_move(*plies))),
            None if self.csa.summed_up() == Some("%ILLEGAL_MOVE") => {
                result_number(GameResult::Win(!self.side_to_move(self.main.moves.len() as u32)))
            }
            None => None,
        }
    }

    /// What is wrong with the game: moves that could not be read, and moves against the rules.
    #[getter]
    fn faults(&self) -> Vec<String> {
        self.loaded.faults.iter().map(ToString::to_string).collect()
    }

    /// Start position and moves in the words of USI, as `Board.set_position` reads them.
    fn position(&self) -> String {
        let moves: Vec<String> = self.loaded.record.moves().map(|m| m.to_string()).collect();
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        format!("sfen {}{moves}", self.loaded.record.start)
    }

    /// The record as the bytes of a file.
    #[pyo3(signature = (format, encoding=None))]
    fn write<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        encoding: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let format: Format =
            format.parse().map_err(|error| value_error(format!("format `{format}`: {error}")))?;
        let encoding: Option<Encoding> = encoding.map(str::parse).transpose().map_err(value_error)?;
        let options = WriteOptions { encoding, line_end: Some(LineEnd::Lf), ..WriteOptions::new(format) };
        Ok(PyBytes::new(py, &record::write(&self.loaded.record, &options).bytes))
    }

    fn __len__(&self) -> usize {
        self.main.moves.len()
    }

    fn __repr__(&self) -> String {
        let [black, white] = self.names().map(|name| name.unwrap_or_else(|| "?".to_owned()));
        format!("<Record of {} moves: {black} - {white}>", self.main.moves.len())
    }
}

/// Reads every game in some bytes or text. `format` reads them as that format whatever they look like; moves against the
/// rules stay with `keep_illegal`, else a game ends before them. A game that cannot be read raises `ValueError`.
#[pyfunction]
#[pyo3(signature = (data, format=None, *, keep_illegal=true))]
pub fn read_records(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    format: Option<&str>,
    keep_illegal: bool,
) -> PyResult<Vec<Record>> {
    let bytes = bytes_of(data)?;
    let format: Option<Format> =
        format.map(str::parse).transpose().map_err(|error| value_error(format!("format: {error}")))?;
    let illegal = if keep_illegal { IllegalMoves::Keep } else { IllegalMoves::Cut };
    let options = ReadOptions { format, promised: None, illegal };
    py.detach(|| {
        // Memory does not fail.
        let games = record::Games::new(&bytes[..], options).into_iter().flatten().flatten();
        games
            .map(|game| Ok(Record::new(record::read(&game, &options)?, &decode(&game).text)))
            .collect::<Result<Vec<_>, _>>()
    })
    .map_err(|error: record::ReadError| value_error(error))
}
