//! USI lines of Freeze shogi: `startpos z3Z3 moves 7g7fzG 3c3d`.

use super::{FreezeRecord, FreezeStart, Warning};
use crate::{Ending, NodeId, Step};
use ::freeze::{Acceptance, Freeze, Move, Position, Token};
use game::{Game, Position as _};
use std::collections::BTreeMap;

/// The game of the first line that is not empty, as far as it is legal; `None` if the line has another form.
pub(super) fn read(text: &str) -> Option<(FreezeRecord, Vec<Warning>)> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let command = line.strip_prefix("position").map_or(line, str::trim_start);
    let last = command.rsplit(' ').next().unwrap_or_default();
    let ending = Ending::from_usi(last);
    let command = if ending.is_some() { command.strip_suffix(last)?.trim_end() } else { command };
    let game = Freeze { acceptance: Acceptance::Ok, ..Freeze::default() };
    let mut warnings = Vec::new();
    let remark = &mut |_: &str| warnings.push(Warning::BothCounts);
    if let Ok(position) = game.position_command_remarked(command, remark) {
        let mut record = of_position(position);
        if let Some(ending) = ending {
            let end = record.tree.main_line().last().unwrap_or(NodeId::ROOT);
            record.tree.add(end, Step::End(ending));
        }
        return Some((record, warnings));
    }
    let record = of_position(longest_legal(&game, command)?);
    let ply = record.moves().count() as u32 + 1;
    Some((record, vec![Warning::Illegal { ply }]))
}

/// The position after the longest legal prefix of the moves.
fn longest_legal(game: &Freeze, command: &str) -> Option<Position> {
    let (start, moves) = game::split_moves(command)?;
    let words: Vec<&str> = moves.split_ascii_whitespace().collect();
    let after =
        |count: usize| game.position_command(&format!("{start} moves {}", words[..count].join(" "))).ok();
    // Binary search for the longest prefix that can be read: an illegal word invalidates all that follow.
    let (mut good, mut bad) = (0, words.len() + 1);
    let mut position = game.position_command(start).ok()?;
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        match after(middle) {
            Some(reached) => (good, position) = (middle, reached),
            None => bad = middle,
        }
    }
    Some(position)
}

/// Whether a USI line has tokens that only Freeze shogi has: counts, markers, moves with markers.
pub(super) fn is_freeze(line: &str) -> bool {
    line.split_ascii_whitespace().any(|word| {
        matches!(Token::read(word), Some(Ok(_)))
            || (word.contains(['z', 'Z']) && word.parse::<Move>().is_ok())
    })
}

/// The record of the game that led to a position.
#[must_use]
pub fn of_position(mut position: Position) -> FreezeRecord {
    let mut moves = Vec::new();
    while let Some(base) = position.shogi().last_move() {
        moves.push(Move { base, freezes: position.frozen() });
        position.undo_move();
    }
    let (frozen, left) = (position.frozen(), position.left());
    let setup = position.shogi().setup();
    let mut record = FreezeRecord::new(FreezeStart { setup, frozen, left, said: BTreeMap::new() });
    let mut at = NodeId::ROOT;
    for m in moves.into_iter().rev() {
        at = record.tree.add(at, Step::Move(m));
    }
    record
}
