use super::quote::printable;
use super::setting::Setting;
use std::fmt;

/// Longer values are shown truncated; in characters.
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
    /// Whether the user has chosen the value, other than the default at that time.
    pub(super) chosen: bool,
    /// The setting without options files, if one of them has changed it.
    pub(super) own: Option<Setting>,
    /// Whether that file is `eval_options.txt`.
    pub(super) of_eval: bool,
}

impl Entry {
    /// The name printed for hosts.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A help text, one line.
    #[must_use]
    pub fn help(&self) -> &str {
        &self.help
    }

    /// The present value as `setoption` would write it; `<empty>` for an empty text, nothing for a button.
    #[must_use]
    pub fn value(&self) -> String {
        self.setting.value()
    }

    /// Whether an options file fixes the value.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.fixed
    }

    pub(super) fn is_button(&self) -> bool {
        self.setting == Setting::Button
    }

    /// The part of the `option` line after the name. A fixed value is the only possible one.
    pub(super) fn kind(&self) -> String {
        if self.fixed { self.setting.fixed() } else { self.setting.to_string() }
    }

    /// Whether the value is a text, which may contain blanks, rather than a single word.
    pub(super) fn takes_text(&self) -> bool {
        matches!(self.setting, Setting::Text { .. })
    }

    /// The present value for messages.
    pub(crate) fn shown(&self) -> String {
        if self.is_button() { "(button)".to_owned() } else { printable(&self.value(), MAX_SHOWN) }
    }

    /// The value without options files: the user's, or the default.
    pub(super) fn own_value(&self) -> String {
        match &self.own {
            Some(own) if self.fixed || !self.chosen => own.value(),
            _ => self.value(),
        }
    }

    /// Undoes the changes of options files. A value chosen by the user stays.
    pub(super) fn forget_files(&mut self) {
        let value = self.own_value();
        if let Some(mut own) = self.own.take() {
            // A value that was legal within narrower bounds is legal without them.
            let _ = own.assign(&value);
            self.setting = own;
            self.chosen |= !self.setting.is_default();
            (self.fixed, self.of_eval) = (false, false);
        }
    }

    /// The name and its old spellings.
    pub(super) fn spellings(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(String::as_str)
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} {}", self.name, self.kind())
    }
}
