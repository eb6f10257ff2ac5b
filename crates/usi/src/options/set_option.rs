use super::{Event, OptionError, Options};

/// A parsed `setoption` command, which a session may queue while it searches.
///
/// ```
/// use usi::options::SetOption;
/// let command = SetOption::parse("name BookDir value my books/2026 ").unwrap();
/// assert_eq!(command, SetOption { name: "BookDir".into(), value: "my books/2026".into() });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetOption {
    /// The name as given; may contain blanks.
    pub name: String,
    /// The value as given, empty if missing; may contain blanks.
    pub value: String,
}

/// A `setoption` command without a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("Error! setoption needs `name NAME`, then optionally `value VALUE`")]
pub struct NoOptionName;

impl SetOption {
    /// Parses the text after `setoption`.
    pub fn parse(arguments: &str) -> Result<Self, NoOptionName> {
        let Some(("name", arguments)) = first_word(arguments) else { return Err(NoOptionName) };
        let mut rest = arguments;
        let (name, value) = loop {
            match first_word(rest) {
                None => break (arguments, ""),
                Some(("value", value)) => {
                    // `rest` is the end of `arguments`.
                    break (&arguments[..arguments.len() - rest.len()], value);
                }
                Some((_, tail)) => rest = tail,
            }
        };
        let (name, value) = (name.trim_ascii(), value.trim_ascii());
        if name.is_empty() {
            return Err(NoOptionName);
        }
        Ok(Self { name: name.to_owned(), value: value.to_owned() })
    }

    /// Sets the option.
    pub fn apply(&self, options: &mut Options) -> Result<Event, OptionError> {
        let id = options.find(&self.name).ok_or_else(|| OptionError::Unknown(self.name.clone()))?;
        options.set(id, &self.value)
    }
}

/// The first word and the rest.
fn first_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect() {
        for (arguments, name, value) in [
            ("name USI_Hash value 256", "USI_Hash", "256"),
            ("  name\tUSI_Hash\tvalue\t256\r\n", "USI_Hash", "256"),
            ("name Clear Hash", "Clear Hash", ""),
            ("name Clear  Hash  value", "Clear  Hash", ""),
            ("name DebugLogFile value ", "DebugLogFile", ""),
            ("name DebugLogFile value <empty>", "DebugLogFile", "<empty>"),
            ("name EvalDir value C:\\my  eval\\a b \r", "EvalDir", "C:\\my  eval\\a b"),
            ("name X value value", "X", "value"),
            ("name X value a value b", "X", "a value b"),
            ("name name value name", "name", "name"),
            ("name valued value 3", "valued", "3"),
            ("name 棋譜 value 歩\u{3000}", "棋譜", "歩\u{3000}"),
        ] {
            let expected = SetOption { name: name.into(), value: value.into() };
            assert_eq!(SetOption::parse(arguments), Ok(expected), "{arguments:?}");
        }
    }

    #[test]
    fn no_name() {
        for arguments in
            ["", " \t", "name", "name ", "name value", "name value 3", "USI_Hash 3", "Name X", "names X"]
        {
            assert_eq!(SetOption::parse(arguments), Err(NoOptionName), "{arguments:?}");
        }
    }

    #[test]
    fn unknown_names_are_quoted_on_one_ascii_line() {
        let mut options = Options::new();
        let command = SetOption::parse("name Bad 歩 Name value 3").unwrap();
        let error = command.apply(&mut options).unwrap_err();
        assert_eq!(error.to_string(), "No such option: Bad \\u{6b69} Name");
    }
}
