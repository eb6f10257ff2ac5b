//! What pieces are worth, worked out from how they move: any variant is judged sensibly without tuning.

use crate::kind::{Form, Kind};
use crate::movement::{Movement, Rays};
use crate::piece::PieceId;
use crate::rules::Rules;
use crate::square::{Square, Squares};
use game::Color;

/// What forms are worth on the board, by square, and in hand.
pub(crate) struct Values {
    /// In hand.
    pub(crate) hand: [i32; Kind::COUNT],
    /// Material and place, for each colour.
    pub(crate) placed: [Vec<[i32; Square::COUNT]>; 2],
    /// What a capture takes from one side and gives to the other.
    pub(crate) exchange: [i32; Form::COUNT],
}

/// How often a square on the way is empty, in percent.
const EMPTY: i32 = 66;
/// What reaching a square ahead is worth, and any other: shogi's usual values of pawn, silver and gold come out.
const AHEAD: i32 = 100;
const ELSEWHERE: i32 = 86;
/// What can be jumped to is worth more, in percent.
const JUMP: i32 = 150;
/// What even a piece that cannot move is worth.
const LEAST: i32 = 5;
/// What each step forward brings a piece that may promote.
const ADVANCE: i32 = 3;
/// What a piece costs its side where pieces are better lost, on the board or in hand.
const BURDEN: i32 = 150;
/// What each step forward brings a piece that may promote and is no burden then.
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
                // The king is judged by what happens around it.
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
                // Some of what it may become.
                form[plain.index()] += gain / 18;
                form[Form::promoted(of).index()] = kind[to.index()];
            }
            // A piece in hand may be put where it is needed, but has to be put first.
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
                    // Where the king stands is judged by what happens around it.
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

/// How much a piece can do from a square: what it attacks, the farther the less likely, forward a little more.
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
