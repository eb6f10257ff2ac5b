//! Moves in Japanese words: ７六歩, ５八金右, 同　銀左上成, and the KIF form with the origin in brackets.

use crate::Board;
use crate::text::kanji::{digit, number, piece, piece_in_move, square, square_name};
use shogi::{Bitboard, Color, Move, Origin, PieceKind, Position, Square};
use std::fmt::Write;

/// The side from which a piece comes, from its player's point of view (左, 右, 直).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Left,
    Straight,
    Right,
}

/// The direction of a move, from its player's point of view (上, 引, 寄).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    Forward,
    Sideways,
    Back,
}

/// A parsed move in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spoken {
    /// `None` is 同: the target of the last move.
    to: Option<Square>,
    kind: PieceKind,
    side: Option<Side>,
    way: Option<Way>,
    promote: bool,
    from: From,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum From {
    Unsaid,
    Hand,
    Square(Square),
}

/// Why a move in words does not match the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unclear {
    /// 同 without a move before.
    NothingBefore,
    /// No piece of that kind reaches the square.
    Unreachable,
    /// Several pieces match.
    Several,
    /// The piece would not move, or a king would be dropped.
    Nonsense,
}

#[inline]
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, '▲' | '△' | '▼' | '▽' | '☗' | '☖' | '⛊' | '⛉' | '▴' | '▵')
}

/// Skips blanks of any width, byte by byte, because this runs several times for every move of a file.
#[inline]
pub(crate) fn skip_wide_blanks(mut text: &str) -> &str {
    loop {
        text = match text.as_bytes() {
            [b' ' | b'\t', ..] => &text[1..],
            [0xe3, 0x80, 0x80, ..] => &text[3..],
            _ => return text,
        }
    }
}

/// Parses one character off the start.
fn take<T>(text: &mut &str, known: impl Fn(char) -> Option<T>) -> Option<T> {
    let c = text.chars().next()?;
    let value = known(c)?;
    *text = &text[c.len_utf8()..];
    Some(value)
}

#[inline]
fn take_char(text: &mut &str, wanted: char) -> bool {
    take(text, |c| (c == wanted).then_some(())).is_some()
}

/// Parses one move in any form, and returns the rest; `None` if the text does not begin with one.
pub(crate) fn parse(text: &str) -> Option<(Spoken, &str)> {
    let mut rest = skip_wide_blanks(text);
    rest = skip_wide_blanks(rest.strip_prefix(is_mark).unwrap_or(rest));
    let to = if take_char(&mut rest, '同') {
        None
    } else {
        let file = take(&mut rest, digit)?;
        rest = skip_wide_blanks(rest);
        let rank = take(&mut rest, digit)?;
        Some(square(file, rank)?)
    };
    rest = skip_wide_blanks(rest);
    let kind = if take_char(&mut rest, '成') {
        take(&mut rest, piece)?.promoted()?
    } else {
        take(&mut rest, piece)?
    };
    let mut spoken = Spoken { to, kind, side: None, way: None, promote: false, from: From::Unsaid };
    while let Some(c) = rest.chars().next() {
        match c {
            '左' => spoken.side = Some(Side::Left),
            '直' => spoken.side = Some(Side::Straight),
            '右' => spoken.side = Some(Side::Right),
            '上' | '行' | '入' => spoken.way = Some(Way::Forward),
            '寄' => spoken.way = Some(Way::Sideways),
            '引' => spoken.way = Some(Way::Back),
            '成' => spoken.promote = true,
            // 不成 is one word.
            '不' if rest.starts_with("不成") => {
                spoken.promote = false;
                rest = &rest[c.len_utf8()..];
            }
            '生' => spoken.promote = false,
            '打' => spoken.from = From::Hand,
            '\u{3000}' => {}
            _ => break,
        }
        rest = &rest[c.len_utf8()..];
    }
    if let Some((from, after)) = origin(rest) {
        spoken.from = from;
        rest = after;
    }
    Some((spoken, rest))
}

/// `(77)`; `(00)` is the hand.
fn origin(text: &str) -> Option<(From, &str)> {
    let inner = skip_wide_blanks(text).strip_prefix(['(', '（'])?;
    let (value, rest) = number(inner)?;
    let rest = rest.strip_prefix([')', '）'])?;
    if value == 0 {
        return Some((From::Hand, rest));
    }
    let from = square(u8::try_from(value / 10).ok()?, (value % 10) as u8)?;
    Some((From::Square(from), rest))
}

impl Spoken {
    /// Resolves it to a move. `last` is the target of the last move.
    #[inline(always)]
    pub fn resolve(self, board: &Board, last: Option<Square>) -> Result<Move, Unclear> {
        let to = self.to.or(last).ok_or(Unclear::NothingBefore)?;
        match self.from {
            From::Hand => self.dropped(to),
            From::Square(from) => self.moved(from, to),
            From::Unsaid => self.found(board, to),
        }
    }

