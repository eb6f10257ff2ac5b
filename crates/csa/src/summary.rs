//! `Game_Summary`: game, players, start position and times.

use crate::clock::TimeRule;
use crate::wire::seconds;
use game::Color;
use record::{Board, Format, IllegalMoves, ReadOptions, Step};
use shogi::{Move, Position, Setup};
use std::fmt::Write;
use std::time::Duration;

/// The maximum number of lines of a summary.
const MOST_LINES: usize = 4096;
/// Names and game numbers are cut to this many characters.
const LONGEST: usize = 512;

/// Why a summary cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SummaryError {
    /// It has no end.
    #[error("the summary has more than {MOST_LINES} lines")]
    Endless,
    /// A required key is missing.
    #[error("the summary lacks {0}")]
    Missing(&'static str),
    /// An invalid value.
    #[error("the summary says `{0}`")]
    Value(String),
    /// Another game than shogi.
    #[error("only `Shogi 1.0` is played, not `{0}`")]
    Format(String),
    /// An invalid start position.
    #[error("the start position cannot be played: {0}")]
    Position(String),
}

/// The description of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// The name of the game.
    pub id: String,
    /// Black's and White's names.
    pub names: [String; 2],
    /// The side of the reader.
    pub you: Color,
    /// The time of Black and White.
    pub rules: [TimeRule; 2],
    /// The game ends after this many moves, including those of the start position.
    pub max_moves: Option<u32>,
    /// The start position before `moves`.
    pub start: Setup,
    /// Moves that have been played from there, with their times.
    pub moves: Vec<(Move, Duration)>,
    /// Unknown lines.
    pub unknown: Vec<String>,
}

impl Summary {
    /// The start position as an argument of USI's `position`.
    #[must_use]
    pub fn opening(&self) -> String {
        let sfen = self.start.to_string();
        let start = if sfen == shogi::STARTPOS_SFEN { "startpos".to_owned() } else { format!("sfen {sfen}") };
        let moves: Vec<_> = self.moves.iter().map(|(m, _)| m.to_string()).collect();
        if moves.is_empty() { start } else { format!("{start} moves {}", moves.join(" ")) }
    }

    /// The side to move after `plies` moves from the start position.
    #[must_use]
    pub fn side_after(&self, plies: usize) -> Color {
        if plies.is_multiple_of(2) { self.start.side } else { !self.start.side }
    }

    /// The moves of the start position with their times, for the clocks.
    #[must_use]
    pub fn setup_times(&self) -> Vec<(Color, Duration)> {
        self.moves.iter().enumerate().map(|(ply, (_, time))| (self.side_after(ply), *time)).collect()
    }

    /// The lines that a server sends to the player of `side`, in the order of shogi-server. All times must be multiples
    /// of the unit of Black's rule, which applies to both.
    #[must_use]
    pub fn text(&self, side: Color) -> String {
        let rule = self.rules[0];
        let (unit, size) = if rule.unit < Duration::from_secs(1) { ("1msec", 1) } else { ("1sec", 1000) };
        let units = |time: Duration| time.as_millis() / size;
        let sign = |side| if side == Color::Black { '+' } else { '-' };
        let mut text = String::from(
            "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\n",
        );
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "Game_ID:{}\nName+:{}\nName-:{}\nYour_Turn:{}\nRematch_On_Draw:NO\nTo_Move:{}\n",
            self.id,
            self.names[0],
            self.names[1],
            sign(side),
            sign(self.side_after(self.moves.len())),
        );
        if let Some(limit) = self.max_moves {
            let _ = writeln!(text, "Max_Moves:{limit}");
        }
        let _ = write!(
            text,
            "BEGIN Time\nTime_Unit:{unit}\nTotal_Time:{}\nByoyomi:{}\nIncrement:{}\nLeast_Time_Per_Move:{}\nEND Time\n",
            units(rule.total),
            units(rule.byoyomi),
            units(rule.increment),
            units(rule.least),
        );
        let _ =
            write!(text, "BEGIN Position\n{}{}\n", record::csa::diagram(&self.start), sign(self.start.side));
        let mut board = Board::from(&self.start);
        for (m, _) in &self.moves {
            let _ = writeln!(text, "{},T0", record::csa::move_text(&board, *m));
            board.play(*m);
        }
        text.push_str("END Position\nEND Game_Summary\n");
        text
    }
}

