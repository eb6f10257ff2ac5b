//! The sums over all pairs, from scratch and incrementally.

use super::KpptParameters;
use super::piece_list::{PieceList, Replaced};
use shogi::{Color, Square};

/// Material is counted in this fraction of a point (1/32).
const SCALE: i64 = 32;

/// The sums of the evaluation without material; every pair is a value and its turn bonus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sums {
    /// Pairs of pieces relative to each king, as its owner sees them.
    pairs: [[i32; 2]; 2],
    /// Both kings, alone and with each piece. Wide, because the 32-bit numbers of a file are unbounded.
    kings: [i64; 2],
}

/// The king of `view` as it sees the board.
fn own_king(kings: [Square; 2], view: Color) -> Square {
    match view {
        Color::Black => kings[0],
        Color::White => kings[1].flip(),
    }
}

impl Sums {
    pub(super) fn new(parameters: &impl KpptParameters, kings: [Square; 2], list: &PieceList) -> Self {
        Self {
            pairs: Color::ALL.map(|view| all_pairs(parameters, own_king(kings, view), list.view(view))),
            kings: all_with_kings(parameters, kings, list.view(Color::Black)),
        }
    }

    /// The sums after changes. `changed` has each slot once, with what was in it before the first change.
    pub(super) fn updated(
        &self,
        parameters: &impl KpptParameters,
        [old_kings, kings]: [[Square; 2]; 2],
        list: &PieceList,
        changed: &[Replaced],
    ) -> Self {
        Self {
            pairs: Color::ALL.map(|view| {
                let king = own_king(kings, view);
                if king != own_king(old_kings, view) {
                    return all_pairs(parameters, king, list.view(view));
                }
                let mut sum = self.pairs[view.index()];
                change_pairs(&mut sum, parameters, king, list.view(view), changed, view.index());
                sum
            }),
            kings: if kings == old_kings {
                let mut sum = self.kings;
                for replaced in changed {
                    let new = list.view(Color::Black)[usize::from(replaced.slot)];
                    let gain = parameters.king_king_piece(kings[0], kings[1], new);
                    let loss = parameters.king_king_piece(kings[0], kings[1], replaced.old[0]);
                    add_wide(&mut sum, gain, 1);
                    add_wide(&mut sum, loss, -1);
                }
                sum
            } else {
                all_with_kings(parameters, kings, list.view(Color::Black))
            },
        }
    }

    /// Value for the side to move, material (as Black counts it) included.
    pub(super) fn value(&self, side: Color, material: i32) -> i32 {
        let [black, white] = self.pairs.map(|pair| pair.map(i64::from));
        let board = black[0] - white[0] + self.kings[0] + i64::from(material) * SCALE;
        let turn = black[1] + white[1] + self.kings[1];
        let total = turn + if side == Color::Black { board } else { -board };
        (total / SCALE).clamp(i32::MIN.into(), i32::MAX.into()) as i32
    }
}

fn add(sum: &mut [i32; 2], term: [i32; 2], sign: i32) {
    sum[0] += sign * term[0];
    sum[1] += sign * term[1];
}

fn add_wide(sum: &mut [i64; 2], term: [i32; 2], sign: i64) {
    sum[0] += sign * i64::from(term[0]);
    sum[1] += sign * i64::from(term[1]);
}

fn all_pairs(parameters: &impl KpptParameters, king: Square, list: &[u16]) -> [i32; 2] {
    let mut sum = [0; 2];
    for (index, &piece) in list.iter().enumerate() {
        add(&mut sum, parameters.pair_sum(king, piece, &list[..index]), 1);
    }
    sum
}

fn all_with_kings(parameters: &impl KpptParameters, kings: [Square; 2], list: &[u16]) -> [i64; 2] {
    let mut sum = parameters.king_king(kings[0], kings[1]).map(i64::from);
    for &piece in list {
        add_wide(&mut sum, parameters.king_king_piece(kings[0], kings[1], piece), 1);
    }
    sum
}

/// Adds the pairs of the new pieces and subtracts those of the old ones: first with every piece of the current list
/// (whole rows are fast), then correcting the few pairs among the changed slots.
fn change_pairs(
    sum: &mut [i32; 2],
    parameters: &impl KpptParameters,
    king: Square,
    list: &[u16],
    changed: &[Replaced],
    view: usize,
) {
    for (index, replaced) in changed.iter().enumerate() {
        let slot = usize::from(replaced.slot);
        let new = list[slot];
        let old = replaced.old[view];
        add(sum, parameters.pair_sum(king, new, list), 1);
        add(sum, parameters.pair_sum(king, old, list), -1);
        add(sum, parameters.king_piece_piece(king, new, new), -1);
        add(sum, parameters.king_piece_piece(king, old, new), 1);
        for other in &changed[..index] {
            let other_new = list[usize::from(other.slot)];
            let other_old = other.old[view];
            add(sum, parameters.king_piece_piece(king, new, other_new), -1);
            add(sum, parameters.king_piece_piece(king, old, other_new), 1);
            add(sum, parameters.king_piece_piece(king, other_old, new), 1);
            add(sum, parameters.king_piece_piece(king, old, other_old), -1);
        }
    }
}