    #[inline]
    fn moved(self, from: Square, to: Square) -> Result<Move, Unclear> {
        if from == to { Err(Unclear::Nonsense) } else { Ok(Move::board(from, to, self.promote)) }
    }

    #[inline]
    fn dropped(self, to: Square) -> Result<Move, Unclear> {
        let piece = self.kind.to_hand().filter(|_| !self.kind.is_promoted() && !self.promote);
        piece.map(|piece| Move::drop(piece, to)).ok_or(Unclear::Nonsense)
    }

    /// The move of the only piece that matches the words.
    fn found(self, board: &Board, to: Square) -> Result<Move, Unclear> {
        let all: Bitboard = board.sources(self.kind, to).collect();
        let mut fits: Bitboard = all.into_iter().filter(|from| self.fits(*from, to, board.side())).collect();
        if fits.many() && self.side.is_some() && pairs_off(self.kind) {
            // For two horses or dragons, the one straight behind counts as left or right only relative to the other.
            fits =
                fits.into_iter().filter(|from| side_of(*from, to, board.side()) != Side::Straight).collect();
        }
        if fits.many() {
            // Some programs distinguish only legal moves, so a pinned piece needs no word.
            if let Ok(position) = Position::with_room(&board.setup(1), 0) {
                fits = fits
                    .into_iter()
                    .filter(|from| self.moved(*from, to).is_ok_and(|m| position.is_legal(m)))
                    .collect();
            }
        }
        match fits.first() {
            Some(_) if fits.many() => Err(Unclear::Several),
            Some(from) => self.moved(from, to),
            None if all.is_empty() && self.kind.to_hand().is_some_and(|piece| board.holds(piece)) => {
                self.dropped(to)
            }
            None => Err(Unclear::Unreachable),
        }
    }

    /// Whether the words match a piece on this square.
    fn fits(self, from: Square, to: Square, color: Color) -> bool {
        let (side, way) = (side_of(from, to, color), way_of(from, to, color));
        let side_fits = match self.side {
            None => true,
            Some(Side::Straight) => side == Side::Straight && way == Way::Forward,
            Some(said) if pairs_off(self.kind) => side == said || side == Side::Straight,
            Some(said) => side == said,
        };
        side_fits && self.way.is_none_or(|said| said == way)
    }
}

/// Pairs of horses or dragons are distinguished by left and right only, never by 直.
fn pairs_off(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Horse | PieceKind::Dragon)
}

fn way_of(from: Square, to: Square, color: Color) -> Way {
    let order = (from.rank() as u8).cmp(&(to.rank() as u8));
    match if color == Color::Black { order } else { order.reverse() } {
        std::cmp::Ordering::Greater => Way::Forward,
        std::cmp::Ordering::Equal => Way::Sideways,
        std::cmp::Ordering::Less => Way::Back,
    }
}

fn side_of(from: Square, to: Square, color: Color) -> Side {
    let order = (from.file() as u8).cmp(&(to.file() as u8));
    match if color == Color::Black { order } else { order.reverse() } {
        std::cmp::Ordering::Greater => Side::Left,
        std::cmp::Ordering::Equal => Side::Straight,
        std::cmp::Ordering::Less => Side::Right,
    }
}

/// The words that distinguish a move from others to the same square: 右, 直, 左上, 打 …; empty if none are needed.
pub(crate) fn distinction(board: &Board, m: Move) -> String {
    let (to, color) = (m.to(), board.side());
    let Some(piece) = board.moving(m) else { return String::new() };
    let kind = piece.kind();
    let from = match m.origin() {
        Origin::Board(from) => from,
        Origin::Hand(_) if board.sources(kind, to).next().is_some() => return "打".to_owned(),
        Origin::Hand(_) => return String::new(),
    };
    let others: Vec<Square> = board.sources(kind, to).filter(|other| *other != from).collect();
    if others.is_empty() {
        return String::new();
    }
    let (side, way) = (side_of(from, to, color), way_of(from, to, color));
    let same_way: Vec<Side> =
        others.iter().filter(|o| way_of(**o, to, color) == way).map(|o| side_of(*o, to, color)).collect();
    let mut words = String::new();
    if same_way.is_empty() {
        words.push(way_word(way));
        return words;
    }
    let said = match (side, pairs_off(kind)) {
        (Side::Straight, true) if same_way.contains(&Side::Left) => Side::Right,
        (Side::Straight, true) => Side::Left,
        (side, _) => side,
    };
    words.push(match said {
        Side::Left => '左',
        Side::Straight => '直',
        Side::Right => '右',
    });
    let same_side = others.iter().any(|o| side_of(*o, to, color) == side);
    if said != Side::Straight && same_side {
        words.push(way_word(way));
    }
    words
}

