//! Argument values shared by several commands: keywords, and the default number of threads.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use record::encoding::LineEnd;
use shogi::Color;

/// Keywords with their help (without a full stop, may be empty) and their meaning.
pub type Words<T> = [(&'static str, &'static str, T)];

/// How lines end.
pub const LINE_ENDS: &Words<LineEnd> = &[("lf", "", LineEnd::Lf), ("crlf", "", LineEnd::CrLf)];

/// The sides.
pub const SIDES: &Words<Color> = &[("black", "", Color::Black), ("white", "", Color::White)];

/// Parses one of the words.
pub fn one_of<T>(words: &'static Words<T>) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let value = |&(word, help, _): &(&'static str, &'static str, T)| {
        let value = PossibleValue::new(word);
        if help.is_empty() { value } else { value.help(help) }
    };
    let parser = PossibleValuesParser::new(words.iter().map(value));
    // The parser accepts no other words.
    parser
        .try_map(|word| words.iter().find(|entry| entry.0 == word).map(|entry| entry.2).ok_or("another word"))
}

/// The number of cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
