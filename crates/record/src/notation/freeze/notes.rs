//! Notes on freezes: parsing and writing their text.

use crate::text::lines::one_line;
use ::freeze::{Counts, Marker};
use shogi::{Color, PieceKind};

/// The content of a note.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FreezeNote {
    /// `Freeze 先手 3回 後手 3回`, `Freeze z歩 先手 …`: before the first move.
    Start { marker: Option<Marker>, left: Counts },
    /// `z金 先手3回 後手2回`: the freeze of a move, and the remaining counts.
    Move { marker: Option<Marker>, left: Counts },
}

/// The names of each kind; the first is the one written.
const NAMES: [(PieceKind, &[&str]); 14] = [
    (PieceKind::Pawn, &["歩"]),
    (PieceKind::Lance, &["香"]),
    (PieceKind::Knight, &["桂"]),
    (PieceKind::Silver, &["銀"]),
    (PieceKind::Gold, &["金"]),
    (PieceKind::Bishop, &["角"]),
    (PieceKind::Rook, &["飛"]),
    (PieceKind::King, &["玉", "王"]),
    (PieceKind::ProPawn, &["と"]),
    (PieceKind::ProLance, &["成香", "杏"]),
    (PieceKind::ProKnight, &["成桂", "圭"]),
    (PieceKind::ProSilver, &["成銀", "全"]),
    (PieceKind::Horse, &["馬"]),
    (PieceKind::Dragon, &["龍", "竜"]),
];

/// Parses a comment after a move; text after the counts is ignored.
pub(super) fn of_comment(text: &str) -> Option<FreezeNote> {
    // Parses the form in which it would be written: other comments must not become notes.
    let text = &*one_line(text);
    if let Some(rest) = text.strip_prefix(super::INLINE) {
        return of_inline(rest.trim());
    }
    if let Some(rest) = text.strip_prefix("Freeze").and_then(spaces) {
        let (marker, rest) = match rest.strip_prefix(['z', 'Z']) {
            Some(after) => start_marker(rest, after)?,
            None => (None, rest),
        };
        return Some(FreezeNote::Start { marker, left: counts(rest)? });
    }
    let (marker, rest) = marker(text)?;
    Some(FreezeNote::Move { marker: Some(marker), left: counts(spaces(rest)?)? })
}

/// Parses the text in the brackets of a note on the line of its move.
pub(super) fn of_inline(text: &str) -> Option<FreezeNote> {
    let (marker, rest) = match marker(text) {
        Some((marker, rest)) => (Some(marker), spaces(rest)?),
        None => (None, text),
    };
    Some(FreezeNote::Move { marker, left: counts(rest)? })
}

/// `z` alone means that nothing is frozen.
fn start_marker<'a>(text: &'a str, after: &'a str) -> Option<(Option<Marker>, &'a str)> {
    match (marker(text), spaces(after)) {
        (Some((marker, rest)), _) => Some((Some(marker), spaces(rest)?)),
        (None, Some(rest)) => Some((None, rest)),
        (None, None) => None,
    }
}

fn marker(text: &str) -> Option<(Marker, &str)> {
    let name = text.strip_prefix(['z', 'Z'])?;
    let (kind, rest) = NAMES
        .iter()
        .flat_map(|(kind, names)| names.iter().map(move |known| (*kind, *known)))
        .find_map(|(kind, known)| Some((kind, name.strip_prefix(known)?)))?;
    Some((if text.starts_with('z') { Marker::Freezes(kind) } else { Marker::Under(kind) }, rest))
}

fn counts(text: &str) -> Option<Counts> {
    let (black, rest) = count(text, ["先手", "下手"])?;
    let (white, _) = count(spaces(rest)?, ["後手", "上手"])?;
    Some(Counts::new(black, white))
}

