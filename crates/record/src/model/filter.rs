//! Selects games by players, ratings, lengths, results and dates.

use crate::{GameRecord, GameResult, NodeId, Record};
use shogi::Color;
use std::fmt;
use std::str::FromStr;

/// A day; a year or month alone is its first day.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    year: u32,
    month: u32,
    day: u32,
}

/// A text that is not a date.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a date such as 2024, 2024-05 or 2024-05-31")]
pub struct ParseDateError;

impl Date {
    /// The date at the start of a text as records write it: `2024/05/31 10:00`, `2024-5-31`, `2024年5月31日`.
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        let mut numbers = text
            .split(|c: char| !c.is_ascii_digit())
            .filter(|digits| !digits.is_empty())
            .map(|digits| digits.parse::<u32>().ok());
        let year = numbers.next()??;
        let mut next = || numbers.next().flatten().unwrap_or(1);
        // 20240531
        if (10_000_000..100_000_000).contains(&year) {
            return Some(Self { year: year / 10_000, month: year / 100 % 100, day: year % 100 });
        }
        (1..10_000).contains(&year).then(|| Self { year, month: next(), day: next() })
    }
}

/// As ISO 8601 has it.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Date {
    type Err = ParseDateError;

    fn from_str(text: &str) -> Result<Self, ParseDateError> {
        let parts: Vec<&str> = text.split(['-', '/', '.']).collect();
        let digits = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
        let date = Self::find(text).filter(|_| digits && parts.len() <= 3).ok_or(ParseDateError)?;
        let real = (1..=12).contains(&date.month) && (1..=31).contains(&date.day);
        if real { Ok(date) } else { Err(ParseDateError) }
    }
}

/// A result to select.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WantedResult {
    /// This one.
    Exactly(GameResult),
    /// Either side won.
    Decisive,
}

/// A word that is not a result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected black, white, draw, decisive or unknown")]
pub struct ParseResultError;

impl FromStr for WantedResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<Self, ParseResultError> {
        Ok(match text {
            "black" | "sente" => Self::Exactly(GameResult::Win(Color::Black)),
            "white" | "gote" => Self::Exactly(GameResult::Win(Color::White)),
            "draw" => Self::Exactly(GameResult::Draw),
            "unknown" => Self::Exactly(GameResult::Unknown),
            "decisive" => Self::Decisive,
            _ => return Err(ParseResultError),
        })
    }
}

/// Selects the games that meet all of these conditions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filter {
    /// Some player's name contains one of these, whatever the case.
    pub players: Vec<String>,
    /// Both players have at least this rating.
    pub min_rating: Option<f64>,
    /// Minimum number of moves in the main line.
    pub min_ply: Option<u32>,
    /// Maximum number of moves in the main line.
    pub max_ply: Option<u32>,
    /// One of these results.
    pub results: Vec<WantedResult>,
    /// Played on this day or later.
    pub since: Option<Date>,
    /// Played on this day or before.
    pub until: Option<Date>,
}

impl Filter {
    /// Whether a game meets the conditions. Unknown values (a rating, a date) do not.
    #[must_use]
    pub fn passes(&self, record: &Record) -> bool {
        self.wants(record, || record.result())
    }

    /// Like [`Filter::passes`], for a record of any game with this result.
    #[must_use]
    pub fn wants<S, M: Copy>(&self, record: &GameRecord<S, M>, result: impl Fn() -> GameResult) -> bool {
        self.accepts(&RecordFacts { record, result })
    }

    /// The same for known facts of a game.
    pub fn accepts(&self, game: &impl GameFacts) -> bool {
        // Computed only if needed, because most conversions have no filter.
        let names = || Color::ALL.map(|color| game.player(color).unwrap_or_default().to_lowercase());
        let known = |wanted: &String| names().iter().any(|name| name.contains(&wanted.to_lowercase()));
        let fits = |wanted: &WantedResult| match (wanted, game.result()) {
            (WantedResult::Exactly(wanted), result) => *wanted == result,
            (WantedResult::Decisive, result) => matches!(result, GameResult::Win(_)),
        };
        (self.players.is_empty() || self.players.iter().any(known))
            && self.min_ply.is_none_or(|least| game.plies() >= least)
            && self.max_ply.is_none_or(|most| game.plies() <= most)
            && (self.results.is_empty() || self.results.iter().any(fits))
            && self.since.is_none_or(|day| game.date().is_some_and(|date| date >= day))
            && self.until.is_none_or(|day| game.date().is_some_and(|date| date <= day))
            && self.min_rating.is_none_or(|least| {
                Color::ALL.into_iter().all(|color| game.rating(color).is_some_and(|rating| rating >= least))
            })
    }
}

