//! Evaluates the result log of an engine that varies its parameters from game to game.
//!
//! For each game the engine writes `gameover win|lose|draw` and then one line `NAME:VALUE,NAME:VALUE,…`.

use platform::svg::{Chart, Point, Series};
use platform::{AtPath, FileError};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Games won, drawn and lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

impl Score {
    fn add(&mut self, result: GameOver) {
        match result {
            GameOver::Win => self.wins += 1,
            GameOver::Draw => self.draws += 1,
            GameOver::Lose => self.losses += 1,
        }
    }

    /// The rate of wins among decided games; `None` if there are none.
    #[must_use]
    pub fn win_rate(&self) -> Option<f64> {
        let decided = self.wins + self.losses;
        (decided > 0).then(|| self.wins as f64 / decided as f64)
    }
}

/// The format of `YaneuraOu`'s documentation: `223 - 21 - 161(58.07% R56.59)`; draws do not count in the rate.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} - {} - {}", self.wins, self.draws, self.losses)?;
        match self.win_rate() {
            Some(rate) => {
                let elo = 400.0 * (self.wins as f64 / self.losses as f64).log10();
                write!(f, "({}% R{})", rounded(100.0 * rate), rounded(elo))
            }
            None => f.write_str("(-% R-)"),
        }
    }
}