fn way_word(way: Way) -> char {
    match way {
        Way::Forward => '上',
        Way::Sideways => '寄',
        Way::Back => '引',
    }
}

/// Whether the mover could have promoted, so that 不成 is needed.
pub(crate) fn may_promote(board: &Board, m: Move) -> bool {
    let zone = Bitboard::far_ranks(board.side(), 3);
    match m.origin() {
        Origin::Board(from) => {
            board.piece_at(from).is_some_and(|p| p.kind().promoted().is_some())
                && (zone.contains(from) || zone.contains(m.to()))
        }
        Origin::Hand(_) => false,
    }
}

/// A move in Hodges' notation: `P-7f`, `+Bx3c`, `G*5b`. `rivals` are all moves that are legal here.
///
/// ```
/// let position = shogi::Position::startpos();
/// assert_eq!(record::western(&position, "7g7f".parse()?, []), "P-7f");
/// # Ok::<(), shogi::ParseMoveError>(())
/// ```
#[must_use]
pub fn western(position: &Position, m: Move, rivals: impl IntoIterator<Item = Move>) -> String {
    let origin = |m: Move| match m.origin() {
        Origin::Board(from) => position.piece_at(from).map(|piece| (from, piece.kind())),
        Origin::Hand(_) => None,
    };
    let Some((from, kind)) = origin(m) else { return m.to_string() };
    let mut others = rivals.into_iter().filter(|other| other.to() == m.to()).filter_map(origin);
    let is_ambiguous = others.any(|(square, other)| square != from && other == kind);
    let mut text = String::new();
    if kind.is_promoted() {
        text.push('+');
    }
    text.push(kind.unpromoted().letter());
    if is_ambiguous {
        text += &from.to_string();
    }
    text.push(if position.piece_at(m.to()).is_some() { 'x' } else { '-' });
    text += &m.to().to_string();
    if m.is_promotion() {
        text.push('+');
    }
    text
}

