//! Reads logs of the CSA server protocol.
//!
//! Programs log the lines of the protocol with a prefix each: `< ` and `> `, `send:` and `recv:`, perhaps a time. The
//! prefix of `BEGIN Game_Summary` is that of the server. A client's lines matter only for the scores that it adds to
//! its moves.

use super::read::Reader;
use crate::model::record::Told;
use crate::{Ending, Field, GameResult, ReadError};
use shogi::Color;

const SUMMARY: &str = "BEGIN Game_Summary";

/// Whether a line begins a game of the protocol, with any prefix.
#[inline]
pub(crate) fn is_summary(line: &[u8]) -> bool {
    // Most lines are shorter.
    line.len() >= SUMMARY.len() && line.trim_ascii_end().ends_with(SUMMARY.as_bytes())
}

/// Limit of the bytes searched for the first game.
const ENOUGH: usize = 1 << 16;

/// The prefix of the server's lines, if a text is a log of the protocol.
pub(crate) fn server_mark(text: &str) -> Option<&str> {
    let head = &text.as_bytes()[..text.len().min(ENOUGH)];
    // Searches for its rarest letter first, because few other files contain it.
    let (before, _) = SUMMARY.split_once('_')?;
    let mut rare = memchr::memchr_iter(b'_', head).filter_map(|rare| rare.checked_sub(before.len()));
    let at = rare.find(|at| head[*at..].starts_with(SUMMARY.as_bytes()))?;
    let start = memchr::memrchr2(b'\n', b'\r', &head[..at]).map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    // Not a comment, field or name that mentions it.
    let speaks = line.starts_with(['\'', '*', '$']) || line.starts_with("N+") || line.starts_with("N-");
    (is_summary(line.as_bytes()) && !speaks).then(|| &text[start..at])
}

/// Reads the first game of a log.
pub(super) fn read(text: &str, mark: &str) -> Result<Told, ReadError> {
    let mut log = Log::default();
    for (index, line) in crate::text::lines::lines(text).enumerate() {
        let Some(said) = after_mark(line, mark) else {
            log.client(line);
            continue;
        };
        if said == SUMMARY && log.part != Part::Greeting {
            break;
        }
        log.server(index + 1, said.trim_end())?;
    }
    Ok(log.finish())
}

/// The line after the prefix; digits of the prefix, which may be a time, may differ.
fn after_mark<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let (start, said) = line.split_at_checked(mark.len())?;
    let alike = |(a, b): (u8, u8)| a == b || (a.is_ascii_digit() && b.is_ascii_digit());
    start.bytes().zip(mark.bytes()).all(alike).then_some(said)
}

/// The part of the protocol that is being read.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Part {
    #[default]
    Greeting,
    Summary,
    /// For one side, or for both.
    Time(Option<Color>),
    Position,
    Play,
}

/// `BEGIN …` and `END …` lines and the parts that follow them.
const PARTS: [(&str, Part); 10] = [
    (SUMMARY, Part::Summary),
    ("BEGIN Time", Part::Time(None)),
    ("BEGIN Time+", Part::Time(Some(Color::Black))),
    ("BEGIN Time-", Part::Time(Some(Color::White))),
    ("BEGIN Position", Part::Position),
    ("END Time", Part::Summary),
    ("END Time+", Part::Summary),
    ("END Time-", Part::Summary),
    ("END Position", Part::Summary),
    ("END Game_Summary", Part::Play),
];

#[derive(Default)]
struct Log {
    reader: Reader,
    part: Part,
    /// The side of the client.
    client: Option<Color>,
    to_move: Option<Color>,
    clock: Clock,
    /// A move of the client with its comment, until the server repeats the move.
    thought: Option<(String, String)>,
    /// A `%` line and the time after it.
    claim: Option<(String, Option<String>)>,
    /// The reason of the end, as the server gives it after `#`.
    reason: Option<String>,
    result: Option<GameResult>,
}

/// Time limits of a part, in whole seconds as CSA version 3 writes them.
#[derive(Default)]
struct Clock {
    unit_millis: u64,
    total: u64,
    byoyomi: u64,
    increment: u64,
}

impl Clock {
    fn line(&mut self, name: &str, value: &str) {
        let number = || value.parse().unwrap_or(0);
        match name {
            "Time_Unit" => self.unit_millis = unit_millis(value),
            "Total_Time" => self.total = number(),
            "Byoyomi" => self.byoyomi = number(),
            "Increment" => self.increment = number(),
            _ => {}
        }
    }

    /// `300+0+10`
    fn text(&self) -> String {
        let seconds = |units: u64| units.saturating_mul(self.unit_millis) / 1000;
        format!("{}+{}+{}", seconds(self.total), seconds(self.byoyomi), seconds(self.increment))
    }
}

/// `1sec`, `100msec`, `1min`; the default is seconds.
fn unit_millis(text: &str) -> u64 {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let count: u64 = text[..digits].parse().unwrap_or(1);
    count.saturating_mul(match &text[digits..] {
        "msec" => 1,
        "min" => 60_000,
        _ => 1000,
    })
}

