//! The board as drawn by the original.

use crate::board::Board;
use crate::targets::Target;
use crate::way::{Way, Ways};
use std::fmt::Write;

/// The last command, for the header of a board.
pub(crate) enum Last {
    /// Nothing was done since the position was set.
    Init,
    /// A move of the game.
    Moved(String),
    /// A change of the board outside the game.
    Edited(String),
}

/// Header and board; `edits` is the length of the history if it has more than moves.
pub(crate) fn board(board: &Board, last: &Last, edits: Option<usize>) -> String {
    let mut text = format!("[{:2} moves ", board.number());
    let state = board.state();
    // Writing to a string cannot fail.
    if let Some(edits) = edits {
        let _ = write!(text, "| {edits} edits ");
    }
    let _ = match last {
        Last::Init => write!(text, "| init"),
        Last::Moved(code) => write!(text, "| moved {code}"),
        Last::Edited(code) => write!(text, "| edited {code}"),
    };
    let names: Vec<_> = state.cleared().iter().map(Target::name).collect();
    if !names.is_empty() {
        let _ = write!(text, " | {}", names.join(" "));
    }
    let _ = writeln!(text, " | next {}]", state.side());
    text += &grid(board);
    text
}

fn grid(board: &Board) -> String {
    let state = board.state();
    let label = |way: Way| label(state.locks(), way);
    let mut text = "   ".to_owned();
    for file in Way::all().filter(|way| way.is_file()) {
        text.extend([' ', label(file)]);
    }
    text += "\n  +---------------+\n";
    for rank in Way::all().filter(|way| !way.is_file()) {
        text.push(label(rank));
        text += " |";
        for place in 0..rank.len() {
            let square = rank.square(place);
            text.push(' ');
            text.push(if state.occupied & square == 0 {
                '.'
            } else if state.black & square != 0 {
                '1'
            } else {
                '0'
            });
        }
        text += " |\n";
    }
    text + "  +---------------+"
}

fn label(locks: Ways, way: Way) -> char {
    if locks.contains(way) { '#' } else { way.letter() }
}
