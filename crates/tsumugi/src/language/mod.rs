//! The language of messages: `--lang`, otherwise that of the environment.
//!
//! The code writes all texts in English; texts for users are translated here, on output, by two tables: `messages.txt`
//! and `help.ja.toml`. A message missing in the tables stays English. Texts for programs (USI, records, JSON) are never
//! translated.

mod help;
mod messages;

use clap::error::ErrorKind;
use clap::{CommandFactory, Error, FromArgMatches};
use messages::Messages;
pub use platform::Language;
use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

static CHOSEN: OnceLock<Language> = OnceLock::new();

/// The language of this process; English before it is chosen.
pub fn current() -> Language {
    CHOSEN.get().copied().unwrap_or_default()
}

/// Parses the command line and sets the language; prints help and errors of the arguments.
pub fn parse<C: CommandFactory + FromArgMatches, T>(
    arguments: &[OsString],
    task: impl Fn(C) -> Result<T, Error>,
) -> Result<T, ExitCode> {
    let language = chosen(arguments).unwrap_or_else(Language::of_environment);
    let language = *CHOSEN.get_or_init(|| language);
    let read = |command: clap::Command| {
        let mut matches = command.try_get_matches_from(arguments)?;
        task(C::from_arg_matches_mut(&mut matches)?)
    };
    read(C::command()).map_err(|error| match language {
        Language::English => error.exit(),
        // Parse again, with the help texts of the other language.
        Language::Japanese => show(&read(help::japanese(C::command())).err().unwrap_or(error)),
    })
}

/// The value of `--lang`; the parser checks it later.
fn chosen(arguments: &[OsString]) -> Option<Language> {
    let mut words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    while let Some(word) = words.next() {
        match word.strip_prefix("--lang") {
            Some("") => return words.next()?.parse().ok(),
            Some(value) if value.starts_with('=') => return value[1..].parse().ok(),
            _ if word == "--" => return None,
            _ => {}
        }
    }
    None
}

/// Prints help or an error of the command line in Japanese.
fn show(error: &Error) -> ExitCode {
    let text = error.render().to_string();
    let text = if error.kind() == ErrorKind::DisplayVersion { text } else { help::words(&text) };
    // If this fails, there is no place to report it.
    let _ = if error.use_stderr() {
        io::stderr().write_all(text.as_bytes())
    } else {
        io::stdout().write_all(text.as_bytes())
    };
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// A message for users in their language, line by line.
pub fn translate(text: &impl Display) -> Cow<'static, str> {
    let text = text.to_string();
    match current() {
        Language::English => text.into(),
        Language::Japanese => Messages::japanese().text(&text).into(),
    }
}

/// An error with its causes.
pub fn explain(error: &anyhow::Error) -> Cow<'static, str> {
    match current() {
        Language::English => format!("error: {error:#}").into(),
        Language::Japanese => {
            let causes = error.chain().map(|cause| Messages::japanese().text(&cause.to_string()));
            format!("エラー: {}", causes.collect::<Vec<_>>().join(": ")).into()
        }
    }
}