fn side(sign: &str) -> Option<Color> {
    match sign {
        "+" => Some(Color::Black),
        "-" => Some(Color::White),
        _ => None,
    }
}

/// `+7776FU,T12`: the move, and what follows the comma.
fn move_and_more(line: &str) -> Option<(&str, &str)> {
    let (word, more) = line.split_once(',')?;
    (word.len() == 7 && word.starts_with(['+', '-'])).then_some((word, more))
}

impl Log {
    fn server(&mut self, number: usize, said: &str) -> Result<(), ReadError> {
        if let Some((_, part)) = PARTS.iter().find(|(line, _)| *line == said) {
            self.enter(*part);
            return Ok(());
        }
        match self.part {
            Part::Greeting => {}
            Part::Summary => self.summary(said),
            Part::Time(_) => {
                if let Some((name, value)) = said.split_once(':') {
                    self.clock.line(name, value);
                }
            }
            Part::Position => said.split(',').try_for_each(|word| self.reader.statement(number, word))?,
            Part::Play => self.play(number, said)?,
        }
        Ok(())
    }

    fn enter(&mut self, part: Part) {
        match (self.part, part) {
            (_, Part::Time(_)) => self.clock = Clock { unit_millis: 1000, ..Clock::default() },
            (Part::Time(whose), _) => {
                let field = match whose {
                    None => Field::TimeLimit,
                    Some(Color::Black) => Field::BlackTimeLimit,
                    Some(Color::White) => Field::WhiteTimeLimit,
                };
                self.reader.field(field.kif(), &self.clock.text());
            }
            // A position may omit the side to move.
            (Part::Position, _) => self.reader.begin_if_not_begun(self.to_move.unwrap_or(Color::Black)),
            _ => {}
        }
        self.part = part;
    }

    fn summary(&mut self, said: &str) {
        let Some((name, value)) = said.split_once(':') else { return };
        match name {
            "Name+" => self.reader.field(Field::Black.kif(), value),
            "Name-" => self.reader.field(Field::White.kif(), value),
            "Game_ID" => self.reader.field(Field::Event.kif(), value),
            "Max_Moves" => self.reader.field(Field::MaxMoves.kif(), value),
            "Your_Turn" => self.client = side(value),
            "To_Move" => self.to_move = side(value),
            _ => {}
        }
    }

    fn play(&mut self, number: usize, said: &str) -> Result<(), ReadError> {
        match said.as_bytes() {
            [b'+' | b'-', ..] => match move_and_more(said) {
                // Only the server sends times; without prefixes, the client's own lines look the same.
                Some((word, more)) if more.starts_with('T') => {
                    self.reader.statement(number, word)?;
                    self.reader.statement(number, more)?;
                    if let Some((_, thought)) =
                        self.thought.take().filter(|(thought_of, _)| thought_of == word)
                    {
                        self.reader.statement(number, &thought)?;
                    }
                }
                _ => self.client(said),
            },
            [b'%', ..] => {
                let (word, time) =
                    said[1..].split_once(',').map_or((&said[1..], None), |(w, t)| (w, Some(t)));
                if self.claim.is_none() || time.is_some() {
                    self.claim = Some((word.to_owned(), time.map(str::to_owned)));
                }
            }
            [b'#', word @ ..] if word.iter().all(|b| b.is_ascii_uppercase() || *b == b'_') => {
                self.verdict(&said[1..]);
            }
            _ => {}
        }
        Ok(())
    }

    fn verdict(&mut self, word: &str) {
        match (word, self.client) {
            ("WIN", Some(client)) => self.result = Some(GameResult::Win(client)),
            ("LOSE", Some(client)) => self.result = Some(GameResult::Win(!client)),
            ("WIN" | "LOSE", None) => {}
            ("DRAW", _) => self.result = Some(GameResult::Draw),
            _ => {
                self.reason.get_or_insert_with(|| word.to_owned());
            }
        }
    }

    /// `+7776FU,'* 30 -3334FU`, with any prefix.
    fn client(&mut self, line: &str) {
        let Some((said, thought)) = line.split_once(",'") else { return };
        let word = said.len().checked_sub(7).and_then(|at| said.get(at..));
        if let Some(word) = word.filter(|word| word.starts_with(['+', '-']) && thought.starts_with('*')) {
            // In files such a comment has one more star.
            self.thought = Some((word.to_owned(), format!("'*{thought}")));
        }
    }

    fn finish(mut self) -> Told {
        if let Some(ending) = self.ending() {
            self.reader.end(ending);
            if let Some((_, Some(time))) = &self.claim {
                self.reader.time(time.trim_start_matches('T'));
            }
        }
        self.reader.finish()
    }

