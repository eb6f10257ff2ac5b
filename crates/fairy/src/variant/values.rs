//! Piece values derived from movement, so that any variant has sensible values without tuning.

use crate::board::kind::{Form, Kind};
use crate::board::square::{Square, Squares};
use crate::definition::piece::PieceId;
use crate::definition::rules::Rules;
use crate::variant::movement::{Movement, Rays};
use game::Color;

/// Values of pieces on the board, by square, and in hand.
pub(crate) struct Values {
    /// In hand.
    pub(crate) hand: [i32; Kind::COUNT],
    /// Material plus placement, for each colour.
    pub(crate) placed: [Vec<[i32; Square::COUNT]>; 2],
    /// The change of the balance by a capture.
    pub(crate) exchange: [i32; Form::COUNT],
}

/// Probability in percent that a square on the way is empty.
const EMPTY: i32 = 66;
/// Weights of reachable squares ahead and elsewhere, chosen to give shogi's usual values of pawn, silver and gold.
const AHEAD: i32 = 100;
const ELSEWHERE: i32 = 86;
/// Weight of squares that are jumped to, in percent.
const JUMP: i32 = 150;
/// Minimum value of a piece.
const LEAST: i32 = 5;
/// Bonus for each step forward of a piece that can promote.
const ADVANCE: i32 = 3;
/// Malus of a piece where losing pieces is good, on the board or in hand.
const BURDEN: i32 = 150;
/// Bonus for each step forward of such a piece if its promoted form is no burden.
const RELIEF: i32 = 40;

impl Values {
    pub(crate) fn new(
        rules: &Rules,
        pieces: &[(PieceId, Kind)],
        movements: &[[Option<Box<Movement>>; Kind::COUNT]; 2],
        rays: &Rays,
        promotion: &[Option<Kind>; Kind::COUNT],
        board: Squares,
        unwanted: impl Fn(Form) -> bool,
    ) -> Self {
        let mut kind = [0; Kind::COUNT];
        for &(piece, of) in pieces {
            let Some(movement) = &movements[0][of.index()] else { continue };
            let sum: i32 = board.into_iter().map(|square| activity(movement, rays, square)).sum();
            let mean = sum / board.len().max(1) as i32;
            kind[of.index()] = match rules.values[piece.index()] {
                Some(value) => value,
                // The king's value is in the king safety.
                None if piece == PieceId::KING => 0,
                None => LEAST + mean,
            };
        }
        let mut form = [0; Form::COUNT];
        let mut hand = [0; Kind::COUNT];
        for &(_, of) in pieces {
            let plain = Form::plain(of);
            form[plain.index()] = kind[of.index()];
            if let Some(to) = promotion[of.index()] {
                let gain = (kind[to.index()] - kind[of.index()]).max(0);
                // A part of the gain by promoting.
                form[plain.index()] += gain / 18;
                form[Form::promoted(of).index()] = kind[to.index()];
            }
            // A piece in hand can be dropped where it is needed, but that costs a move.
            hand[of.index()] = form[plain.index()] * 108 / 100 + 8;
        }
        let mut placed = Color::ALL.map(|_| vec![[0; Square::COUNT]; Form::COUNT]);
        for &(piece, of) in pieces {
            for (shape, moves_as) in
                [(Form::plain(of), Some(of)), (Form::promoted(of), promotion[of.index()])]
            {
                let Some(movement) = moves_as.and_then(|kind| movements[0][kind.index()].as_ref()) else {
                    continue;
                };
                let mean = board.into_iter().map(|square| activity(movement, rays, square)).sum::<i32>()
                    / board.len() as i32;
                let nears = !shape.is_promoted() && promotion[of.index()].is_some();
                for square in board {
                    let advance = i32::from(rules.ranks - 1 - square.row());
                    // The king's square is valued by king safety.
                    let place = if piece == PieceId::KING {
                        0
                    } else {
                        (activity(movement, rays, square) - mean) / 5
                            + if nears { ADVANCE * advance } else { 0 }
                    };
                    let value = if unwanted(shape) {
                        let relieved = nears && !unwanted(Form::promoted(of));
                        if relieved { RELIEF * advance - BURDEN } else { -BURDEN }
                    } else {
                        form[shape.index()] + place
                    };
                    let (column, row) = (rules.files - 1 - square.column(), rules.ranks - 1 - square.row());
                    placed[Color::Black.index()][shape.index()][square.index()] = value;
                    if let Some(opposite) = Square::at(column, row) {
                        placed[Color::White.index()][shape.index()][opposite.index()] = value;
                    }
                }
            }
        }
        let mut exchange = [0; Form::COUNT];
        for &(_, of) in pieces {
            for shape in [Form::plain(of), Form::promoted(of)] {
                let gained = if rules.captures_to_hand {
                    let origin = if rules.drop_loop { promotion[of.index()].unwrap_or(of) } else { of };
                    hand[if shape.is_promoted() { origin } else { of }.index()]
                } else {
                    0
                };
                exchange[shape.index()] = form[shape.index()] + gained;
            }
        }
        if !rules.captures_to_hand {
            hand = hand.map(|value| value * 9 / 10);
        }
        for &(_, of) in pieces {
            if unwanted(Form::plain(of)) {
                hand[of.index()] = -BURDEN;
            }
            for shape in [Form::plain(of), Form::promoted(of)].into_iter().filter(|shape| unwanted(*shape)) {
                exchange[shape.index()] = 0;
            }
        }
        Self { hand, placed, exchange }
    }
}

/// Activity of a piece on a square: the squares it attacks; distant ones count less, those ahead a little more.
fn activity(movement: &Movement, rays: &Rays, square: Square) -> i32 {
    movement.weigh(rays, square, |distance, forward, jumps| {
        let mut weight = if forward { AHEAD } else { ELSEWHERE };
        if jumps {
            weight = weight * JUMP / 100;
        }
        for _ in 1..distance {
            weight = weight * EMPTY / 100;
        }
        weight
    })
}
