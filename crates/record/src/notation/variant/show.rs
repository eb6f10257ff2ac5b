//! Shows games of variants as text for people.

use super::{KifGame, VariantRecord};
use crate::{NodeId, ShowOptions, Step};
use game::{Color, Position as _, Script};
use std::fmt::Write;

/// Header, boards and the main line with its comments.
#[must_use]
pub fn show<G: KifGame>(game: &G, record: &VariantRecord<G>, options: &ShowOptions) -> String {
    let mut out = String::new();
    let draw = |position: &G::Position| format!("{}\n", game.picture(position, Script::Kanji));
    let mut position = record.start.clone();
    if let Some(ply) = options.ply {
        record.moves().take(ply as usize).for_each(|m| position.do_move(m));
        return draw(&position);
    }
    for (name, value) in record.header.iter().filter(|(_, value)| !value.trim().is_empty()) {
        let _ = writeln!(out, "{name}：{value}");
    }
    out += &draw(&position);
    note::<G>(&mut out, record, NodeId::ROOT);
    let (mut played, mut shown) = (0, 0);
    for id in record.tree.main_line() {
        let node = &record.tree[id];
        let _ = write!(out, "{:>4} ", node.ply());
        match node.step() {
            Some(Step::Move(m)) => {
                let mark = if position.side() == Color::Black { '▲' } else { '△' };
                let _ = writeln!(out, "{mark}{}", G::kif_move(&position, *m));
                position.do_move(*m);
                played += 1;
            }
            Some(Step::End(ending)) => {
                let _ = writeln!(out, "{ending}");
            }
            None => {}
        }
        note::<G>(&mut out, record, id);
        if options.every > 0 && played % options.every == 0 && shown != played {
            shown = played;
            out += &draw(&position);
        }
    }
    if played > shown {
        out += &draw(&position);
    }
    let branches = record.tree.leaves().saturating_sub(1);
    if branches > 0 {
        let _ = writeln!(out, "{branches} more lines");
    }
    out
}

fn note<G: KifGame>(out: &mut String, record: &VariantRecord<G>, id: NodeId) {
    for comment in record.tree.note(id).comments {
        let _ = writeln!(out, "       * {comment}");
    }
}
