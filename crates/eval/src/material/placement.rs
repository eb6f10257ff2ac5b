//! Values of pieces by square.

use shogi::{Color, HandPiece, PieceKind, Position, Square};

/// By rank from the owner's point of view, the opponent's edge first. The numbers are small: attacks are counted
/// elsewhere; this is the rest.
type ByRank = [i32; 9];

const PAWN: ByRank = [0, 0, 56, 45, 26, 11, 0, 0, 0];
const LANCE: ByRank = [0, 0, -19, -75, -75, -56, -38, -11, 0];
const KNIGHT: ByRank = [0, 0, 38, 0, -19, -28, 19, -9, 0];
const SILVER: ByRank = [0, 19, 28, 28, 28, 28, 22, 8, -22];
const GOLD: ByRank = [0, 38, 47, 9, -28, -38, -15, 15, 0];
const BISHOP: ByRank = [0, 0, 0, 9, 0, 0, 9, 9, 0];
const ROOK: ByRank = [0, 19, 19, 9, -28, -28, -38, 9, 0];
const HORSE: ByRank = [0, 0, 19, 19, 38, 47, 47, 38, 19];
const DRAGON: ByRank = [47, 56, 47, 19, 0, 0, 0, 0, 0];

/// The king from the edge file to the middle file: safe in a castle, unsafe in the centre or far from home.
const KING: [ByRank; 5] = [
    [-20, -60, -100, -140, -160, -150, -70, 30, 60],
    [-20, -60, -100, -140, -160, -150, -40, 70, 70],
    [-20, -60, -100, -140, -160, -150, -50, 60, 40],
    [-20, -60, -100, -140, -160, -150, -70, 30, 10],
    [-20, -60, -100, -140, -160, -150, -90, 0, -20],
];

/// The value of a piece in hand beyond its value on the board: it can be dropped anywhere.
const IN_HAND: [(HandPiece, i32); 7] = [
    (HandPiece::Pawn, 9),
    (HandPiece::Lance, 33),
    (HandPiece::Knight, 42),
    (HandPiece::Silver, 55),
    (HandPiece::Bishop, 93),
    (HandPiece::Rook, 109),
    (HandPiece::Gold, 61),
];

/// Value of a piece on a square, beyond its material value.
pub(super) fn on_square(color: Color, kind: PieceKind, square: Square) -> i32 {
    let own = if color == Color::Black { square } else { square.flip() };
    let ranks = match kind {
        PieceKind::Pawn => &PAWN,
        PieceKind::Lance => &LANCE,
        PieceKind::Knight => &KNIGHT,
        PieceKind::Silver => &SILVER,
        PieceKind::Bishop => &BISHOP,
        PieceKind::Rook => &ROOK,
        PieceKind::Horse => &HORSE,
        PieceKind::Dragon => &DRAGON,
        PieceKind::King => {
            let file = own.file() as usize;
            &KING[file.min(8 - file)]
        }
        // Promoted minor pieces move like golds and have the same best squares.
        _ => &GOLD,
    };
    ranks[own.rank() as usize]
}

/// What a hand is worth beyond its material value.
pub(super) fn in_hand(position: &Position, color: Color) -> i32 {
    let hand = position.hand(color);
    if hand.is_empty() {
        return 0;
    }
    IN_HAND.iter().map(|&(piece, value)| hand.count(piece) as i32 * value).sum()
}

/// All of a player's pieces and hand.
pub(super) fn of(position: &Position, color: Color) -> i32 {
    let mut value = in_hand(position, color);
    position.pieces(color).for_each(|square| {
        if let Some(piece) = position.piece_at(square) {
            value += on_square(color, piece.kind(), square);
        }
    });
    value
}
