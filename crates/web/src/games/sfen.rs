//! Boards and hands as SFEN writes them, the same for every size of board.

use crate::protocol::{Cell, EditedPosition, Held, Side};
use std::fmt::Write;

/// The squares of a position, row by row from the upper left corner.
pub(super) fn cells(text: &str, count: usize) -> Vec<Option<Cell>> {
    let board = text.split(' ').next().unwrap_or_default();
    let mut cells = Vec::with_capacity(count);
    for row in board.split('/') {
        let mut empty = 0;
        let mut promoted = false;
        for c in row.chars() {
            if let Some(digit) = c.to_digit(10) {
                empty = empty * 10 + digit as usize;
                continue;
            }
            cells.extend(std::iter::repeat_n(None, empty));
            empty = 0;
            if c == '+' {
                promoted = true;
                continue;
            }
            let side = if c.is_ascii_uppercase() { Side::Black } else { Side::White };
            let letter = c.to_ascii_uppercase();
            let kind = if promoted { format!("+{letter}") } else { letter.to_string() };
            cells.push(Some(Cell { kind, side, promoted, frozen: false }));
            promoted = false;
        }
        cells.extend(std::iter::repeat_n(None, empty));
    }
    cells.resize(count, None);
    cells
}

/// The hands of a position, black's first, in the order of the text.
pub(super) fn hands(text: &str) -> [Vec<Held>; 2] {
    let mut hands = [Vec::new(), Vec::new()];
    let mut count = 0;
    for c in text.split(' ').nth(2).unwrap_or_default().chars() {
        if let Some(digit) = c.to_digit(10) {
            count = count * 10 + digit;
        } else if c.is_ascii_alphabetic() {
            let side = usize::from(c.is_ascii_lowercase());
            let kind = c.to_ascii_uppercase().to_string();
            hands[side].push(Held { kind, count: count.max(1), locked: false, frozen: false });
            count = 0;
        }
    }
    hands
}

/// Where a move comes from and where it goes: `7g` and `7f` of `7g7f+`, `P*` and `5e` of `P*5e`.
pub(super) fn ends_of(text: &str) -> (&str, &str) {
    let text = text.strip_prefix('+').unwrap_or(text);
    let start = match text.find('*') {
        Some(star) => star + 1,
        None => text.find(|c: char| c.is_ascii_lowercase()).map_or(text.len(), |letter| letter + 1),
    };
    let rest = &text[start..];
    let end = rest.find(|c: char| c.is_ascii_lowercase()).map_or(rest.len(), |letter| letter + 1);
    (&text[..start], &rest[..end])
}

/// The text of a position that people put together.
pub(super) fn compose(position: &EditedPosition, files: usize, ranks: usize) -> String {
    let mut text = String::new();
    for row in 0..ranks {
        if row > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for column in 0..files {
            let Some(cell) = position.cells.get(row * files + column).and_then(Option::as_ref) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                let _ = write!(text, "{empty}");
                empty = 0;
            }
            text += &letter(&cell.kind, cell.side);
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
    }
    text += if position.side == Side::Black { " b " } else { " w " };
    let before = text.len();
    for side in Side::ALL {
        for held in &position.hands[side.index()] {
            match held.count {
                0 => {}
                1 => text += &letter(&held.kind, side),
                count => {
                    let _ = write!(text, "{count}{}", letter(&held.kind, side));
                }
            }
        }
    }
    text + if position.hands.iter().flatten().any(|held| held.count > 0) && before > 0 { " 1" } else { "- 1" }
}

fn letter(kind: &str, side: Side) -> String {
    match side {
        Side::Black => kind.to_ascii_uppercase(),
        Side::White => kind.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_there_and_back() {
        for (text, files, ranks) in [
            ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 9, 9),
            ("4k4/9/9/9/4+P4/9/9/9/4K4 w 2R10Pb 1", 9, 9),
            ("rbsgk/4p/5/P4/KGSBR b - 1", 5, 5),
            ("12/12/5K6/12/12/12/12/12/12/5k6 b - 1", 12, 10),
        ] {
            let side = if text.split(' ').nth(1) == Some("w") { Side::White } else { Side::Black };
            let position = EditedPosition {
                cells: cells(text, files * ranks),
                hands: hands(text),
                side,
                freeze: None,
                locked: None,
                cleared: None,
            };
            assert_eq!(compose(&position, files, ranks), text);
        }
    }

    #[test]
    fn ends() {
        for (text, from, to) in [
            ("7g7f", "7g", "7f"),
            ("7g7f+", "7g", "7f"),
            ("8h2b+zR+", "8h", "2b"),
            ("P*5e", "P*", "5e"),
            ("+P*12a", "P*", "12a"),
            ("10c11d-", "10c", "11d"),
            ("", "", ""),
            ("x", "x", ""),
        ] {
            assert_eq!(ends_of(text), (from, to), "{text}");
        }
    }
}
