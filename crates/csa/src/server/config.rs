use crate::clock::TimeRule;
use arena::tournament::FolderError;
use game::Game;
use platform::{AtPath, FileError};
use serde::{Deserialize, Serialize};
use shogi::Shogi;
use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// How opponents are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pairing {
    /// The longest waiting player with one who requests the same game; colours alternate.
    #[default]
    Waiting,
    /// Round robin: every pair once in each cycle.
    Robin,
    /// In each round players with equal points; no pair twice if avoidable.
    Swiss,
}

/// The value of `--time`: `300+10F` is 300 and an increment of 10, `60+5` is 60 and a byoyomi of 5; in seconds or
/// milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeWords {
    total: u64,
    extra: u64,
    fischer: bool,
}

impl FromStr for TimeWords {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad =
            || format!("expected TOTAL+INCREMENTF or TOTAL+BYOYOMI such as 300+10F or 60+5, found `{text}`");
        let (total, extra) = text.split_once('+').ok_or_else(bad)?;
        let (extra, fischer) = extra.strip_suffix('F').map_or((extra, false), |extra| (extra, true));
        let number = |text: &str| text.parse().ok().filter(|number| *number < 1_000_000_000).ok_or_else(bad);
        let time = Self { total: number(total)?, extra: number(extra)?, fischer };
        if time.total + time.extra == 0 { Err(bad()) } else { Ok(time) }
    }
}

impl TimeWords {
    /// The rule for both sides in this unit.
    #[must_use]
    pub fn rule(self, unit: Duration) -> TimeRule {
        let time = |count: u64| Duration::from_millis(count * unit.as_millis() as u64);
        let (byoyomi, increment) = if self.fischer { (0, self.extra) } else { (self.extra, 0) };
        TimeRule {
            total: time(self.total),
            byoyomi: time(byoyomi),
            increment: time(increment),
            unit,
            ..TimeRule::default()
        }
    }

    /// The part of a game's name: `300-10F`.
    #[must_use]
    pub fn name(self) -> String {
        format!("{}-{}{}", self.total, self.extra, if self.fischer { "F" } else { "" })
    }
}

/// All settings that determine the games; the run folder stores them as `config.json`. Passwords are not included.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ServerConfig {
    /// The first part of the games' names.
    pub event: String,
    /// The time of both sides.
    pub rule: TimeRule,
    /// The time in the names of games.
    pub time_name: String,
    /// How opponents are paired.
    pub pairing: Pairing,
    /// Cycles of a round robin, rounds of a Swiss tournament.
    pub rounds: u32,
    /// After this many moves, including those of the start position, a game ends without a result.
    pub max_moves: u32,
    /// Lines out of turn are kept until the turn, as in shogi-server; otherwise they lose.
    pub lenient: bool,
    /// The players of a tournament; others cannot play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<String>,
    /// A player who is absent this long after the start of a round loses the game, in milliseconds.
    pub absence_ms: u64,
}

impl ServerConfig {
    /// Checks the openings: the error names the first invalid one.
    pub fn check_openings(openings: &[String]) -> Result<(), String> {
        let game = Shogi::default();
        openings.iter().enumerate().try_for_each(|(index, opening)| {
            let position = game.position_command(opening);
            position.map(drop).map_err(|error| format!("opening {}: {error}", index + 1))
        })
    }
}

/// Why the server cannot start or has to end.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// It cannot listen on the address.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: String,
        /// Why.
        error: std::io::Error,
    },
    /// The system cannot wait for sockets.
    #[error("cannot wait for connections: {0}")]
    Wait(#[from] std::io::Error),
    /// The run folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line of the file of users.
    #[error("{file}: line {line}: expected `NAME PASSWORD`, a name of 1 to 32 letters, digits and _@.-")]
    User {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
    },
    /// A tournament without a list of players.
    #[error("--pairing robin and swiss need --users with two players at least")]
    NoUsers,
}

/// Reads a file of users: one `NAME PASSWORD` per line; empty lines and lines that begin with `#` are skipped.
pub fn read_users(path: &Path) -> Result<BTreeMap<String, String>, ServerError> {
    let text = std::fs::read_to_string(path).at_path(path)?;
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(line, text)| match text.split_whitespace().collect::<Vec<_>>()[..] {
            [name, password] if crate::wire::is_name(name) => Ok((name.to_owned(), password.to_owned())),
            _ => Err(ServerError::User { file: path.display().to_string(), line }),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let rule = |text: &str, unit| text.parse::<TimeWords>().unwrap().rule(Duration::from_millis(unit));
        let fischer = rule("300+10F", 1000);
        assert_eq!(
            (fischer.total.as_secs(), fischer.increment.as_secs(), fischer.byoyomi.as_secs()),
            (300, 10, 0)
        );
        assert_eq!(rule("0+100", 1).byoyomi, Duration::from_millis(100));
        assert_eq!("60+5".parse::<TimeWords>().unwrap().name(), "60-5");
        for bad in ["", "60", "60+", "a+5", "0+0", "60+5G", "-1+5"] {
            assert!(bad.parse::<TimeWords>().is_err(), "{bad}");
        }
    }

    #[test]
    fn users() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users.txt");
        std::fs::write(&path, "# club\nalice one\n\n bob two \n").unwrap();
        let users = read_users(&path).unwrap();
        assert_eq!(users.get("bob").map(String::as_str), Some("two"));
        std::fs::write(&path, "alice one\nbob\n").unwrap();
        assert!(read_users(&path).unwrap_err().to_string().contains("line 2"));
        assert!(
            ServerConfig::check_openings(&["startpos moves 7g7e".to_owned()])
                .unwrap_err()
                .contains("opening 1")
        );
    }
}