/// Two decimals without trailing zeros.
fn rounded(number: f64) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
    let text = format!("{number:.2}");
    match text.strip_suffix('0').unwrap_or(&text) {
        "-0.0" => "0.0".to_owned(),
        text => text.to_owned(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GameOver {
    Win,
    Draw,
    Lose,
}

/// A value of a parameter; numbers are ordered as numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Value(String);

impl Value {
    fn number(&self) -> Option<f64> {
        self.0.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_number = match (self.number(), other.number()) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        };
        by_number.then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The results of all games of a log, by parameter and value.
///
/// ```
/// use arena::result_log::ResultLog;
/// let mut log = ResultLog::default();
/// log.read("gameover win\nA:3,B:10,\n\ngameover lose\nA:4,B:10,\n".as_bytes())?;
/// let table = log.to_string();
/// assert_eq!(table.lines().nth(2), Some("A:"));
/// assert_eq!(table.lines().nth(3), Some("  3 : 1 - 0 - 0(100.0% Rinf)"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ResultLog {
    total: Score,
    /// In the order of first appearance.
    parameters: Vec<(String, BTreeMap<Value, Score>)>,
    skipped: u64,
}

/// Why logs cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// No file of this name.
    #[error("there is no file `{0}`")]
    Missing(String),
    /// A file or folder cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Stands for any number in the name of a log.
const THREAD_NUMBER: &str = "%%THREAD_NUMBER%%";

/// The files for a name with or without [`THREAD_NUMBER`].
fn expand(name: &str) -> Result<Vec<PathBuf>, FileError> {
    let path = Path::new(name);
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some((before, after)) = file.split_once(THREAD_NUMBER) else { return Ok(vec![path.to_owned()]) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).at_path(folder)? {
        let entry = entry.at_path(folder)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let number = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        if number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// Longer lines are skipped.
const LONGEST_LINE: u64 = 1 << 20;

impl ResultLog {
    /// Reads logs; `%%THREAD_NUMBER%%` in the name of a file stands for any number.
    pub fn read_files(names: &[String]) -> Result<Self, LogError> {
        let mut log = Self::default();
        for name in names {
            let paths = expand(name)?;
            if paths.is_empty() {
                return Err(LogError::Missing(name.clone()));
            }
            for path in paths {
                let file = File::open(&path).at_path(&path)?;
                log.read(BufReader::new(file)).at_path(&path)?;
            }
        }
        Ok(log)
    }

    /// Adds the games of a log. Lines other than a result, or parameters after one, are skipped, because logs may be
    /// truncated.
    pub fn read(&mut self, mut log: impl BufRead) -> io::Result<()> {
        let mut result = None;
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            if io::Read::take(&mut log, LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
                self.skipped += u64::from(result.is_some());
                return Ok(());
            }
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() {
                continue;
            }
            if let Some(word) = line.strip_prefix("gameover") {
                self.skipped += u64::from(result.is_some());
                result = game_over(word.trim());
                self.skipped += u64::from(result.is_none());
            } else if let Some(over) = result.take() {
                match parameters(line) {
                    Some(values) => self.add(over, values),
                    None => self.skipped += 1,
                }
            } else {
                self.skipped += 1;
            }
        }
    }

    fn add(&mut self, result: GameOver, values: Vec<(&str, &str)>) {
        self.total.add(result);
        for (name, value) in values {
            let place = self.parameters.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                self.parameters.push((name.to_owned(), BTreeMap::new()));
                self.parameters.len() - 1
            });
            self.parameters[place].1.entry(Value(value.to_owned())).or_default().add(result);
        }
    }

    /// All games.
    #[must_use]
    pub const fn total(&self) -> Score {
        self.total
    }

    /// Number of lines skipped.
    #[must_use]
    pub const fn skipped(&self) -> u64 {
        self.skipped
    }

    /// The rate of wins by the values of each parameter, with bars of one standard error.
    #[must_use]
    pub fn charts(&self) -> Vec<Chart> {
        let chart = |(name, values): &(String, BTreeMap<Value, Score>)| {
            let points = values.iter().filter_map(|(value, score)| {
                let (x, rate) = (value.number()?, score.win_rate()?);
                let decided = (score.wins + score.losses) as f64;
                Some(Point { x, y: 100.0 * rate, error: 100.0 * (rate * (1.0 - rate) / decided).sqrt() })
            });
            Chart {
                title: name.clone(),
                unit: "% of decided games won".to_owned(),
                series: vec![Series { points: points.collect() }],
            }
        };
        self.parameters.iter().map(chart).collect()
    }
}

fn game_over(word: &str) -> Option<GameOver> {
    match word {
        "win" => Some(GameOver::Win),
        "draw" => Some(GameOver::Draw),
        "lose" => Some(GameOver::Lose),
        _ => None,
    }
}

/// `NAME:VALUE,NAME:VALUE,`; the last comma is optional.
fn parameters(line: &str) -> Option<Vec<(&str, &str)>> {
    let pair =
        |text| str::split_once(text, ':').map(|(name, value): (&str, &str)| (name.trim(), value.trim()));
    let pairs: Option<Vec<_>> = line.split(',').filter(|text| !text.trim().is_empty()).map(pair).collect();
    pairs.filter(|pairs| {
        !pairs.is_empty() && pairs.iter().all(|(name, value)| !name.is_empty() && !value.is_empty())
    })
}

/// The table in the layout of `YaneuraOu`'s documentation.
impl fmt::Display for ResultLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "total : {}", self.total)?;
        write!(f, "  total : {}", self.total)?;
        for (name, values) in &self.parameters {
            write!(f, "\n{name}:")?;
            for (value, score) in values {
                write!(f, "\n  {} : {score}", value.0)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scores and texts are those of the documentation.
    #[test]
    fn scores_look_as_in_the_documents() {
        for (wins, draws, losses, text) in [
            (1276, 142, 1065, "1276 - 142 - 1065(54.51% R31.4)"),
            (223, 21, 161, "223 - 21 - 161(58.07% R56.59)"),
            (226, 38, 228, "226 - 38 - 228(49.78% R-1.53)"),
            (259, 26, 220, "259 - 26 - 220(54.07% R28.35)"),
            (283, 29, 212, "283 - 29 - 212(57.17% R50.18)"),
            (285, 28, 244, "285 - 28 - 244(53.88% R26.98)"),
            (434, 40, 397, "434 - 40 - 397(52.23% R15.48)"),
            (398, 52, 301, "398 - 52 - 301(56.94% R48.53)"),
            (444, 50, 367, "444 - 50 - 367(54.75% R33.09)"),
            (439, 47, 375, "439 - 47 - 375(53.93% R27.37)"),
            (503, 58, 390, "503 - 58 - 390(56.33% R44.2)"),
            (334, 37, 300, "334 - 37 - 300(52.68% R18.65)"),
            (5, 0, 5, "5 - 0 - 5(50.0% R0.0)"),
            (0, 1, 2, "0 - 1 - 2(0.0% R-inf)"),
            (0, 3, 0, "0 - 3 - 0(-% R-)"),
        ] {
            assert_eq!(Score { wins, draws, losses }.to_string(), text);
        }
    }

    #[test]
    fn logs_are_read_whatever_was_cut_off() {
        let mut log = ResultLog::default();
        let text = "garbage\ngameover win\nB:10,A:2,\n\r\ngameover lose\nB:9,A:2\ngameover lose\ngameover draw\n\
                    B:10,A:-1,\ngameover what\nA:1,\ngameover win\n:,x\ngameover win";
        log.read(text.as_bytes()).unwrap();
        let expected = "total : 1 - 1 - 1(50.0% R0.0)\n  total : 1 - 1 - 1(50.0% R0.0)\n\
                        B:\n  9 : 0 - 0 - 1(0.0% R-inf)\n  10 : 1 - 1 - 0(100.0% Rinf)\n\
                        A:\n  -1 : 0 - 1 - 0(-% R-)\n  2 : 1 - 0 - 1(50.0% R0.0)";
        assert_eq!(log.to_string(), expected);
        assert_eq!(log.skipped(), 6);
        let charts = log.charts();
        assert_eq!(charts.len(), 2);
        assert_eq!(charts[0].series[0].points.iter().map(|point| point.x).collect::<Vec<_>>(), [9.0, 10.0]);
    }
}
