use super::declared::Declared;
use super::spec::EngineSpec;
use platform::process::{Heard, Process};
use std::fmt::Write;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Why an engine did not reach `readyok`.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program cannot be started.
    #[error("cannot start `{command}`: {error}")]
    Spawn {
        /// The program.
        command: String,
        /// Why.
        error: io::Error,
    },
    /// Sending failed.
    #[error("does not read its input: {0}")]
    Send(io::Error),
    /// No answer in time.
    #[error("no `{word}` within {} s", patience.as_secs())]
    Silent {
        /// The expected word.
        word: &'static str,
        /// The time limit.
        patience: Duration,
    },
    /// It reported an error and ended.
    #[error("ended before `{word}`: {message}")]
    Refused {
        /// The expected word.
        word: &'static str,
        /// Its last `info string Error! …` without `info string`.
        message: String,
    },
    /// It ended instead of answering.
    #[error("ended before `{word}`{status}")]
    Ended {
        /// The expected word.
        word: &'static str,
        /// Its exit status, as far as known, and its last line on standard error.
        status: String,
    },
    /// A `bestmove` without a `go`.
    #[error("sent `{0}` out of turn")]
    StrayBestmove(String),
    /// Too much output: an endless line, or endless lines.
    #[error("floods its output instead of sending `{word}`")]
    Flood {
        /// The expected word.
        word: &'static str,
    },
    /// An option that it does not have.
    #[error("has no option `{option}`; it has {known}")]
    UnknownOption {
        /// The option.
        option: String,
        /// The options that it declared.
        known: String,
    },
}

/// The limit of output in answer to one command, in bytes.
pub const FLOOD: u64 = 1 << 24;

/// Limit of a quoted message, in characters.
const MOST_QUOTED: usize = 500;

/// Options that hosts always set, declared or not.
const IMPLIED: [&str; 2] = ["USI_Ponder", "USI_Hash"];

/// Options that choose the game.
const VARIANT: [&str; 2] = ["VariantPath", "USI_Variant"];

/// An engine after the handshake.
pub struct Session {
    /// Its process.
    pub process: Process,
    identity: String,
    declared: Declared,
    patience: Duration,
}

impl Session {
    /// Starts an engine, reads its identity and options, and sets its options.
    pub fn start(spec: &EngineSpec, patience: Duration, errors: Option<&Path>) -> Result<Self, StartError> {
        let process = Process::start(&spec.program(), errors)
            .map_err(|error| StartError::Spawn { command: spec.command.display().to_string(), error })?;
        let mut session = Self { process, identity: String::new(), declared: Declared::default(), patience };
        session.greet()?;
        // Options of a game appear once the game is chosen.
        let variant: Vec<_> =
            spec.options.iter().filter(|(name, _)| VARIANT.contains(&name.as_str())).cloned().collect();
        if !variant.is_empty() && spec.options.iter().any(|(name, _)| !session.declared.contains(name)) {
            session.set_options(&variant)?;
            session.greet()?;
        }
        let chosen = spec.options.iter().any(|(name, _)| name == "USI_Ponder");
        if session.declared.contains("USI_Ponder") && !chosen {
            session.set_options(&[("USI_Ponder".to_owned(), spec.ponder.to_string())])?;
        }
        session.set_options(&session.declared.resolved(spec))?;
        Ok(session)
    }

    /// Sends `usi` and reads the engine's identity and options.
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

    /// The engine's name.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Sets options, which the engine must have declared.
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

    /// Whether the engine declared this option.
    #[must_use]
    pub fn has_option(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    /// Sends `isready` and waits for `readyok`.
    pub fn get_ready(&mut self) -> Result<(), StartError> {
        self.send("isready\n")?;
        self.until("readyok").map(drop)
    }

    /// Starts a new game.
    pub fn new_game(&mut self) -> Result<(), StartError> {
        self.get_ready()?;
        self.send("usinewgame\n")
    }

    fn send(&mut self, text: &str) -> Result<(), StartError> {
        self.process.send(text, Instant::now() + self.patience).map_err(StartError::Send)
    }

    /// The lines up to `word`.
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

    /// The error for an engine that ended while `word` was expected: its own message, or its exit status.
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

    /// Lets the engine end by itself, or kills it.
    pub fn quit(mut self) {
        // An engine that does not read is killed afterwards.
        let _ = self.process.send("quit\n", Instant::now() + Duration::from_millis(100));
        self.process.close_input();
        let _ = self.process.wait(Duration::from_secs(1));
    }
}
