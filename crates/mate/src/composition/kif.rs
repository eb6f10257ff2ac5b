//! The examination as a game record: the main line with 変化, 紛れ and flaws as branches with comments.

use super::examine::Examination;
use super::report::{flaw_text, report_text};
use platform::Language;
use record::{Ending, Format, NodeId, Record, Step, WriteOptions};
use shogi::Move;

/// The record, in KIF.
#[must_use]
pub fn examination_kif(found: &Examination, language: Language) -> Vec<u8> {
    let mut record = Record::new(found.start.setup());
    for line in report_text(found, language).lines() {
        record.tree.add_comment(NodeId::ROOT, line.trim());
    }
    let last = play(&mut record, NodeId::ROOT, &found.line);
    if !found.line.is_empty() {
        record.tree.add(last, Step::End(Ending::Mate));
    }
    for flaw in &found.flaws {
        let Some(m) = flaw.m else { continue };
        let parent = play(&mut record, NodeId::ROOT, &flaw.before);
        let node = play(&mut record, parent, &[m]);
        if let Some(text) = flaw_text(found, flaw, language) {
            record.tree.add_comment(node, &text);
        }
        end(&mut record, node, &flaw.line, flaw.length.is_some());
    }
    for branch in &found.branches {
        let parent = play(&mut record, NodeId::ROOT, &branch.before);
        let node = play(&mut record, parent, &[branch.m]);
        let name =
            if branch.mates { language.say("variation", "変化") } else { language.say("try", "紛れ") };
        record.tree.add_comment(node, name);
        end(&mut record, node, &branch.line, branch.mates);
    }
    for refutation in &found.refutations {
        let moves: Vec<Move> = refutation.check.into_iter().chain(refutation.defence).collect();
        end(&mut record, NodeId::ROOT, &moves, false);
    }
    record::write(&record, &WriteOptions::new(Format::Kif)).bytes
}

fn end(record: &mut Record, node: NodeId, line: &[Move], mates: bool) {
    let last = play(record, node, line);
    let has_end = record.tree.next(last).is_some();
    if !has_end {
        record.tree.add(last, Step::End(if mates { Ending::Mate } else { Ending::NoMate }));
    }
}

/// Follows moves from a node and adds those that are not there; returns the last node.
fn play(record: &mut Record, mut node: NodeId, moves: &[Move]) -> NodeId {
    for &m in moves {
        let known = record.tree.children(node).find(|child| record.tree[*child].played() == Some(&m));
        node = known.unwrap_or_else(|| record.tree.add(node, Step::Move(m)));
    }
    node
}
