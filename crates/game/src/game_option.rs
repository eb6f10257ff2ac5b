/// An option that only one game has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameOption {
    /// The option's name.
    pub name: &'static str,
    /// The values that it accepts.
    pub kind: OptionKind,
    /// The value that the name alone on a line stands for; `None` if such a line only shows the present value.
    pub alone: Option<&'static str>,
    /// Help text, one line.
    pub help: &'static str,
}

/// The values that an option accepts, with its default.
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
