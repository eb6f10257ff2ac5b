//! An engine that analyses positions one after another, and is started again when it dies.

use crate::effort::{Effort, Limit};
use crate::known::Candidate;
use arena::{Answer, EngineSpec, Info, Score, Session, StartError};
use platform::process::Heard;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long an engine may take to get ready.
const START_PATIENCE: Duration = Duration::from_mins(2);
/// An engine that says nothing for so long is given up.
const SILENCE: Duration = Duration::from_mins(10);
/// What an engine may need beyond its time.
const TIME_MARGIN: Duration = Duration::from_secs(30);
/// A position is tried so often.
const TRIES: usize = 2;
/// More lines than this in answer to one question is no talk any more.
const FLOOD: u64 = 1 << 26;

/// Why a position was not analysed.
#[derive(Debug, thiserror::Error)]
pub enum ThinkError {
    /// The engine cannot be started.
    #[error("engine {0}: {1}")]
    Start(String, StartError),
    /// It ended, hung or talked without end, as often as it was asked.
    #[error("the engine {0} (tried {TRIES} times)")]
    Died(String),
}

/// A running engine, or one that will be started when it is needed.
pub struct Thinker {
    spec: EngineSpec,
    /// Options that are set if it has them, and is not given another value.
    preferences: Vec<(String, String)>,
    errors: Option<PathBuf>,
    session: Option<Session>,
    /// It has said that it has no mate engine for this game.
    no_mates: bool,
}

impl Thinker {
    /// An engine that is not started yet. The preferences are options that it need not have; what it writes to standard error goes to
    /// a file, or nowhere.
    #[must_use]
    pub fn new(spec: EngineSpec, preferences: Vec<(String, String)>, errors: Option<PathBuf>) -> Self {
        Self { spec, preferences, errors, session: None, no_mates: false }
    }

    /// The engine's own name; starts it.
    pub fn identity(&mut self) -> Result<String, ThinkError> {
        let name = self.spec.name.clone();
        let identity = self.session()?.identity().to_owned();
        Ok(if identity.is_empty() { name } else { identity })
    }

    /// Whether it can show more than one line of play; starts it.
    pub fn has_lines(&mut self) -> Result<bool, ThinkError> {
        Ok(self.session()?.has_option("MultiPV"))
    }

    fn session(&mut self) -> Result<&mut Session, ThinkError> {
        let session = match self.session.take() {
            Some(session) => session,
            None => self.start().map_err(|error| ThinkError::Start(self.spec.name.clone(), error))?,
        };
        Ok(self.session.insert(session))
    }

    fn start(&self) -> Result<Session, StartError> {
        let mut session = Session::start(&self.spec, START_PATIENCE, self.errors.as_deref())?;
        let given = |name: &str| self.spec.options.iter().any(|(known, _)| known == name);
        let preferences =
            self.preferences.iter().filter(|(name, _)| session.has_option(name) && !given(name));
        let preferences: Vec<_> = preferences.cloned().collect();
        session.set_options(&preferences)?;
        Ok(session)
    }

    /// The lines of play that the engine finds in a position.
    pub fn think(&mut self, command: &str, effort: &Effort) -> Result<Vec<Candidate>, ThinkError> {
        let silence = match effort.limit {
            Limit::Movetime(time) => Duration::from_millis(time).saturating_add(TIME_MARGIN),
            Limit::Nodes(_) | Limit::Depth(_) => SILENCE,
        };
        let lines = effort.lines;
        self.ask(&format!("position {command}\ngo {}\n", effort.limit), silence, lines, |session, silence| {
            let mut heard = Lines::default();
            let answer = listen(session, silence, |line| {
                let answer = Answer::read(line);
                if answer.is_none() {
                    heard.hear(line);
                }
                answer
            })?;
            Ok(heard.candidates(lines, &answer))
        })
    }

    /// A mate that the mate engine proves with so many positions at most.
    pub fn mate(&mut self, command: &str, nodes: u64) -> Result<Option<Vec<String>>, ThinkError> {
        if self.no_mates {
            return Ok(None);
        }
        let text = format!("position {command}\ngo mate nodes {nodes}\n");
        let answer = self.ask(&text, SILENCE, 1, |session, silence| {
            listen(session, silence, |line| {
                line.strip_prefix("checkmate ").map(|rest| rest.trim().to_owned())
            })
        })?;
        self.no_mates = answer == "notimplemented";
        let is_line = !matches!(answer.as_str(), "nomate" | "timeout" | "notimplemented" | "");
        Ok(is_line.then(|| answer.split_ascii_whitespace().map(str::to_owned).collect()))
    }

    /// Says something to the engine and hears the answer; an engine that ends meanwhile is started again.
    fn ask<T>(
        &mut self,
        text: &str,
        silence: Duration,
        lines: usize,
        hear: impl Fn(&mut Session, Duration) -> Result<T, String>,
    ) -> Result<T, ThinkError> {
        let mut fault = String::new();
        for _ in 0..TRIES {
            let session = self.session()?;
            let asked = ready(session, lines).and_then(|()| {
                let sent = session.process.send(text, Instant::now() + START_PATIENCE);
                sent.map_err(|error| format!("does not listen: {error}"))
            });
            match asked.and_then(|()| hear(session, silence)) {
                Ok(answer) => return Ok(answer),
                Err(error) => fault = error,
            }
            // Dropping it ends it.
            self.session = None;
        }
        Err(ThinkError::Died(fault))
    }

