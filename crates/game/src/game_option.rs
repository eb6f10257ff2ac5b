/// An option of a game's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameOption {
    /// Its name.
    pub name: &'static str,
    /// What it may be set to.
    pub kind: OptionKind,
    /// What the name alone on a line sets it to, where that does not merely show it.
    pub alone: Option<&'static str>,
    /// One line for people.
    pub help: &'static str,
}

/// What an option may be set to, and what it is at first.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "a default and the words to choose from")]
pub enum OptionKind {
    /// `true` or `false`.
    Check { default: bool },
    /// One of some words.
    Combo { default: &'static str, words: Vec<&'static str> },
    /// Any text.
    Text { default: &'static str },
}
