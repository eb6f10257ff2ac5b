//! Tables and lists in the layout of the original.

use super::record::Record;
use super::words::{TallyLine, Words};
use crate::board::Board;
use crate::moves::{Gate, Move, Operator};
use crate::state::{Ending, State};
use crate::targets::Target;
use crate::way::Way;
use game::Color;
use std::time::{SystemTime, UNIX_EPOCH};

/// The command `legal_moves`.
pub(super) fn legal_moves(state: &State) -> Vec<String> {
    let rule = "+--------+---+";
    let mut lines =
        vec!["LEGAL MOVES".to_owned(), rule.to_owned(), "|Distinct|All| Command".to_owned(), rule.to_owned()];
    let mut distinct = 0;
    for (listed, number) in state.listed_moves().into_iter().zip(1..) {
        let place = if listed.same.is_none() {
            distinct += 1;
            distinct.to_string()
        } else {
            String::new()
        };
        let same = listed.same.map(|m| format!(" | same {m}")).unwrap_or_default();
        lines.push(format!("|{place:>8}|{number:>3}| play {:<3}{same}", listed.code));
    }
    lines.extend([rule.to_owned(), String::new()]);
    lines
}

const RULER: usize = 88;

/// The six pictures, five rows each.
const PICTURES: [[&str; 5]; 6] = [
    [". . . . .", ". . . . .", ". 1 1 1 .", ". . . . .", ". . . . ."],
    ["1 . . . .", ". 1 . . .", ". . 1 . .", ". . . 1 .", ". . . . ."],
    [". . 1 . .", ". . 1 . .", ". . 1 . .", ". . 1 . .", ". . 1 . ."],
    [". . . . .", ". . 0 . .", ". . 0 . .", ". . 0 . .", ". . . . ."],
    ["0 . . . .", ". 0 . . .", ". . 0 . .", ". . . 0 .", ". . . . ."],
    [". . . . .", ". . . . .", "0 0 0 0 0", ". . . . .", ". . . . ."],
];

/// The command `clear_targets`.
pub(super) fn clear_targets(board: &Board) -> Vec<String> {
    let ruler = "-".repeat(RULER);
    let across = |cell: &dyn Fn(Target) -> String| Target::ALL.map(cell).join("  ");
    let frame = across(&|_| "+-----------+".to_owned());
    let mut lines = vec!["CLEAR TARGETS".to_owned(), ruler.clone(), String::new()];
    lines.push(across(&|target| format!("     [{}]    ", target.name())).trim_end().to_owned());
    lines.push(frame.clone());
    lines.extend((0..5).map(|row| across(&|target| format!("| {} |", PICTURES[target as usize][row]))));
    lines.push(frame);
    let blank = " ".repeat(13);
    let number = |target| board.clears().number(target);
    lines.push(across(&|target| number(target).map_or(blank.clone(), |n| format!(" CLEAR in {n:2} "))));
    lines.push(across(&|target| number(target).map_or("    WANTED   ".to_owned(), |_| blank.clone())));
    lines.extend([String::new(), ruler, String::new()]);
    lines
}

/// The command `history`.
pub(super) fn history(record: &Record, words: Words) -> Vec<String> {
    let rule = "-------";
    let mut lines = vec!["HISTORY".to_owned(), rule.to_owned()];
    lines.extend(words.history_legend().map(|line| format!("    {line}")));
    let mut games = 0;
    for (entry, number) in record.entries().iter().zip(1..) {
        let place = if entry.is_edit {
            String::new()
        } else {
            games += 1;
            games.to_string()
        };
        lines.push(format!("    ({place:>2}|{number:>2}) move:{} ${}", entry.code, entry.overwritten));
    }
    lines.extend([rule.to_owned(), String::new()]);
    lines
}