    /// Lets the engine end.
    pub fn quit(self) {
        if let Some(session) = self.session {
            session.quit();
        }
    }
}

/// Empties the engine's tables, so that what it finds does not depend on what it was asked before.
fn ready(session: &mut Session, lines: usize) -> Result<(), String> {
    let told = if session.has_option("MultiPV") {
        session.set_options(&[("MultiPV".to_owned(), lines.to_string())])
    } else {
        Ok(())
    };
    told.and_then(|()| session.new_game()).map_err(|error| error.to_string())
}

/// Hears lines until one of them is the answer.
fn listen<T>(
    session: &mut Session,
    silence: Duration,
    mut take: impl FnMut(&str) -> Option<T>,
) -> Result<T, String> {
    let flood = session.process.total_heard() + FLOOD;
    loop {
        let heard =
            session.process.listen(Instant::now() + silence, None).map_err(|error| error.to_string())?;
        match heard {
            Heard::Line(line) => {
                if let Some(answer) = take(&line.text) {
                    return Ok(answer);
                }
                if session.process.total_heard() > flood {
                    return Err("floods its output".to_owned());
                }
            }
            Heard::Silence => return Err(format!("has been silent for {} s", silence.as_secs())),
            Heard::Closed => {
                let last = session.process.last_error_line();
                return Err(last.map_or("ended".to_owned(), |last| format!("ended: {last}")));
            }
        }
    }
}

/// The last `info` of each line of play.
#[derive(Default)]
struct Lines(Vec<Option<Candidate>>);

/// No engine shows more.
const MOST_LINES: usize = 1000;

impl Lines {
    fn hear(&mut self, text: &str) {
        let Some(Info { line, is_bound, search_info }) = Info::read(text) else { return };
        let (Some(index), Some(score)) = (line.checked_sub(1), search_info.score) else { return };
        if search_info.pv.is_empty() || index >= MOST_LINES {
            return;
        }
        if self.0.len() <= index {
            self.0.resize(index + 1, None);
        }
        // A bound is better than nothing only.
        if !is_bound || self.0[index].is_none() {
            let (depth, nodes) = (search_info.depth, search_info.nodes);
            self.0[index] = Some(Candidate { score, depth, nodes, pv: search_info.pv });
        }
    }

    /// The best lines, each with a first move of its own; the answer's move leads.
    fn candidates(self, most: usize, answer: &Answer) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for candidate in self.0.into_iter().flatten() {
            if found.iter().all(|other| other.pv[0] != candidate.pv[0]) {
                found.push(candidate);
            }
        }
        if let Some(best) = found.iter().position(|candidate| candidate.pv[0] == answer.best) {
            found[..=best].rotate_right(1);
        } else {
            // Engines may end a game without a word about why.
            let score = match answer.best.as_str() {
                "win" => Some(Score::Mate(1)),
                "resign" if found.is_empty() => Some(Score::Mate(-1)),
                _ => None,
            };
            let told = |score| Candidate { score, depth: None, nodes: None, pv: vec![answer.best.clone()] };
            found.splice(0..0, score.map(told));
        }
        found.truncate(most);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(lines: &[&str], best: &str) -> Vec<String> {
        let mut heard = Lines::default();
        for line in lines {
            heard.hear(line);
        }
        let answer = Answer { best: best.to_owned(), ponder: None };
        let candidates = heard.candidates(3, &answer).into_iter();
        candidates.map(|candidate| format!("{} {}", candidate.score, candidate.pv.join(" "))).collect()
    }

    #[test]
    fn the_last_exact_line_of_each_number_counts() {
        let lines = [
            "info depth 1 multipv 1 score cp 10 pv 7g7f",
            "info depth 1 multipv 2 score cp 5 pv 2g2f",
            "info depth 2 multipv 1 score cp 30 pv 2g2f 8c8d",
            "info depth 2 multipv 2 score cp 99 lowerbound pv 5g5f",
            "info depth 2 multipv 3 score mate -3 pv 1g1f",
            "info string score cp 5 pv 9g9f",
        ];
        assert_eq!(heard(&lines, "2g2f"), ["cp 30 2g2f 8c8d", "mate -3 1g1f"]);
        assert_eq!(heard(&lines, "1g1f"), ["mate -3 1g1f", "cp 30 2g2f 8c8d"]);
        assert_eq!(heard(&[], "resign"), ["mate -1 resign"]);
        assert_eq!(heard(&lines[..1], "win"), ["mate 1 win", "cp 10 7g7f"]);
        assert!(heard(&[], "7g7f").is_empty());
        assert!(
            heard(&["info multipv 0 score cp 1 pv a", "info multipv 99999999 score cp 1 pv a"], "a")
                .is_empty()
        );
    }
}
