//! Writes records of variants.

use super::{GAME, KifGame, START, VariantRecord};
use crate::format::kif::{Clocks, KIF_DECLARATION, kif_word, write_header, write_note, write_step};
use crate::{Ending, NodeId, Step};
use game::Position as _;
use std::fmt::Write;

/// The main line as a USI line.
#[must_use]
pub fn write_usi<G: KifGame>(game: &G, record: &VariantRecord<G>) -> String {
    let mut text = match start_text(game, record) {
        None => "startpos".to_owned(),
        Some(sfen) => format!("sfen {sfen}"),
    };
    let moves = record.moves().map(|m| m.to_string());
    let ending = record.ending().and_then(Ending::usi).map(str::to_owned);
    let words: Vec<String> = moves.chain(ending).collect();
    if !words.is_empty() {
        let _ = write!(text, " moves {}", words.join(" "));
    }
    text
}

/// The SFEN of the start position, unless it is the game's own.
fn start_text<G: KifGame>(game: &G, record: &VariantRecord<G>) -> Option<String> {
    let text = record.start.to_text();
    (text != game.startpos().to_text()).then_some(text)
}

/// KIF in UTF-8 with the two fields of variants.
#[must_use]
pub fn write_kif<G: KifGame>(game: &G, record: &VariantRecord<G>) -> String {
    let tree = &record.tree;
    let mut out = format!("{KIF_DECLARATION}\n{GAME}：{}\n", game.name());
    write_header(&mut out, &record.header, "\n");
    if let Some(sfen) = start_text(game, record) {
        let _ = writeln!(out, "{START}：{sfen}");
    }
    out.push_str("手数----指手---------消費時間--\n");
    write_note(&mut out, tree.note(NodeId::ROOT), "\n");
    let mut position = record.start.clone();
    let mut depth = 0;
    let mut clocks = Clocks::default();
    for id in tree.walk() {
        let node = &tree[id];
        let ply = node.ply();
        while depth >= ply {
            position.undo_move();
            depth -= 1;
        }
        if !tree.is_first(id) {
            let _ = write!(out, "\n変化：{ply}手\n");
        }
        let times = clocks.stop(ply, node.time);
        let step = match node.step() {
            Some(Step::Move(m)) => {
                let text = G::kif_move(&position, *m);
                position.do_move(*m);
                depth += 1;
                text
            }
            Some(Step::End(ending)) => kif_word(ending).to_owned(),
            None => continue,
        };
        write_step(&mut out, ply, &step, times, tree.sibling(id).is_some());
        out.push('\n');
        write_note(&mut out, tree.note(id), "\n");
    }
    out
}
