//! Boards as text.

use crate::board::{Board, Clears};
use crate::state::State;
use crate::targets::Target;
use crate::way::{FILES, RANKS, Way, Ways};
use game::Color;
use std::fmt;
use std::str::FromStr;

/// Why a text is not a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SfenError {
    /// The number of fields is wrong.
    #[error(
        "a Binarsi SFEN has 5 fields (board, side, locks, targets, number), as in `7/7/2o4/7/7/7 b - - 0`; found {0}"
    )]
    Fields(usize),
    /// The number of rows is wrong.
    #[error("the board needs 6 rows separated by `/`, found {0}")]
    Rows(usize),
    /// A row contains an invalid character.
    #[error("row {rank}: expected `x`, `o` or a digit 1 to 7, found `{found}`")]
    Letter {
        /// The letter of the rank.
        rank: char,
        /// What was found.
        found: char,
    },
    /// A row is too short or too long.
    #[error("row {0} does not have 7 squares")]
    Width(char),
    /// The side to move is invalid.
    #[error("the side to move is `b` or `w`, found `{0}`")]
    Side(String),
    /// The locks are invalid.
    #[error("locks are `-` or different ways out of 1234567abcdef, found `{0}`")]
    Locks(String),
    /// The targets are invalid.
    #[error("targets are `-` or six move numbers or blanks as in `4/////`, found `{0}`")]
    Targets(String),
    /// The move number is invalid.
    #[error("the move number is 0 to 65534, found `{0}`")]
    Number(String),
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, f)
    }
}

impl FromStr for Board {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Self, SfenError> {
        read(text)
    }
}

fn read(text: &str) -> Result<Board, SfenError> {
    let fields: Vec<_> = text.split_ascii_whitespace().collect();
    let &[rows, side, locks, targets, number] = fields.as_slice() else {
        return match fields.as_slice() {
            ["startpos"] => Ok(Board::START),
            _ => Err(SfenError::Fields(fields.len())),
        };
    };
    let (black, occupied) = read_rows(rows)?;
    let side = match side {
        "b" => Color::Black,
        "w" => Color::White,
        _ => return Err(SfenError::Side(side.to_owned())),
    };
    let locks = read_locks(locks).ok_or_else(|| SfenError::Locks(locks.to_owned()))?;
    let clears = read_targets(targets).ok_or_else(|| SfenError::Targets(targets.to_owned()))?;
    let number = read_number(number).ok_or_else(|| SfenError::Number(number.to_owned()))?;
    Ok(Board { state: State { black, occupied, locks, cleared: clears.targets(), side }, number, clears })
}

fn read_rows(text: &str) -> Result<(u64, u64), SfenError> {
    let rows = text.split('/').count();
    if rows != usize::from(RANKS) {
        return Err(SfenError::Rows(rows));
    }
    let (mut black, mut occupied) = (0, 0);
    for (row, letter) in text.split('/').zip('a'..) {
        let first = 8 * (letter as u32 - 'a' as u32);
        let mut file = 0;
        for found in row.chars() {
            match found {
                '1'..='7' => file += found as u32 - '0' as u32,
                'x' | 'o' if file < u32::from(FILES) => {
                    black |= u64::from(found == 'x') << (first + file);
                    occupied |= 1 << (first + file);
                    file += 1;
                }
                'x' | 'o' => return Err(SfenError::Width(letter)),
                _ => return Err(SfenError::Letter { rank: letter, found }),
            }
            if file > u32::from(FILES) {
                return Err(SfenError::Width(letter));
            }
        }
        if file != u32::from(FILES) {
            return Err(SfenError::Width(letter));
        }
    }
    Ok((black, occupied))
}

fn read_locks(text: &str) -> Option<Ways> {
    if text == "-" {
        return Some(Ways::EMPTY);
    }
    text.chars().try_fold(Ways::EMPTY, |locks, letter| {
        let way = Way::from_letter(letter)?;
        (!locks.contains(way)).then(|| locks.with(way))
    })
}

