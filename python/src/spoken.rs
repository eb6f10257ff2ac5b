//! Moves as people say them, in the manner of cshogi where that leaves out more than the house does.

use record::Board;
use shogi::{Color, Move, Origin, Square};
use std::cmp::Ordering;

/// Where a piece comes from, as its player sees it: to which side and to which end of the target.
type View = (Ordering, Ordering);

fn view(side: Color, from: Square, to: Square) -> View {
    let seen = |square: Square| if side == Color::White { square.flip() } else { square };
    let (from, to) = (seen(from), seen(to));
    (from.file().cmp(&to.file()), from.rank().cmp(&to.rank()))
}

/// `▲６八銀右` where the house says `▲６八銀右引`: the way is left out if pieces of the same side that move another way are named by
/// their ways alone. The blank behind 同 stays only before a single character.
pub fn briefly(board: &Board, m: Move, last: Option<Move>) -> String {
    let mut said = record::spoken_move(board, m, last);
    if let Some(at) = said.rfind(['寄', '引'])
        && said[..at].ends_with(['左', '右'])
        && way_is_idle(board, m)
    {
        said.remove(at);
    }
    if said.chars().count() > "△同　銀".chars().count() {
        said = said.replacen('\u{3000}', "", 1);
    }
    said
}

/// Whether the side alone tells a piece apart from those that their way does not name.
fn way_is_idle(board: &Board, m: Move) -> bool {
    let (Origin::Board(from), Some(piece)) = (m.origin(), board.moving(m)) else { return false };
    let own = view(board.side(), from, m.to());
    let all: Vec<View> =
        board.sources(piece.kind(), m.to()).map(|source| view(board.side(), source, m.to())).collect();
    let on_side = || all.iter().filter(|other| other.0 == own.0);
    let count = |way: Ordering| all.iter().filter(|other| other.1 == way).count();
    on_side().filter(|other| other.1 == own.1).count() == 1
        && on_side().all(|other| other.1 == own.1 || count(other.1) == 1)
}