fn count<'a>(text: &'a str, sides: [&str; 2]) -> Option<(u8, &'a str)> {
    let rest = sides.iter().find_map(|side| text.strip_prefix(side))?;
    let mut rest = rest.trim_start_matches(BLANKS);
    let mut number: Option<u8> = None;
    while let Some(digit) = rest.chars().next().and_then(|c| Some((digit(c)?, c.len_utf8()))) {
        let (value, len) = digit;
        number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(value)?);
        rest = &rest[len..];
    }
    let number = number.filter(|number| *number <= Counts::MOST)?;
    Some((number, rest.strip_prefix('回').unwrap_or(rest)))
}

/// ASCII or full-width.
fn digit(c: char) -> Option<u8> {
    let value = match c {
        '0'..='9' => c as u32 - '0' as u32,
        '０'..='９' => c as u32 - '０' as u32,
        _ => return None,
    };
    u8::try_from(value).ok()
}

const BLANKS: [char; 3] = [' ', '\u{3000}', '\t'];

/// The text after at least one blank.
fn spaces(text: &str) -> Option<&str> {
    text.starts_with(BLANKS).then(|| text.trim_start_matches(BLANKS))
}

/// `z金`.
pub(in crate::notation) fn marker_text(marker: Marker) -> String {
    let (letter, kind) = match marker {
        Marker::Freezes(kind) => ('z', kind),
        Marker::Under(kind) => ('Z', kind),
    };
    let name = NAMES.iter().find(|(known, _)| *known == kind).map_or("", |(_, names)| names[0]);
    format!("{letter}{name}")
}

/// The text of a note on a move, without the form of a comment or brackets.
pub(super) fn move_text(marker: Option<Marker>, left: Counts) -> String {
    let marker = marker.map_or(String::new(), |marker| marker_text(marker) + " ");
    format!("{marker}先手{}回 後手{}回", left.of(Color::Black), left.of(Color::White))
}

/// The text of the note before the first move.
pub(super) fn start_text(marker: Option<Marker>, left: Counts) -> String {
    let marker = marker.map_or(String::new(), |marker| marker_text(marker) + " ");
    format!("Freeze {marker}先手 {}回 後手 {}回", left.of(Color::Black), left.of(Color::White))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_understood() {
        let gold = Marker::Freezes(PieceKind::Gold);
        let left = Counts::new(3, 2);
        let moved = |marker| Some(FreezeNote::Move { marker, left });
        let start = |marker| Some(FreezeNote::Start { marker, left });
        for (text, note) in [
            ("z金 先手3回 後手2回", moved(Some(gold))),
            ("z金 先手3回\u{feff}\u{feff} 後手2回", moved(Some(gold))),
            ("z金 先手3回 後手2回 (←フリーズ コメント扱い)", moved(Some(gold))),
            ("z金　下手 ３　上手２", moved(Some(gold))),
            ("Z金 先手3 後手2", moved(Some(Marker::Under(PieceKind::Gold)))),
            ("z成銀 先手3回 後手2回", moved(Some(Marker::Freezes(PieceKind::ProSilver)))),
            ("z王 先手3回 後手2回", moved(Some(Marker::Freezes(PieceKind::King)))),
            ("Freeze 先手 3回 後手 2回", start(None)),
            ("Freeze z 先手 3回 後手 2回", start(None)),
            ("Freeze z金 先手 3回 後手 2回", start(Some(gold))),
            ("Freeze 先手 x回 後手 x回", None),
            ("z金先手3回 後手2回", None),
            ("z 先手3回 後手2回", None),
            ("先手3回 後手2回", None),
            ("z金 先手300回 後手2回", None),
            ("z金", None),
            ("", None),
        ] {
            assert_eq!(of_comment(text), note, "{text}");
        }
        assert_eq!(of_inline("先手3回 後手2回"), moved(None));
        assert_eq!(of_inline(" 0:00/00:00:00"), None);
    }

    #[test]
    fn what_is_written_is_read() {
        for kind in PieceKind::ALL {
            for marker in [Marker::Freezes(kind), Marker::Under(kind)] {
                let left = Counts::new(10, 0);
                let marker = Some(marker);
                assert_eq!(of_comment(&move_text(marker, left)), Some(FreezeNote::Move { marker, left }));
                assert_eq!(of_comment(&start_text(marker, left)), Some(FreezeNote::Start { marker, left }));
            }
        }
    }
}
