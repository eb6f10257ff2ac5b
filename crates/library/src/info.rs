//! What a library says of a game.

use crate::format::row::Text;
use crate::store::GameView;
use crate::{GameNumber, Library};
use game::Color;
use record::GameResult;
use record::convert::{Date, GameFacts};
use serde::{Serialize, Serializer};
use std::path::PathBuf;

/// What is known of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameInfo {
    /// Its number in the library.
    pub number: GameNumber,
    /// The game that was played, as `USI_Variant` takes it.
    pub variant: String,
    /// Black's (Sente's) name.
    pub black: String,
    /// White's (Gote's) name.
    pub white: String,
    /// Black's rating.
    pub black_rating: Option<f32>,
    /// White's rating.
    pub white_rating: Option<f32>,
    /// When it was played; a month or day that the record does not say is 1.
    #[serde(serialize_with = "as_text")]
    pub date: Option<Date>,
    /// 棋戦
    pub event: String,
    /// 場所
    pub site: String,
    /// 持ち時間, 秒読み
    pub time_control: String,
    /// Who won.
    #[serde(serialize_with = "as_text_always")]
    pub result: GameResult,
    /// How it ended, in Japanese.
    pub ending: String,
    /// Number of moves.
    pub plies: u32,
    /// 戦型 as the record says it.
    pub given_opening: String,
    /// What Black played (shogi only).
    pub black_opening: Vec<String>,
    /// What White played (shogi only).
    pub white_opening: Vec<String>,
    /// Black's castles in the order of their coming (shogi only).
    pub black_castle: Vec<String>,
    /// White's castles in the order of their coming (shogi only).
    pub white_castle: Vec<String>,
    /// The start position; none for the ordinary one.
    pub start: Option<String>,
    /// The moves in USI.
    pub moves: String,
    /// The file that it came from.
    pub file: PathBuf,
    /// The file inside that archive.
    pub inner: Option<String>,
    /// Its number in the file, from 1.
    pub number_in_file: u32,
}

#[allow(clippy::ref_option, reason = "serde hands over fields so")]
fn as_text<S: Serializer>(date: &Option<Date>, serializer: S) -> Result<S::Ok, S::Error> {
    match date {
        Some(date) => serializer.collect_str(date),
        None => serializer.serialize_none(),
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over fields so")]
fn as_text_always<S: Serializer>(result: &GameResult, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(result)
}

impl GameInfo {
    pub(crate) fn new(library: &Library, view: &GameView<'_>) -> Self {
        let GameView { number, segment, row } = view;
        let text = |text| segment.text(row, text).to_owned();
        let words = |text| segment.text(row, text).split_whitespace().map(str::to_owned).collect();
        let some = |text: String| (!text.is_empty()).then_some(text);
        Self {
            number: *number,
            variant: text(Text::Variant),
            black: text(Text::Black),
            white: text(Text::White),
            black_rating: row.rating(Color::Black),
            white_rating: row.rating(Color::White),
            date: view.date(),
            event: text(Text::Event),
            site: text(Text::Site),
            time_control: text(Text::TimeControl),
            result: row.result,
            ending: text(Text::Ending),
            plies: row.plies,
            given_opening: text(Text::GivenOpening),
            black_opening: words(Text::BlackOpening),
            white_opening: words(Text::WhiteOpening),
            black_castle: words(Text::BlackCastle),
            white_castle: words(Text::WhiteCastle),
            start: some(text(Text::Start)),
            moves: segment.moves(row).to_owned(),
            file: library.found(&segment.path(row.file)),
            inner: some(text(Text::Inner)),
            number_in_file: row.number,
        }
    }

    /// The game as USI has it: `startpos moves …`.
    #[must_use]
    pub fn line(&self) -> String {
        line(self.start.as_deref().unwrap_or_default(), &self.moves)
    }

    /// What was played, in a few words: the openings of both sides, or what the record says.
    #[must_use]
    pub fn opening(&self) -> String {
        let own = |side: &[String]| side.first().cloned().unwrap_or_default();
        match [own(&self.black_opening), own(&self.white_opening)] {
            [black, white] if black.is_empty() && white.is_empty() => self.given_opening.clone(),
            [black, white] if black == white || white.is_empty() => black,
            [black, white] if black.is_empty() => white,
            [black, white] => format!("{black} {white}"),
        }
    }
}

/// A game as USI has it.
pub(crate) fn line(start: &str, moves: &str) -> String {
    let start = if start.is_empty() { "startpos".to_owned() } else { format!("sfen {start}") };
    if moves.is_empty() { start } else { format!("{start} moves {moves}") }
}

impl GameFacts for GameView<'_> {
    fn player(&self, color: Color) -> Option<&str> {
        let text = if color == Color::Black { Text::Black } else { Text::White };
        Some(self.segment.text(&self.row, text))
    }

    fn rating(&self, color: Color) -> Option<f64> {
        self.row.rating(color).map(f64::from)
    }

    fn plies(&self) -> u32 {
        self.row.plies
    }

    fn result(&self) -> GameResult {
        self.row.result
    }

    fn date(&self) -> Option<Date> {
        Date::find(self.segment.text(&self.row, Text::Date))
    }
}
