use super::id::{Id, OptionId};
use super::name;
use super::setting::Setting;
use super::{ButtonId, CheckId, ComboId, Entry, Options, SpinId, TextId};
use std::ops::RangeInclusive;

/// Declarations. They are part of the program, not input: a declaration that contradicts itself or an earlier one
/// panics at the first start of the program.
impl Options {
    /// An empty table.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Adds a check option (on or off).
    ///
    /// # Panics
    /// When the name is taken or is not printable ASCII.
    pub fn check(&mut self, name: &str, default: bool, help: &str) -> CheckId {
        Id::new(self.declare(name, help, Setting::Check { default, value: default }))
    }

    /// Adds a spin option (a whole number).
    ///
    /// # Panics
    /// As [`check`](Self::check), and when the default is out of range.
    pub fn spin(&mut self, name: &str, default: i64, range: RangeInclusive<i64>, help: &str) -> SpinId {
        assert!(range.contains(&default), "the default of option {name} is out of range");
        let (min, max) = range.into_inner();
        Id::new(self.declare(name, help, Setting::Spin { default, value: default, min, max }))
    }

    /// Adds a combo option (one of several words).
    ///
    /// # Panics
    /// As [`check`](Self::check), when the default is not among the choices, and when a choice is not one word
    /// of printable ASCII. Choices that come from a file must be checked before.
    pub fn combo(&mut self, name: &str, default: &str, choices: &[&str], help: &str) -> ComboId {
        assert!(
            choices.iter().all(|choice| name::is_word(choice)),
            "a choice of option {name} is not a word"
        );
        let default = choices.iter().position(|choice| *choice == default);
        let default =
            default.unwrap_or_else(|| panic!("the default of option {name} is not among its choices"));
        let choices = choices.iter().map(ToString::to_string).collect();
        let setting = Setting::Combo { default, value: default, choices, spellings: Vec::new(), open: None };
        Id::new(self.declare(name, help, setting))
    }

    /// Lets a combo option take any other text as well; hosts are offered its choices only.
    pub fn open_choices(&mut self, id: ComboId) {
        if let Setting::Combo { choices, open, .. } = &mut self.entries[OptionId::from(id).0].setting {
            *open = Some(choices.len());
        }
    }

    /// Accepts other words for a choice of a combo option; they may be Japanese.
    ///
    /// # Panics
    /// When there is no such choice.
    pub fn spell_choice(&mut self, id: ComboId, choice: usize, words: Vec<String>) {
        if let Setting::Combo { choices, spellings, .. } = &mut self.entries[OptionId::from(id).0].setting {
            assert!(choice < choices.len(), "there is no such choice");
            spellings.extend(words.into_iter().map(|word| (word, choice)));
        }
    }

    /// Adds a string option.
    ///
    /// # Panics
    /// As [`check`](Self::check), and when the default is not printable ASCII.
    pub fn string(&mut self, name: &str, default: &str, help: &str) -> TextId {
        self.text(name, default, help, false)
    }

    /// Adds a filename option, for which hosts offer a dialog.
    ///
    /// # Panics
    /// As [`string`](Self::string).
    pub fn filename(&mut self, name: &str, default: &str, help: &str) -> TextId {
        self.text(name, default, help, true)
    }

    /// Adds a button.
    ///
    /// # Panics
    /// As [`check`](Self::check).
    pub fn button(&mut self, name: &str, help: &str) -> ButtonId {
        Id::new(self.declare(name, help, Setting::Button))
    }

    /// Accepts another spelling of an option, which is not printed for hosts.
    ///
    /// # Panics
    /// As [`check`](Self::check).
    pub fn alias(&mut self, id: impl Into<OptionId>, spelling: &str) {
        self.check_name(spelling);
        self.entries[id.into().0].aliases.push(spelling.to_owned());
    }

    fn text(&mut self, name: &str, default: &str, help: &str, filename: bool) -> TextId {
        assert!(name::is_printable(default), "the default of option {name} is not printable ASCII");
        let default = default.to_owned();
        Id::new(self.declare(name, help, Setting::Text { value: default.clone(), default, filename }))
    }

    fn declare(&mut self, name: &str, help: &str, setting: Setting) -> usize {
        self.check_name(name);
        assert!(name::is_printable(help), "the help of option {name} is not one line of ASCII");
        let (name, help) = (name.to_owned(), help.to_owned());
        self.entries.push(Entry {
            name,
            aliases: Vec::new(),
            help,
            setting,
            fixed: false,
            chosen: false,
            own: None,
            of_eval: false,
        });
        self.entries.len() - 1
    }

    fn check_name(&self, name: &str) {
        assert!(name::is_name(name), "`{name}` cannot be the name of an option");
        assert!(self.find(name).is_none(), "option {name} is declared twice");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "option usi_hash is declared twice")]
    fn a_name_is_declared_once() {
        let mut options = Options::new();
        let threads = options.spin("Threads", 4, 1..=8, "");
        options.alias(threads, "USI_Hash");
        options.button("usi_hash", "");
    }

    #[test]
    #[should_panic(expected = "the default of option Threads is out of range")]
    fn a_default_is_in_range() {
        Options::new().spin("Threads", 0, 1..=8, "");
    }

    #[test]
    #[should_panic(expected = "the default of option Rule is not among its choices")]
    fn a_default_is_a_choice() {
        Options::new().combo("Rule", "c", &["a", "b"], "");
    }
}
