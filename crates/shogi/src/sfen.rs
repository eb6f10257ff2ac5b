//! SFEN: reading and writing positions.

use crate::{Color, File, Hand, HandPiece, Piece, PieceKind, Rank, Setup, SetupError, Square};
use std::fmt;
use std::str::FromStr;

/// The SFEN of the ordinary start position.
pub const STARTPOS_SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Larger move numbers are refused, and counting stops there.
pub(crate) const MAX_PLY: u32 = 999_999;

/// Why a text is not the SFEN of a position; each message names the faulty field.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SfenError {
    /// The board field.
    #[error("SFEN board: {0}")]
    Board(String),
    /// The side to move.
    #[error("SFEN side to move: expected `b` or `w`, found `{0}`")]
    Side(String),
    /// The hands.
    #[error("SFEN hands: {0}")]
    Hands(String),
    /// The move number.
    #[error("SFEN move number: expected 1 to {MAX_PLY}, found `{0}`")]
    Ply(String),
    /// A field that is not there.
    #[error("SFEN has no {0} (expected: board, side to move, hands, move number)")]
    Missing(&'static str),
    /// A fifth field.
    #[error("SFEN has a fifth field `{0}`")]
    Extra(String),
    /// Well-formed, but not a valid position.
    #[error("impossible position: {0}")]
    Impossible(SetupError),
}

// Not `#[from]`, which would make it a source as well: the text above already contains it.
impl From<SetupError> for SfenError {
    fn from(error: SetupError) -> Self {
        Self::Impossible(error)
    }
}

impl FromStr for Setup {
    type Err = SfenError;

    /// Reads an SFEN; the move number may be missing (then it is 1).
    fn from_str(text: &str) -> Result<Self, SfenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut setup = Self::EMPTY;
        read_board(fields.next().ok_or(SfenError::Missing("board"))?, &mut setup)?;
        setup.side = match fields.next().ok_or(SfenError::Missing("side to move"))? {
            "b" => Color::Black,
            "w" => Color::White,
            other => return Err(SfenError::Side(quote(other))),
        };
        read_hands(fields.next().ok_or(SfenError::Missing("hands"))?, &mut setup)?;
        if let Some(word) = fields.next() {
            let ply =
                word.parse().ok().filter(|n| *n <= MAX_PLY).ok_or_else(|| SfenError::Ply(quote(word)))?;
            setup.ply = u32::max(ply, 1);
        }
        match fields.next() {
            Some(extra) => Err(SfenError::Extra(quote(extra))),
            None => Ok(setup),
        }
    }
}

/// Quotes the beginning of a word, because input may be of any length.
fn quote(word: &str) -> String {
    word.chars().take(40).collect()
}

fn read_board(text: &str, setup: &mut Setup) -> Result<(), SfenError> {
    let error = |message: String| Err(SfenError::Board(message));
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 9 {
        return error(format!("expected 9 rows, found {}", rows.len()));
    }
    for (row, rank) in rows.into_iter().zip(Rank::ALL) {
        let number = rank as u8 + 1;
        let mut files = File::ALL.into_iter().rev();
        let mut promoted = false;
        for c in row.chars() {
            match c {
                '+' if !promoted => promoted = true,
                '1'..='9' if !promoted => {
                    let skip = c as usize - '0' as usize;
                    if files.nth(skip - 1).is_none() {
                        return error(format!("row {number} has more than 9 squares"));
                    }
                }
                _ => {
                    let kind = PieceKind::from_letter(c.to_ascii_uppercase());
                    let kind =
                        if std::mem::take(&mut promoted) { kind.and_then(PieceKind::promoted) } else { kind };
                    let Some(kind) = kind else {
                        return error(format!("unexpected `{}` in row {number}", c.escape_default()));
                    };
                    let Some(file) = files.next() else {
                        return error(format!("row {number} has more than 9 squares"));
                    };
                    let color = if c.is_ascii_uppercase() { Color::Black } else { Color::White };
                    setup.board[Square::new(file, rank).index()] = Some(Piece::new(color, kind));
                }
            }
        }
        if promoted {
            return error(format!("row {number} ends after `+`"));
        }
        if files.len() > 0 {
            return error(format!("row {number} has only {} squares", 9 - files.len()));
        }
    }
    Ok(())
}

/// Maximum count of a kind: that of pawns, with room for diagrams that have some too many.
const MOST_OF_A_KIND: u32 = Hand::max_count(HandPiece::Pawn);

