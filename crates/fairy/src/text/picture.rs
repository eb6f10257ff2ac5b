//! Boards as text for people.

use crate::board::kind::{Form, Kind, Piece};
use crate::board::square::Square;
use crate::definition::piece::PieceId;
use crate::position::{Position, hand_kinds};
use crate::variant::Variant;
use game::{Color, Script};
use std::fmt::Write;

/// Kanji of pieces, unpromoted and promoted.
const KANJI: [(&str, &str, &str); 11] = [
    ("shogiPawn", "歩", "と"),
    ("lance", "香", "杏"),
    ("shogiKnight", "桂", "圭"),
    ("silver", "銀", "全"),
    ("gold", "金", "金"),
    ("bishop", "角", "馬"),
    ("rook", "飛", "龍"),
    ("bers", "龍", "龍"),
    ("dragonHorse", "馬", "馬"),
    ("king", "玉", "玉"),
    ("commoner", "玉", "玉"),
];

/// The board with hands and side to move, files and ranks named as in moves.
pub(crate) fn draw(position: &Position, script: Script) -> String {
    let variant = &**position.variant();
    let rules = &variant.rules;
    let mut text = String::new();
    let _ = writeln!(text, "{}: {}", variant.name(), hand(position, Color::White));
    for column in (0..rules.files).rev() {
        let _ = write!(text, "{:>3}", column + 1);
    }
    text.push('\n');
    for row in 0..rules.ranks {
        for column in (0..rules.files).rev() {
            let piece = Square::at(column, row).and_then(|square| position.piece_at(square));
            text += &cell(variant, piece, script);
        }
        let _ = writeln!(text, " {}", char::from(b'a' + row));
    }
    let _ = writeln!(text, "{}", hand(position, Color::Black));
    let _ = write!(text, "{} to move", game::Position::side(position));
    text
}

fn cell(variant: &Variant, piece: Option<Piece>, script: Script) -> String {
    let Some(piece) = piece else {
        return if script == Script::Kanji { " ・".to_owned() } else { "  .".to_owned() };
    };
    if script == Script::Kanji
        && let Some(kanji) = kanji(variant, piece.form())
    {
        return format!("{}{kanji}", if piece.color() == Color::Black { ' ' } else { 'v' });
    }
    format!("{:>3}", piece.text())
}

/// The kanji of a piece that exists in shogi.
pub(crate) fn kanji(variant: &Variant, form: Form) -> Option<&'static str> {
    let name = variant.piece_name(form.origin())?;
    let (_, plain, promoted) = KANJI.iter().find(|(known, ..)| *known == name)?;
    Some(if form.is_promoted() { promoted } else { plain })
}

fn hand(position: &Position, color: Color) -> String {
    let mut text = format!("{color} has");
    for kind in hand_kinds(position.variant()) {
        match position.in_hand(color, kind) {
            0 => {}
            1 => drop(write!(text, " {}", kind.letter(color))),
            count => drop(write!(text, " {count}{}", kind.letter(color))),
        }
    }
    if text.ends_with("has") { text + " nothing in hand" } else { text + " in hand" }
}

impl Variant {
    /// The file's name of a kind.
    pub(crate) fn piece_name(&self, kind: Kind) -> Option<String> {
        let letter = kind.index() as u8;
        PieceId::all().find(|piece| self.rules.letter(*piece) == Some(letter)).map(PieceId::name)
    }
}
