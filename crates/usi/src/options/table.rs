use super::Entry;
use super::error::OptionError;
use super::id::{ComboId, Id, OptionId, Valued};
use super::name;
use super::setting::Setting;

/// The options of an engine, in the order printed for hosts.
///
/// ```
/// use usi::options::{Options, SetOption};
/// let mut options = Options::new();
/// let threads = options.spin("Threads", 4, 1..=1024, "search threads");
/// let line = options.iter().next().unwrap().to_string();
/// assert_eq!(line, "option name Threads type spin default 4 min 1 max 1024");
///
/// let event = SetOption::parse("name threads value 8").unwrap().apply(&mut options).unwrap();
/// assert!(event.concerns(threads));
/// assert_eq!(options.get(threads), 8);
///
/// let error = options.set(threads, "9999").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Error! Threads: expected a whole number from 1 to 1024, found `9999`; 8 is kept"
/// );
/// ```
#[derive(Clone, Default, Debug)]
pub struct Options {
    pub(super) entries: Vec<Entry>,
}

/// The result of setting an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// It has a new value.
    Changed(OptionId),
    /// The value was the same as before.
    Unchanged(OptionId),
    /// A button was pressed.
    Pressed(OptionId),
}

impl Event {
    /// The option.
    #[must_use]
    pub const fn id(self) -> OptionId {
        match self {
            Self::Changed(id) | Self::Unchanged(id) | Self::Pressed(id) => id,
        }
    }

    /// Whether `id` needs a reaction: it has a new value, or was pressed.
    #[must_use]
    pub fn concerns(self, id: impl Into<OptionId>) -> bool {
        !matches!(self, Self::Unchanged(_)) && self.id() == id.into()
    }
}

