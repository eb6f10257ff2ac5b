use game::Script;

/// What a line asks for; borrowed parts are read by whoever obeys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command<'a> {
    Usi,
    IsReady,
    NewGame,
    SetOption {
        name: String,
    },
    Position(&'a str),
    Go(Go),
    /// `stop` and `ponderhit` and `gameover`: whatever is being waited for has come.
    Stop,
    Display(Script),
    Sfen,
    Moves,
    Key,
    Side,
    Mated,
    Flip,
    Matsuri,
    Help,
    Quit,
}

/// The kinds of `go`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Go {
    /// Count the tree.
    Perft { depth: u32 },
    /// Solve a tsume.
    Mate,
    /// Find a move.
    Search {
        /// Keep it back until `stop` or `ponderhit`.
        withhold: bool,
    },
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("unknown command: {0} (try help)")]
    Unknown(String),
    #[error("Error! setoption needs `name NAME`, then optionally `value VALUE`")]
    OptionWithoutName,
    #[error("Error! go perft needs a depth, such as `go perft 4`")]
    NoDepth,
    #[error("Error! go perft: `{0}` is not a depth, expected a number such as 4")]
    BadDepth(String),
    #[error("Error! d takes nothing or `kanji`, found `{0}`")]
    BadScript(String),
}

type Parse = for<'a> fn(&'a str) -> Result<Command<'a>, CommandError>;

struct Entry {
    word: &'static str,
    arguments: &'static str,
    help: &'static str,
    parse: Parse,
}

const fn entry(word: &'static str, arguments: &'static str, help: &'static str, parse: Parse) -> Entry {
    Entry { word, arguments, help, parse }
}

/// Every command there is, in the order of `help`.
const TABLE: &[Entry] = &[
    entry("usi", "", "name this program and its options", |_| Ok(Command::Usi)),
    entry("isready", "", "answer readyok when ready to play", |_| Ok(Command::IsReady)),
    entry("usinewgame", "", "a new game begins", |_| Ok(Command::NewGame)),
    entry("setoption", "name NAME [value VALUE]", "change an option", set_option),
    entry("position", "startpos|[sfen] SFEN [moves MOVE...]", "set the position", |arguments| {
        Ok(Command::Position(arguments))
    }),
    entry("go", "[LIMITS]|perft DEPTH", "play a move, or count the tree", go),
    entry("stop", "", "end the search and play", |_| Ok(Command::Stop)),
    entry("ponderhit", "", "the expected move was played", |_| Ok(Command::Stop)),
    entry("gameover", "[win|lose|draw]", "the game has ended", |_| Ok(Command::Stop)),
    entry("d", "[kanji]", "show the board", display),
    entry("sfen", "[SFEN]", "show the position as SFEN, or set it", |arguments| {
        Ok(if arguments.is_empty() { Command::Sfen } else { Command::Position(arguments) })
    }),
    entry("moves", "", "list all legal moves", |_| Ok(Command::Moves)),
    entry("key", "", "show the hash key of the position", |_| Ok(Command::Key)),
    entry("side", "", "show whose turn it is", |_| Ok(Command::Side)),
    entry("mated", "", "1 if there is no legal move, else 0", |_| Ok(Command::Mated)),
    entry("flip", "", "turn the position by 180 degrees", |_| Ok(Command::Flip)),
    entry("matsuri", "", "set the move-generation festival position", |_| Ok(Command::Matsuri)),
    entry("help", "", "show this list", |_| Ok(Command::Help)),
    entry("quit", "", "leave", |_| Ok(Command::Quit)),
];

impl<'a> Command<'a> {
    /// Reads a line; `None` if there is nothing on it.
    pub(super) fn parse(line: &'a str) -> Result<Option<Self>, CommandError> {
        // Windows shells put a byte order mark before the first line that they pipe.
        let line = line.trim_start_matches('\u{feff}').trim();
        let Some(word) = line.split_whitespace().next() else { return Ok(None) };
        let entry = find(word).ok_or_else(|| CommandError::Unknown(quote(word)))?;
        (entry.parse)(line[word.len()..].trim_start()).map(Some)
    }
}