/// What a [`Filter`] asks of a game.
pub trait GameFacts {
    /// A player's name.
    fn player(&self, color: Color) -> Option<&str>;
    /// A player's rating.
    fn rating(&self, color: Color) -> Option<f64>;
    /// Moves of the main line.
    fn plies(&self) -> u32;
    /// Who won.
    fn result(&self) -> GameResult;
    /// When it was played.
    fn date(&self) -> Option<Date>;
}

/// Those of a record.
struct RecordFacts<'a, S, M, R> {
    record: &'a GameRecord<S, M>,
    result: R,
}

impl<S, M: Copy, R: Fn() -> GameResult> GameFacts for RecordFacts<'_, S, M, R> {
    fn player(&self, color: Color) -> Option<&str> {
        self.record.header.player(color)
    }

    fn rating(&self, color: Color) -> Option<f64> {
        rating(self.record, color)
    }

    fn plies(&self) -> u32 {
        self.record.moves().count() as u32
    }

    fn result(&self) -> GameResult {
        (self.result)()
    }

    fn date(&self) -> Option<Date> {
        self.record.header.date().and_then(Date::find)
    }
}

/// A player's rating: floodgate's `'black_rate:name:2800.0`, or a number in or behind the name (`name(1800)`,
/// `name R1800`).
#[must_use]
pub fn rating<S, M>(record: &GameRecord<S, M>, color: Color) -> Option<f64> {
    let keyword = match color {
        Color::Black => "black_rate:",
        Color::White => "white_rate:",
    };
    let nodes = std::iter::once(NodeId::ROOT).chain(record.tree.main_line());
    let noted = nodes.flat_map(|id| record.tree.note(id).remarks).find_map(|remark| {
        let value = remark.trim_start().strip_prefix(keyword)?;
        value.rsplit(':').next()?.trim().parse().ok()
    });
    noted.or_else(|| {
        let name = record.header.player(color)?;
        let tail = name.trim_end_matches([')', '）', ' ', '点']);
        let digits = tail
            .rfind(|c: char| !(c.is_ascii_digit() || c == '.'))
            .map_or(0, |at| at + tail[at..].chars().next().map_or(1, char::len_utf8));
        let marked = tail[..digits].ends_with(['(', '（', 'R']);
        tail[digits..].parse().ok().filter(|_| marked)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Record {
        crate::read(text.as_bytes(), &crate::ReadOptions::default()).unwrap().record
    }

    #[test]
    fn dates() {
        for text in ["2024/05/31 10:00:00", "2024-5-31", "2024年5月31日", "20240531"] {
            assert_eq!(Date::find(text), Some(Date { year: 2024, month: 5, day: 31 }), "{text}");
        }
        assert_eq!("2024".parse(), Ok(Date { year: 2024, month: 1, day: 1 }));
        for bad in ["", "x", "2024-13", "2024-1-1-1", "2024-", "0"] {
            assert_eq!(bad.parse::<Date>(), Err(ParseDateError), "{bad}");
        }
    }

    #[test]
    fn wishes() {
        let game = game(
            "V2.2\nN+Alice\nN-bob(1500)\n$START_TIME:2024/05/31 10:00:00\n'black_rate:Alice:2800.5\nPI\n+\n+7776FU\n%TORYO\n",
        );
        assert_eq!(rating(&game, Color::Black), Some(2800.5));
        assert_eq!(rating(&game, Color::White), Some(1500.0));
        let passes = |change: fn(&mut Filter)| {
            let mut filter = Filter::default();
            change(&mut filter);
            filter.passes(&game)
        };
        assert!(passes(|_| {}));
        assert!(passes(|f| f.players = vec!["zed".into(), "ALICE".into()]));
        assert!(!passes(|f| f.players = vec!["zed".into()]));
        assert!(passes(|f| f.min_ply = Some(1)) && !passes(|f| f.min_ply = Some(2)));
        assert!(passes(|f| f.max_ply = Some(1)) && !passes(|f| f.max_ply = Some(0)));
        assert!(passes(|f| f.results = vec!["black".parse().unwrap()]));
        assert!(passes(|f| f.results = vec!["draw".parse().unwrap(), "decisive".parse().unwrap()]));
        assert!(!passes(|f| f.results = vec!["white".parse().unwrap()]));
        assert!(
            passes(|f| f.since = "2024-05".parse().ok()) && !passes(|f| f.since = "2024-06".parse().ok())
        );
        assert!(
            passes(|f| f.until = "2024-05-31".parse().ok()) && !passes(|f| f.until = "2023".parse().ok())
        );
        assert!(passes(|f| f.min_rating = Some(1500.0)) && !passes(|f| f.min_rating = Some(1501.0)));
    }
}
