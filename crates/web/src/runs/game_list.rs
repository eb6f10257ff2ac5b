//! The games of a journal: matches and servers write the same fields of a game.

use super::journal::Journal;
use crate::protocol::{Refusal, RefusalCode, RunGame};
use arena::{GameResult, Reason};
use serde::Deserialize;
use std::path::Path;

/// What lists and figures need of a line; the rest is read when a game is opened.
#[derive(Deserialize)]
pub(super) struct Line {
    pub game: u64,
    pub round: u64,
    pub black: String,
    pub white: String,
    /// Absent for a game that was cut.
    pub result: Option<GameResult>,
    pub reason: Option<Reason>,
    ms: Moves,
    /// The longest way to a server and back, in milliseconds.
    #[serde(default)]
    pub lag_ms: [Option<f64>; 2],
    #[serde(default)]
    pub faults: Vec<String>,
}

/// What opening a game needs of its line.
#[derive(Deserialize)]
struct Played {
    opening: String,
    moves: String,
}

/// A list of which only the length matters.
struct Moves(u32);

impl<'de> Deserialize<'de> for Moves {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Count;
        impl<'de> serde::de::Visitor<'de> for Count {
            type Value = Moves;
            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a list")
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<Moves, A::Error> {
                let mut count = 0;
                while list.next_element::<serde::de::IgnoredAny>()?.is_some() {
                    count += 1;
                }
                Ok(Moves(count))
            }
        }
        deserializer.deserialize_seq(Count)
    }
}

/// A game for lists.
struct Listed {
    offset: u64,
    number: u64,
    players: [u16; 2],
    result: Option<GameResult>,
    reason: Option<Reason>,
    moves: u32,
}

/// What was new in a journal.
pub(super) struct News {
    /// It has begun anew: what was known is gone.
    pub again: bool,
    /// New games with the numbers of their players.
    pub games: Vec<([u16; 2], Line)>,
}

/// The games of a journal as far as it has been read.
pub(super) struct GameList {
    journal: Journal,
    names: Vec<String>,
    /// These stand first, whatever is played.
    known: usize,
    games: Vec<Listed>,
}

impl GameList {
    pub(super) fn new(journal: &Path, names: Vec<String>) -> Self {
        Self { journal: Journal::new(journal), known: names.len(), names, games: Vec::new() }
    }

    /// Reads what is new.
    pub(super) fn read(&mut self) -> Result<News, Refusal> {
        let (mut again, mut lines) = (false, Vec::new());
        let result = self.journal.read(&mut || again = true, &mut |offset, bytes| {
            // A line that is damaged is left out, as the match itself would cut it off.
            if let Ok(line) = serde_json::from_slice::<Line>(bytes) {
                lines.push((offset, line));
            }
        });
        if again {
            self.names.truncate(self.known);
            self.games.clear();
        }
        // A fault after some lines is met again the next time.
        if lines.is_empty() {
            result?;
        }
        let games = lines.into_iter().map(|(offset, line)| (self.add(offset, &line), line)).collect();
        Ok(News { again, games })
    }

    /// How many bytes have been read.
    pub(super) fn offset(&self) -> u64 {
        self.journal.offset()
    }

    fn number_of(&mut self, name: &str) -> u16 {
        let place = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        place as u16
    }

    fn add(&mut self, offset: u64, line: &Line) -> [u16; 2] {
        let players = [self.number_of(&line.black), self.number_of(&line.white)];
        let (number, moves) = (line.game, line.ms.0);
        let (result, reason) = (line.result, line.reason);
        self.games.push(Listed { offset, number, players, result, reason, moves });
        players
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn len(&self) -> u64 {
        self.games.len() as u64
    }

    /// Some of the newest games, newest first.
    pub(super) fn newest(&self, skip: usize, count: usize) -> Vec<RunGame> {
        let newest = self.games.iter().rev().skip(skip).take(count);
        let name = |number: u16| self.names[usize::from(number)].clone();
        newest
            .map(|game| RunGame {
                number: game.number,
                black: name(game.players[0]),
                white: name(game.players[1]),
                result: match game.result {
                    Some(GameResult::Black) => "black",
                    Some(GameResult::White) => "white",
                    Some(GameResult::Draw) => "draw",
                    None => "none",
                }
                .to_owned(),
                reason: game.reason.map_or_else(String::new, |reason| reason.to_string()),
                moves: Some(game.moves),
                record: true,
            })
            .collect()
    }

    /// A game as a line of USI.
    pub(super) fn record(&self, number: u64) -> Result<String, Refusal> {
        let found = self.games.iter().rev().find(|game| game.number == number);
        let found = found
            .ok_or_else(|| Refusal::new(RefusalCode::Unknown, format!("no game {number} in this run")))?;
        let bytes = self.journal.line_at(found.offset)?;
        let played: Played = serde_json::from_slice(&bytes)
            .map_err(|error| Refusal::new(RefusalCode::File, error.to_string()))?;
        let separator = if played.opening.contains(" moves") { " " } else { " moves " };
        Ok(format!("{}{separator}{}", played.opening, played.moves))
    }
}
