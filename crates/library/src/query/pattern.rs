//! Patterns: pieces on squares, material in hand.

use super::{GameFilter, Hit};
use crate::format::row::Text;
use crate::store::GameView;
use crate::{Library, LibraryError, Rules};
use platform::workers::in_parallel;
use std::str::FromStr;
use std::sync::Mutex;

/// What stands on a square: `7g=P`, `5a=k`, `2h=+R`, `5e=.` (empty), `5e=*` (any piece).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SquareWish {
    file: u8,
    rank: u8,
    /// As SFEN writes it: capital letters are Black's, `+` marks promoted pieces.
    piece: String,
}

/// What is in hand, at least: `R2Pb` is a rook and two pawns of Black's and a bishop of White's.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HandWish(Vec<(char, u32)>);

/// A wish that none is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PatternError {
    /// Of a square.
    #[error("expected SQUARE=PIECE such as 7g=P, 5a=k, 2h=+R, 5e=. (empty) or 5e=* (any piece)")]
    Square,
    /// Of hands.
    #[error("expected pieces in hand such as B or R2Pb (Black's are capital letters)")]
    Hand,
}

impl FromStr for SquareWish {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let (square, piece) = text.split_once('=').ok_or(PatternError::Square)?;
        let split = square.len().checked_sub(1).filter(|at| square.is_char_boundary(*at));
        let (file, rank) = square.split_at(split.ok_or(PatternError::Square)?);
        let file = file.parse().ok().filter(|file| (1..=12).contains(file)).ok_or(PatternError::Square)?;
        let rank =
            rank.bytes().next().filter(|rank| (b'a'..=b'l').contains(rank)).ok_or(PatternError::Square)?;
        let letters = piece.strip_prefix('+').unwrap_or(piece);
        let is_piece = letters.len() == 1 && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !is_piece && !matches!(piece, "." | "*") {
            return Err(PatternError::Square);
        }
        Ok(Self { file, rank: rank - b'a', piece: piece.to_owned() })
    }
}

impl FromStr for HandWish {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let held = read_hand(text).filter(|held| !held.is_empty());
        Ok(Self(held.ok_or(PatternError::Hand)?))
    }
}

/// Reads the field of an SFEN for hands.
fn read_hand(text: &str) -> Option<Vec<(char, u32)>> {
    let (mut held, mut digits) = (Vec::new(), String::new());
    for letter in text.chars().filter(|letter| *letter != '-') {
        if letter.is_ascii_digit() {
            digits.push(letter);
        } else if letter.is_ascii_alphabetic() {
            let count = if digits.is_empty() { 1 } else { digits.parse().ok()? };
            digits.clear();
            held.push((letter, count));
        } else {
            return None;
        }
    }
    digits.is_empty().then_some(held)
}

/// What a position must look like.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pattern {
    /// Pieces on squares.
    pub squares: Vec<SquareWish>,
    /// Pieces in hand.
    pub hands: Vec<HandWish>,
}

impl Pattern {
    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.squares.is_empty() && self.hands.is_empty()
    }

    /// Whether a position in SFEN fits.
    fn fits_text(&self, sfen: &str) -> bool {
        let mut fields = sfen.split(' ');
        let board = fields.next().unwrap_or_default();
        let square = |wish: &SquareWish| {
            let row = board.split('/').nth(wish.rank.into()).unwrap_or_default();
            let found = piece_of_row(row, wish.file);
            match (wish.piece.as_str(), found) {
                (".", Some("")) => true,
                ("*", Some(piece)) => !piece.is_empty(),
                (piece, Some(found)) => piece == found,
                (_, None) => false,
            }
        };
        let mut hand = || fields.nth(1).and_then(read_hand).unwrap_or_default();
        self.squares.iter().all(square)
            && (self.hands.is_empty() || {
                let held = hand();
                let has = |(piece, count): &(char, u32)| held.iter().any(|(h, n)| h == piece && n >= count);
                self.hands.iter().all(|wish| wish.0.iter().all(has))
            })
    }
}

