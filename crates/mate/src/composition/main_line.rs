//! The choice of the main line (作意) among all lines of optimal play.
//!
//! Both sides play optimally: the attacker mates as soon as possible, the defender holds out as long as possible. Of
//! the lines that remain, custom takes one that leaves no piece in the attacker's hand, and then the one with the
//! fewest alternatives. All optimal lines together are a graph in layers, one for each ply; the choice goes backwards
//! through it.

use super::inquiry::{Inquiry, after};
use shogi::{Move, Origin, PieceKind, Position, Snapshot};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Positions in the graph of optimal lines; with more, not all lines are compared.
const MOST_POSITIONS: usize = 2_000;

/// A line of optimal play.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) line: Vec<Move>,
    /// Number of pieces left in the attacker's hand.
    pub(super) left_over: u32,
    /// Whether all optimal lines were compared.
    pub(super) is_complete: bool,
}

/// A position of the graph.
struct Node {
    snapshot: Snapshot,
    /// Optimal moves, each with its position in the next layer.
    moves: Vec<(Move, usize)>,
    best: Option<Best>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Best {
    left_over: u32,
    alternatives: u32,
    /// The index among the moves.
    which: usize,
}

/// The best line from a position whose shortest mate has `length` plies; `None` if the budget ends before one is found.
pub(super) fn choose(inquiry: &mut Inquiry<'_>, start: &Position, length: u32) -> Option<Choice> {
    let mut board = after(start, &[]);
    let mut is_complete = true;
    let mut layers = vec![vec![Node { snapshot: board.snapshot(), moves: Vec::new(), best: None }]];
    let mut positions = 1;
    for remaining in (1..=length).rev() {
        let mut next: Vec<Node> = Vec::new();
        let mut places: HashMap<u128, usize> = HashMap::new();
        let layer = layers.last_mut()?;
        for node in layer.iter_mut() {
            if positions >= MOST_POSITIONS || inquiry.left == 0 || inquiry.is_stopped() {
                is_complete = false;
                break;
            }
            board.restore(&node.snapshot);
            let (moves, all_known) = optimal(inquiry, &mut board, remaining);
            is_complete &= all_known;
            for m in moves {
                board.do_move(m);
                let place = *places.entry(board.key128()).or_insert_with(|| {
                    next.push(Node { snapshot: board.snapshot(), moves: Vec::new(), best: None });
                    next.len() - 1
                });
                board.undo_move();
                node.moves.push((m, place));
            }
        }
        positions += next.len();
        layers.push(next);
    }
    choose_backwards(&mut layers, &mut board, inquiry);
    let mut line = Vec::new();
    let mut place = 0;
    let left_over = layers.first()?.first()?.best?.left_over;
    for layer in &layers[..layers.len() - 1] {
        let node = &layer[place];
        let (m, next) = node.moves[node.best?.which];
        line.push(m);
        place = next;
    }
    Some(Choice { line, left_over, is_complete })
}

fn choose_backwards(layers: &mut [Vec<Node>], board: &mut Position, inquiry: &Inquiry<'_>) {
    let Some((last, before)) = layers.split_last_mut() else { return };
    for node in last.iter_mut() {
        board.restore(&node.snapshot);
        let left_over = board.hand(inquiry.attacker).iter().map(|(_, count)| count).sum();
        node.best = Some(Best { left_over, alternatives: 0, which: 0 });
    }
    let mut next: &[Node] = last;
    for layer in before.iter_mut().rev() {
        for node in layer.iter_mut() {
            let alternatives = (node.moves.len() as u32).saturating_sub(1);
            let bests = node.moves.iter().enumerate().filter_map(|(which, (_, place))| {
                let best = next.get(*place)?.best?;
                Some(Best { alternatives: best.alternatives + alternatives, which, ..best })
            });
            node.best = bests.min();
        }
        next = layer;
    }
}

/// The optimal moves of a position with a shortest mate in `remaining` plies, the most natural first, and whether all
/// moves were decided.
fn optimal(inquiry: &mut Inquiry<'_>, board: &mut Position, remaining: u32) -> (Vec<Move>, bool) {
    let attacks = inquiry.attacks(board);
    let (mut found, mut all_known) = (Vec::new(), true);
    let mut moves = inquiry.moves(board);
    let king = board.king(!inquiry.attacker);
    moves.sort_by_key(|m| {
        // A promotion, a near square; the defender prefers to move what is on the board.
        let distance = king.map_or(0, |king| {
            (king.file() as i32 - m.to().file() as i32)
                .abs()
                .max((king.rank() as i32 - m.to().rank() as i32).abs())
        });
        (Reverse(m.is_promotion()), m.is_drop() && !attacks, if attacks { distance } else { 0 })
    });
    for m in moves {
        board.do_move(m);
        let fits = if attacks && remaining == 1 {
            Some(inquiry.is_over(board))
        } else if attacks {
            inquiry.is_mate_within(board, remaining - 1)
        } else if remaining <= 2 {
            // A check mates at once after every defence.
            Some(true)
        } else {
            inquiry.is_mate_within(board, remaining - 3).map(|sooner| !sooner)
        };
        board.undo_move();
        all_known &= fits.is_some();
        if fits == Some(true) {
            found.push(m);
        }
    }
    (found, all_known)
}

/// Whether two moves differ in nothing but promotion.
pub(super) fn are_twins(a: Move, b: Move) -> bool {
    a.to() == b.to() && a.origin() == b.origin() && a.is_promotion() != b.is_promotion()
}

/// Whether two moves bring the same sliding piece to the same line through the king, from the same side: 打ち場所非限定.
pub(super) fn share_a_line(position: &Position, king: shogi::Square, a: Move, b: Move) -> bool {
    let same_origin = match (a.origin(), b.origin()) {
        (Origin::Board(from), Origin::Board(other)) => from == other && a.is_promotion() == b.is_promotion(),
        (Origin::Hand(piece), Origin::Hand(other)) => piece == other,
        _ => false,
    };
    let slides = position.piece_after(a).is_some_and(|piece| {
        use PieceKind::{Bishop, Dragon, Horse, Lance, Rook};
        matches!(piece.kind(), Bishop | Dragon | Horse | Lance | Rook)
    });
    let direction = |m: Move| shogi::attacks::direction_between(king, m.to());
    same_origin && slides && a.to() != b.to() && direction(a).is_some() && direction(a) == direction(b)
}
