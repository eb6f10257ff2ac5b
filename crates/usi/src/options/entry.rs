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
    /// The user has chosen the value: it was another than the default when it was set.
    pub(super) chosen: bool,
    /// Where an options file has changed the setting: what it is without the file.
    pub(super) own: Option<Setting>,
    /// That file is `eval_options.txt`.
    pub(super) of_eval: bool,
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

    /// The part of the `option` line that follows the name. A fixed value is the only one.
    pub(super) fn kind(&self) -> String {
        if self.fixed { self.setting.fixed() } else { self.setting.to_string() }
    }

    /// A text may hold anything, blanks included; any other value is a single word.
    pub(super) fn takes_text(&self) -> bool {
        matches!(self.setting, Setting::Text { .. })
    }

    /// The present value, fit for a message.
    pub(crate) fn shown(&self) -> String {
        if self.is_button() { "(button)".to_owned() } else { printable(&self.value(), MAX_SHOWN) }
    }

    /// The value that the option has without options files: the user's, or the default.
    pub(super) fn own_value(&self) -> String {
        match &self.own {
            Some(own) if self.fixed || !self.chosen => own.value(),
            _ => self.value(),
        }
    }

    /// Undoes what options files have done. A value that the user has chosen stays.
    pub(super) fn forget_files(&mut self) {
        let value = self.own_value();
        if let Some(mut own) = self.own.take() {
            // A value that was legal within narrower bounds is legal.
            let _ = own.assign(&value);
            self.setting = own;
            self.chosen |= !self.setting.is_default();
            (self.fixed, self.of_eval) = (false, false);
        }
    }

    /// The name and every old spelling of it.
    pub(super) fn spellings(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(String::as_str)
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} {}", self.name, self.kind())
    }
}
