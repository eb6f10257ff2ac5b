//! Parses the lines of the protocol for client and server. Nothing here allocates, fails or panics: an unknown line is
//! [`ServerLine::Other`] or [`ClientLine::Unknown`].

use game::Color;
use std::fmt;
use std::time::Duration;

/// A longer line from the other side ends the connection.
pub const LONGEST_IN: usize = 1 << 16;
/// Longer lines are not sent: the principal variation is cut, never the move.
pub const LONGEST_OUT: usize = 1 << 13;
/// The maximum length of players' names.
const LONGEST_NAME: usize = 32;

/// Why a game ended, as reported by servers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndReason {
    /// `#RESIGN`
    Resign,
    /// `#TIME_UP`
    TimeUp,
    /// `#ILLEGAL_MOVE`
    IllegalMove,
    /// `#ILLEGAL_ACTION`: something was sent out of turn.
    IllegalAction,
    /// `#SENNICHITE`
    Repetition,
    /// `#OUTE_SENNICHITE`
    PerpetualCheck,
    /// `#JISHOGI`
    Declaration,
    /// `#MAX_MOVES`
    MaxMoves,
}

/// How it ended for the receiver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameEnd {
    /// `#WIN`
    Win,
    /// `#LOSE`
    Lose,
    /// `#DRAW`
    Draw,
    /// `#CENSORED`: ended without a result.
    Censored,
    /// `#CHUDAN`: interrupted.
    Interrupted,
}

const REASONS: [(EndReason, &str); 8] = [
    (EndReason::Resign, "#RESIGN"),
    (EndReason::TimeUp, "#TIME_UP"),
    (EndReason::IllegalMove, "#ILLEGAL_MOVE"),
    (EndReason::IllegalAction, "#ILLEGAL_ACTION"),
    (EndReason::Repetition, "#SENNICHITE"),
    (EndReason::PerpetualCheck, "#OUTE_SENNICHITE"),
    (EndReason::Declaration, "#JISHOGI"),
    (EndReason::MaxMoves, "#MAX_MOVES"),
];

const ENDS: [(GameEnd, &str); 5] = [
    (GameEnd::Win, "#WIN"),
    (GameEnd::Lose, "#LOSE"),
    (GameEnd::Draw, "#DRAW"),
    (GameEnd::Censored, "#CENSORED"),
    (GameEnd::Interrupted, "#CHUDAN"),
];

fn word_of<T: PartialEq>(words: &[(T, &'static str)], item: &T) -> &'static str {
    words.iter().find(|(known, _)| known == item).map_or("", |(_, word)| word)
}

fn meaning<T: Copy>(words: &[(T, &str)], line: &str) -> Option<T> {
    words.iter().find(|(_, word)| *word == line).map(|(item, _)| *item)
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word_of(&REASONS, self))
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word_of(&ENDS, self))
    }
}

/// A line of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ServerLine<'a> {
    /// An empty line: a keep-alive or the answer to one.
    Blank,
    /// `LOGIN:NAME OK`, or `##[LOGIN] +OK x1`.
    LoggedIn,
    /// `LOGIN:incorrect`
    Refused,
    /// `LOGOUT:completed`
    LoggedOut,
    /// `BEGIN Game_Summary`
    Summary,
    /// `START:GAME`
    Start(&'a str),
    /// `REJECT:GAME by NAME`
    Reject(&'a str),
    /// A move that was played and its time.
    Move {
        /// `+7776FU`, unchanged.
        text: &'a str,
        /// Who moved.
        side: Color,
        /// The charged time.
        time: Option<Duration>,
    },
    /// `%TORYO,T3`: the word without `%`.
    Special {
        /// `TORYO`, `KACHI`, `CHUDAN` or an unknown word.
        word: &'a str,
        /// The charged time.
        time: Option<Duration>,
    },
    /// Why the game is over.
    Reason(EndReason),
    /// The result; the last line of a game.
    End(GameEnd),
    /// `##…`: a message of the extended mode, for users.
    Message(&'a str),
    /// Anything else.
    Other(&'a str),
}

/// Parses a line of a server, without its end.
#[must_use]
pub fn server_line(line: &str) -> ServerLine<'_> {
    let line = line.trim_end();
    match line.as_bytes().first() {
        None => ServerLine::Blank,
        Some(b'+' | b'-') => moved(line).unwrap_or(ServerLine::Other(line)),
        Some(b'%') => {
            let (word, time) = timed(&line[1..]);
            ServerLine::Special { word, time }
        }
        Some(b'#') => {
            if let Some(reason) = meaning(&REASONS, line) {
                ServerLine::Reason(reason)
            } else if let Some(end) = meaning(&ENDS, line) {
                ServerLine::End(end)
            } else if line.starts_with("##[LOGIN] +OK") {
                ServerLine::LoggedIn
            } else if line.starts_with("##") {
                ServerLine::Message(line)
            } else {
                ServerLine::Other(line)
            }
        }
        Some(_) => worded(line),
    }
}

fn worded(line: &str) -> ServerLine<'_> {
    match line {
        "LOGIN:incorrect" => ServerLine::Refused,
        "LOGOUT:completed" => ServerLine::LoggedOut,
        "BEGIN Game_Summary" => ServerLine::Summary,
        _ if line.starts_with("LOGIN:") && line.ends_with(" OK") => ServerLine::LoggedIn,
        _ => {
            if let Some(game) = line.strip_prefix("START:") {
                ServerLine::Start(game)
            } else if let Some(game) = line.strip_prefix("REJECT:") {
                ServerLine::Reject(game)
            } else {
                ServerLine::Other(line)
            }
        }
    }
}

/// `+7776FU`, `-3334FU,T12`; anything else after a comma is ignored.
fn moved(line: &str) -> Option<ServerLine<'_>> {
    let (text, time) = timed(line);
    let side = match text.as_bytes() {
        [b'+', rest @ ..] if rest.len() == 6 => Color::Black,
        [b'-', rest @ ..] if rest.len() == 6 => Color::White,
        _ => return None,
    };
    text.is_ascii().then_some(ServerLine::Move { text, side, time })
}