impl Options {
    /// The present value.
    ///
    /// # Panics
    /// If the id belongs to another table.
    #[must_use]
    pub fn get<K: Valued>(&self, id: Id<K>) -> K::Value<'_> {
        // Only declaring an option of kind `K` creates such an id, and the kind never changes.
        K::read(self.entry(id)).expect("an id is used with the table that made it")
    }

    /// An option with its data.
    ///
    /// # Panics
    /// If the id belongs to another table.
    #[must_use]
    pub fn entry(&self, id: impl Into<OptionId>) -> &Entry {
        &self.entries[id.into().0]
    }

    /// All options in print order. Each one's `Display` is its `option` line.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// The option with this name or old spelling, in any case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<OptionId> {
        let matches = |entry: &Entry| entry.spellings().any(|spelling| name::equal(spelling, name));
        self.entries.iter().position(matches).map(OptionId)
    }

    /// Sets an option from text, or presses a button. On an error the old value is kept.
    pub fn set(&mut self, id: impl Into<OptionId>, value: &str) -> Result<Event, OptionError> {
        let id = id.into();
        let event = self.assign(id, value)?;
        let entry = &mut self.entries[id.0];
        entry.chosen = !entry.setting.is_default();
        Ok(event)
    }

    fn assign(&mut self, id: OptionId, value: &str) -> Result<Event, OptionError> {
        let value = value.trim_ascii();
        let entry = &mut self.entries[id.0];
        let mut setting = entry.setting.clone();
        setting.assign(value).map_err(|expected| OptionError::Value {
            name: entry.name.clone(),
            expected,
            found: value.to_owned(),
            kept: entry.shown(),
        })?;
        if entry.is_button() {
            return Ok(Event::Pressed(id));
        }
        if setting == entry.setting {
            return Ok(Event::Unchanged(id));
        }
        if entry.fixed {
            return Err(OptionError::Fixed { name: entry.name.clone(), kept: entry.shown() });
        }
        entry.setting = setting;
        Ok(Event::Changed(id))
    }

    /// Like [`set`](Self::set), but ignores that an options file fixes the value.
    pub fn force(&mut self, id: impl Into<OptionId>, value: &str) -> Result<Event, OptionError> {
        let id = id.into();
        self.entries[id.0].fixed = false;
        self.set(id, value)
    }

    /// Like [`set`](Self::set); on success, the value also becomes the default, and later changes are refused until
    /// [`forget_files`](Self::forget_files).
    pub fn fix(&mut self, id: impl Into<OptionId>, value: &str) -> Result<Event, OptionError> {
        let id = id.into();
        let own = self.entries[id.0].setting.clone();
        let event = self.assign(id, value)?;
        let entry = &mut self.entries[id.0];
        entry.own.get_or_insert(own);
        entry.setting.make_default();
        entry.fixed = true;
        Ok(event)
    }

    /// Changes the default of an option, and narrows the bounds of a number, until
    /// [`forget_files`](Self::forget_files). A value chosen by the user stays if the bounds allow it.
    pub fn suggest(
        &mut self,
        id: impl Into<OptionId>,
        default: &str,
        (min, max): (Option<i64>, Option<i64>),
    ) -> Result<Event, OptionError> {
        let id = id.into();
        let entry = &mut self.entries[id.0];
        let before = entry.setting.clone();
        entry.setting.narrow(min, max);
        let chosen = entry.chosen.then(|| before.value());
        let suggested = self.assign(id, default);
        let entry = &mut self.entries[id.0];
        if let Err(error) = suggested {
            entry.setting = before;
            return Err(error);
        }
        entry.setting.make_default();
        if let Some(chosen) = chosen {
            // Outside of the bounds, the default applies.
            entry.chosen = entry.setting.assign(&chosen).is_ok();
        }
        let changed = entry.value() != before.value();
        entry.own.get_or_insert(before);
        Ok(if changed { Event::Changed(id) } else { Event::Unchanged(id) })
    }

    /// Undoes the changes of options files. Values chosen by the user stay.
    pub fn forget_files(&mut self) {
        self.entries.iter_mut().for_each(Entry::forget_files);
    }

    /// Undoes the changes of `eval_options.txt` alone, because another evaluation will be loaded.
    pub fn forget_eval_options(&mut self) {
        self.entries.iter_mut().filter(|entry| entry.of_eval).for_each(Entry::forget_files);
    }

    /// Replaces the choices of a combo option by words of printable ASCII, which must include the default. Its value
    /// stays if it is among them, else it becomes the default.
    ///
    /// # Panics
    /// Like declaring it.
    pub fn set_choices(&mut self, id: ComboId, words: &[String]) {
        assert!(words.iter().all(|word| name::is_word(word)), "a choice is not a word");
        let place = |word: &String| words.iter().position(|other| other == word);
        let entry = &mut self.entries[OptionId::from(id).0];
        for setting in std::iter::once(&mut entry.setting).chain(&mut entry.own) {
            let Setting::Combo { default, value, choices, spellings, .. } = setting else {
                unreachable!("the id is a combo's")
            };
            *default = place(&choices[*default]).expect("the default is among the choices");
            *value = place(&choices[*value]).unwrap_or(*default);
            // They are for the words that were.
            spellings.clear();
            choices.clear();
            choices.extend_from_slice(words);
        }
    }

    /// Sets a combo option, even if a file fixes another value.
    pub(crate) fn state(&mut self, id: ComboId, word: &str) {
        // A word that is not a choice changes nothing.
        let _ = self.entries[OptionId::from(id).0].setting.assign(word);
    }

    /// Adds the options of another table that this one lacks, with their values.
    pub fn remember(&mut self, other: &Self) {
        for entry in &other.entries {
            if self.find(&entry.name).is_none() {
                self.entries.push(entry.clone());
            }
        }
    }

    /// Copies the values of another table where names match and the values are legal here: values set by a host survive
    /// a change of the game. Values of options files do not: the files are read again.
    ///
    /// ```
    /// use usi::options::Options;
    /// let mut shogi = Options::new();
    /// let threads = shogi.spin("Threads", 4, 1..=1024, "search threads");
    /// shogi.set(threads, "8").unwrap();
    /// let mut binarsi = Options::new();
    /// let threads = binarsi.spin("Threads", 4, 1..=1024, "search threads");
    /// binarsi.adopt(&shogi);
    /// assert_eq!(binarsi.get(threads), 8);
    /// ```
    pub fn adopt(&mut self, other: &Self) {
        for entry in &mut self.entries {
            let Some(id) = other.find(&entry.name) else { continue };
            let old = other.entry(id);
            // A value that is not legal here is not copied.
            if entry.setting.assign(&old.own_value()).is_ok() {
                entry.chosen = old.chosen;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::SpinId;
    use super::*;

    fn threads() -> (Options, SpinId) {
        let mut options = Options::new();
        let threads = options.spin("Threads", 4, 1..=8, "search threads");
        (options, threads)
    }

    #[test]
    fn events_tell_changes_from_echoes() {
        let (mut options, threads) = threads();
        let clear = options.button("Clear Hash", "forget everything");
        let same = options.set(threads, "4").unwrap();
        assert_eq!(same, Event::Unchanged(threads.into()));
        assert!(!same.concerns(threads));
        let changed = options.set(threads, " 5 ").unwrap();
        assert!(changed.concerns(threads) && !changed.concerns(clear));
        assert!(options.set(clear, "").unwrap().concerns(clear));
    }

    #[test]
    fn a_fixed_value_stays_until_it_is_released() {
        let (mut options, threads) = threads();
        assert!(options.fix(threads, "9").is_err());
        assert!(!options.entry(threads).is_fixed(), "a bad value fixes nothing");
        assert_eq!(options.fix(threads, "2"), Ok(Event::Changed(threads.into())));
        assert_eq!(options.set(threads, "2"), Ok(Event::Unchanged(threads.into())));
        for error in [options.set(threads, "3").unwrap_err(), options.fix(threads, "3").unwrap_err()] {
            assert_eq!(error.to_string(), "Threads is fixed by an options file; 2 is kept");
        }
        assert_eq!(options.entry(threads).to_string(), "option name Threads type spin default 2 min 2 max 2");
        options.forget_files();
        assert_eq!(options.get(threads), 4);
        assert_eq!(options.set(threads, "3"), Ok(Event::Changed(threads.into())));
        assert_eq!(options.entry(threads).to_string(), "option name Threads type spin default 4 min 1 max 8");
    }

    #[test]
    fn a_suggested_default_can_be_changed_within_its_bounds() {
        let (mut options, threads) = threads();
        let rule = options.combo("Rule", "a", &["a", "b"], "");
        let bounds = (Some(2), Some(1024));
        assert_eq!(options.suggest(threads, "6", bounds), Ok(Event::Changed(threads.into())));
        assert_eq!(options.entry(threads).to_string(), "option name Threads type spin default 6 min 2 max 8");
        assert_eq!(options.get(threads), 6);
        assert!(options.set(threads, "1").is_err());
        assert!(options.set(threads, "7").is_ok());
        // The user's value stays when the file is read again or disappears.
        assert_eq!(options.suggest(threads, "5", (None, None)), Ok(Event::Unchanged(threads.into())));
        assert_eq!((options.get(threads), options.entry(threads).own_value()), (7, "7".to_owned()));
        options.forget_files();
        assert_eq!(options.get(threads), 7);
        assert_eq!(options.entry(threads).to_string(), "option name Threads type spin default 4 min 1 max 8");
        // Also if that is the default without the file.
        options.suggest(threads, "6", (None, None)).unwrap();
        options.set(threads, "4").unwrap();
        options.forget_files();
        options.suggest(threads, "6", (None, None)).unwrap();
        assert_eq!(options.get(threads), 4);
        options.set(threads, "7").unwrap();
        options.forget_files();
        // A value outside of the new bounds is replaced.
        assert!(options.suggest(threads, "2", (None, Some(3))).is_ok());
        assert_eq!(options.get(threads), 2);
        // A default outside of its own bounds is refused, and nothing changes.
        options.forget_files();
        let before = options.entry(threads).to_string();
        assert!(options.suggest(threads, "2", (Some(3), None)).is_err());
        assert_eq!((options.entry(threads).to_string(), options.get(threads)), (before, 7));
        assert!(options.suggest(rule, "b", (None, None)).is_ok());
        assert_eq!(options.entry(rule).to_string(), "option name Rule type combo default b var a var b");
        assert!(options.fix(rule, "a").is_ok());
        assert_eq!(options.entry(rule).to_string(), "option name Rule type combo default a var a");
    }

    #[test]
    fn values_are_read_by_kind() {
        let mut options = Options::new();
        let check = options.check("check", true, "");
        let combo = options.combo("combo", "b", &["a", "b"], "");
        let file = options.filename("file", "x.db", "");
        assert!(options.get(check));
        assert_eq!((options.get(combo).index, options.get(combo).word), (1, "b"));
        assert_eq!(options.get(file), "x.db");
        options.set(file, "<empty>").unwrap();
        assert_eq!(options.get(file), "");
    }

    #[test]
    fn errors_are_one_line() {
        let (mut options, threads) = threads();
        let ponder = options.check("USI_Ponder", false, "");
        let rule = options.combo("Rule", "a", &["a", "b"], "");
        let text = options.string("Text", "", "");
        for (id, value, message) in [
            (
                threads.into(),
                "",
                "Error! Threads: expected a whole number from 1 to 8, found nothing; 4 is kept",
            ),
            (ponder.into(), "True", "Error! USI_Ponder: expected true or false, found `True`; false is kept"),
            (rule.into(), "歩", "Error! Rule: expected one of a b, found `\\u{6b69}`; a is kept"),
            (
                OptionId::from(text),
                "a\nb",
                "Error! Text: expected a text without control characters, found `a\\nb`; <empty> is kept",
            ),
        ] {
            assert_eq!(options.set(id, value).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn words_to_choose_from_may_change() {
        let mut options = Options::new();
        let game = options.combo("Game", "a", &["a", "b"], "");
        options.set(game, "b").unwrap();
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        options.set_choices(game, &words("c a b"));
        assert_eq!(options.get(game).word, "b");
        assert_eq!(
            options.entry(game).to_string(),
            "option name Game type combo default a var c var a var b"
        );
        options.set_choices(game, &words("a c"));
        assert_eq!(options.get(game).word, "a");
    }

    #[test]
    fn a_new_table_adopts_what_it_can() {
        let (mut old, threads) = threads();
        old.fix(threads, "8").unwrap();
        let only_old = old.check("OnlyOld", true, "");
        old.set(only_old, "false").unwrap();
        let mut new = Options::new();
        let only_new = new.check("OnlyNew", true, "");
        let narrow = new.spin("Threads", 1, 1..=4, "");
        new.adopt(&old);
        assert_eq!((new.get(only_new), new.get(narrow)), (true, 4), "not what a file has fixed");
        assert!(!new.entry(narrow).is_fixed());
        old.forget_files();
        old.set(threads, "8").unwrap();
        new.adopt(&old);
        assert_eq!(new.get(narrow), 4, "8 is not legal here");
        let mut wide = Options::new();
        let threads = wide.spin("threads", 1, 1..=64, "");
        wide.adopt(&old);
        assert_eq!(wide.get(threads), 8);
    }
}
