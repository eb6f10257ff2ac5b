use super::error::Expected;
use std::fmt;

/// How hosts and people write the empty text.
pub(super) const EMPTY: &str = "<empty>";

/// What an option may be, is by default, and is now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Setting {
    Check { default: bool, value: bool },
    Spin { default: i64, value: i64, min: i64, max: i64 },
    Combo { default: usize, value: usize, choices: Vec<String> },
    Text { default: String, value: String, filename: bool },
    Button,
}

impl Setting {
    /// Takes a new value from its text, or says what would have been one and stays as it is.
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
            Self::Combo { value, choices, .. } => match choices.iter().position(|choice| choice == text) {
                Some(index) => *value = index,
                None => return Err(Expected::OneOf(choices.clone())),
            },
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

    /// Makes the bounds of a number narrower; they never get wider.
    pub(super) fn narrow(&mut self, least: Option<i64>, most: Option<i64>) {
        if let Self::Spin { min, max, .. } = self {
            *min = least.map_or(*min, |least| least.max(*min));
            *max = most.map_or(*max, |most| most.min(*max));
        }
    }

    /// As `Display`, for a value that cannot be changed: it is the only one.
    pub(super) fn fixed(&self) -> String {
        match self {
            Self::Spin { value, .. } => format!("type spin default {value} min {value} max {value}"),
            Self::Combo { value, choices, .. } => format!("type combo default {0} var {0}", choices[*value]),
            _ => self.to_string(),
        }
    }

    /// The present value as `setoption` would give it.
    pub(super) fn value(&self) -> String {
        match self {
            Self::Check { value, .. } => value.to_string(),
            Self::Spin { value, .. } => value.to_string(),
            // The index comes from `assign` or from a declaration, which both looked it up.
            Self::Combo { value, choices, .. } => choices[*value].clone(),
            Self::Text { value, .. } => or_empty(value).to_owned(),
            Self::Button => String::new(),
        }
    }
}

/// The part of an `option` line that follows the name.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check { default, .. } => write!(f, "type check default {default}"),
            Self::Spin { default, min, max, .. } => {
                write!(f, "type spin default {default} min {min} max {max}")
            }
            Self::Combo { default, choices, .. } => {
                write!(f, "type combo default {}", choices[*default])?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
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
            Setting::Combo { default: 1, value: 0, choices: words },
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
