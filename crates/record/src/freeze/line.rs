//! Lines of USI: `startpos z3Z3 moves 7g7fzG 3c3d`.

use super::{FreezeRecord, FreezeStart, Warning};
use crate::{Ending, NodeId, Step};
use ::freeze::{Acceptance, Freeze, Move, Position};
use game::{Game, Position as _};
use std::collections::BTreeMap;

/// The game of the first line that is not empty, if all of it can be read.
pub(super) fn read(text: &str) -> Option<(FreezeRecord, Vec<Warning>)> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let command = line.strip_prefix("position").map_or(line, str::trim_start);
    let last = command.rsplit(' ').next().unwrap_or_default();
    let ending = Ending::from_usi(last);
    let command = if ending.is_some() { command.strip_suffix(last)?.trim_end() } else { command };
    let game = Freeze { acceptance: Acceptance::Ok, ..Freeze::default() };
    let mut warnings = Vec::new();
    let remark = &mut |_: &str| warnings.push(Warning::BothCounts);
    let mut record = unwound(game.position_command_remarked(command, remark).ok()?);
    if let Some(ending) = ending {
        let end = record.tree.main_line().last().unwrap_or(NodeId::ROOT);
        record.tree.add(end, Step::End(ending));
    }
    Some((record, warnings))
}

/// The game that led to a position.
fn unwound(mut position: Position) -> FreezeRecord {
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
