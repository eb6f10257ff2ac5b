//! Random numbers for hash keys. They never change, because books and tables written by one build are read by the next.

use crate::{Color, HandPiece, Piece, Square};

/// `SplitMix64`, run at compile time.
const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn next_wide(state: &mut u64) -> u128 {
    (next(state) as u128) << 64 | next(state) as u128
}

struct Numbers {
    pieces: [[u128; Square::COUNT]; Piece::INDEX_COUNT],
    hands: [[u128; 8]; 2],
    side: u128,
}

static NUMBERS: Numbers = {
    let mut state = 0x7473_756d_7567_6921;
    let mut numbers =
        Numbers { pieces: [[0; Square::COUNT]; Piece::INDEX_COUNT], hands: [[0; 8]; 2], side: 0 };
    let mut p = 0;
    while p < Piece::INDEX_COUNT {
        let mut s = 0;
        while s < Square::COUNT {
            numbers.pieces[p][s] = next_wide(&mut state);
            s += 1;
        }
        p += 1;
    }
    let mut k = 0;
    while k < 16 {
        numbers.hands[k / 8][k % 8] = next_wide(&mut state);
        k += 1;
    }
    numbers.side = next_wide(&mut state);
    numbers
};

/// Combined with the board key by exclusive or.
#[inline(always)]
pub(crate) fn piece_on(piece: Piece, square: Square) -> u128 {
    NUMBERS.pieces[piece.index()][square.index()]
}

/// Added to the hand key once for each piece held.
#[inline(always)]
pub(crate) fn in_hand(color: Color, piece: HandPiece) -> u128 {
    NUMBERS.hands[color.index()][piece.index()]
}

/// Combined with the board key by exclusive or when White is to move.
#[inline(always)]
pub(crate) fn white_to_move() -> u128 {
    NUMBERS.side
}
