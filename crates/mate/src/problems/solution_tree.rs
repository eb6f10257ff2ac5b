//! Writes a solution with its variations: as a game record, or completely as JSON.

use super::answer::certainty;
use crate::{Certificate, MateLength};
use record::{Ending, Format, NodeId, Record, Step, WriteOptions};
use serde_json::{Value, json};
use shogi::{Color, Move, Position, Snapshot};
use std::collections::HashMap;

/// The solution as the main line, with every other defence as a branch. Each branch continues to mate against the
/// longest defence.
#[must_use]
pub fn solution_kif(start: &Position, attacker: Color, line: &[Move], certificate: &Certificate) -> Vec<u8> {
    let mut record = Record::new(start.setup());
    let mut position = Position::try_from(start.setup()).unwrap_or_else(|_| start.clone());
    // Main line first: the first child of a node is its continuation.
    let mut nodes = vec![NodeId::ROOT];
    for &m in line {
        let parent = nodes.last().copied().unwrap_or(NodeId::ROOT);
        nodes.push(record.tree.add(parent, Step::Move(m)));
    }
    if let Some(&last) = nodes.last() {
        record.tree.add(last, Step::End(Ending::Mate));
    }
    for (&m, &node) in line.iter().zip(&nodes) {
        if position.side() != attacker {
            let moves = position.legal_moves();
            for &defence in moves.iter().filter(|defence| **defence != m) {
                branch(&mut record, node, &mut position, defence, certificate);
            }
        }
        position.do_move(m);
    }
    record::write(&record, &WriteOptions::new(Format::Kif)).bytes
}

fn branch(
    record: &mut Record,
    node: NodeId,
    position: &mut Position,
    defence: Move,
    certificate: &Certificate,
) {
    let before = position.moves_since_start();
    position.do_move(defence);
    let mut node = record.tree.add(node, Step::Move(defence));
    while let Some((answer, _)) = certificate.answer(position) {
        position.do_move(answer);
        node = record.tree.add(node, Step::Move(answer));
        let Some(m) = longest(position, certificate) else {
            record.tree.add(node, Step::End(Ending::Mate));
            break;
        };
        position.do_move(m);
        node = record.tree.add(node, Step::Move(m));
    }
    while position.moves_since_start() > before {
        position.undo_move();
    }
}

/// The defence after which the certificate needs the most plies.
fn longest(position: &mut Position, certificate: &Certificate) -> Option<Move> {
    let moves: Vec<Move> = position.legal_moves().iter().copied().collect();
    moves.into_iter().max_by_key(|&m| {
        position.do_move(m);
        let plies = certificate.answer(position).map_or(0, |(_, plies)| plies);
        position.undo_move();
        plies
    })
}

/// Lists every position of the attacker that can arise, the first one first, with the check to play, an upper bound of
/// the plies to mate, and for each defence the number of the position after it. The list is flat: parsers need no deep
/// recursion, and transpositions are listed once.
#[must_use]
pub fn solution_json(
    start: &Position,
    attacker: Color,
    length: MateLength,
    certificate: &Certificate,
) -> String {
    let mut tree = Tree::default();
    let mut position = Position::try_from(start.setup()).unwrap_or_else(|_| start.clone());
    let mut head = json!({
        "sfen": start.sfen(),
        "attacker": attacker.letter().to_string(),
        "plies": length.plies(),
        "certainty": certainty(length),
    });
    if position.side() == attacker {
        tree.number(&position);
    } else {
        head["defences"] = tree.defences(&mut position);
    }
    let mut positions = Vec::new();
    while let Some(snapshot) = tree.open.get(positions.len()) {
        position.restore(snapshot);
        let Some((check, plies)) = certificate.answer(&position) else { break };
        position.do_move(check);
        let defences = tree.defences(&mut position);
        positions.push(json!({ "check": check.to_string(), "plies": plies, "defences": defences }));
    }
    head["positions"] = Value::Array(positions);
    let mut text = head.to_string();
    text.push('\n');
    text
}

/// The positions found so far.
#[derive(Default)]
struct Tree {
    /// Numbers of positions by key.
    numbers: HashMap<u128, usize>,
    /// Positions to be expanded, in the order of their numbers.
    open: Vec<Snapshot>,
}

impl Tree {
    fn number(&mut self, position: &Position) -> usize {
        let next = self.open.len();
        *self.numbers.entry(position.key128()).or_insert_with(|| {
            self.open.push(position.snapshot());
            next
        })
    }

    fn defences(&mut self, position: &mut Position) -> Value {
        let moves: Vec<Move> = position.legal_moves().iter().copied().collect();
        let mut defences = Vec::new();
        for m in moves {
            position.do_move(m);
            defences.push(json!({ "move": m.to_string(), "position": self.number(position) }));
            position.undo_move();
        }
        Value::Array(defences)
    }
}
