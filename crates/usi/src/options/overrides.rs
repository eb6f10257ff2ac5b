//! `engine_options.txt` and `eval_options.txt`: other defaults, and values that hosts cannot change.

use super::folders::{self, Folders};
use super::name::is_separator;
use super::quote::quote;
use super::{Entry, Event, OptionError, OptionId, Options};
use std::path::Path;

/// Longer files are refused.
const MAX_BYTES: u64 = 1 << 20;

/// The effect of an options file.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Overrides {
    /// Lines for `info string`, in order.
    pub messages: Vec<String>,
    /// The options that were set.
    pub events: Vec<Event>,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum OverrideError {
    #[error("Error : option name not found : {}", quote(.0))]
    NotFound(String),
    #[error(transparent)]
    Refused(#[from] OptionError),
}

impl Options {
    /// Reads `engine_options.txt` and the evaluation's `eval_options.txt`, if they exist, replacing their former
    /// effects. A session does so at `isready`, so that edited files take effect.
    pub fn read_files(&mut self, folders: &Folders) -> Overrides {
        let before: Vec<String> = self.entries.iter().map(Entry::value).collect();
        self.forget_files();
        let mut messages = self.read_engine_options(folders).messages;
        if let Some(id) = self.find("EvalDir") {
            let folder = self.entry(id).value();
            messages.extend(self.read_eval_options(folders, &folder).messages);
        }
        let changed = |(place, value): (usize, String)| {
            (self.entries[place].value() != value).then_some(Event::Changed(OptionId(place)))
        };
        let events = before.into_iter().enumerate().filter_map(changed).collect();
        Overrides { messages, events }
    }

    /// Reads `engine_options.txt`, if it exists. A session does so before `usi`.
    pub fn read_engine_options(&mut self, folders: &Folders) -> Overrides {
        self.read_overrides(folders, Path::new("engine_options.txt"))
    }

    /// Reads `eval_options.txt` in the evaluation's folder, if it exists. Values that `engine_options.txt` fixes stay.
    pub fn read_eval_options(&mut self, folders: &Folders, eval_dir: &str) -> Overrides {
        let overrides = self.read_overrides(folders, &Path::new(eval_dir).join("eval_options.txt"));
        for event in &overrides.events {
            self.entries[event.id().0].of_eval = true;
        }
        overrides
    }

    fn read_overrides(&mut self, folders: &Folders, path: &Path) -> Overrides {
        match folders.read_if_present(path, MAX_BYTES) {
            Ok(None) => Overrides::default(),
            Ok(Some(file)) => {
                let mut overrides = self.override_from(&file.text);
                let path = folders::show(&file.path);
                overrides.messages.insert(0, format!("read engine options, path = {path}"));
                overrides
            }
            Err(error) => Overrides { messages: vec![format!("Error! {error}")], events: Vec::new() },
        }
    }

    /// Applies the lines of an options file.
    ///
    /// `Name Value` and `Name=Value` set an option and [fix](Self::fix) it. An `option` line as printed for `usi`
    /// [suggests](Self::suggest) its default, and the `min` and `max` of a number. Empty lines, comments (`#`, `//`)
    /// and buttons are ignored.
    ///
    /// ```
    /// use usi::options::Options;
    /// let mut options = Options::new();
    /// let threads = options.spin("Threads", 4, 1..=1024, "search threads");
    /// let overrides = options.override_from("Threads=2\nTreads 3\n");
    /// assert_eq!(options.get(threads), 2);
    /// assert!(options.entry(threads).is_fixed());
    /// assert_eq!(
    ///     overrides.messages,
    ///     ["engine option override. name = Threads , value = 2", "Error : option name not found : Treads"]
    /// );
    /// ```
    pub fn override_from(&mut self, text: &str) -> Overrides {
        let mut overrides = Overrides::default();
        for line in text.lines().map(str::trim_ascii).filter(|line| !is_comment(line)) {
            match self.override_line(line) {
                Ok(None) => {}
                Ok(Some(event)) => {
                    let entry = self.entry(event.id());
                    let (name, value) = (entry.name(), entry.shown());
                    overrides
                        .messages
                        .push(format!("engine option override. name = {name} , value = {value}"));
                    overrides.events.push(event);
                }
                Err(error) => overrides.messages.push(error.to_string()),
            }
        }
        overrides
    }

    fn override_line(&mut self, line: &str) -> Result<Option<Event>, OverrideError> {
        let (id, rest, is_full) = match first_word(line) {
            ("option", rest) => {
                let (id, rest) = self.full_line(rest)?;
                (id, rest, true)
            }
            (word, _) => {
                let found = self.split_name(line).ok_or_else(|| OverrideError::NotFound(word.to_owned()));
                let (id, rest) = found?;
                (id, rest, false)
            }
        };
        let entry = self.entry(id);
        if entry.is_button() {
            return Ok(None);
        }
        let value = if entry.takes_text() {
            let rest = rest.trim_ascii();
            rest.strip_prefix('=').unwrap_or(rest)
        } else {
            // Text after the value is ignored, because existing files have explanations there.
            first_word(rest).0
        };
        if is_full {
            let bound = |word: &str| first_word(cut(rest, word).1).0.parse().ok();
            return Ok(Some(self.suggest(id, value, (bound("min"), bound("max")))?));
        }
        Ok(Some(self.fix(id, value)?))
    }

    /// The option of a full line, and the text after the word `default`. `line` is the text after `option`.
    fn full_line<'a>(&self, line: &'a str) -> Result<(OptionId, &'a str), OverrideError> {
        // No option name contains one of these words.
        let (head, value) = cut(line, "default");
        let (name, _) = cut(cut(head, "name").1, "type");
        let name = name.trim_matches(is_separator);
        let id = self.find(name).ok_or_else(|| OverrideError::NotFound(name.to_owned()))?;
        Ok((id, value))
    }
}