fn read_targets(text: &str) -> Option<Clears> {
    let mut clears = Clears::NONE;
    if text == "-" {
        return Some(clears);
    }
    if text.split('/').count() != Target::ALL.len() {
        return None;
    }
    for (number, target) in text.split('/').zip(Target::ALL) {
        if !number.is_empty() {
            clears.set(target, read_number(number)?);
        }
    }
    Some(clears)
}

fn read_number(text: &str) -> Option<u16> {
    // `parse` would accept a sign as well.
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && *number != Clears::NEVER)
}

fn write(board: &Board, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for rank in 0..RANKS {
        if rank > 0 {
            f.write_str("/")?;
        }
        write_row(board.state.black >> (8 * rank), board.state.occupied >> (8 * rank), f)?;
    }
    write!(f, " {} {} ", board.state.side.letter(), board.state.locks)?;
    if board.clears == Clears::NONE {
        f.write_str("-")?;
    } else {
        for target in Target::ALL {
            if target != Target::ALL[0] {
                f.write_str("/")?;
            }
            if let Some(number) = board.clears.number(target) {
                write!(f, "{number}")?;
            }
        }
    }
    write!(f, " {}", board.number)
}

fn write_row(black: u64, occupied: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut blanks = 0;
    for file in 0..FILES {
        if occupied >> file & 1 == 0 {
            blanks += 1;
            continue;
        }
        if blanks > 0 {
            write!(f, "{blanks}")?;
            blanks = 0;
        }
        f.write_str(if black >> file & 1 != 0 { "x" } else { "o" })?;
    }
    if blanks > 0 { write!(f, "{blanks}") } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips() {
        for text in [
            "7/7/2o4/7/7/7 b - - 0",
            "xxx4/oox4/oxo4/7/7/7 b - 4///// 4",
            "xooooxo/xooxxxo/ooxxooo/xooxxox/xoxxxxx/ooxoooo b 1234567abcdef 1/2//3/4/ 0",
            "7/7/7/7/7/7 w 1f /////65534 65534",
            "x1o1x1o/7/7/7/7/6x w - - 9",
        ] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        assert_eq!(read("startpos"), Ok(Board::START));
        assert_eq!(read("7/7/2o4/7/7/7 b fc1 - 007").unwrap().to_string(), "7/7/2o4/7/7/7 b 1cf - 7");
        assert_eq!(read("7/7/1111111/7/7/7 b - - 0").unwrap(), Board::EMPTY);
    }

    #[test]
    fn faults_are_named() {
        let fault = |text: &str| read(text).unwrap_err().to_string();
        assert!(fault("").ends_with("found 0"));
        assert!(fault("x6/x6/x6/7/7/7 b - 1").ends_with("found 4"));
        assert_eq!(fault("7/7/7/7/7 b - - 0"), "the board needs 6 rows separated by `/`, found 5");
        assert_eq!(fault("7/8/7/7/7/7 b - - 0"), "row b: expected `x`, `o` or a digit 1 to 7, found `8`");
        for row in ["6", "x7", "7o", "77", "", "xxxxxxxx"] {
            assert_eq!(fault(&format!("7/7/{row}/7/7/7 b - - 0")), "row c does not have 7 squares", "{row}");
        }
        assert_eq!(fault("7/7/7/7/7/7 x - - 0"), "the side to move is `b` or `w`, found `x`");
        for locks in ["g", "11", "--", "c-"] {
            assert!(fault(&format!("7/7/7/7/7/7 b {locks} - 0")).starts_with("locks are"), "{locks}");
        }
        for targets in ["1", "/////x", "//////", "/////-1", "65535/////"] {
            assert!(fault(&format!("7/7/7/7/7/7 b - {targets} 0")).starts_with("targets are"), "{targets}");
        }
        for number in ["-1", "+1", "65535", "99999999999", "é"] {
            assert!(fault(&format!("7/7/7/7/7/7 b - - {number}")).starts_with("the move number"), "{number}");
        }
    }
}
