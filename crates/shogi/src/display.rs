//! Pictures of positions for people.

use crate::{Color, File, Piece, Position, Rank, Square};
use std::fmt;

/// A board drawn with SFEN letters; see [`Position::ascii`].
pub struct AsciiBoard<'a>(&'a Position);

/// A board drawn as in Japanese diagrams; see [`Position::kanji`].
pub struct KanjiBoard<'a>(&'a Position);

impl Position {
    /// The board in ASCII: SFEN letters, White's in lower case.
    ///
    /// ```
    /// let picture = shogi::Position::startpos().ascii().to_string();
    /// assert_eq!(picture.lines().nth(9), Some("|  .  B  .  .  .  .  .  R  . | h"));
    /// ```
    #[must_use]
    pub fn ascii(&self) -> AsciiBoard<'_> {
        AsciiBoard(self)
    }

    /// The board as in Japanese diagrams (and BOD files), `v` marking White's pieces.
    ///
    /// ```
    /// let picture = shogi::Position::startpos().kanji().to_string();
    /// assert_eq!(picture.lines().nth(10), Some("| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八"));
    /// ```
    #[must_use]
    pub fn kanji(&self) -> KanjiBoard<'_> {
        KanjiBoard(self)
    }

    fn rows(&self) -> impl Iterator<Item = (Rank, impl Iterator<Item = Option<Piece>>)> {
        Rank::ALL.into_iter().map(move |rank| {
            (rank, File::ALL.into_iter().rev().map(move |file| self.piece_at(Square::new(file, rank))))
        })
    }
}

impl fmt::Display for AsciiBoard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.0;
        let edge = "+----------------------------+";
        writeln!(f, "   9  8  7  6  5  4  3  2  1\n{edge}")?;
        for (rank, row) in position.rows() {
            f.write_str("|")?;
            for piece in row {
                write!(f, " {:>2}", piece.map_or_else(|| ".".to_owned(), |p| p.to_string()))?;
            }
            writeln!(f, " | {}", char::from(b'a' + rank as u8))?;
        }
        writeln!(f, "{edge}")?;
        for color in Color::ALL {
            let hand = position.hand(color);
            let text = if hand.is_empty() { "-".to_owned() } else { hand.to_string() };
            writeln!(f, "{color} in hand: {text}")?;
        }
        write!(f, "{} to move, move {}", position.side(), position.ply())
    }
}

const DIGITS: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// 1 to 18, as hands in diagrams are counted; one is not written.
fn kanji_count(n: u32) -> String {
    let ones = n % 10;
    let ten = if n >= 10 { "十" } else { "" };
    let digit = if ones == 0 || n == 1 { "" } else { DIGITS[ones as usize - 1] };
    format!("{ten}{digit}")
}

fn kanji_hand(position: &Position, color: Color) -> String {
    let hand = position.hand(color);
    let pieces: Vec<String> = crate::HandPiece::SFEN_ORDER
        .into_iter()
        .filter(|piece| hand.has(*piece))
        .map(|piece| format!("{}{}", piece.kind().kanji(), kanji_count(hand.count(piece))))
        .collect();
    if pieces.is_empty() { "なし".to_owned() } else { pieces.join("　") }
}

impl fmt::Display for KanjiBoard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.0;
        let edge = "+---------------------------+";
        writeln!(f, "後手の持駒：{}", kanji_hand(position, Color::White))?;
        writeln!(f, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n{edge}")?;
        for (rank, row) in position.rows() {
            f.write_str("|")?;
            for piece in row {
                let mark = if piece.is_some_and(|p| p.color() == Color::White) { 'v' } else { ' ' };
                write!(f, "{mark}{}", piece.map_or('・', |p| p.kind().kanji()))?;
            }
            writeln!(f, "|{}", DIGITS[rank as usize])?;
        }
        writeln!(f, "{edge}\n先手の持駒：{}", kanji_hand(position, Color::Black))?;
        let side = match position.side() {
            Color::Black => "先手番",
            Color::White => "後手番",
        };
        write!(f, "{side}　{}手目", position.ply())
    }
}

/// The ASCII picture.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ascii().fmt(f)
    }
}

/// The SFEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sfen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_pictures() {
        let position = Position::from_sfen("4k4/9/9/9/4+r4/9/9/9/8K w 2G11Pbp 42").unwrap();
        let ascii = position.ascii().to_string();
        assert!(ascii.is_ascii());
        assert!(ascii.contains("|  .  .  .  . +r  .  .  .  . | e\n"), "{ascii}");
        assert!(
            ascii.ends_with("black in hand: 2G11P\nwhite in hand: BP\nwhite to move, move 42"),
            "{ascii}"
        );
        let kanji = position.kanji().to_string();
        assert!(kanji.starts_with("後手の持駒：角　歩\n"), "{kanji}");
        assert!(kanji.contains("| ・ ・ ・ ・v龍 ・ ・ ・ ・|五\n"), "{kanji}");
        assert!(kanji.ends_with("先手の持駒：金二　歩十一\n後手番　42手目"), "{kanji}");
        assert_eq!([1, 2, 10, 11, 18].map(kanji_count), ["", "二", "十", "十一", "十八"].map(String::from));
    }
}
