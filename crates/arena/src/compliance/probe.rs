use super::Trouble;
use crate::engine::{Answer, Declared, EngineSpec};
use game::{Game, Position as _};
use platform::process::{Heard, Process};
use shogi::{Position, Shogi};
use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// The time limit of everything that a check is not about.
const PATIENCE: Duration = Duration::from_mins(1);

/// An engine being checked.
pub(super) struct Probe {
    process: Process,
    engine: EngineSpec,
    declared: Declared,
    talk: Vec<String>,
}

/// A `bestmove` and the lines before it.
pub(super) struct Answered {
    pub(super) answer: Answer,
    pub(super) before: Vec<String>,
    pub(super) took: Duration,
}

impl Probe {
    pub(super) fn start(engine: &EngineSpec) -> io::Result<Self> {
        let process = Process::start(&engine.program(), None)?;
        Ok(Self { process, engine: engine.clone(), declared: Declared::default(), talk: Vec::new() })
    }

    pub(super) fn talk(&self) -> &[String] {
        &self.talk
    }

    /// Sends one line.
    pub(super) fn say(&mut self, line: &str) -> Result<(), Trouble> {
        self.say_ending(line, "\n")
    }

    /// Sends several lines at once.
    pub(super) fn say_all(&mut self, lines: &[&str]) -> Result<(), Trouble> {
        lines.iter().try_for_each(|line| self.say(line))
    }

    pub(super) fn say_ending(&mut self, line: &str, end: &str) -> Result<(), Trouble> {
        let shown: String = line.chars().take(200).collect();
        self.talk.push(format!("> {shown}"));
        let sent = self.process.send(&format!("{line}{end}"), Instant::now() + PATIENCE);
        sent.map_err(|error| Trouble::Dead(format!("takes no input any more ({error}){}", self.status())))
    }

    /// The next line, if one arrives before the deadline.
    fn hear(&mut self, deadline: Instant) -> Result<Option<String>, Trouble> {
        match self.process.listen(deadline, None) {
            Ok(Heard::Line(line)) => {
                self.talk.push(format!("< {}", line.text));
                Ok(Some(line.text))
            }
            Ok(Heard::Silence) => Ok(None),
            Ok(Heard::Closed) => Err(Trouble::Dead(format!("closed its output{}", self.status()))),
            Err(error) => Err(Trouble::Dead(error.to_string())),
        }
    }

    fn status(&mut self) -> String {
        let status = self.process.wait(Duration::from_millis(200)).ok().flatten();
        status.map_or_else(String::new, |status| format!(", {status}"))
    }

    /// The lines up to the first for which `is` returns true.
    pub(super) fn until(
        &mut self,
        what: &str,
        patience: Duration,
        is: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, Trouble> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        while let Some(line) = self.hear(deadline)? {
            let found = is(&line);
            lines.push(line);
            if found {
                return Ok(lines);
            }
        }
        let last = lines.last().map_or_else(String::new, |line| {
            format!("; its last line was `{}`", line.chars().take(60).collect::<String>())
        });
        Err(Trouble::Fail(format!("no {what} within {:.1} s{last}", patience.as_secs_f64())))
    }

    /// All lines that arrive within this time.
    pub(super) fn listen_for(&mut self, time: Duration) -> Result<Vec<String>, Trouble> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(line) = self.hear(deadline)? {
            lines.push(line);
        }
        Ok(lines)
    }

    /// Fails if a `bestmove` arrives within this time.
    pub(super) fn no_bestmove_for(&mut self, time: Duration, when: &str) -> Result<Vec<String>, Trouble> {
        let lines = self.listen_for(time)?;
        match lines.iter().find(|line| line.starts_with("bestmove")) {
            Some(line) => super::fail(format!("`{line}` {when}")),
            None => Ok(lines),
        }
    }

    /// Sends `usi`; returns the lines up to `usiok`.
    pub(super) fn usi(&mut self) -> Result<Vec<String>, Trouble> {
        self.say("usi")?;
        let lines = self.until("usiok", Duration::from_secs(15), |line| line.trim() == "usiok")?;
        for line in &lines {
            self.declared.hear(line);
        }
        Ok(lines)
    }

    /// Sets the options given by the user for all checks.
    pub(super) fn set_wanted_options(&mut self) -> Result<(), Trouble> {
        for (name, value) in self.declared.resolved(&self.engine) {
            self.say(&format!("setoption name {name} value {value}"))?;
        }
        Ok(())
    }

    /// Sends `isready`; returns the lines up to `readyok`.
    pub(super) fn ready(&mut self) -> Result<Vec<String>, Trouble> {
        self.say("isready")?;
        self.until_readyok()
    }

    pub(super) fn until_readyok(&mut self) -> Result<Vec<String>, Trouble> {
        self.until("readyok", PATIENCE, |line| line.trim() == "readyok")
    }

    /// The whole handshake; returns the lines in answer to `usi`.
    pub(super) fn begin(&mut self) -> Result<Vec<String>, Trouble> {
        let lines = self.usi()?;
        self.set_wanted_options()?;
        self.ready()?;
        self.say("usinewgame")?;
        Ok(lines)
    }

    /// Waits for `bestmove`.
    pub(super) fn bestmove(&mut self, patience: Duration) -> Result<Answered, Trouble> {
        let start = Instant::now();
        let mut before = self.until("bestmove", patience, |line| Answer::read(line).is_some())?;
        let last = before.pop().unwrap_or_default();
        let Some(answer) = Answer::read(&last) else { return super::fail("no bestmove") };
        Ok(Answered { answer, before, took: start.elapsed() })
    }

    /// Waits for `bestmove` and checks that it is legal in the position of a command.
    pub(super) fn legal_bestmove(&mut self, command: &str, patience: Duration) -> Result<Answered, Trouble> {
        let answered = self.bestmove(patience)?;
        let best = &answered.answer.best;
        let playable =
            matches!(best.as_str(), "resign" | "win") || position(command).parse_move(best).is_ok();
        if playable { Ok(answered) } else { super::fail(format!("illegal `{best}` after `{command}`")) }
    }

    /// Sends `position` and `go`, and waits for a legal answer.
    pub(super) fn ask(&mut self, command: &str, go: &str, patience: Duration) -> Result<Answered, Trouble> {
        self.say(&format!("position {command}"))?;
        self.say(go)?;
        self.legal_bestmove(command, patience)
    }

    pub(super) fn close_input(&mut self) {
        self.process.close_input();
    }

    /// Sends SIGTERM; returns `false` on systems without it.
    pub(super) fn terminate(&self) -> bool {
        self.process.terminate()
    }

    /// The exit status, if it ends within this time.
    pub(super) fn end(&mut self, patience: Duration) -> Result<Option<ExitStatus>, Trouble> {
        self.process.wait(patience).map_err(|error| Trouble::Dead(error.to_string()))
    }
}

/// The position of one of our commands.
pub(super) fn position(command: &str) -> Position {
    let game = Shogi::default();
    // Tests of this module check that all commands are valid.
    game.position_command(command).unwrap_or_else(|_| game.startpos())
}

/// The engine's name of the option `MultiPV`, if it has one.
pub(super) fn multipv_option(lines: &[String]) -> Option<&'static str> {
    let has = |name: &str| lines.iter().any(|line| line.starts_with(&format!("option name {name} ")));
    ["USI_MultiPV", "MultiPV"].into_iter().find(|name| has(name))
}

pub(super) const fn seconds(number: u64) -> Duration {
    Duration::from_secs(number)
}

pub(super) const fn ms(number: u64) -> Duration {
    Duration::from_millis(number)
}
