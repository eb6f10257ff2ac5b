//! 戦型 and 囲い of shogi, recognised from moves and positions by tables of our own.
//!
//! Everything is seen from the side of its player: the rook begins on 2八, the bishop on 8八. A game is looked at for
//! [`OPENING_PLIES`] moves; only games from the ordinary start position and from handicaps are named.

mod castles;
mod lines;
mod side;

use shogi::{Color, Move, Position};
use side::Side;

/// So many moves of a game decide its opening.
pub const OPENING_PLIES: usize = 100;

/// What one side played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Named {
    /// 戦型, the most telling first.
    pub openings: Vec<&'static str>,
    /// 囲い in the order of their coming.
    pub castles: Vec<&'static str>,
}

/// Names what Black and White play in a game of shogi: `start` is its start position unless that is the ordinary one, `moves` are in
/// USI.
///
/// ```
/// let [black, white] = library::recognise(None, "7g7f 3c3d 2h6h 8c8d 5i4h");
/// assert_eq!(black.openings, ["四間飛車", "振り飛車"]);
/// assert_eq!(white.openings, ["対振り飛車", "居飛車"]);
/// ```
#[must_use]
pub fn recognise(start: Option<&str>, moves: &str) -> [Named; 2] {
    let position = match start {
        None => Some(Position::startpos()),
        Some(text) => Position::from_sfen(text).ok().filter(begins_as_games_do),
    };
    let Some(mut position) = position else { return Default::default() };
    let mut sides = Color::ALL.map(Side::new);
    let words = moves.split(' ').take(OPENING_PLIES);
    for m in words.map_while(|word| word.parse::<Move>().ok()) {
        if !position.is_legal(m) {
            break;
        }
        let mover = position.side();
        let captured = position.piece_at(m.to()).map(shogi::Piece::kind);
        let moved = position.piece_after(m).map(shogi::Piece::kind);
        position.do_move(m);
        for side in &mut sides {
            if side.color == mover {
                side.has_moved(&position, m, moved, captured);
            } else if let Some(captured) = captured {
                side.has_lost(captured);
            }
        }
    }
    let [black, white] = &sides;
    let names = [lines::names(black, white), lines::names(white, black)];
    let [first, second] = names;
    [
        Named { openings: first, castles: castles::names(black, white) },
        Named { openings: second, castles: castles::names(white, black) },
    ]
}

/// Whether a position is where games begin, handicaps included: all pawns on their rows, nothing in hand.
fn begins_as_games_do(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| {
        let pawns = position.pieces_of(shogi::PieceKind::Pawn) & position.pieces(color);
        let row = if color == Color::Black { shogi::Rank::ALL[6] } else { shogi::Rank::ALL[2] };
        position.hand(color).is_empty()
            && pawns.into_iter().count() == 9
            && pawns.into_iter().all(|s| s.rank() == row)
    })
}