/// The piece on a file of a row, empty if there is none; `None` if the row is shorter.
fn piece_of_row(row: &str, file: u8) -> Option<&str> {
    let mut cells: Vec<&str> = Vec::with_capacity(12);
    let bytes = row.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_digit() {
            let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let empty: usize = row.get(at..at + digits)?.parse().ok()?;
            cells.extend(std::iter::repeat_n("", empty.min(12)));
            at += digits;
        } else {
            let length = if bytes[at] == b'+' { 2 } else { 1 };
            cells.push(row.get(at..at + length)?);
            at += length;
        }
    }
    // Files are counted from the right.
    cells.len().checked_sub(file.into()).and_then(|index| cells.get(index).copied())
}

impl Library {
    /// The games that pass and have a position like that, with its first ply. Every game is played through for it, on several
    /// threads.
    pub fn games_like(
        &self,
        rules: Rules<'_>,
        pattern: &Pattern,
        filter: &GameFilter,
        threads: usize,
    ) -> Result<Vec<Hit>, LibraryError> {
        let views: Vec<_> = self.views().filter(|view| filter.passes(view)).collect();
        let shogi = ShogiPattern::of(pattern);
        let failed = Mutex::new(None);
        let found = in_parallel(&views, threads, |view| {
            let text = |text| view.segment.text(&view.row, text);
            let (variant, start) = (text(Text::Variant), text(Text::Start));
            let first = match &shogi {
                Some(pattern) if variant == "shogi" => pattern.first(start, view),
                // A piece that shogi does not have.
                None if variant == "shogi" => None,
                _ => first_by_text(rules, pattern, variant, start, view).unwrap_or_else(|error| {
                    if let Ok(mut failed) = failed.lock() {
                        failed.get_or_insert(error);
                    }
                    None
                }),
            };
            first.map(|ply| Hit { number: view.number, ply })
        });
        match failed.into_inner() {
            Ok(Some(error)) => Err(error),
            _ => Ok(found.into_iter().flatten().collect()),
        }
    }
}

fn first_by_text(
    rules: Rules<'_>,
    pattern: &Pattern,
    variant: &str,
    start: &str,
    view: &GameView<'_>,
) -> Result<Option<u32>, LibraryError> {
    let mut first = None;
    rules.texts(variant, start, view.segment.moves(&view.row), &mut |ply, text| {
        if pattern.fits_text(text) {
            first = Some(ply);
        }
        first.is_none()
    })?;
    Ok(first)
}

/// A pattern in shogi's own words: positions are compared some twenty times faster than by their texts.
struct ShogiPattern {
    squares: Vec<(shogi::Square, ShogiWish)>,
    hands: Vec<(game::Color, shogi::HandPiece, u32)>,
}

enum ShogiWish {
    Empty,
    Any,
    Piece(shogi::Piece),
}

impl ShogiPattern {
    /// `None` if no position of shogi can fit.
    fn of(pattern: &Pattern) -> Option<Self> {
        let squares = pattern.squares.iter().map(|wish| {
            let square = format!("{}{}", wish.file, char::from(b'a' + wish.rank)).parse().ok()?;
            let wanted = match wish.piece.as_str() {
                "." => ShogiWish::Empty,
                "*" => ShogiWish::Any,
                piece => ShogiWish::Piece(shogi_piece(piece)?),
            };
            Some((square, wanted))
        });
        let hands = pattern.hands.iter().flat_map(|wish| &wish.0).map(|(letter, count)| {
            let piece = shogi_piece(&letter.to_string())?;
            Some((piece.color(), piece.kind().to_hand()?, *count))
        });
        Some(Self { squares: squares.collect::<Option<_>>()?, hands: hands.collect::<Option<_>>()? })
    }