fn is_comment(line: &str) -> bool {
    line.is_empty() || line.starts_with('#') || line.starts_with("//")
}

/// The first word and the rest; `=` counts as a blank.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches(is_separator);
    text.split_at(text.find(is_separator).unwrap_or(text.len()))
}

/// The text before and after the first `word` of a line; everything is before if it does not occur.
fn cut<'a>(line: &'a str, word: &str) -> (&'a str, &'a str) {
    let mut rest = line;
    loop {
        let (next, after) = first_word(rest);
        if next.is_empty() {
            return (line, "");
        }
        if next == word {
            // `after` is the end of `line`, right after `word`.
            return (&line[..line.len() - after.len() - word.len()], after);
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::scratch::Scratch;

    fn options() -> Options {
        let mut options = Options::new();
        options.spin("Threads", 4, 1..=1024, "");
        options.check("USI_Ponder", false, "");
        options.combo("Rule", "a", &["a", "b"], "");
        let dir = options.string("EvalDir", "eval", "");
        options.alias(dir, "EvalFolder");
        options.button("Clear Hash", "");
        options.spin("Two Words", 1, 0..=9, "");
        options
    }

    #[test]
    fn every_form_sets_and_short_ones_fix() {
        for (line, name, value) in [
            ("Threads 2", "Threads", "2"),
            ("threads=2", "Threads", "2"),
            ("  Threads = 2\t\r", "Threads", "2"),
            ("Threads\t2 // as many as cores", "Threads", "2"),
            ("USI_Ponder=true", "USI_Ponder", "true"),
            ("Rule b", "Rule", "b"),
            ("EvalDir=<empty>", "EvalDir", "<empty>"),
            ("EvalDir /my eval/a=b", "EvalDir", "/my eval/a=b"),
            ("EvalFolder = /my eval/a=b", "EvalDir", "/my eval/a=b"),
            ("Two Words 3", "Two Words", "3"),
            ("two words=3", "Two Words", "3"),
            ("option name Threads type spin default 2 min 1 max 8", "Threads", "2"),
            ("option  name  threads  default  2", "Threads", "2"),
            ("option name=Threads type=spin default=2", "Threads", "2"),
            ("option name USI_Ponder type check default true", "USI_Ponder", "true"),
            ("option name Rule type combo default b var a var b var c", "Rule", "b"),
            ("option name EvalDir type string default my eval", "EvalDir", "my eval"),
            ("option name EvalDir type string default ", "EvalDir", "<empty>"),
            ("option name Two Words type spin default 3 min 0 max 9", "Two Words", "3"),
        ] {
            let mut options = options();
            let overrides = options.override_from(line);
            let id = options.find(name).unwrap();
            assert_eq!(options.entry(id).value(), value, "{line}");
            assert_eq!(options.entry(id).is_fixed(), !line.starts_with("option "), "{line}");
            assert_eq!(overrides.events, [Event::Changed(id)], "{line}");
            let message = format!("engine option override. name = {name} , value = {value}");
            assert_eq!(overrides.messages, [message], "{line}");
        }
    }

    #[test]
    fn what_is_refused_fixes_nothing() {
        let threads = "Error! Threads: expected a whole number from 1 to 1024, found ";
        for (line, message) in [
            ("Foo 3", "Error : option name not found : Foo".to_owned()),
            ("Foo=3", "Error : option name not found : Foo".to_owned()),
            ("option name Foo type spin default 3", "Error : option name not found : Foo".to_owned()),
            ("option", "Error : option name not found : ".to_owned()),
            ("option default name Threads", "Error : option name not found : ".to_owned()),
            ("\u{6b69} 3", "Error : option name not found : \\u{6b69}".to_owned()),
            ("Threads", format!("{threads}nothing; 4 is kept")),
            ("Threads=many", format!("{threads}`many`; 4 is kept")),
            ("option name Threads type spin min 1 max 8", format!("{threads}nothing; 4 is kept")),
        ] {
            let mut options = options();
            let overrides = options.override_from(line);
            assert_eq!(overrides.messages, [message], "{line}");
            assert!(overrides.events.is_empty() && options.iter().all(|entry| !entry.is_fixed()), "{line}");
        }
    }

    #[test]
    fn what_belongs_to_an_evaluation_goes_with_it() {
        let scratch = Scratch::new();
        let mut options = options();
        let [threads, folder, rule] = ["Threads", "EvalDir", "Rule"].map(|name| options.find(name).unwrap());
        scratch.write("current/a/eval_options.txt", b"Threads 3\noption name Rule type combo default b\n");
        options.set(threads, "7").unwrap();
        options.set(folder, "a").unwrap();
        options.read_files(&scratch.folders());
        assert_eq!((options.entry(threads).value(), options.entry(rule).value()), ("3".into(), "b".into()));
        assert!(options.set(threads, "5").is_err());
        options.forget_eval_options();
        assert_eq!((options.entry(threads).value(), options.entry(rule).value()), ("7".into(), "a".into()));
        assert!(options.set(threads, "5").is_ok());
    }

    #[test]
    fn full_lines_honour_bounds() {
        let mut options = options();
        let overrides =
            options.override_from("option name Threads type spin default 2 min 2 max 8\noption name Two Words type spin default 3 min 4 max 9\n");
        let [threads, two] = ["Threads", "Two Words"].map(|name| options.find(name).unwrap());
        assert_eq!(options.entry(threads).to_string(), "option name Threads type spin default 2 min 2 max 8");
        assert!(options.set(threads, "9").is_err() && options.set(threads, "8").is_ok());
        assert_eq!(
            overrides.messages[1],
            "Error! Two Words: expected a whole number from 4 to 9, found `3`; 1 is kept"
        );
        assert_eq!(options.entry(two).to_string(), "option name Two Words type spin default 1 min 0 max 9");
    }

    #[test]
    fn comments_and_buttons_are_passed_over() {
        let text = "\n \t\r\n# Threads 2\n// x\nClear Hash\noption name Clear Hash type button\n";
        assert_eq!(options().override_from(text), Overrides::default());
    }

    #[test]
    fn the_first_file_wins_until_options_are_released() {
        let scratch = Scratch::new();
        let mut options = options();
        let threads = options.find("Threads").unwrap();
        assert_eq!(options.read_engine_options(&scratch.folders()), Overrides::default());

        let path = scratch.write("current/engine_options.txt", b"\xef\xbb\xbfThreads 2\r\nEvalDir nets\r\n");
        scratch.write("binary/nets/eval_options.txt", b"Threads 3\nRule b\xff\nRule b");
        let overrides = options.read_engine_options(&scratch.folders());
        assert_eq!(overrides.messages[0], format!("read engine options, path = {}", path.display()));
        assert_eq!(overrides.events.len(), 2);
        let overrides = options.read_eval_options(&scratch.folders(), "nets");
        assert_eq!(
            overrides.messages[1..],
            [
                "Threads is fixed by an options file; 2 is kept",
                "Error! Rule: expected one of a b, found `b\\u{fffd}`; a is kept",
                "engine option override. name = Rule , value = b",
            ]
        );

        scratch.write("current/engine_options.txt", b"Threads 5");
        let rule = options.find("Rule").unwrap();
        let folder = options.find("EvalDir").unwrap();
        let overrides = options.read_files(&scratch.folders());
        assert_eq!(options.entry(threads).value(), "5");
        // `EvalDir` has changed from `nets`, so the settings of that folder's file are undone.
        assert_eq!((options.entry(rule).value(), options.entry(folder).value()), ("a".into(), "eval".into()));
        assert_eq!(overrides.events, [threads, rule, folder].map(Event::Changed));
        assert!(options.read_files(&scratch.folders()).events.is_empty());
        scratch.write("current/engine_options.txt", &vec![b'x'; MAX_BYTES as usize + 1]);
        let overrides = options.read_engine_options(&scratch.folders());
        assert!(overrides.messages[0].ends_with("has more than 1048576 bytes and was not read"));
    }
}
