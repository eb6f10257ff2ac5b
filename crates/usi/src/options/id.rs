use super::Entry;
use super::setting::Setting;
use std::marker::PhantomData;

/// The identifier of an option of any kind, used by [`Event`](super::Event)s.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OptionId(pub(super) usize);

/// The identifier of an option, typed by its kind.
///
/// Declaring an option returns its id, which is the only way to read the value. Engine code can therefore neither
/// misspell a name nor mistake a text for a number.
///
/// ```
/// use usi::options::{Options, SpinId};
/// let mut options = Options::new();
/// let threads: SpinId = options.spin("Threads", 4, 1..=1024, "search threads");
/// let value: i64 = options.get(threads);
/// assert_eq!(value, 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Id<K> {
    index: usize,
    kind: PhantomData<K>,
}

impl<K> Id<K> {
    pub(super) const fn new(index: usize) -> Self {
        Self { index, kind: PhantomData }
    }
}

impl<K> From<Id<K>> for OptionId {
    fn from(id: Id<K>) -> Self {
        Self(id.index)
    }
}

/// An option that is on or off.
pub type CheckId = Id<Check>;
/// An option that is a whole number.
pub type SpinId = Id<Spin>;
/// An option that is one of several words.
pub type ComboId = Id<Combo>;
/// An option that is a text or the name of a file.
pub type TextId = Id<Text>;
/// An option that is pressed and has no value.
pub type ButtonId = Id<Button>;

/// On or off; read as `bool`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Check {}
/// A whole number; read as `i64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Spin {}
/// One of several words; read as [`Choice`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Combo {}
/// Text, or the name of a file; read as `&str`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Text {}
/// Pressed, never read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Button {}

/// The present value of a combo option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice<'a> {
    /// Its index among the declared choices, which can index the caller's own table.
    pub index: usize,
    /// The word.
    pub word: &'a str,
}

/// A kind of option with a value: every one but [`Button`].
pub trait Valued: sealed::Sealed {
    /// The type of the value.
    type Value<'a>;

    /// The value, if the option is of this kind.
    fn read(entry: &Entry) -> Option<Self::Value<'_>>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Check {}
    impl Sealed for super::Spin {}
    impl Sealed for super::Combo {}
    impl Sealed for super::Text {}
}

impl Valued for Check {
    type Value<'a> = bool;

    fn read(entry: &Entry) -> Option<bool> {
        if let Setting::Check { value, .. } = entry.setting { Some(value) } else { None }
    }
}

impl Valued for Spin {
    type Value<'a> = i64;

    fn read(entry: &Entry) -> Option<i64> {
        if let Setting::Spin { value, .. } = entry.setting { Some(value) } else { None }
    }
}

impl Valued for Combo {
    type Value<'a> = Choice<'a>;

    fn read(entry: &Entry) -> Option<Choice<'_>> {
        if let Setting::Combo { value, choices, .. } = &entry.setting {
            Some(Choice { index: *value, word: choices.get(*value)? })
        } else {
            None
        }
    }
}

impl Valued for Text {
    type Value<'a> = &'a str;

    fn read(entry: &Entry) -> Option<&str> {
        if let Setting::Text { value, .. } = &entry.setting { Some(value) } else { None }
    }
}