    fn fits(&self, position: &shogi::Position) -> bool {
        let square = |(square, wish): &(shogi::Square, ShogiWish)| match (position.piece_at(*square), wish) {
            (found, ShogiWish::Empty) => found.is_none(),
            (found, ShogiWish::Any) => found.is_some(),
            (found, ShogiWish::Piece(piece)) => found == Some(*piece),
        };
        let hand = |(color, piece, count): &(game::Color, shogi::HandPiece, u32)| {
            position.hand(*color).count(*piece) >= *count
        };
        self.squares.iter().all(square) && self.hands.iter().all(hand)
    }

    fn first(&self, start: &str, view: &GameView<'_>) -> Option<u32> {
        let mut position = if start.is_empty() {
            shogi::Position::startpos()
        } else {
            shogi::Position::from_sfen(start).ok()?
        };
        let mut words = view.segment.moves(&view.row).split(' ');
        for ply in 0.. {
            if self.fits(&position) {
                return Some(ply);
            }
            // Moves were legal when they were stored; a damaged file must do no harm.
            let next = words.next().and_then(|word| word.parse().ok());
            position.do_move(next.filter(|m| position.is_legal(*m))?);
        }
        None
    }
}

fn shogi_piece(text: &str) -> Option<shogi::Piece> {
    let (promoted, letter) = match text.strip_prefix('+') {
        Some(letter) => (true, letter),
        None => (false, text),
    };
    let letter = letter.chars().next()?;
    let kind = shogi::PieceKind::from_letter(letter.to_ascii_uppercase())?;
    let kind = if promoted { kind.promoted()? } else { kind };
    let color = if letter.is_ascii_uppercase() { game::Color::Black } else { game::Color::White };
    Some(shogi::Piece::new(color, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(squares: &[&str], hands: &[&str]) -> Pattern {
        Pattern {
            squares: squares.iter().map(|wish| wish.parse().unwrap()).collect(),
            hands: hands.iter().map(|wish| wish.parse().unwrap()).collect(),
        }
    }

    #[test]
    fn both_ways_to_compare_agree() {
        let sfen = "ln1g3nl/1r1s1kg2/p2pppspp/2p3p2/1p7/2PP1SP2/PPS1PP1PP/2GK3R1/LN3G1NL b Bb 31";
        let position = shogi::Position::from_sfen(sfen).unwrap();
        for (squares, hands, fits) in [
            (&["7h=G", "6h=K", "4b=k"] as &[_], &["Bb"] as &[_], true),
            (&["7h=g"], &[], false),
            (&["5e=.", "9a=*"], &["B"], true),
            (&["5e=*"], &[], false),
            (&["9a=."], &[], false),
            (&[], &["2B"], false),
            (&[], &["R"], false),
            (&["2h=+R"], &[], false),
        ] {
            let pattern = pattern(squares, hands);
            assert_eq!(pattern.fits_text(sfen), fits, "{squares:?} {hands:?}");
            assert_eq!(ShogiPattern::of(&pattern).unwrap().fits(&position), fits, "{squares:?} {hands:?}");
        }
        assert!(ShogiPattern::of(&pattern(&["5a=X"], &[])).is_none());
    }

    #[test]
    fn wishes_are_read_or_refused() {
        for bad in ["", "7g", "7g=", "7g=PP", "=P", "0g=P", "13a=P", "7z=P", "7g=+", "あ=P"] {
            assert_eq!(bad.parse::<SquareWish>(), Err(PatternError::Square), "{bad}");
        }
        for bad in ["", "-", "2", "R?", "歩", "99999999999P"] {
            assert_eq!(bad.parse::<HandWish>(), Err(PatternError::Hand), "{bad}");
        }
        assert_eq!("12l=*".parse::<SquareWish>().unwrap().file, 12);
    }

    #[test]
    fn rows_of_boards() {
        assert_eq!(piece_of_row("2+P3k2", 7), Some("+P"));
        assert_eq!(piece_of_row("2+P3k2", 3), Some("k"));
        assert_eq!(piece_of_row("2+P3k2", 9), Some(""));
        assert_eq!(piece_of_row("12", 12), Some(""));
        assert_eq!(piece_of_row("k", 2), None);
    }
}
