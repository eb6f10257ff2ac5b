use super::quote::printable;
use super::setting::Setting;
use std::fmt;

/// Longer values are shown by their beginning, in characters.
const MAX_SHOWN: usize = 500;

/// One option of a table. Its `Display` is the `option` line of the answer to `usi`.
///
/// ```
/// use usi::options::Options;
/// let mut options = Options::new();
/// options.string("DebugLogFile", "", "copy all lines in and out to this file");
/// let entry = options.iter().next().unwrap();
/// assert_eq!(entry.to_string(), "option name DebugLogFile type string default <empty>");
/// assert_eq!(entry.help(), "copy all lines in and out to this file");
/// ```
#[derive(Clone, Debug)]
pub struct Entry {
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
    pub(super) help: String,
    pub(super) setting: Setting,
    pub(super) fixed: bool,
}

impl Entry {
    /// The name that hosts see.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One line for people: what it does.
    #[must_use]
    pub fn help(&self) -> &str {
        &self.help
    }

    /// The present value as `setoption` would give it; `<empty>` for an empty text, nothing for a button.
    #[must_use]
    pub fn value(&self) -> String {
        self.setting.value()
    }

    /// Whether an options file has fixed the value.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.fixed
    }

    pub(super) fn is_button(&self) -> bool {
        self.setting == Setting::Button
    }

    /// A text may hold anything, blanks included; any other value is a single word.
    pub(super) fn takes_text(&self) -> bool {
        matches!(self.setting, Setting::Text { .. })
    }

    /// The present value, fit for a message.
    pub(crate) fn shown(&self) -> String {
        if self.is_button() { "(button)".to_owned() } else { printable(&self.value(), MAX_SHOWN) }
    }

    /// The name and every old spelling of it.
    pub(super) fn spellings(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(String::as_str)
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} {}", self.name, self.setting)
    }
}