/// The command `sfen`.
pub(super) fn sfen(record: &Record) -> Vec<String> {
    let text = |board: &Board| if *board == Board::START { "startpos".to_owned() } else { board.to_string() };
    let games = || record.entries().iter().filter(|entry| !entry.is_edit);
    let mut lines = vec![format!("[from beginning] sfen {}", text(record.start()))];
    if games().next().is_some() {
        let codes: Vec<_> = games().map(|entry| entry.code.as_str()).collect();
        let overwritten: Vec<_> = games().map(|entry| entry.overwritten.as_str()).collect();
        lines[0] += " moves ";
        lines[0] += &codes.join(" ");
        lines.push(format!("                 stones_before_change {}", overwritten.join(" ")));
    }
    lines.push(format!("[from present]   sfen {}", text(record.board())));
    lines
}

/// The command `moves_for_edit`: edges that can be cut, then ways that can be filled.
pub(super) fn moves_for_edit(state: &State, words: Words) -> Vec<String> {
    let [begin, end] = words.edit_moves();
    let occupied = |way: &Way| state.is_occupied(Some(*way));
    let mut codes = Vec::new();
    for is_file in [true, false] {
        let lines: Vec<_> = Way::all().filter(|way| way.is_file() == is_file).filter(occupied).collect();
        if let [first, .., last] = lines.as_slice() {
            codes.extend([format!("{first}c"), format!("{last}c")]);
        }
    }
    let gate = Operator::Gate(Gate::And);
    for word in ["ze", "on"] {
        let fillable = Way::all().filter(|way| state.allows(Move::new(*way, gate)));
        codes.extend(fillable.map(|way| format!("{way}{word}")));
    }
    let numbered =
        codes.iter().zip(1..).map(|(code, number)| format!("    ({number:2}) move_for_edit:{code}"));
    std::iter::once(begin.to_owned()).chain(numbered).chain([end.to_owned()]).collect()
}

/// Results of `selfmatch`.
#[derive(Default)]
pub(super) struct Tally {
    /// By targets, by both having three, by a full board; Black first.
    wins: [[u32; 2]; 3],
}

impl Tally {
    pub(super) fn add(&mut self, ending: Ending) {
        let kind = match ending {
            Ending::Targets { .. } => 0,
            Ending::Simultaneous { .. } => 1,
            Ending::Full { .. } => 2,
        };
        self.wins[kind][ending.winner().index()] += 1;
    }

    pub(super) fn lines(&self, words: Words) -> Vec<String> {
        use TallyLine as T;
        let sum = |side: Color| self.wins.iter().map(|kind| kind[side.index()]).sum::<u32>();
        let (black, white) = (sum(Color::Black), sum(Color::White));
        let total = f64::from((black + white).max(1));
        let count = |line, count: u32| {
            let [label, share] = words.tally(line);
            format!("    {label} {count:6} {share} {:.3}", f64::from(count) / total)
        };
        let three = |lines: [TallyLine; 3], [black, white]: [u32; 2]| {
            [count(lines[0], black), count(lines[1], white), count(lines[2], black + white)]
        };
        let rule = format!("    {}", words.rule());
        let title = |title: &str| [rule.clone(), format!("    {title}"), rule.clone()];
        let mut lines = Vec::new();
        lines.extend(three([T::Black, T::White, T::Targets], self.wins[0]));
        lines.extend(title(words.points_follow()));
        lines.extend(three([T::SimultaneousBlack, T::SimultaneousWhite, T::Simultaneous], self.wins[1]));
        lines.push(rule.clone());
        lines.extend(three([T::FullBlack, T::FullWhite, T::Full], self.wins[2]));
        lines.extend(title(words.sides_follow()));
        lines.extend([count(T::Black, black), count(T::White, white), String::new()]);
        lines
    }
}

/// The present UTC time as `YYYY-MM-DD hh:mm:ss.ffffff`.
pub(super) fn timestamp() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (seconds, micros) = (now.as_secs(), now.subsec_micros());
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{micros:06}")
}

/// The Gregorian date of a day since 1970-01-01: years are counted from March, so that leap days come last.
fn date(day: u64) -> (u64, u64, u64) {
    let day = day + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + later, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(19_959), (2024, 8, 24));
        assert_eq!(date(20_772), (2026, 11, 15));
        assert_eq!(timestamp().len(), "2024-08-24 15:30:59.301810".len());
    }
}
