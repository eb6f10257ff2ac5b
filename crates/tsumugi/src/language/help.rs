//! Help texts in Japanese.

use super::messages::Messages;
use clap::builder::StyledStr;
use clap::{Arg, Command};
use std::collections::BTreeMap;

const TABLE: &str = include_str!("help.ja.toml");

/// For each command its texts by name.
type Table = BTreeMap<String, BTreeMap<String, String>>;

fn table() -> Table {
    // A test also parses the file; if it were invalid, help would be English.
    toml::from_str(TABLE).unwrap_or_default()
}

/// Columns of a text: terminals wrap longer lines at any character, which is hard to read.
const COLUMNS: usize = 72;

/// Texts that clap writes into help texts.
const FIXED: [(&str, &str); 6] = [
    ("[default: ", "[既定: "),
    ("[possible values: ", "[値: "),
    ("[aliases: --", "[別名: --"),
    ("Possible values:", "値:"),
    (
        "Print this message or the help of the given subcommand(s)",
        "この説明、または各コマンドの説明を表示する",
    ),
    ("see a summary with '-h'", "-h は短い説明"),
];

/// The command line with Japanese help texts.
pub fn japanese(command: Command) -> Command {
    let name = command.get_name().to_owned();
    // Only built commands have `help` and `version`, and the global options of their parents.
    let mut command = command;
    command.build();
    translated(command, &name, &table())
}

fn translated(command: Command, path: &str, table: &Table) -> Command {
    let general = table.get("tsumugi");
    let texts = table.get(path);
    let english = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    let mut command = command.mut_args(|argument| {
        let name = argument.get_id().as_str();
        let of_general = || general.filter(|_| ["help", "version", "lang"].contains(&name))?.get(name);
        match texts.and_then(|texts| texts.get(name)).or_else(of_general) {
            Some(text) => with_help(argument, text),
            None => argument,
        }
    });
    if let Some(about) = texts.and_then(|texts| texts.get("about")) {
        let more = texts.and_then(|texts| texts.get("more"));
        command = command.about(about.clone()).long_about(long_about(about, more, &english));
    }
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in names {
        command =
            command.mut_subcommand(&name, |command| translated(command, &format!("{path} {name}"), table));
    }
    command
}

fn with_help(argument: Arg, text: &str) -> Arg {
    argument.help(text.to_owned()).long_help(StyledStr::from(wrapped(text)))
}

/// The description of a command, more about it, and the examples of the English text unless it has its own.
fn long_about(about: &str, more: Option<&String>, english: &str) -> String {
    let mut text = about.to_owned();
    if let Some(more) = more {
        text = text + "\n\n" + more.trim();
    }
    let examples: Vec<&str> = english.lines().filter(|line| line.starts_with("    ")).collect();
    if !text.contains("\n    ") && !examples.is_empty() {
        text = text + "\n\n" + &examples.join("\n");
    }
    text
}

/// Wraps a text; punctuation that ends a clause does not start a line.
fn wrapped(text: &str) -> String {
    let (mut lines, mut used) = (String::new(), 0);
    for c in text.chars() {
        let wide = play::view::width(c.encode_utf8(&mut [0; 4]));
        if used + wide > COLUMNS && wide == 2 && !"。、）］」".contains(c) {
            lines.push('\n');
            used = 0;
        }
        lines.push(c);
        used += wide;
    }
    lines
}

/// Translates clap's own texts to Japanese.
pub fn words(text: &str) -> String {
    let text =
        FIXED.iter().fold(text.to_owned(), |text, (english, japanese)| text.replace(english, japanese));
    Messages::japanese().text(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    /// Calls `look` with each command and its path.
    fn each(command: &Command, path: &str, look: &mut impl FnMut(&Command, &str)) {
        look(command, path);
        for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
            each(command, &format!("{path} {}", command.get_name()), look);
        }
    }

    #[test]
    fn the_table_has_what_the_command_line_has() {
        let table: Table = toml::from_str(TABLE).unwrap();
        let mut command = Cli::command();
        command.build();
        let mut paths = Vec::new();
        each(&command, "tsumugi", &mut |command, path| {
            paths.push(path.to_owned());
            let texts = table.get(path).unwrap_or_else(|| panic!("help.ja.toml has no [\"{path}\"]"));
            assert!(texts.contains_key("about"), "{path}: about");
            let general = |name: &str| path != "tsumugi" && ["help", "version", "lang"].contains(&name);
            let arguments: Vec<&str> = command
                .get_arguments()
                .filter(|argument| !argument.is_hide_set())
                .map(|argument| argument.get_id().as_str())
                .filter(|name| !general(name))
                .collect();
            let translated: Vec<&str> =
                texts.keys().map(String::as_str).filter(|name| !["about", "more"].contains(name)).collect();
            for name in &translated {
                assert!(arguments.contains(name), "{path}: `{name}` is no argument");
            }
            for name in arguments.iter().filter(|_| !translated.is_empty()) {
                assert!(translated.contains(name), "{path}: `{name}` is not translated");
            }
        });
        for path in table.keys() {
            assert!(paths.contains(path), "`{path}` is no command");
        }
        for path in ["convert", "show", "analyze", "play", "web", "mate", "book import"] {
            assert!(table[&format!("tsumugi {path}")].len() > 3, "{path}");
        }
    }

    #[test]
    fn help_and_errors_are_japanese() {
        let show = |words: &str| {
            let words = std::iter::once("tsumugi").chain(words.split(' '));
            let error = japanese(Cli::command()).try_get_matches_from(words).unwrap_err();
            super::words(&error.render().to_string())
        };
        let help = show("play --help");
        for text in [
            "使い方: tsumugi play",
            "オプション:",
            "--level <LEVEL>",
            "持ち時間（秒）",
            "[既定: 1000]",
            "    tsumugi play --level 10k",
        ] {
            assert!(help.contains(text), "{text}: {help}");
        }
        for english in ["Options", "Usage", "default", "Print"] {
            assert!(!help.contains(english), "{english}: {help}");
        }
        for (words, message) in [
            ("play --levl 3", "エラー: 「--levl」という引数はありません"),
            ("play --levl 3", "  近いもの: --level"),
            ("play --time x", "エラー: --time <S> の値「x」は正しくありません: 数ではありません"),
            ("convert", "エラー: 次の引数が必要です:"),
            ("analyze a --depth 3 --nodes 5 -o x", "同時に使えません"),
        ] {
            let shown = show(words);
            assert!(shown.contains(message), "{words}: {shown}");
        }
    }

    #[test]
    fn lines_are_cut_between_characters_but_not_before_a_full_stop() {
        let long = "あ".repeat(36) + "。" + &"い".repeat(36);
        assert_eq!(wrapped(&long), "あ".repeat(36) + "。\n" + &"い".repeat(36));
        assert_eq!(wrapped("short"), "short");
    }
}
