//! Options typed at a terminal: `Threads 4`, `Threads = 4`, `getoption Threads`.

use super::name;
use super::{Entry, Event, OptionError, OptionId, Options};

/// The result of a line like `Threads = 4`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The event; `None` if the line only contained the name, which shows the value.
    pub event: Option<Event>,
    /// The line to print.
    pub line: String,
}

impl Options {
    /// Executes `NAME VALUE`, `NAME = VALUE` or `NAME=VALUE`. A button's name alone presses it; any other name alone
    /// shows the value. `None` if the line does not begin with an option's name.
    ///
    /// ```
    /// use usi::options::Options;
    /// let mut options = Options::new();
    /// let threads = options.spin("Threads", 4, 1..=1024, "search threads");
    /// let answer = options.shorthand("threads = 2").unwrap().unwrap();
    /// assert_eq!(answer.line, "Options[Threads] = 2");
    /// assert!(answer.event.unwrap().concerns(threads));
    /// assert!(options.shorthand("threats = 2").is_none());
    /// ```
    pub fn shorthand(&mut self, line: &str) -> Option<Result<Answer, OptionError>> {
        let (id, rest) = self.split_name(line)?;
        let rest = rest.trim_ascii();
        let event = if rest.is_empty() && !self.entry(id).is_button() {
            None
        } else {
            match self.set(id, rest.strip_prefix('=').unwrap_or(rest)) {
                Ok(event) => Some(event),
                Err(error) => return Some(Err(error)),
            }
        };
        let entry = self.entry(id);
        Some(Ok(Answer { event, line: format!("Options[{}] = {}", entry.name, entry.shown()) }))
    }

    /// The answer to `getoption [NAME]`: one line for each option with aligned values, or the line of one option and a
    /// second one with its explanation.
    ///
    /// ```
    /// use usi::options::Options;
    /// let mut options = Options::new();
    /// options.spin("Threads", 4, 1..=1024, "search threads");
    /// options.check("USI_Ponder", false, "think while the opponent does");
    /// assert_eq!(
    ///     options.describe("").unwrap(),
    ///     ["Options[Threads]    = 4", "Options[USI_Ponder] = false"]
    /// );
    /// assert_eq!(
    ///     options.describe("threads").unwrap(),
    ///     ["Options[Threads]    = 4", "search threads (type spin default 4 min 1 max 1024)"]
    /// );
    /// ```
    pub fn describe(&self, name: &str) -> Result<Vec<String>, OptionError> {
        let width = self.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
        let value_line = |entry: &Entry| {
            let padding = width - entry.name.len();
            format!("Options[{}]{:padding$} = {}", entry.name, "", entry.shown())
        };
        let name = name.trim_ascii();
        if name.is_empty() {
            return Ok(self.iter().map(value_line).collect());
        }
        let id = self.find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let entry = self.entry(id);
        let fixed = if entry.fixed { ", fixed by an options file" } else { "" };
        Ok(vec![value_line(entry), format!("{} ({}{fixed})", entry.help, entry.kind())])
    }

    /// The option whose name a line begins with, and the rest; the longest name if several match.
    pub(super) fn split_name<'a>(&self, line: &'a str) -> Option<(OptionId, &'a str)> {
        let entries = self.iter().enumerate();
        let names =
            entries.flat_map(|(index, entry)| entry.spellings().map(move |name| (OptionId(index), name)));
        names.filter_map(|(id, name)| Some((id, name::strip(line, name)?))).min_by_key(|(_, rest)| rest.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        let mut options = Options::new();
        options.spin("Threads", 4, 1..=1024, "search threads");
        let log = options.string("DebugLogFile", "", "log");
        options.alias(log, "WriteDebugLog");
        options.button("Clear Hash", "forget everything");
        options.spin("Clear", 1, 0..=9, "a name that begins another");
        options
    }

    #[test]
    fn shorthands() {
        for (line, answer) in [
            ("Threads 4", "Options[Threads] = 4"),
            ("threads=8", "Options[Threads] = 8"),
            ("THREADS\t=\t16\r\n", "Options[Threads] = 16"),
            ("  Threads =2", "Options[Threads] = 2"),
            ("Threads", "Options[Threads] = 4"),
            ("DebugLogFile my log=1.txt", "Options[DebugLogFile] = my log=1.txt"),
            ("writedebuglog a.txt", "Options[DebugLogFile] = a.txt"),
            ("DebugLogFile=", "Options[DebugLogFile] = <empty>"),
            ("DebugLogFile 棋", "Options[DebugLogFile] = \\u{68cb}"),
            ("clear hash", "Options[Clear Hash] = (button)"),
            ("clear 3", "Options[Clear] = 3"),
        ] {
            assert_eq!(options().shorthand(line).unwrap().unwrap().line, answer, "{line:?}");
        }
        for line in ["", "foo", "Threads4", "=4", "setoption name Threads value 2"] {
            assert_eq!(options().shorthand(line), None, "{line:?}");
        }
        let error = options().shorthand("Threads = = 3").unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            "Error! Threads: expected a whole number from 1 to 1024, found `= 3`; 4 is kept"
        );
    }

    #[test]
    fn a_name_alone_presses_only_buttons() {
        let mut options = options();
        let button = options.find("Clear Hash").unwrap();
        assert_eq!(options.shorthand("Clear Hash").unwrap().unwrap().event, Some(Event::Pressed(button)));
        assert_eq!(options.shorthand("Threads").unwrap().unwrap().event, None);
        assert_eq!(options.shorthand("DebugLogFile").unwrap().unwrap().event, None);
    }

    #[test]
    fn getoption() {
        let mut options = options();
        assert_eq!(
            options.describe(" \r").unwrap(),
            [
                "Options[Threads]      = 4",
                "Options[DebugLogFile] = <empty>",
                "Options[Clear Hash]   = (button)",
                "Options[Clear]        = 1",
            ]
        );
        options.fix(options.find("threads").unwrap(), "2").unwrap();
        assert_eq!(
            options.describe("THREADS\r").unwrap(),
            [
                "Options[Threads]      = 2",
                "search threads (type spin default 2 min 2 max 2, fixed by an options file)"
            ]
        );
        assert_eq!(options.describe("foo").unwrap_err().to_string(), "No such option: foo");
        assert_eq!(Options::new().describe("").unwrap(), [""; 0]);
    }
}
