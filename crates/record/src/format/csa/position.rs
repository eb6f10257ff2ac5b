//! Pieces and start positions of CSA.

use crate::ReadError;
use crate::text::kanji::square;
use shogi::{Color, File, Hand, HandPiece, Handicap, Piece, PieceKind, Rank, Setup, Square};
use std::fmt::Write;

const NAMES: [(&str, PieceKind); 14] = [
    ("FU", PieceKind::Pawn),
    ("KY", PieceKind::Lance),
    ("KE", PieceKind::Knight),
    ("GI", PieceKind::Silver),
    ("KI", PieceKind::Gold),
    ("KA", PieceKind::Bishop),
    ("HI", PieceKind::Rook),
    ("OU", PieceKind::King),
    ("TO", PieceKind::ProPawn),
    ("NY", PieceKind::ProLance),
    ("NK", PieceKind::ProKnight),
    ("NG", PieceKind::ProSilver),
    ("UM", PieceKind::Horse),
    ("RY", PieceKind::Dragon),
];

/// The kind with this two-letter name.
pub(crate) fn kind_of(name: &str) -> Option<PieceKind> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}

/// Its two-letter name.
pub(crate) fn name_of(kind: PieceKind) -> &'static str {
    NAMES.iter().find(|(_, k)| *k == kind).map_or("", |(name, _)| name)
}

fn color_of(sign: u8) -> Option<Color> {
    match sign {
        b'+' => Some(Color::Black),
        b'-' => Some(Color::White),
        _ => None,
    }
}

/// Accumulates the start position from the lines `PI`, `P1…`, `P+…`, `P-…`.
pub(super) struct Start {
    pub setup: Setup,
    /// Whether any such line has been read.
    pub given: bool,
}

impl Default for Start {
    fn default() -> Self {
        Self { setup: Setup::EMPTY, given: false }
    }
}

impl Start {
    /// Reads a line that begins with `P`; returns false if it is none of these.
    pub fn line(&mut self, text: &str, line: usize) -> Result<bool, ReadError> {
        let bytes = text.as_bytes();
        let wrong = |expected| ReadError::line(line, expected, text);
        match bytes.get(1) {
            Some(b'I') => {
                self.even_without(&text[2..]).ok_or_else(|| wrong("PI and squares such as 82HI22KA"))?;
            }
            Some(rank @ b'1'..=b'9') => {
                let rank = Rank::ALL[usize::from(rank - b'1')];
                self.row(rank, &text[2..]).ok_or_else(|| wrong("nine squares such as -KY or  * "))?;
            }
            Some(sign @ (b'+' | b'-')) => {
                let color = if *sign == b'+' { Color::Black } else { Color::White };
                self.pieces(color, &text[2..]).ok_or_else(|| wrong("pieces such as 59OU or 00FU"))?;
            }
            _ => return Ok(false),
        }
        self.given = true;
        Ok(true)
    }

    fn even_without(&mut self, squares: &str) -> Option<()> {
        self.setup = Setup { side: self.setup.side, ..Handicap::Even.setup() };
        for four in chunks(squares)? {
            let (file, rank) = (four.as_bytes()[0].wrapping_sub(b'0'), four.as_bytes()[1].wrapping_sub(b'0'));
            self.setup.board[square(file, rank)?.index()] = None;
        }
        Some(())
    }

    /// Blanks only separate, because they may have been lost (mail, web pages).
    fn row(&mut self, rank: Rank, text: &str) -> Option<()> {
        let mut rest = text.trim_start();
        for file in File::ALL.into_iter().rev() {
            let square = Square::new(file, rank);
            let piece = match rest.as_bytes().first() {
                None => None,
                Some(b'*') => {
                    rest = &rest[1..];
                    None
                }
                Some(sign) => {
                    let color = color_of(*sign)?;
                    let kind = kind_of(rest.get(1..3)?)?;
                    rest = &rest[3..];
                    Some(Piece::new(color, kind))
                }
            };
            self.setup.board[square.index()] = piece;
            rest = rest.trim_start();
        }
        // Some files end a row with a dot instead of a blank.
        rest.trim_end_matches('.').is_empty().then_some(())
    }

    fn pieces(&mut self, color: Color, text: &str) -> Option<()> {
        for four in chunks(text)? {
            let (place, name) = four.split_at(2);
            if name == "AL" {
                return self.all_others(color);
            }
            let kind = kind_of(name)?;
            if place == "00" {
                self.hold(color, kind.to_hand().filter(|_| !kind.is_promoted())?, 1)?;
            } else {
                let (file, rank) =
                    (place.as_bytes()[0].wrapping_sub(b'0'), place.as_bytes()[1].wrapping_sub(b'0'));
                self.setup.board[square(file, rank)?.index()] = Some(Piece::new(color, kind));
            }
        }
        Some(())
    }

