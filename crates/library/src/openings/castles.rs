//! 囲い: where king and generals stand.

use super::side::Side;
use shogi::{Color, PieceKind, Position, Square};

/// A castle: its name, its pieces (kind, file and rank seen from its side), and whether only against a ranging rook.
pub(super) struct Castle {
    pub name: &'static str,
    pub pieces: &'static str,
    pub against: Against,
}

/// Against whom a formation bears its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Against {
    Any,
    /// A player whose rook has left its file.
    Ranging,
}

const fn castle(name: &'static str, pieces: &'static str) -> Castle {
    Castle { name, pieces, against: Against::Any }
}

const fn against_ranging(name: &'static str, pieces: &'static str) -> Castle {
    Castle { name, pieces, against: Against::Ranging }
}

/// The table. Pieces are K, G, S, N, L; where two castles have the same pieces, both are named.
#[rustfmt::skip]
pub(super) const CASTLES: &[Castle] = &[
    // On the right, where ranging rooks castle.
    castle("片美濃囲い",       "K28 S38 G49"),
    castle("美濃囲い",         "K28 S38 G49 G58"),
    castle("高美濃囲い",       "K28 S38 G49 G47"),
    castle("銀冠",             "K28 S27 G38"),
    castle("銀美濃",           "K28 S38 S47 G49"),
    castle("ダイヤモンド美濃", "K28 S38 S47 G49 G58"),
    castle("木村美濃",         "K28 G38 S47"),
    castle("金美濃",           "K28 G38 S48"),
    castle("金無双",           "K38 S28 G48 G58"),
    castle("振り飛車穴熊",     "K19 L18 S28"),
    castle("早美濃囲い",       "K39 S38 G49"),
    // On the left.
    castle("居飛車穴熊",       "K99 L98 S88"),
    castle("居飛車穴熊",       "K99 L98 G88 S77"),
    castle("左美濃",           "K88 S78 G69"),
    castle("天守閣美濃",       "K87 S78 G69"),
    castle("左銀冠",           "K88 S87 G78"),
    castle("箱入り娘",         "K78 G69 G68 S79"),
    castle("エルモ囲い",       "K78 S68 G79"),
    against_ranging("舟囲い",  "K78 G69 G58 S79"),
    against_ranging("舟囲い",  "K78 G69 G58 S68"),
    against_ranging("ミレニアム囲い", "K89 N77 S88 G78"),
    against_ranging("ミレニアム囲い", "K89 N77 S88 G79"),
    against_ranging("ミレニアム囲い", "K89 N77 G88 G79"),
    against_ranging("ミレニアム囲い", "K89 N77 G78 G79"),
    castle("矢倉囲い",         "K88 G78 S77 G67"),
    castle("銀矢倉",           "K88 G78 S77 S67"),
    castle("片矢倉",           "K78 G68 S77 G67"),
    castle("総矢倉",           "K88 G78 S77 G67 S57"),
    castle("菊水矢倉",         "K89 G78 S88 G67 N77"),
    castle("矢倉穴熊",         "K99 L98 S77 G78 G67"),
    castle("カニ囲い",         "K69 G78 G58 S68"),
    castle("雁木囲い",         "G78 G58 S67 S57"),
    castle("雁木囲い",         "G78 G58 S67 S47"),
    castle("ボナンザ囲い",     "K78 G68 G58 S77"),
    // In the middle.
    castle("中住まい",         "K58 G78 G38"),
    castle("中原囲い",         "K69 G78 G59 S48"),
    castle("アヒル囲い",       "K58 G79 G39"),
    castle("右玉",             "K38 G48 N37 S47"),
    castle("右玉",             "K48 G58 N37 S47"),
];

/// A piece of a castle.
fn piece(text: &str) -> Option<(PieceKind, Square)> {
    let mut letters = text.chars();
    let kind = PieceKind::from_letter(letters.next()?)?;
    let file = letters.next()?;
    let rank = char::from(b'a' + letters.next()?.to_digit(10)?.checked_sub(1)? as u8);
    Some((kind, format!("{file}{rank}").parse().ok()?))
}

/// Castles with their pieces, in the order of the table.
type Table = Vec<Vec<(PieceKind, Square)>>;

fn table() -> &'static Table {
    static TABLE: std::sync::OnceLock<Table> = std::sync::OnceLock::new();
    let pieces = |castle: &Castle| castle.pieces.split(' ').filter_map(piece).collect();
    TABLE.get_or_init(|| CASTLES.iter().map(pieces).collect())
}

/// The numbers of the castles that a side has now.
pub(super) fn standing(position: &Position, color: Color) -> impl Iterator<Item = usize> {
    let own = position.pieces(color);
    let is_there = move |(kind, square): &(PieceKind, Square)| {
        let square = if color == Color::Black { *square } else { square.flip() };
        position.piece_at(square).is_some_and(|piece| {
            // A promoted silver beside the king is as good as a gold, but no castle.
            piece.kind() == *kind && own.contains(square)
        })
    };
    let complete = move |pieces: &Vec<_>| pieces.iter().all(is_there);
    table().iter().enumerate().filter(move |(_, pieces)| complete(pieces)).map(|(number, _)| number)
}

/// The names of the castles that a side has had.
pub(super) fn names(side: &Side, opponent: &Side) -> Vec<&'static str> {
    let mut names = Vec::new();
    for castle in side.castles.iter().map(|number| &CASTLES[*number]) {
        let fits = castle.against == Against::Any || opponent.is_ranging();
        if fits && !names.contains(&castle.name) {
            names.push(castle.name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        for (castle, pieces) in CASTLES.iter().zip(table()) {
            assert_eq!(pieces.len(), castle.pieces.split(' ').count(), "{}", castle.name);
        }
    }
}
