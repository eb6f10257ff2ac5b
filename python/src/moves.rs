//! Moves as the integers that cshogi's users know.
//!
//! | bits | |
//! |---|---|
//! | 0–6 | target, 0 for 1a to 80 for 9i |
//! | 7–13 | origin; 80 and the number of the kind for a drop |
//! | 14 | promotion |
//! | 16–19 | the kind that moves; 0 for a drop |
//! | 20–23 | the kind that is captured |

use crate::value_error;
use pyo3::prelude::*;
use shogi::{HandPiece, Move, Origin, Piece, PieceKind, Square};

const FROM_SHIFT: u32 = 7;
const MOVED_SHIFT: u32 = 16;
const CAPTURED_SHIFT: u32 = 20;
const SQUARE: u32 = 0x7f;
const KIND: u32 = 0xf;
/// The part of a move that does not need a position.
const MOVE16: u32 = 0x7fff;
const PROMOTION: u32 = 1 << 14;
/// Drops come from this number plus that of the kind.
const HAND: u32 = Square::COUNT as u32 - 1;

/// The order of pieces in hand in cshogi's lists.
pub const HAND_ORDER: [HandPiece; 7] = [
    HandPiece::Pawn,
    HandPiece::Lance,
    HandPiece::Knight,
    HandPiece::Silver,
    HandPiece::Gold,
    HandPiece::Bishop,
    HandPiece::Rook,
];

/// The number of a move on a board where `piece_at` tells what stands.
#[inline]
pub fn number_of(m: Move, piece_at: impl Fn(Square) -> Option<Piece>) -> u32 {
    let bits = u32::from(m.apery_bits());
    let kind = |square| piece_at(square).map_or(0, |piece: Piece| piece.kind() as u32);
    match m.origin() {
        Origin::Hand(_) => bits,
        Origin::Board(from) => bits | kind(from) << MOVED_SHIFT | kind(m.to()) << CAPTURED_SHIFT,
    }
}

/// The move of a number, whether or not it tells what moves and what is captured.
#[inline]
pub fn move_of(number: u32) -> Option<Move> {
    Move::from_apery_bits((number & MOVE16) as u16)
}

/// The move of a number that must be one.
pub fn known_move(number: u32) -> PyResult<Move> {
    move_of(number).ok_or_else(|| value_error(format!("{number} is not a move")))
}

/// Whether two numbers are the same move, either of which may lack its pieces.
pub fn same(one: u32, other: u32) -> bool {
    one == other || (one.min(other) <= MOVE16 && one & MOVE16 == other & MOVE16)
}

/// Target square of a move.
#[pyfunction]
#[pyo3(name = "move_to")]
pub fn move_to(r#move: u32) -> u32 {
    r#move & SQUARE
}

/// Origin of a move: a square, or 80 plus the kind of a dropped piece.
#[pyfunction]
pub fn move_from(r#move: u32) -> u32 {
    r#move >> FROM_SHIFT & SQUARE
}

/// Kind of the captured piece, 0 if there is none.
#[pyfunction]
pub fn move_cap(r#move: u32) -> u32 {
    r#move >> CAPTURED_SHIFT & KIND
}

/// Whether a move promotes.
#[pyfunction]
pub fn move_is_promotion(r#move: u32) -> bool {
    r#move & PROMOTION != 0
}

/// Whether a move is a drop.
#[pyfunction]
pub fn move_is_drop(r#move: u32) -> bool {
    move_from(r#move) > HAND
}

/// Kind of the piece that moves; 0 for a drop.
#[pyfunction]
pub fn move_from_piece_type(r#move: u32) -> u32 {
    r#move >> MOVED_SHIFT & KIND
}

/// The dropped piece as an index into hands.
#[pyfunction]
pub fn move_drop_hand_piece(r#move: u32) -> PyResult<usize> {
    let Origin::Hand(piece) = known_move(r#move)?.origin() else {
        return Err(value_error(format!("{} is not a drop", move_to_usi(r#move)?)));
    };
    Ok(HAND_ORDER.iter().position(|held| *held == piece).unwrap_or(0))
}

/// The lower 16 bits, which books and records of positions hold.
#[pyfunction]
pub fn move16(r#move: u32) -> u32 {
    r#move & 0xffff
}

/// The 16 bits of a move of `YaneuraOu` (`PackedSfenValue`) as those of Apery; 0 if they are no move.
#[pyfunction]
pub fn move16_from_psv(move16: u16) -> u16 {
    Move::from_bits(move16).map_or(0, Move::apery_bits)
}

/// The 16 bits of a move of Apery as those of `YaneuraOu`; 0 if they are no move.
#[pyfunction]
pub fn move16_to_psv(move16: u16) -> u16 {
    move_of(move16.into()).map_or(0, Move::bits)
}

/// The same move on the board turned by 180°.
#[pyfunction]
pub fn move_rotate(r#move: u32) -> PyResult<u32> {
    Ok(u32::from(known_move(r#move)?.flip().apery_bits()) | r#move & !MOVE16)
}

/// The move in USI; `None` for 0, as cshogi says it.
#[pyfunction]
pub fn move_to_usi(r#move: u32) -> PyResult<String> {
    if r#move == 0 { Ok("None".to_owned()) } else { Ok(known_move(r#move)?.to_string()) }
}

/// The move of a USI text without a position: the lower 16 bits of a move, which every method takes.
#[pyfunction]
pub fn move_from_usi(usi: &str) -> PyResult<u32> {
    let parsed: Move = usi.parse().map_err(|_| value_error(format!("`{usi}` is not a move in USI")))?;
    Ok(parsed.apery_bits().into())
}

/// The move in CSA, without the sign of the player.
#[pyfunction]
pub fn move_to_csa(r#move: u32) -> PyResult<String> {
    let known = known_move(r#move)?;
    let kind = match known.origin() {
        Origin::Hand(piece) => piece.kind(),
        Origin::Board(_) => {
            let number = move_from_piece_type(r#move) as usize;
            let moved = number.checked_sub(1).and_then(|index| PieceKind::ALL.get(index).copied());
            let moved = moved.ok_or_else(|| {
                value_error(format!("{known} does not say what moves: use a move of a Board"))
            })?;
            if known.is_promotion() { moved.promoted().unwrap_or(moved) } else { moved }
        }
    };
    Ok(csa_text(known, kind))
}

/// The name of a kind in CSA.
pub fn csa_name(kind: PieceKind) -> &'static str {
    const NAMES: [&str; 14] =
        ["FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"];
    NAMES[kind as usize - 1]
}

/// `7776FU`: a move after which `kind` stands on its target.
pub fn csa_text(m: Move, kind: PieceKind) -> String {
    let digits = |square: Square| format!("{}{}", square.file() as u8 + 1, square.rank() as u8 + 1);
    let from = match m.origin() {
        Origin::Hand(_) => "00".to_owned(),
        Origin::Board(square) => digits(square),
    };
    format!("{from}{}{}", digits(m.to()), csa_name(kind))
}