/// Reads a summary line by line, starting after `BEGIN Game_Summary`.
#[derive(Default, Debug)]
pub struct SummaryReader {
    lines: usize,
    /// The parts that have started and not ended.
    parts: Vec<String>,
    id: Option<String>,
    names: [Option<String>; 2],
    you: Option<Color>,
    to_move: Option<Color>,
    max_moves: Option<u32>,
    format: Option<String>,
    rules: [RuleLines; 2],
    position: String,
    unknown: Vec<String>,
}

/// The lines of a part `Time`, in which the unit may come last.
#[derive(Clone, Default, Debug)]
struct RuleLines {
    unit: Option<Duration>,
    total: Duration,
    byoyomi: Duration,
    increment: Duration,
    least: Duration,
    round_up: bool,
}

impl RuleLines {
    /// The rule; its times are so far in units of a thousandth of the unit.
    fn rule(&self) -> TimeRule {
        let unit = self.unit.unwrap_or(Duration::from_secs(1));
        let scale = |count: Duration| unit.checked_mul(count.as_secs() as u32).unwrap_or(Duration::MAX / 8);
        TimeRule {
            total: scale(self.total),
            byoyomi: scale(self.byoyomi),
            increment: scale(self.increment),
            least: scale(self.least),
            round_up: self.round_up,
            unit,
        }
    }
}

impl SummaryReader {
    /// Handles the next line; returns the summary after the last one.
    pub fn line(&mut self, line: &str) -> Result<Option<Summary>, SummaryError> {
        self.lines += 1;
        if self.lines > MOST_LINES {
            return Err(SummaryError::Endless);
        }
        let line = line.trim_end();
        if let Some(part) = line.strip_prefix("BEGIN ") {
            self.parts.push(part.chars().take(LONGEST).collect());
            return Ok(None);
        }
        if let Some(part) = line.strip_prefix("END ") {
            if self.parts.last().is_some_and(|begun| begun == part) {
                self.parts.pop();
            } else if part == "Game_Summary" {
                return self.finish().map(Some);
            }
            return Ok(None);
        }
        match self.parts.last().map(String::as_str) {
            None => self.key(line)?,
            Some("Time") => self.time(line, &[Color::Black, Color::White])?,
            Some("Time+") => self.time(line, &[Color::Black])?,
            Some("Time-") => self.time(line, &[Color::White])?,
            Some("Position") => {
                self.position.push_str(line);
                self.position.push('\n');
            }
            Some(_) => self.unknown.push(line.to_owned()),
        }
        Ok(None)
    }

    fn key(&mut self, line: &str) -> Result<(), SummaryError> {
        let bad = || SummaryError::Value(line.chars().take(80).collect());
        let Some((key, value)) = line.split_once(':') else {
            if !line.is_empty() {
                self.unknown.push(line.to_owned());
            }
            return Ok(());
        };
        let text = || Some(value.chars().filter(|c| !c.is_control()).take(LONGEST).collect());
        let side = || match value {
            "+" => Ok(Some(Color::Black)),
            "-" => Ok(Some(Color::White)),
            _ => Err(bad()),
        };
        match key {
            "Game_ID" => self.id = text(),
            "Name+" => self.names[0] = text(),
            "Name-" => self.names[1] = text(),
            "Your_Turn" => self.you = side()?,
            "To_Move" => self.to_move = side()?,
            "Max_Moves" => self.max_moves = value.parse().ok().filter(|limit| *limit > 0),
            "Format" => self.format = text(),
            "Protocol_Version" | "Protocol_Mode" | "Declaration" | "Rematch_On_Draw" => {}
            _ => self.unknown.push(line.to_owned()),
        }
        Ok(())
    }