fn read_hands(text: &str, setup: &mut Setup) -> Result<(), SfenError> {
    if text == "-" {
        return Ok(());
    }
    let error = |message: String| Err(SfenError::Hands(message));
    let mut count: Option<u32> = None;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            let number = count.unwrap_or(0) * 10 + digit;
            if number == 0 || number > MOST_OF_A_KIND {
                return error(format!("a number of pieces is 1 to {MOST_OF_A_KIND}, found `{number}`"));
            }
            count = Some(number);
            continue;
        }
        let Some(piece) = PieceKind::from_letter(c.to_ascii_uppercase()).and_then(PieceKind::to_hand) else {
            return error(format!("unexpected `{}`", c.escape_default()));
        };
        let color = if c.is_ascii_uppercase() { Color::Black } else { Color::White };
        let hand = &mut setup.hands[color.index()];
        for _ in 0..count.take().unwrap_or(1) {
            let most = Hand::max_count(piece);
            if hand.count(piece) == most {
                return Err(SetupError::TooManyPieces { piece, most }.into());
            }
            hand.add(piece);
        }
    }
    match count {
        Some(number) => error(format!("the number {number} has no piece")),
        None => Ok(()),
    }
}

/// Canonical SFEN: hands in the order R B G S N L P, Black's first, and the move number.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_sfen(f, |s| self.piece_at(s), self.side, self.hands, self.ply)
    }
}

pub(crate) fn write_sfen(
    f: &mut impl fmt::Write,
    piece_at: impl Fn(Square) -> Option<Piece>,
    side: Color,
    hands: [Hand; 2],
    ply: u32,
) -> fmt::Result {
    for rank in Rank::ALL {
        if rank != Rank::R1 {
            f.write_char('/')?;
        }
        let mut empty = 0;
        for file in File::ALL.into_iter().rev() {
            match piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        write!(f, "{empty}")?;
                        empty = 0;
                    }
                    write!(f, "{piece}")?;
                }
            }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
    }
    write!(f, " {} ", side.letter())?;
    if hands.iter().all(|hand| hand.is_empty()) {
        f.write_char('-')?;
    } else {
        write!(f, "{}{}", hands[0], hands[1].to_string().to_ascii_lowercase())?;
    }
    write!(f, " {ply}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_canonically() {
        for (text, canonical) in [
            (STARTPOS_SFEN, STARTPOS_SFEN),
            ("4k4/9/9/9/9/9/9/9/4K4 b", ""),
            ("4k4/9/9/9/9/9/9/9/4K4 b -", "4k4/9/9/9/9/9/9/9/4K4 b - 1"),
            ("  4k4/9/9/9/9/9/9/9/4K4  w  pP2Rr -  ", ""),
            ("  4k4/9/9/9/9/9/9/9/4K4  w  pP2R 0 ", "4k4/9/9/9/9/9/9/9/4K4 w 2RPp 1"),
            ("+P3k4/9/9/9/9/9/9/9/4K3+p b 18p 77", "+P3k4/9/9/9/9/9/9/9/4K3+p b 18p 77"),
        ] {
            assert_eq!(text.parse::<Setup>().map(|s| s.to_string()).unwrap_or_default(), canonical, "{text}");
        }
    }

    #[test]
    fn errors_name_the_field() {
        let board = "4k4/9/9/9/9/9/9/9/4K4";
        for (text, message) in [
            ("", "SFEN has no board (expected: board, side to move, hands, move number)"),
            ("9/9 b - 1", "SFEN board: expected 9 rows, found 2"),
            ("4k4/9/9/9/9/9/9/9/4K41 b - 1", "SFEN board: row 9 has more than 9 squares"),
            ("4k4/9/9/9/9/9/9/9/4K3 b - 1", "SFEN board: row 9 has only 8 squares"),
            ("4k4/9/9/9/9/9/9/9/4K3+ b - 1", "SFEN board: row 9 ends after `+`"),
            ("4k4/9/9/9/9/9/9/9/4K3+G b - 1", "SFEN board: unexpected `G` in row 9"),
            ("4k4/9/9/9/9/9/9/9/4玉4 b - 1", "SFEN board: unexpected `\\u{7389}` in row 9"),
            ("4k4/54/9/9/9/9/9/9/4K4 b - 1", ""),
            (&format!("{board} x - 1"), "SFEN side to move: expected `b` or `w`, found `x`"),
            (&format!("{board} b"), "SFEN has no hands (expected: board, side to move, hands, move number)"),
            (&format!("{board} b K 1"), "SFEN hands: unexpected `K`"),
            (&format!("{board} b 2 1"), "SFEN hands: the number 2 has no piece"),
            (&format!("{board} b 32P 1"), "SFEN hands: a number of pieces is 1 to 31, found `32`"),
            (&format!("{board} b 0P 1"), "SFEN hands: a number of pieces is 1 to 31, found `0`"),
            (&format!("{board} b 4R 1"), "impossible position: too many of the piece R: 3 at most"),
            (&format!("{board} b - x"), "SFEN move number: expected 1 to 999999, found `x`"),
            (&format!("{board} b - 1 1"), "SFEN has a fifth field `1`"),
        ] {
            assert_eq!(
                text.parse::<Setup>().err().map(|e| e.to_string()).unwrap_or_default(),
                message,
                "{text}"
            );
        }
    }
}
