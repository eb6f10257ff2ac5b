use super::error::Expected;
use std::fmt;

/// How an empty text is written.
pub(super) const EMPTY: &str = "<empty>";

/// The kind of an option with its default, its bounds and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Setting {
    Check {
        default: bool,
        value: bool,
    },
    Spin {
        default: i64,
        value: i64,
        min: i64,
        max: i64,
    },
    /// `spellings` are other words for choices. Where `open` is the number of choices that were declared, another text
    /// may be given, which is kept behind them.
    Combo {
        default: usize,
        value: usize,
        choices: Vec<String>,
        spellings: Vec<(String, usize)>,
        open: Option<usize>,
    },
    Text {
        default: String,
        value: String,
        filename: bool,
    },
    Button,
}

impl Setting {
    /// Sets the value from text; if it is not legal, returns what is expected and changes nothing.
    pub(super) fn assign(&mut self, text: &str) -> Result<(), Expected> {
        match self {
            Self::Check { value, .. } => match text {
                "true" => *value = true,
                "false" => *value = false,
                _ => return Err(Expected::TrueOrFalse),
            },
            Self::Spin { value, min, max, .. } => match text.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => *value = number,
                _ => return Err(Expected::Number { min: *min, max: *max }),
            },
            Self::Combo { default, value, choices, spellings, open } => {
                let other =
                    || spellings.iter().find(|(spelling, _)| spelling == text).map(|(_, index)| *index);
                match choices.iter().position(|choice| choice == text).or_else(other) {
                    Some(index) => *value = index,
                    None => match *open {
                        None => return Err(Expected::OneOf(choices.clone())),
                        Some(_) if text.is_empty() || text.contains(char::is_control) => {
                            return Err(Expected::Line);
                        }
                        Some(declared) => {
                            // The text that is the default stays.
                            choices.truncate((*default + 1).max(declared));
                            *value = choices.len();
                            choices.push(text.to_owned());
                        }
                    },
                }
            }
            Self::Text { value, .. } => {
                if text.contains(char::is_control) {
                    return Err(Expected::Line);
                }
                value.clear();
                value.push_str(if text == EMPTY { "" } else { text });
            }
            Self::Button => {}
        }
        Ok(())
    }

    /// Makes the present value the default.
    pub(super) fn make_default(&mut self) {
        match self {
            Self::Check { default, value } => *default = *value,
            Self::Spin { default, value, .. } => *default = *value,
            Self::Combo { default, value, .. } => *default = *value,
            Self::Text { default, value, .. } => default.clone_from(value),
            Self::Button => {}
        }
    }

    /// Whether the present value is the default.
    pub(super) fn is_default(&self) -> bool {
        match self {
            Self::Check { default, value } => default == value,
            Self::Spin { default, value, .. } => default == value,
            Self::Combo { default, value, .. } => default == value,
            Self::Text { default, value, .. } => default == value,
            Self::Button => true,
        }
    }

    /// Narrows the bounds of a number; they never become wider.
    pub(super) fn narrow(&mut self, least: Option<i64>, most: Option<i64>) {
        if let Self::Spin { min, max, .. } = self {
            *min = least.map_or(*min, |least| least.max(*min));
            *max = most.map_or(*max, |most| most.min(*max));
        }
    }

    /// Like `Display`, for a value that cannot be changed: it is the only one.
    pub(super) fn fixed(&self) -> String {
        match self {
            Self::Spin { value, .. } => format!("type spin default {value} min {value} max {value}"),
            Self::Combo { value, choices, .. } => format!("type combo default {0} var {0}", choices[*value]),
            _ => self.to_string(),
        }
    }

    /// The present value as `setoption` would write it.
    pub(super) fn value(&self) -> String {
        match self {
            Self::Check { value, .. } => value.to_string(),
            Self::Spin { value, .. } => value.to_string(),
            // The index was looked up by `assign` or by the declaration.
            Self::Combo { value, choices, .. } => choices[*value].clone(),
            Self::Text { value, .. } => or_empty(value).to_owned(),
            Self::Button => String::new(),
        }
    }
}

/// The part of an `option` line after the name.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check { default, .. } => write!(f, "type check default {default}"),
            Self::Spin { default, min, max, .. } => {
                write!(f, "type spin default {default} min {min} max {max}")
            }
            Self::Combo { default, choices, open, .. } => {
                write!(f, "type combo default {}", choices[*default])?;
                // Another text may be no word.
                let words = choices.iter().enumerate();
                let shown = words
                    .filter(|(index, _)| index == default || open.is_none_or(|declared| *index < declared));
                shown.map(|(_, word)| word).try_for_each(|choice| write!(f, " var {choice}"))
            }
            Self::Text { default, filename, .. } => {
                let kind = if *filename { "filename" } else { "string" };
                write!(f, "type {kind} default {}", or_empty(default))
            }
            Self::Button => f.write_str("type button"),
        }
    }
}

fn or_empty(text: &str) -> &str {
    if text.is_empty() { EMPTY } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> [Setting; 6] {
        let words = ["one", "two"].map(str::to_owned).to_vec();
        [
            Setting::Check { default: true, value: false },
            Setting::Spin { default: -2, value: 0, min: -9, max: i64::MAX },
            Setting::Combo {
                default: 1,
                value: 0,
                choices: words,
                spellings: vec![("二".into(), 1)],
                open: None,
            },
            Setting::Text { default: String::new(), value: "x".into(), filename: false },
            Setting::Text { default: "a b".into(), value: "x".into(), filename: true },
            Setting::Button,
        ]
    }

    #[test]
    fn printed_in_the_standard_grammar() {
        assert_eq!(
            settings().map(|setting| setting.to_string()),
            [
                "type check default true",
                "type spin default -2 min -9 max 9223372036854775807",
                "type combo default two var one var two",
                "type string default <empty>",
                "type filename default a b",
                "type button",
            ]
        );
    }

    #[test]
    fn values_are_taken_or_refused() {
        let [check, spin, combo, text, filename, button] = settings();
        for (mut setting, given, value) in [
            (check.clone(), "true", Some("true")),
            (check.clone(), "True", None),
            (check.clone(), "1", None),
            (check, "", None),
            (spin.clone(), "-9", Some("-9")),
            (spin.clone(), "-10", None),
            (spin.clone(), "9223372036854775807", Some("9223372036854775807")),
            (spin.clone(), "9223372036854775808", None),
            (spin.clone(), "+007", Some("7")),
            (spin.clone(), "1.0", None),
            (spin.clone(), "1 2", None),
            (spin.clone(), "0x10", None),
            (spin, "", None),
            (combo.clone(), "two", Some("two")),
            (combo.clone(), "二", Some("two")),
            (combo.clone(), "Two", None),
            (combo.clone(), "three", None),
            (combo, "", None),
            (text.clone(), "C:\\a  b", Some("C:\\a  b")),
            (text.clone(), "", Some("<empty>")),
            (text.clone(), "<empty>", Some("<empty>")),
            (text.clone(), "<Empty>", Some("<Empty>")),
            (text.clone(), "歩", Some("歩")),
            (text, "a\rbestmove 7g7f", None),
            (filename, "", Some("<empty>")),
            (button, "whatever", Some("")),
        ] {
            let before = setting.clone();
            assert_eq!(setting.assign(given).is_ok(), value.is_some(), "{given}");
            match value {
                Some(value) => assert_eq!(setting.value(), value),
                None => assert_eq!(setting, before),
            }
        }
    }
}