    fn time(&mut self, line: &str, sides: &[Color]) -> Result<(), SummaryError> {
        let bad = || SummaryError::Value(line.chars().take(80).collect());
        let (key, value) = line.split_once(':').ok_or_else(bad)?;
        let count = || seconds(value).ok_or_else(bad);
        for side in sides {
            let rule = &mut self.rules[side.index()];
            match key {
                "Time_Unit" => rule.unit = Some(unit(value).ok_or_else(bad)?),
                "Total_Time" => rule.total = count()?,
                "Byoyomi" => rule.byoyomi = count()?,
                "Increment" => rule.increment = count()?,
                "Least_Time_Per_Move" => rule.least = count()?,
                "Time_Roundup" => rule.round_up = matches!(value, "YES" | "1"),
                _ if *side == sides[0] => self.unknown.push(line.to_owned()),
                _ => {}
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<Summary, SummaryError> {
        if let Some(format) = self.format.take().filter(|format| format != "Shogi 1.0") {
            return Err(SummaryError::Format(format));
        }
        let id = self.id.take().ok_or(SummaryError::Missing("Game_ID"))?;
        let [black, white] = &mut self.names;
        let names = [
            black.take().ok_or(SummaryError::Missing("Name+"))?,
            white.take().ok_or(SummaryError::Missing("Name-"))?,
        ];
        let you = self.you.ok_or(SummaryError::Missing("Your_Turn"))?;
        let (start, moves) = position(&self.position, self.to_move)?;
        let watch = TimeRule::stop_watch(&id);
        let rules = [0, 1].map(|side| {
            let rule = self.rules[side].rule();
            watch.filter(|_| rule.unit == Duration::from_mins(1)).unwrap_or(rule)
        });
        let unknown = std::mem::take(&mut self.unknown);
        Ok(Summary { id, names, you, rules, max_moves: self.max_moves, start, moves, unknown })
    }
}

/// `1sec`, `1msec`, `10msec`, `1min`
fn unit(text: &str) -> Option<Duration> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let count: u32 = if digits == 0 { 1 } else { text[..digits].parse().ok()? };
    let one = match &text[digits..] {
        "msec" => Duration::from_millis(1),
        "sec" => Duration::from_secs(1),
        "min" => Duration::from_mins(1),
        _ => return None,
    };
    (1..=100_000).contains(&count).then(|| one * count)
}

/// The start position and the moves from there, all of them legal.
fn position(text: &str, to_move: Option<Color>) -> Result<(Setup, Vec<(Move, Duration)>), SummaryError> {
    let fault = |what: String| SummaryError::Position(what);
    let options =
        ReadOptions { format: Some(Format::Csa), illegal: IllegalMoves::Keep, ..ReadOptions::default() };
    if !text.lines().any(|line| line.starts_with('P')) {
        return Err(SummaryError::Missing("the start position"));
    }
    let loaded = record::read(text.as_bytes(), &options).map_err(|error| fault(error.to_string()))?;
    if let Some(wrong) = loaded.faults.first() {
        return Err(fault(wrong.to_string()));
    }
    let mut start = loaded.record.start.clone();
    let tree = &loaded.record.tree;
    let moves: Vec<_> = tree
        .main_line()
        .filter_map(|id| match tree[id].step() {
            Some(Step::Move(m)) => Some((*m, tree[id].time.unwrap_or_default())),
            _ => None,
        })
        .collect();
    // The position may lack the side to move.
    let says_side = text.lines().any(|line| matches!(line.trim_end(), "+" | "-"));
    if let Some(side) = to_move.filter(|_| !says_side && moves.is_empty()) {
        start.side = side;
    }
    let mut position =
        Position::with_room(&start, moves.len() + 1).map_err(|error| fault(error.to_string()))?;
    for (m, _) in &moves {
        if !position.is_legal(*m) {
            return Err(fault(format!("{m} is illegal")));
        }
        position.do_move(*m);
    }
    Ok((start, moves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EVEN: &str = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \n\
        P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \n\
        P6 *  *  *  *  *  *  *  *  * \nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \n\
        P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n";

    fn read(text: &str) -> Result<Option<Summary>, SummaryError> {
        let mut reader = SummaryReader::default();
        for line in text.lines() {
            if let Some(summary) = reader.line(line)? {
                return Ok(Some(summary));
            }
        }
        Ok(None)
    }

    fn with(keys: &str, position: &str) -> String {
        format!(
            "Game_ID:x\nName+:a\nName-:b\nYour_Turn:-\nTo_Move:+\n{keys}BEGIN Position\n{position}END Position\nEND Game_Summary\n"
        )
    }

    fn summary(keys: &str, position: &str) -> Summary {
        read(&with(keys, &format!("{EVEN}{position}"))).unwrap().unwrap()
    }

    #[test]
    fn what_may_be_missing() {
        let least = summary("", "+\n");
        assert_eq!((least.id.as_str(), least.you, least.max_moves), ("x", Color::White, None));
        assert_eq!(least.opening(), "startpos");
        assert_eq!(least.rules, [TimeRule::default(); 2]);
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("END Game_Summary"), "the summary lacks Game_ID");
        assert_eq!(error(&with("", "")), "the summary lacks the start position");
        assert_eq!(error(&with("Format:Go 1.0\n", EVEN)), "only `Shogi 1.0` is played, not `Go 1.0`");
        assert!(error(&with("", "P+59OU58OU\n+\n")).contains("cannot be played"));
        assert!(error(&with("", &format!("{EVEN}+\n+7775FU,T1\n"))).contains("cannot be played"));
        assert!(error(&"Remark:x\n".repeat(5000)).contains("more than"));
    }

    #[test]
    fn times() {
        let both = "BEGIN Time\nTime_Unit:1msec\nTotal_Time:30000\nByoyomi:5000\nDelay:1\nEND Time\n";
        let one = summary(both, "+\n");
        assert_eq!(one.rules[1].total, Duration::from_secs(30));
        assert_eq!(
            (one.rules[0].byoyomi, one.rules[0].unit),
            (Duration::from_secs(5), Duration::from_millis(1))
        );
        assert_eq!(one.unknown, ["Delay:1"]);
        let sides = "BEGIN Time+\nTotal_Time:600\nIncrement:10\nEND Time+\nBEGIN Time-\nTotal_Time:5\nTime_Unit:1min\nTime_Roundup:YES\nEND Time-\n";
        let two = summary(sides, "+\n");
        assert_eq!(two.rules.map(|rule| rule.total.as_secs()), [600, 300]);
        assert_eq!(two.rules.map(|rule| rule.round_up), [false, true]);
        let watch = with("BEGIN Time\nTime_Unit:1min\nTotal_Time:600\nByoyomi:60\nEND Time\n", EVEN);
        let watch = read(&watch.replace("Game_ID:x", "Game_ID:t+t-600-060+a+b+1")).unwrap().unwrap();
        assert_eq!((watch.rules[0].total.as_secs(), watch.rules[0].byoyomi.as_secs()), (600, 0));
    }

    #[test]
    fn moves_of_the_start_position() {
        let begun = summary("", "+\n+2726FU,T5\n-8384FU,T3.5\n");
        assert_eq!(begun.opening(), "startpos moves 2g2f 8c8d");
        assert_eq!(begun.setup_times()[1], (Color::White, Duration::from_millis(3500)));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let rule = TimeRule {
            total: Duration::from_mins(1),
            increment: Duration::from_secs(5),
            ..TimeRule::default()
        };
        for position in ["+\n+2726FU,T0\n", "P+00FU\n+\n"] {
            let board =
                if position.starts_with('P') { EVEN.replace("P7+FU", "P7 * ") } else { EVEN.to_owned() };
            let mut first = read(&with("Max_Moves:256\n", &format!("{board}{position}"))).unwrap().unwrap();
            first.rules = [rule; 2];
            let text = first.text(Color::White);
            let again = read(text.strip_prefix("BEGIN Game_Summary\n").unwrap()).unwrap().unwrap();
            assert_eq!(again, first, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_lines_are_read(lines in prop::collection::vec("(Time_Unit:|Total_Time:|BEGIN |END |P1|P\\+|Game_ID:|\\+)?\\PC{0,20}", 0..30)) {
            let mut reader = SummaryReader::default();
            for line in &lines {
                let _ = reader.line(line);
            }
            let _ = reader.line("END Position");
            let _ = reader.line("END Game_Summary");
        }
    }
}
