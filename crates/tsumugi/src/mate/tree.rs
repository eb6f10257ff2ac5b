//! A solution with its variations as a game record.

use ::mate::Certificate;
use record::{Ending, Format, NodeId, Record, Step, WriteOptions};
use shogi::{Color, Move, Position};

/// The solution as main line, and at each of the defender's moves every other defence with the attacker's answers, played
/// on to the mate against the defence that lasts longest.
pub(super) fn as_kif(start: &Position, attacker: Color, line: &[Move], certificate: &Certificate) -> Vec<u8> {
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