fn timed(text: &str) -> (&str, Option<Duration>) {
    let (word, rest) = text.split_once(',').unwrap_or((text, ""));
    (word, rest.split(',').find_map(|part| part.strip_prefix('T')).and_then(seconds))
}

/// Seconds with or without a fraction, `12`, `3.25`, `1.`; at most a billion.
#[must_use]
pub fn seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 9 || !digits(whole) || !digits(fraction) {
        return None;
    }
    let nanos = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    let nanos = nanos.fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0'));
    Some(Duration::new(whole.parse().ok()?, nanos))
}

/// The text after the comma: `T3`, or `T0.25` if `fractions` are counted.
#[must_use]
pub fn time_text(time: Duration, fractions: bool) -> String {
    match (time.as_secs(), time.subsec_millis()) {
        (seconds, millis) if fractions && millis > 0 => {
            format!("T{}", format!("{seconds}.{millis:03}").trim_end_matches('0'))
        }
        (seconds, _) => format!("T{seconds}"),
    }
}

/// A line of a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClientLine<'a> {
    /// A keep-alive.
    Blank,
    /// `LOGIN NAME PASSWORD [x1]`
    Login {
        /// The name, not yet checked.
        name: &'a str,
        /// The password, after the game if one is requested: `GAME,TRIP`.
        password: &'a str,
        /// Whether the extended mode is requested.
        extended: bool,
    },
    /// `LOGOUT`
    Logout,
    /// `AGREE [GAME]`
    Agree(&'a str),
    /// `REJECT [GAME]`
    Reject(&'a str),
    /// `+7776FU`, `+7776FU,'* 30 -3334FU`
    Move {
        /// The move, unchanged.
        text: &'a str,
        /// What follows `'`.
        comment: Option<&'a str>,
    },
    /// `%TORYO`: the word without `%`.
    Special(&'a str),
    /// `%%GAME …`: a command of the extended mode, without `%%`.
    Extended(&'a str),
    /// Anything else.
    Unknown,
}

/// Parses a line of a client, without its end.
#[must_use]
pub fn client_line(line: &str) -> ClientLine<'_> {
    let trimmed = line.trim_end();
    match trimmed.as_bytes().first() {
        None => ClientLine::Blank,
        Some(b'+' | b'-') => {
            let (text, comment) = trimmed.split_once(",'").map_or((trimmed, None), |(t, c)| (t, Some(c)));
            if text.len() == 7 && text.is_ascii() {
                ClientLine::Move { text, comment }
            } else {
                ClientLine::Unknown
            }
        }
        Some(b'%') => match trimmed.strip_prefix("%%") {
            Some(command) => ClientLine::Extended(command),
            None => ClientLine::Special(&trimmed[1..]),
        },
        Some(_) => {
            let mut words = trimmed.splitn(2, ' ');
            let (first, rest) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            match first {
                "LOGIN" => login(rest),
                "LOGOUT" => ClientLine::Logout,
                "AGREE" => ClientLine::Agree(rest),
                "REJECT" => ClientLine::Reject(rest),
                _ => ClientLine::Unknown,
            }
        }
    }
}

fn login(rest: &str) -> ClientLine<'_> {
    let mut words = rest.split(' ').filter(|word| !word.is_empty());
    match (words.next(), words.next(), words.next(), words.next()) {
        (Some(name), Some(password), None, None) => ClientLine::Login { name, password, extended: false },
        (Some(name), Some(password), Some("x1"), None) => {
            ClientLine::Login { name, password, extended: true }
        }
        _ => ClientLine::Unknown,
    }
}

/// The name of a game without the colour that it requests: `test-300-10F-B` is `test-300-10F` with Black.
#[must_use]
pub fn game_and_colour(text: &str) -> (&str, Option<Color>) {
    let wish = match text.rsplit_once('-') {
        Some((game, "B" | "b")) => Some((game, Color::Black)),
        Some((game, "W" | "w")) => Some((game, Color::White)),
        _ => None,
    };
    // `-B` requests a colour only after the times.
    match wish.filter(|(game, _)| game.rsplit('-').next().is_some_and(is_time)) {
        Some((game, colour)) => (game, Some(colour)),
        None => (text, None),
    }
}

/// `10`, `10F`
fn is_time(text: &str) -> bool {
    let digits = text.strip_suffix('F').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether servers accept this as a player's name.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_@.-".contains(&byte);
    (1..=LONGEST_NAME).contains(&name.len()) && name.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_of_servers() {
        let time = |text: &str| seconds(text);
        let moved = |text, side, time| ServerLine::Move { text, side, time };
        for (line, expected) in [
            ("", ServerLine::Blank),
            ("LOGIN:a OK\r", ServerLine::LoggedIn),
            ("LOGIN:incorrect", ServerLine::Refused),
            ("##[LOGIN] +OK x1", ServerLine::LoggedIn),
            ("LOGOUT:completed", ServerLine::LoggedOut),
            ("BEGIN Game_Summary", ServerLine::Summary),
            ("START:test+1", ServerLine::Start("test+1")),
            ("REJECT:test+1 by b", ServerLine::Reject("test+1 by b")),
            ("+7776FU,T3", moved("+7776FU", Color::Black, time("3"))),
            ("-3334FU,T1.", moved("-3334FU", Color::White, time("1"))),
            ("-3334FU", moved("-3334FU", Color::White, None)),
            ("+9999XX,T1", moved("+9999XX", Color::Black, time("1"))),
            ("+777", ServerLine::Other("+777")),
            ("%KACHI", ServerLine::Special { word: "KACHI", time: None }),
            ("%TORYO,T12", ServerLine::Special { word: "TORYO", time: time("12") }),
            ("#OUTE_SENNICHITE", ServerLine::Reason(EndReason::PerpetualCheck)),
            ("#CHUDAN", ServerLine::End(GameEnd::Interrupted)),
            ("##[ERROR] no", ServerLine::Message("##[ERROR] no")),
            ("#NEW", ServerLine::Other("#NEW")),
        ] {
            assert_eq!(server_line(line), expected, "{line}");
        }
    }

    #[test]
    fn lines_of_clients() {
        for (line, expected) in [
            ("", ClientLine::Blank),
            (" ", ClientLine::Blank),
            ("LOGIN a b,c", ClientLine::Login { name: "a", password: "b,c", extended: false }),
            ("LOGIN a b x1\r", ClientLine::Login { name: "a", password: "b", extended: true }),
            ("LOGIN a", ClientLine::Unknown),
            ("AGREE", ClientLine::Agree("")),
            ("AGREE x y", ClientLine::Agree("x y")),
            ("REJECT x", ClientLine::Reject("x")),
            ("LOGOUT", ClientLine::Logout),
            ("+7776FU", ClientLine::Move { text: "+7776FU", comment: None }),
            ("+7776FU,'* 3", ClientLine::Move { text: "+7776FU", comment: Some("* 3") }),
            ("+7776FU '* 3", ClientLine::Unknown),
            ("%TORYO", ClientLine::Special("TORYO")),
            ("%%GAME x *", ClientLine::Extended("GAME x *")),
            ("hello", ClientLine::Unknown),
        ] {
            assert_eq!(client_line(line), expected, "{line}");
        }
    }

    #[test]
    fn games_with_colours() {
        for (text, game, colour) in [
            ("test-300-10F-B", "test-300-10F", Some(Color::Black)),
            ("test-60-5-w", "test-60-5", Some(Color::White)),
            ("test-60-5", "test-60-5", None),
            ("vitamin-B", "vitamin-B", None),
            ("", "", None),
        ] {
            assert_eq!(game_and_colour(text), (game, colour), "{text}");
        }
    }

    #[test]
    fn names() {
        assert!(is_name("A.b-c_d@9") && !is_name("") && !is_name("a b") && !is_name(&"a".repeat(33)));
    }

    proptest! {
        #[test]
        fn any_text_is_read(line in "\\PC*", mark in prop::sample::select(vec!["", "+", "-", "%", "#", "LOGIN ", "+7776FU,"])) {
            let line = format!("{mark}{line}");
            let _ = (server_line(&line), client_line(&line));
        }

        #[test]
        fn times_are_read_back(millis in 0_u64..1_000_000_000) {
            let time = Duration::from_millis(millis);
            prop_assert_eq!(seconds(&time_text(time, true)[1..]), Some(time));
            prop_assert_eq!(seconds(&time_text(time, false)[1..]), Some(Duration::from_secs(millis / 1000)));
        }
    }
}
