use super::declared::Declared;
use super::spec::EngineSpec;
use platform::process::{Heard, Process};
use std::fmt::Write;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Why an engine could not be brought to `readyok`.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program does not run at all.
    #[error("cannot start `{command}`: {error}")]
    Spawn {
        /// The program.
        command: String,
        /// Why.
        error: io::Error,
    },
    /// It does not take what we say.
    #[error("does not listen: {0}")]
    Send(io::Error),
    /// No answer in time.
    #[error("no `{word}` within {} s", patience.as_secs())]
    Silent {
        /// What was waited for.
        word: &'static str,
        /// How long.
        patience: Duration,
    },
    /// It said why it cannot go on, and ended.
    #[error("ended before `{word}`: {message}")]
    Refused {
        /// What was waited for.
        word: &'static str,
        /// Its last `info string Error! …` without `info string`.
        message: String,
    },
    /// It ended instead of answering.
    #[error("ended before `{word}`{status}")]
    Ended {
        /// What was waited for.
        word: &'static str,
        /// How it ended, as far as is known, and its last line on standard error.
        status: String,
    },
    /// A `bestmove` without a `go`.
    #[error("said `{0}` although it was not its turn")]
    StrayBestmove(String),
    /// A line that never ends, or lines without end.
    #[error("floods its output instead of saying `{word}`")]
    Flood {
        /// What was waited for.
        word: &'static str,
    },
    /// Options that it does not have.
    #[error("has no option `{option}`; it has {known}")]
    UnknownOption {
        /// The option that was to be set.
        option: String,
        /// Those it told about.
        known: String,
    },
}

/// More than this in answer to one question is no talk any more.
pub(crate) const FLOOD: u64 = 1 << 24;

/// Messages of engines are quoted up to so many characters.
const MOST_QUOTED: usize = 500;

/// Options that hosts always set, told about or not.
const IMPLIED: [&str; 2] = ["USI_Ponder", "USI_Hash"];

/// Options that choose the game.
const VARIANT: [&str; 2] = ["VariantPath", "USI_Variant"];

/// An engine that has shaken hands.
pub struct Session {
    /// Its process.
    pub process: Process,
    identity: String,
    declared: Declared,
    patience: Duration,
}

impl Session {
    /// Starts an engine, hears who it is, and sets its options.
    pub fn start(spec: &EngineSpec, patience: Duration, errors: Option<&Path>) -> Result<Self, StartError> {
        let process = Process::start(&spec.program(), errors)
            .map_err(|error| StartError::Spawn { command: spec.command.display().to_string(), error })?;
        let mut session = Self { process, identity: String::new(), declared: Declared::default(), patience };
        session.greet()?;
        // Options of a game appear when the game is chosen.
        let variant: Vec<_> =
            spec.options.iter().filter(|(name, _)| VARIANT.contains(&name.as_str())).cloned().collect();
        if !variant.is_empty() && spec.options.iter().any(|(name, _)| !session.declared.contains(name)) {
            session.set_options(&variant)?;
            session.greet()?;
        }
        if session.declared.contains("USI_Ponder") {
            session.set_options(&[("USI_Ponder".to_owned(), spec.ponder.to_string())])?;
        }
        session.set_options(&session.declared.resolved(spec))?;
        Ok(session)
    }

    /// Hears who the engine is and which options it has.
    fn greet(&mut self) -> Result<(), StartError> {
        self.send("usi\n")?;
        for line in self.until("usiok")? {
            if let Some(name) = line.strip_prefix("id name ") {
                name.trim().clone_into(&mut self.identity);
            }
            self.declared.hear(&line);
        }
        Ok(())
    }

    /// What the engine calls itself.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Sets options that the engine told about.
    pub fn set_options(&mut self, options: &[(String, String)]) -> Result<(), StartError> {
        let mut text = String::new();
        for (name, value) in options {
            if !self.declared.contains(name) && !IMPLIED.contains(&name.as_str()) {
                let known = self.declared.names();
                return Err(StartError::UnknownOption { option: name.clone(), known });
            }
            let value = if value.is_empty() { "<empty>" } else { value };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "setoption name {name} value {value}");
        }
        self.send(&text)
    }

    /// Brings the engine to the start of a new game.
    pub fn new_game(&mut self) -> Result<(), StartError> {
        self.send("isready\n")?;
        self.until("readyok")?;
        self.send("usinewgame\n")
    }

    fn send(&mut self, text: &str) -> Result<(), StartError> {
        self.process.send(text, Instant::now() + self.patience).map_err(StartError::Send)
    }

    /// The lines up to the one that is `word`.
    fn until(&mut self, word: &'static str) -> Result<Vec<String>, StartError> {
        let deadline = Instant::now() + self.patience;
        let flood = self.process.total_heard() + FLOOD;
        let mut lines = Vec::new();
        loop {
            match self.process.listen(deadline, None).map_err(StartError::Send)? {
                Heard::Line(line) if line.text.trim() == word => return Ok(lines),
                Heard::Line(line) if line.text.starts_with("bestmove") => {
                    return Err(StartError::StrayBestmove(line.text));
                }
                Heard::Line(_) if self.process.total_heard() > flood => {
                    return Err(StartError::Flood { word });
                }
                Heard::Line(line) => lines.push(line.text),
                Heard::Silence => return Err(StartError::Silent { word, patience: self.patience }),
                Heard::Closed => return Err(self.ended(word, &lines)),
            }
        }
    }

    /// Why it ended while we waited for `word`: what it said about it, or how it ended.
    fn ended(&mut self, word: &'static str, lines: &[String]) -> StartError {
        let status = self.process.wait(Duration::from_millis(200)).ok().flatten();
        let said = |line: &String| line.strip_prefix("info string ").map(|text| text.trim().to_owned());
        let mut errors = lines.iter().rev().filter_map(said).filter(|text| text.starts_with("Error!"));
        if let Some(message) = errors.next() {
            return StartError::Refused { word, message: message.chars().take(MOST_QUOTED).collect() };
        }
        let mut status = status.map_or_else(String::new, |status| format!(" ({status})"));
        if let Some(last) = self.process.last_error_line() {
            let _ = write!(status, ": {last}");
        }
        StartError::Ended { word, status }
    }

    /// Lets the engine end by itself, or ends it.
    pub fn quit(mut self) {
        // An engine that does not listen is ended all the same.
        let _ = self.process.send("quit\n", Instant::now() + Duration::from_millis(100));
        self.process.close_input();
        let _ = self.process.wait(Duration::from_secs(1));
    }
}