/// Whether `word` begins a console command.
#[must_use]
pub fn is_command(word: &str) -> bool {
    find(word).is_some()
}

/// One line for each command: how it is typed, and what it does.
pub(super) fn help() -> impl Iterator<Item = String> {
    let usage = |entry: &Entry| format!("{} {}", entry.word, entry.arguments);
    let width = TABLE.iter().map(|entry| usage(entry).len()).max().unwrap_or(0);
    TABLE.iter().map(move |entry| format!("{:width$}  {}", usage(entry), entry.help))
}

fn find(word: &str) -> Option<&'static Entry> {
    TABLE.iter().find(|entry| entry.word == word)
}

/// Input may be anything; a message quotes only its beginning.
fn quote(word: &str) -> String {
    word.chars().take(40).collect()
}

fn set_option(arguments: &str) -> Result<Command<'_>, CommandError> {
    let mut words = arguments.split_whitespace();
    if words.next() != Some("name") {
        return Err(CommandError::OptionWithoutName);
    }
    let name: Vec<&str> = words.take_while(|word| *word != "value").collect();
    if name.is_empty() {
        return Err(CommandError::OptionWithoutName);
    }
    Ok(Command::SetOption { name: quote(&name.join(" ")) })
}

fn go(arguments: &str) -> Result<Command<'_>, CommandError> {
    let mut words = arguments.split_whitespace();
    if words.next() == Some("perft") {
        let word = words.next().ok_or(CommandError::NoDepth)?;
        let depth = word.parse().map_err(|_| CommandError::BadDepth(quote(word)))?;
        return Ok(Command::Go(Go::Perft { depth }));
    }
    let has = |wanted: &str| arguments.split_whitespace().any(|word| word == wanted);
    Ok(Command::Go(if has("mate") {
        Go::Mate
    } else {
        Go::Search { withhold: has("infinite") || has("ponder") }
    }))
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
            ("setoption name USI_Hash value 256", Command::SetOption { name: "USI_Hash".into() }),
            ("setoption name Clear Hash", Command::SetOption { name: "Clear Hash".into() }),
            ("go", Command::Go(Go::Search { withhold: false })),
            ("go btime 1 wtime 1 byoyomi 1", Command::Go(Go::Search { withhold: false })),
            ("go infinite", Command::Go(Go::Search { withhold: true })),
            ("go ponder btime 0 wtime 0", Command::Go(Go::Search { withhold: true })),
            ("go nodes 9 mate infinite", Command::Go(Go::Mate)),
            ("go perft  4 ", Command::Go(Go::Perft { depth: 4 })),
            ("ponderhit btime 1", Command::Stop),
            ("gameover", Command::Stop),
        ] {
            assert_eq!(Command::parse(line), Ok(Some(command)), "{line}");
        }
    }

    #[test]
    fn nothing_on_the_line() {
        for line in ["", "  ", "\t\r\n", "\u{feff}\n"] {
            assert_eq!(Command::parse(line), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn what_is_refused() {
        for (line, message) in [
            ("USI", "unknown command: USI (try help)"),
            ("foo bar", "unknown command: foo (try help)"),
            ("setoption", "Error! setoption needs `name NAME`, then optionally `value VALUE`"),
            ("setoption name value 3", "Error! setoption needs `name NAME`, then optionally `value VALUE`"),
            ("go perft", "Error! go perft needs a depth, such as `go perft 4`"),
            ("go perft -1", "Error! go perft: `-1` is not a depth, expected a number such as 4"),
            ("d color", "Error! d takes nothing or `kanji`, found `color`"),
        ] {
            assert_eq!(Command::parse(line).unwrap_err().to_string(), message, "{line}");
        }
    }

    #[test]
    fn every_word_is_one_command_and_one_line_of_help() {
        for (entry, line) in TABLE.iter().zip(help()) {
            assert_eq!(TABLE.iter().filter(|other| other.word == entry.word).count(), 1, "{}", entry.word);
            assert!(is_command(entry.word));
            assert!(
                line.starts_with(entry.word) && line.ends_with(entry.help) && line.len() <= 100,
                "{line}"
            );
        }
    }
}
