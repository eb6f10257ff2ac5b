/// Why the arguments of a `position` command were refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionCommandError<E> {
    /// Nothing after the word `position`.
    #[error("position needs `startpos` or `sfen SFEN`, then optionally `moves MOVE...`")]
    Empty,
    /// The position itself is bad.
    #[error(transparent)]
    Text(E),
    /// A word among the moves is not a move.
    #[error("move {number} `{word}` is not a move")]
    MoveSyntax {
        /// Its place in the list, from 1.
        number: usize,
        /// The word as it was given.
        word: String,
    },
    /// A move that the rules forbid.
    #[error("Illegal Input Move : {word} (move {number} of the list){}", after_colon(.reason.as_ref()))]
    IllegalMove {
        /// Its place in the list, from 1.
        number: usize,
        /// The move as it was given.
        word: String,
        /// Why it is illegal, where the game says so.
        reason: Option<String>,
    },
}

fn after_colon(reason: Option<&String>) -> String {
    reason.map_or(String::new(), |reason| format!(": {reason}"))
}

pub(crate) enum Start<'a> {
    Startpos,
    Text(&'a str),
}

/// Splits a command into the start position and the (possibly empty) list of moves.
pub(crate) fn split(command: &str) -> Option<(Start<'_>, &str)> {
    let (start, moves) = split_moves(command)?;
    Some((if start == "startpos" { Start::Startpos } else { Start::Text(start) }, moves))
}

/// Splits what follows the word `position` into the start position (without the word `sfen`) and the (possibly empty)
/// list of moves. Returns `None` if there is no start position.
///
/// ```
/// assert_eq!(game::split_moves("sfen 9/9 b - 1 moves x y"), Some(("9/9 b - 1", " x y")));
/// assert_eq!(game::split_moves("startpos"), Some(("startpos", "")));
/// ```
#[must_use]
pub fn split_moves(command: &str) -> Option<(&str, &str)> {
    let command = command.trim();
    let (start, moves) = match find_word(command, "moves") {
        Some(at) => (command[..at].trim_end(), &command[at + "moves".len()..]),
        None => (command, ""),
    };
    let text = match start.split_ascii_whitespace().next()? {
        "sfen" => start["sfen".len()..].trim_start(),
        _ => start,
    };
    Some((text, moves))
}

/// Byte offset of the first blank-separated word equal to `word`.
fn find_word(text: &str, word: &str) -> Option<usize> {
    text.split_ascii_whitespace().find(|w| *w == word).map(|w| w.as_ptr() as usize - text.as_ptr() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(command: &str) -> Option<(String, Vec<&str>)> {
        let (start, moves) = split(command)?;
        let start = match start {
            Start::Startpos => "startpos!".to_owned(),
            Start::Text(text) => text.to_owned(),
        };
        Some((start, moves.split_ascii_whitespace().collect()))
    }

    #[test]
    fn all_forms() {
        assert!(parts("  ").is_none());
        assert_eq!(parts("startpos"), Some(("startpos!".into(), vec![])));
        assert_eq!(parts(" startpos  moves "), Some(("startpos!".into(), vec![])));
        assert_eq!(parts("startpos moves a b"), Some(("startpos!".into(), vec!["a", "b"])));
        assert_eq!(parts("sfen 9/9 b - 1 moves x"), Some(("9/9 b - 1".into(), vec!["x"])));
        assert_eq!(parts("9/9 b - 1"), Some(("9/9 b - 1".into(), vec![])));
        assert_eq!(parts("sfen"), Some((String::new(), vec![])));
        assert_eq!(parts("moves"), None);
    }
}
