//! Single elements of CSA notation, as servers and clients exchange them.

use crate::format::csa as format;
use crate::{Board, FaultReason};
use shogi::{Color, Move, Setup};

/// A move as `+7776FU`; `board` is where it is played.
///
/// ```
/// let board = record::Board::from(&shogi::Handicap::Even.setup());
/// let text = record::csa::move_text(&board, "7g7f".parse()?);
/// assert_eq!(text, "+7776FU");
/// assert_eq!(record::csa::parse_move(&board, &text), Ok("7g7f".parse()?));
/// # Ok::<(), shogi::ParseMoveError>(())
/// ```
#[must_use]
pub fn move_text(board: &Board, m: Move) -> String {
    format::move_text(board, m)
}

/// Reads `+7776FU`, seven characters. The move need not be legal, but the piece must exist and be the side to move's.
pub fn parse_move(board: &Board, text: &str) -> Result<Move, FaultReason> {
    let (side, body) = match text.as_bytes() {
        [b'+', body @ ..] => (Color::Black, body),
        [b'-', body @ ..] => (Color::White, body),
        _ => return Err(FaultReason::NotAMove),
    };
    let body: [u8; 6] = body.try_into().map_err(|_| FaultReason::NotAMove)?;
    if side != board.side() {
        return Err(FaultReason::WrongSide);
    }
    format::parse_move(board, body)
}

/// The lines `P1…` to `P9…`, then `P+…` and `P-…` where something is in hand, each ended by a newline.
#[must_use]
pub fn diagram(setup: &Setup) -> String {
    let mut text = String::new();
    format::write_diagram(&mut text, setup, "\n");
    text.lines().filter(|line| !["P+", "P-"].contains(line)).flat_map(|line| [line, "\n"]).collect()
}
