//! The commands of the protocol and of the console.

use crate::long_command::LongCommand;
use crate::replaced::command_hint;
use game::Script;

/// A parsed line; each command parses its own arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command<'a> {
    Usi,
    Uci,
    IsReady,
    NewGame,
    SetOption(&'a str),
    GetOption(&'a str),
    Position(&'a str),
    Go(&'a str),
    Stop,
    PonderHit(&'a str),
    GameOver(&'a str),
    Display(Script),
    Sfen,
    Moves,
    Key,
    Side,
    Mated,
    Flip,
    Matsuri,
    Evaluate,
    Bench(&'a str),
    Test(&'a str),
    Long(LongCommand, &'a str),
    UnitTest(&'a str),
    User(&'a str),
    Config,
    Compiler,
    Wait(&'a str),
    Log,
    ObeyFile(&'a str),
    Help,
    Quit,
}

/// Why a line is not a command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("unknown command: {} ({})", .0, command_hint(.0).unwrap_or("try help"))]
    Unknown(String),
    #[error("Error! d takes nothing or `kanji`, found `{0}`")]
    BadScript(String),
}

type Parse = for<'a> fn(&'a str) -> Result<Command<'a>, CommandError>;

pub(super) struct Entry {
    pub(super) word: &'static str,
    pub(super) arguments: &'static str,
    pub(super) help: &'static str,
    parse: Parse,
}

const fn entry(word: &'static str, arguments: &'static str, help: &'static str, parse: Parse) -> Entry {
    Entry { word, arguments, help, parse }
}

/// All commands, in the order of `help`.
pub(super) const TABLE: &[Entry] = &[
    entry("usi", "", "name this program and its options", |_| Ok(Command::Usi)),
    entry("uci", "", "say that this program speaks USI instead", |_| Ok(Command::Uci)),
    entry("isready", "", "load what is needed, then answer readyok", |_| Ok(Command::IsReady)),
    entry("usinewgame", "", "a new game begins", |_| Ok(Command::NewGame)),
    entry("setoption", "name NAME [value VALUE]", "change an option (also: NAME VALUE)", |a| {
        Ok(Command::SetOption(a))
    }),
    entry("getoption", "[NAME]", "show options", |a| Ok(Command::GetOption(a))),
    entry("position", "startpos|[sfen] SFEN [moves MOVE...]", "set the position", |a| {
        Ok(Command::Position(a))
    }),
    entry("go", "[LIMITS]|mate [MS]|perft DEPTH", "find a move, a mate, or count the tree", |a| {
        Ok(Command::Go(a))
    }),
    entry("stop", "", "end the search and answer", |_| Ok(Command::Stop)),
    entry("ponderhit", "[CLOCKS]", "the expected move was played", |a| Ok(Command::PonderHit(a))),
    entry("gameover", "[win|lose|draw]", "the game has ended", |a| Ok(Command::GameOver(a))),
    entry("d", "[kanji]", "show the board", display),
    entry("sfen", "[SFEN]", "show the position as SFEN, or set it", |a| {
        Ok(if a.is_empty() { Command::Sfen } else { Command::Position(a) })
    }),
    entry("moves", "", "list all legal moves", |_| Ok(Command::Moves)),
    entry("key", "", "show the hash key of the position", |_| Ok(Command::Key)),
    entry("side", "", "show whose turn it is", |_| Ok(Command::Side)),
    entry("mated", "", "1 if there is no legal move, else 0", |_| Ok(Command::Mated)),
    entry("flip", "", "turn the position by 180 degrees", |_| Ok(Command::Flip)),
    entry("matsuri", "", "set the move-generation festival position", |_| Ok(Command::Matsuri)),
    entry("eval", "", "show the static value of the position", |_| Ok(Command::Evaluate)),
    entry("e", "", "the same", |_| Ok(Command::Evaluate)),
    entry("bench", "[HASH THREADS LIMIT POSITIONS TYPE]", "search fixed positions and count nodes", |a| {
        Ok(Command::Bench(a))
    }),
    entry("test", "[WORDS]", "tests and tools; alone it lists them", |a| Ok(Command::Test(a))),
    entry(LongCommand::MakeBook.word(), "[WORDS]", "make opening books; alone it lists the ways", |a| {
        Ok(Command::Long(LongCommand::MakeBook, a))
    }),
    entry(LongCommand::Learn.word(), "[WORDS]", "train the evaluation; alone it lists its words", |a| {
        Ok(Command::Long(LongCommand::Learn, a))
    }),
    entry(LongCommand::GenSfen.word(), "[WORDS]", "play games for training data; see `gensfen help`", |a| {
        Ok(Command::Long(LongCommand::GenSfen, a))
    }),
    entry("unittest", "[random_player_loop N]", "check the rules by random games", |a| {
        Ok(Command::UnitTest(a))
    }),
    entry("user", "[WORDS]", "whatever the engine makes of it", |a| Ok(Command::User(a))),
    entry("config", "", "show how this program was built", |_| Ok(Command::Config)),
    entry("compiler", "", "show what it was compiled with", |_| Ok(Command::Compiler)),
    entry("wait", "[MS]", "wait for the search to end, or so long", |a| Ok(Command::Wait(a))),
    entry("sleep", "[MS]", "the same", |a| Ok(Command::Wait(a))),
    entry("log", "", "copy everything to io_log.txt", |_| Ok(Command::Log)),
    entry("f", "NAME", "obey the lines of NAME.txt", |a| Ok(Command::ObeyFile(a))),
    entry("help", "", "show this list", |_| Ok(Command::Help)),
    entry("quit", "", "leave", |_| Ok(Command::Quit)),
];

impl<'a> Command<'a> {
    /// Parses a line; `None` if it is blank.
    pub(super) fn parse(line: &'a str) -> Result<Option<Self>, CommandError> {
        // Windows shells write a byte order mark before the first line of a pipe.
        let line = line.trim_start_matches('\u{feff}').trim();
        let Some(word) = line.split_whitespace().next() else { return Ok(None) };
        let entry = find(word).ok_or_else(|| CommandError::Unknown(quote(word)))?;
        (entry.parse)(line[word.len()..].trim_start()).map(Some)
    }
}

/// Whether `word` is a console command.
#[must_use]
pub fn is_command(word: &str) -> bool {
    find(word).is_some()
}

fn find(word: &str) -> Option<&'static Entry> {
    TABLE.iter().find(|entry| entry.word == word)
}

/// Quotes the beginning of a word, because input may be of any length.
fn quote(word: &str) -> String {
    word.chars().take(40).collect()
}

fn display(arguments: &str) -> Result<Command<'_>, CommandError> {
    match arguments {
        "" => Ok(Command::Display(Script::Ascii)),
        "kanji" => Ok(Command::Display(Script::Kanji)),
        other => Err(CommandError::BadScript(quote(other))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_arguments() {
        for (line, command) in [
            ("usi", Command::Usi),
            ("\u{feff}usi\r\n", Command::Usi),
            ("\t isready  now ", Command::IsReady),
            ("position  startpos moves 7g7f ", Command::Position("startpos moves 7g7f")),
            ("position", Command::Position("")),
            ("sfen", Command::Sfen),
            ("sfen 9/9 b - 1", Command::Position("9/9 b - 1")),
            ("d", Command::Display(Script::Ascii)),
            ("d kanji", Command::Display(Script::Kanji)),
            ("setoption name USI_Hash value 256", Command::SetOption("name USI_Hash value 256")),
            ("go btime 1 wtime 1 byoyomi 1", Command::Go("btime 1 wtime 1 byoyomi 1")),
            ("ponderhit btime 1", Command::PonderHit("btime 1")),
            ("gameover", Command::GameOver("")),
        ] {
            assert_eq!(Command::parse(line), Ok(Some(command)), "{line}");
        }
        for line in ["", "  ", "\t\r\n", "\u{feff}\n"] {
            assert_eq!(Command::parse(line), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn what_is_refused() {
        for (line, message) in [
            ("USI", "unknown command: USI (try help)"),
            ("foo bar", "unknown command: foo (try help)"),
            ("d color", "Error! d takes nothing or `kanji`, found `color`"),
        ] {
            assert_eq!(Command::parse(line).unwrap_err().to_string(), message, "{line}");
        }
    }

    #[test]
    fn every_word_is_one_command() {
        for entry in TABLE {
            assert_eq!(TABLE.iter().filter(|other| other.word == entry.word).count(), 1, "{}", entry.word);
            assert!(is_command(entry.word));
        }
    }
}