    fn ending(&self) -> Option<Ending> {
        let side = self.reader.side_to_move()?;
        let claim = self.claim.as_ref().map(|(word, _)| Ending::from_csa(word, side));
        let Some(reason) = &self.reason else {
            return claim.or_else(|| (self.result == Some(GameResult::Draw)).then_some(Ending::Draw));
        };
        let won = self.result == Some(GameResult::Win(side));
        Some(match reason.as_str() {
            "RESIGN" => Ending::Resign,
            "JISHOGI" if won || claim == Some(Ending::Declaration) => Ending::Declaration,
            "ILLEGAL_MOVE" | "ILLEGAL_ACTION" | "OUTE_SENNICHITE" if won => Ending::IllegalBefore,
            "ILLEGAL_MOVE" | "ILLEGAL_ACTION" | "OUTE_SENNICHITE" => Ending::IllegalHere,
            "CENSORED" => Ending::Interrupt,
            word => Ending::from_csa(word, side),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReadOptions};

    const GAME: &str = "LOGIN:a OK\nBEGIN Game_Summary\nGame_ID:x\nName+:a\nName-:b\nYour_Turn:-\nTo_Move:+\n\
        BEGIN Time\nTime_Unit:1min\nTotal_Time:5\nIncrement:0\nEND Time\nBEGIN Position\nPI\n+\n+2726FU,T5\n\
        END Position\nEND Game_Summary\nSTART:x\n\n-3334FU,T2.5\n+7776FU,T3\n";

    /// The game followed by `more`, each line with the prefix `mark`.
    fn said(mark: &str, more: &str) -> String {
        let lines: Vec<_> = GAME.lines().chain(more.lines()).map(|line| [mark, line].concat()).collect();
        lines.join("\n")
    }

    fn loaded(text: &str) -> crate::Loaded {
        let loaded = crate::read(text.as_bytes(), &ReadOptions::default()).expect("a game");
        assert_eq!(loaded.format, Format::Csa, "{text}");
        loaded
    }

    #[test]
    fn marks_of_every_kind() {
        for mark in ["", "< ", "send:", "[2026/11/15 01:42:46.123] recv > "] {
            let record = loaded(&said(mark, "%TORYO,T7\n#RESIGN\n#LOSE")).record;
            let moves: Vec<_> = record.moves().map(|m| m.to_string()).collect();
            assert_eq!(moves, ["2g2f", "3c3d", "7g7f"], "{mark}");
            assert_eq!(record.ending(), Some(&Ending::Resign));
            assert_eq!(record.result(), GameResult::Win(Color::Black));
            let millis = record.tree.main_line().map(|id| record.tree[id].time.map(|time| time.as_millis()));
            assert_eq!(millis.collect::<Vec<_>>(), [Some(5000), Some(2500), Some(3000), Some(7000)]);
            let field = |field| record.header.get(field);
            assert_eq!((field(Field::Event), field(Field::TimeLimit)), (Some("x"), Some("300+0+0")));
        }
    }

    #[test]
    fn scores_of_the_client() {
        let text = said("< ", "").replace("< -3334FU", "> -3334FU,'* 30 +2625FU\n< -3334FU");
        let record = loaded(&text).record;
        let notes: Vec<Vec<_>> =
            record.tree.main_line().map(|id| record.tree.note(id).comments.iter().collect()).collect();
        assert_eq!(notes, [vec![], vec!["* 30 +2625FU"], vec![]]);
        assert_eq!(loaded(&said("", "-8384FU\n-8384FU,'* 0\n")).record.moves().count(), 3);
    }

    #[test]
    fn verdicts() {
        for (more, ending) in [
            ("#TIME_UP\n#WIN", Ending::Timeout),
            ("%KACHI,T1\n#JISHOGI\n#WIN", Ending::Declaration),
            ("#JISHOGI\n#DRAW", Ending::Impasse),
            ("%KACHI,T1\n%KACHI\n#ILLEGAL_MOVE\n#LOSE", Ending::IllegalHere),
            ("#ILLEGAL_ACTION\n#WIN", Ending::IllegalBefore),
            ("-9999XX,T1\n#ILLEGAL_MOVE\n#LOSE", Ending::IllegalHere),
            ("#OUTE_SENNICHITE\n#LOSE", Ending::IllegalHere),
            ("#SENNICHITE\n#DRAW", Ending::Repetition),
            ("#MAX_MOVES\n#CENSORED", Ending::MaxMoves),
            ("#CHUDAN", Ending::Interrupt),
            ("#DRAW", Ending::Draw),
            ("%CHUDAN", Ending::Interrupt),
        ] {
            let record = loaded(&said("send:", more)).record;
            assert_eq!(record.ending(), Some(&ending), "{more}");
            assert_eq!(record.moves().count(), 3, "{more}");
        }
        assert_eq!(loaded(GAME).record.ending(), None);
    }

    #[test]
    fn comments_are_no_transcript() {
        assert_eq!(server_mark("V2.2\n'BEGIN Game_Summary\nPI\n+\n"), None);
        assert_eq!(server_mark("PI\n+\n"), None);
    }
}
