//! `PARAMETERS_LOG_FILE_PATH`: plays each game with slightly different search parameters, and logs them with its
//! result.

use platform::Random;
use search::{PARAMETERS, Parameter};
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write;

/// Maximum distance from the set value in steps.
const INTERVAL: i64 = 2;

/// The parameters of the current game, and the log file.
#[derive(Debug)]
pub(crate) struct ParameterLog {
    /// The path; empty if parameters are not varied.
    path: String,
    /// The set values, in the order of [`PARAMETERS`].
    set: Vec<i32>,
    /// The values of the current game.
    played: Vec<i32>,
    /// Whether a game has started whose result has not been logged.
    open: bool,
    random: Random,
}

impl ParameterLog {
    pub(crate) fn new() -> Self {
        let random = Random::new(Random::fresh_seed());
        Self { path: String::new(), set: Vec::new(), played: Vec::new(), open: false, random }
    }

    /// Stores the settings; returns a message if that starts a log.
    pub(crate) fn prepare(&mut self, path: &str, set: Vec<i32>) -> Option<String> {
        self.set = set;
        if self.path != path {
            path.clone_into(&mut self.path);
            if !path.is_empty() {
                return Some(format!(
                    "warning!! TUNING_SEARCH_PARAMETERS: the numbers of the search change with every game; they and the \
                     results are logged to {path}"
                ));
            }
        }
        None
    }

    /// The values for the next game, in the order of [`PARAMETERS`].
    pub(crate) fn next_game(&mut self) -> &[i32] {
        if self.path.is_empty() {
            self.played.clone_from(&self.set);
            return &self.played;
        }
        let varied = PARAMETERS.iter().zip(&self.set).map(|(parameter, set)| {
            let steps = self.random.below(2 * INTERVAL as usize + 1) as i64 - INTERVAL;
            vary(parameter, *set, steps)
        });
        self.played = varied.collect();
        self.open = true;
        &self.played
    }

    /// Logs the result of the game: `win`, `lose` or `draw`.
    pub(crate) fn game_over(&mut self, result: &str) -> Result<(), String> {
        if !self.open || self.path.is_empty() || !["win", "lose", "draw"].contains(&result) {
            return Ok(());
        }
        self.open = false;
        let mut entry = format!("gameover {result}\n");
        for (parameter, played) in PARAMETERS.iter().zip(&self.played) {
            if parameter.step().is_some() {
                // Writing to a string does not fail.
                let _ = write!(entry, "{}:{played},", parameter.name);
            }
        }
        entry.push('\n');
        // A single write, so that entries of several engines do not mix.
        let opened = OpenOptions::new().create(true).append(true).open(&self.path);
        let written = opened.and_then(|mut file| file.write_all(entry.as_bytes()));
        written.map_err(|error| {
            format!("PARAMETERS_LOG_FILE_PATH {}: {error}; the game is not logged", self.path)
        })
    }
}

/// The value some steps away, within its range; parameters that are not tuned stay.
fn vary(parameter: &Parameter, set: i32, steps: i64) -> i32 {
    let Some(step) = parameter.step() else { return set };
    let varied = i64::from(set) + steps * i64::from(step);
    varied.clamp(parameter.min.into(), parameter.max.into()) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn defaults() -> Vec<i32> {
        PARAMETERS.iter().map(|parameter| parameter.default).collect()
    }

    #[test]
    fn games_are_logged_with_their_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("param.log");
        let mut log = ParameterLog::new();
        let note = log.prepare(path.to_str().unwrap(), defaults());
        assert!(note.is_some_and(|note| note.starts_with("warning!! TUNING_SEARCH_PARAMETERS")));
        let mut played = Vec::new();
        for result in ["win", "lose", "draw"] {
            played.push(log.next_game().to_vec());
            log.game_over(result).unwrap();
            // A repeated result, or one without a game, is ignored.
            log.game_over(result).unwrap();
        }
        log.next_game();
        log.game_over("").unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6, "{text}");
        for (game, pair) in lines.chunks(2).enumerate() {
            assert_eq!(pair[0], format!("gameover {}", ["win", "lose", "draw"][game]));
            let tuned =
                PARAMETERS.iter().zip(&played[game]).filter(|(parameter, _)| parameter.step().is_some());
            let expected: Vec<String> =
                tuned.map(|(parameter, value)| format!("{}:{value}", parameter.name)).collect();
            assert_eq!(pair[1].strip_suffix(','), Some(expected.join(",").as_str()));
        }
    }

    #[test]
    fn numbers_vary_by_steps_around_what_is_set() {
        let mut log = ParameterLog::new();
        log.prepare("x", defaults());
        let mut seen = vec![BTreeSet::new(); PARAMETERS.len()];
        for _ in 0..200 {
            let values = log.next_game().to_vec();
            for (seen, value) in seen.iter_mut().zip(values) {
                seen.insert(value);
            }
        }
        for (parameter, seen) in PARAMETERS.iter().zip(seen) {
            let all: BTreeSet<i32> =
                (-INTERVAL..=INTERVAL).map(|steps| vary(parameter, parameter.default, steps)).collect();
            assert_eq!(seen, all, "{}", parameter.name);
            assert_eq!(all.len() > 1, parameter.step().is_some(), "{}", parameter.name);
        }
    }

    #[test]
    fn without_a_log_numbers_are_those_that_are_set() {
        let mut log = ParameterLog::new();
        let set: Vec<i32> = PARAMETERS.iter().map(|parameter| parameter.max).collect();
        assert_eq!(log.prepare("", set.clone()), None);
        assert_eq!(log.next_game(), set);
        log.game_over("win").unwrap();
    }
}