    fn hold(&mut self, color: Color, piece: HandPiece, count: u32) -> Option<()> {
        let hand = &mut self.setup.hands[color.index()];
        for _ in 0..count {
            if hand.count(piece) == Hand::max_count(piece) {
                return None;
            }
            hand.add(piece);
        }
        Some(())
    }

    /// `00AL`: the rest of a full set.
    fn all_others(&mut self, color: Color) -> Option<()> {
        for piece in HandPiece::ALL {
            let on_board =
                self.setup.pieces().filter(|(_, p)| p.kind().to_hand() == Some(piece)).count() as u32;
            let held: u32 = self.setup.hands.iter().map(|hand| hand.count(piece)).sum();
            self.hold(color, piece, piece.set_size().saturating_sub(on_board + held))?;
        }
        Some(())
    }
}

/// Splits into pieces of four ASCII characters; ignores a shorter rest.
fn chunks(text: &str) -> Option<impl Iterator<Item = &str>> {
    let text = text.trim_end();
    text.is_ascii().then(|| (0..text.len() / 4).map(move |i| &text[i * 4..i * 4 + 4]))
}

/// The lines of a start position, the side to move last.
pub(super) fn write_start(out: &mut String, setup: &Setup, end: &str) {
    let even = Handicap::Even.setup();
    let removed: Option<Vec<Square>> = (setup.hands == even.hands)
        .then(|| {
            let differing = Square::all().filter(|s| setup.piece_at(*s) != even.piece_at(*s));
            differing.map(|s| setup.piece_at(s).is_none().then_some(s)).collect()
        })
        .flatten();
    match removed {
        // With more than ten missing pieces it is a diagram rather than a handicap.
        Some(removed) if removed.len() <= 10 => {
            out.push_str("PI");
            for square in removed {
                let name = even.piece_at(square).map_or("", |p| name_of(p.kind()));
                let _ = write!(out, "{}{}{name}", square.file() as u8 + 1, square.rank() as u8 + 1);
            }
            out.push_str(end);
        }
        _ => write_diagram(out, setup, end),
    }
    out.push(sign(setup.side));
    out.push_str(end);
}

/// The position as the lines of a CSA file, all pieces written out, the side to move last.
///
/// ```
/// let text = record::csa_position(&shogi::Handicap::Even.setup());
/// assert!(text.starts_with("P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n") && text.ends_with("\nP+\nP-\n+\n"));
/// ```
#[must_use]
pub fn csa_position(setup: &Setup) -> String {
    let mut text = String::new();
    write_diagram(&mut text, setup, "\n");
    text.push(sign(setup.side));
    text.push('\n');
    text
}

/// The nine rows and both hands.
pub(crate) fn write_diagram(out: &mut String, setup: &Setup, end: &str) {
    for rank in Rank::ALL {
        let _ = write!(out, "P{}", rank as u8 + 1);
        for file in File::ALL.into_iter().rev() {
            match setup.piece_at(Square::new(file, rank)) {
                None => out.push_str(" * "),
                Some(piece) => {
                    out.push(sign(piece.color()));
                    out.push_str(name_of(piece.kind()));
                }
            }
        }
        out.push_str(end);
    }
    for color in Color::ALL {
        let _ = write!(out, "P{}", sign(color));
        for piece in HandPiece::SFEN_ORDER {
            for _ in 0..setup.hands[color.index()].count(piece) {
                let _ = write!(out, "00{}", name_of(piece.kind()));
            }
        }
        out.push_str(end);
    }
}

pub(super) fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, ReadError> {
        let mut start = Start::default();
        for (i, line) in text.lines().enumerate() {
            start.line(line, i + 1)?;
        }
        Ok(start.setup.to_string())
    }

    #[test]
    fn starts_read_back() {
        for sfen in [
            shogi::STARTPOS_SFEN,
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "8k/2rrl4/2n2ln2/g3pp2p/3l4n/2lp5/g5p2/9/7+p1 b 2B2GN4s12p 1",
        ] {
            let mut text = String::new();
            write_start(&mut text, &sfen.parse().unwrap(), "\n");
            assert_eq!(read(text.trim_end_matches(['+', '-', '\n'])).as_deref(), Ok(sfen), "{text}");
        }
    }

    #[test]
    fn lost_blanks_and_all_others() {
        let text = "P1-KY * * * * * * *-OU\nP2 *  *  *\nP3 *  *  *  *  *  *  *  *  *.\nP-00AL";
        assert_eq!(read(text).as_deref(), Ok("l7k/9/9/9/9/9/9/9/9 b 2r2b4g4s4n3l18p 1"));
        assert!(read("P1-KY-XX").is_err());
        assert!(read("P+00OU").is_err());
        assert!(read("P+99XX").is_err());
        assert!(read("P1 * * * * * * * * * *").is_err());
    }
}