/// A move as KI2 writes it, without the mark of the player; `last` is the target of the last move.
///
/// ```
/// let board = record::Board::from(&shogi::Handicap::Even.setup());
/// assert_eq!(record::speak(&board, "7g7f".parse()?, None), "７六歩");
/// # Ok::<(), shogi::ParseMoveError>(())
/// ```
#[must_use]
pub fn speak(board: &Board, m: Move, last: Option<Square>) -> String {
    let Some(piece) = board.moving(m) else { return String::new() };
    let mut text = String::new();
    if last == Some(m.to()) {
        text.push_str("同　");
    } else {
        text.extend(square_name(m.to()));
    }
    text.push_str(piece_in_move(piece.kind()));
    text.push_str(&distinction(board, m));
    if m.is_promotion() {
        text.push('成');
    } else if may_promote(board, m) {
        text.push_str("不成");
    }
    // If there are more pieces than words can distinguish, or the piece cannot go there, the origin is written.
    let heard = parse(&text).and_then(|(spoken, _)| spoken.resolve(board, last).ok());
    if heard != Some(m) {
        match m.origin() {
            Origin::Board(from) => {
                let _ = write!(text, "({}{})", from.file() as u8 + 1, from.rank() as u8 + 1);
            }
            Origin::Hand(_) if !text.ends_with('打') => text.push('打'),
            Origin::Hand(_) => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn said(sfen: &str, m: &str) -> String {
        speak(&Board::from(&sfen.parse().unwrap()), m.parse().unwrap(), None)
    }

    /// The examples of the Japan Shogi Association's page on notation.
    #[test]
    fn distinctions_of_the_association() {
        for (sfen, m, text) in [
            // Two golds: by direction, else by side.
            ("9/3G5/4G4/9/9/9/9/9/9 b - 1", "5c5b", "５二金上"),
            ("9/3G5/4G4/9/9/9/9/9/9 b - 1", "6b5b", "５二金寄"),
            ("9/4G4/9/5S3/9/9/9/9/9 b - 1", "5b5c", "５三金"),
            ("9/2G1G4/9/9/9/9/9/9/9 b - 1", "7b6a", "６一金左"),
            ("9/2G1G4/9/9/9/9/9/9/9 b - 1", "5b6a", "６一金右"),
            ("9/9/9/9/9/5G3/4G4/9/9 b - 1", "4f5f", "５六金寄"),
            // Three side by side behind the target.
            ("9/9/9/9/9/9/9/9/3GGG3 b - 1", "6i5h", "５八金左"),
            ("9/9/9/9/9/9/9/9/3GGG3 b - 1", "5i5h", "５八金直"),
            ("9/9/9/9/9/9/9/9/3GGG3 b - 1", "4i5h", "５八金右"),
            // Silvers: direction and side.
            ("9/9/9/9/9/9/2S1S4/9/2S1S4 b - 1", "5g6h", "６八銀右引"),
            ("9/9/9/9/9/9/2S1S4/9/2S1S4 b - 1", "7i6h", "６八銀左上"),
            ("9/9/9/9/9/9/2S1S4/9/2SSS4 b - 1", "6i6h", "６八銀直"),
            // Dragons and horses: never 直.
            ("+R8/9/9/1+R7/9/9/9/9/9 b - 1", "9a8b", "８二龍引"),
            ("9/4+R4/7+R1/9/9/9/9/9/9 b - 1", "2c4c", "４三龍寄"),
            ("9/9/9/9/9/9/9/9/+R+R7 b - 1", "9i8h", "８八龍左"),
            ("9/9/9/9/9/9/9/9/+R+R7 b - 1", "8i8h", "８八龍右"),
            ("9/9/9/9/9/9/9/7+R1/7+R1 b - 1", "2h1h", "１八龍寄"),
            ("+B+B7/9/9/9/9/9/9/9/9 b - 1", "9a8b", "８二馬左"),
            ("+B+B7/9/9/9/9/9/9/9/9 b - 1", "8a8b", "８二馬右"),
            ("9/9/9/9/9/9/9/9/+B3+B4 b - 1", "5i7g", "７七馬右"),
        ] {
            assert_eq!(said(sfen, m), text, "{sfen} {m}");
        }
    }

    #[test]
    fn promotion_and_drops() {
        assert_eq!(said("9/9/9/4P4/9/9/9/9/9 b P 1", "5d5c+"), "５三歩成");
        assert_eq!(said("9/9/9/4P4/9/9/9/9/9 b P 1", "5d5c"), "５三歩不成");
        assert_eq!(said("9/9/9/4P4/9/9/9/9/9 b P 1", "P*4e"), "４五歩");
        assert_eq!(said("9/9/9/9/4G4/9/9/9/9 b G 1", "G*5d"), "５四金打");
        // Four golds and a gold-like piece of another kind.
        assert_eq!(said("9/9/9/4+P4/9/9/9/9/9 b G 1", "G*5c"), "５三金");
        // A move that no piece of the kind can make still has its origin.
        assert_eq!(said("9/9/9/4P4/9/9/9/9/9 b - 1", "5d4c"), "４三歩不成(54)");
    }

    #[test]
    fn a_pinned_piece_needs_no_word() {
        let board = Board::from(&"4k4/4r4/9/9/9/9/9/4G1G2/4K4 b - 1".parse().unwrap());
        let (spoken, _) = parse("▲４八金").unwrap();
        assert_eq!(spoken.resolve(&board, None).map(|m| m.to_string()), Ok("3h4h".to_owned()));
        let free = Board::from(&"4k4/9/9/9/9/9/9/4G1G2/4K4 b - 1".parse().unwrap());
        assert_eq!(spoken.resolve(&free, None), Err(Unclear::Several));
    }

    #[test]
    fn words_are_understood() {
        let text = "▲同　成銀左上成(45)";
        let (spoken, rest) = parse(text).unwrap();
        assert_eq!(rest, "");
        assert_eq!(
            spoken,
            Spoken {
                to: None,
                kind: PieceKind::ProSilver,
                side: Some(Side::Left),
                way: Some(Way::Forward),
                promote: true,
                from: From::Square(Square::Sq45),
            }
        );
        for (text, rest) in
            [("７六歩(77)   ( 0:12/00:00:12)", "   ( 0:12/00:00:12)"), ("76歩", ""), ("△7 六 歩打", "")]
        {
            assert_eq!(parse(text).map(|(_, rest)| rest), Some(rest), "{text}");
        }
        for text in ["", "投了", "７", "７六", "７六x", "成歩", "０六歩"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest! {
        /// In any game, every legal move is distinguished from every other.
        #[test]
        fn every_legal_move_is_heard_as_it_was_said(choices in prop::collection::vec(any::<u16>(), 0..150)) {
            let mut position = Position::startpos();
            for choice in choices {
                let board = Board::from(&position.setup());
                let last = position.last_move().map(Move::to);
                let legal = position.legal_moves();
                for &m in legal.iter() {
                    let text = speak(&board, m, last);
                    let (spoken, rest) = parse(&text).expect("words are understood");
                    prop_assert_eq!(rest, "");
                    prop_assert_eq!(spoken.resolve(&board, last), Ok(m), "{} in {}", text, position.sfen());
                }
                let Some(&m) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
                position.do_move(m);
            }
        }
    }
}
