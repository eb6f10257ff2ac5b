//! Classifies the lines of KIF and KI2 files.

use crate::format::spoken::{is_mark, skip_wide_blanks};
use crate::model::header::Field;
use crate::text::lines::skip_blanks;
use shogi::Color;

/// A line, parsed as far as possible without a board.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Line<'a> {
    /// For programs: `# …`
    Remark(&'a str),
    /// `手合割：平手`
    Handicap(&'a str),
    /// `先手の持駒：…`
    Hand(Color, &'a str),
    /// `| ・v歩 … |一`
    Row(&'a str),
    /// `後手番`
    Turn(Color),
    /// `手数＝34 …`: how many moves were played before the diagram.
    Played(u32),
    /// `  12 ７六歩(77) …`: the number and what follows it.
    Numbered(u32, &'a str),
    /// `▲７六歩 △３四歩 …`
    Spoken(&'a str),
    /// `変化：12手`
    Branch(Option<u32>),
    /// `*…`
    Comment(&'a str),
    /// `&…`
    Bookmark(&'a str),
    /// `まで12手で…`: what follows the number.
    Until(&'a str),
    /// `開始日時：…`
    Field(&'a str, &'a str),
    /// Frames and column titles.
    Decoration,
    /// None of these.
    Unknown,
}

const BLANKS: [char; 3] = [' ', '\u{3000}', '\t'];

fn strip_colon(text: &str) -> Option<&str> {
    text.strip_prefix(['：', ':'])
}

/// The number at the start and the rest; saturates.
fn leading_number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| (text[..end].parse().unwrap_or(u32::MAX), &text[end..]))
}

/// `  12 …`, the beginning of a move line in KIF; the number saturates.
fn numbered(line: &[u8]) -> Option<(u32, &[u8])> {
    let digits = skip_blanks(line);
    let (mut number, mut rest) = (0u32, digits);
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        number = number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
        rest = after;
    }
    let behind = skip_blanks(rest);
    let count = digits.len() - rest.len();
    if count == 0 || behind.len() == rest.len() {
        return None;
    }
    Some((if count > 9 { u32::MAX } else { number }, behind))
}

/// All marks share their first byte.
#[inline]
fn begins_with_mark(line: &str) -> bool {
    line.as_bytes().first() == Some(&0xe2) && line.starts_with(is_mark)
}

/// Whether a line is one of numbered or spoken moves.
pub(crate) fn is_move_line(line: &str) -> bool {
    numbered(line.as_bytes()).is_some() || begins_with_mark(skip_wide_blanks(line))
}

const SIDES: [(&str, Color); 4] =
    [("先手", Color::Black), ("下手", Color::Black), ("後手", Color::White), ("上手", Color::White)];

fn of_a_side(line: &str) -> Option<Line<'_>> {
    let (side, rest) = SIDES.iter().find_map(|(word, side)| Some((*side, line.strip_prefix(word)?)))?;
    if let Some(hand) =
        rest.strip_prefix("の持駒").or_else(|| rest.strip_prefix("の持ち駒")).and_then(strip_colon)
    {
        return Some(Line::Hand(side, hand));
    }
    rest.starts_with('番').then_some(Line::Turn(side))
}

/// Whether a line other than a move occurs only in records.
pub(crate) fn is_of_records(line: &str) -> bool {
    match classify(line) {
        Line::Handicap(_) | Line::Hand(..) | Line::Turn(_) | Line::Played(_) | Line::Until(_) => true,
        Line::Remark(text) => text.trim_start().starts_with("KIF"),
        Line::Row(row) => row.contains('・'),
        Line::Decoration => line.starts_with("手数-"),
        Line::Field(name, _) => Field::is_known(name),
        _ => false,
    }
}

/// Whether a line is a field of a header, with any name; excludes lines of web pages and programs.
pub(crate) fn is_any_field(line: &str) -> bool {
    matches!(classify(line), Line::Field(name, _) if !name.contains(['<', '"', '{', '=', '\u{fffd}']))
        && line.contains('：')
}

/// Classifies a line.
pub(crate) fn classify(line: &str) -> Line<'_> {
    match line.as_bytes() {
        [b'#', ..] => Line::Remark(&line[1..]),
        [b'*', ..] => Line::Comment(&line[1..]),
        [b'&', ..] => Line::Bookmark(&line[1..]),
        [b'|', ..] => Line::Row(line),
        [b'+', ..] | [] => Line::Decoration,
        bytes => match numbered(bytes) {
            Some((number, rest)) => Line::Numbered(number, &line[line.len() - rest.len()..]),
            None => in_words(line),
        },
    }
}

/// Classifies a line that begins with a word.
fn in_words(line: &str) -> Line<'_> {
    let known = match line.chars().next() {
        Some('変') => branch(line),
        Some('ま') => line.strip_prefix("まで").map(|rest| Line::Until(until(rest))),
        Some('手') => of_moves(line),
        Some('先' | '下' | '後' | '上') => of_a_side(line),
        _ => indented(line),
    };
    known.or_else(|| field(line)).unwrap_or_else(|| {
        let trimmed = skip_wide_blanks(line);
        if trimmed.starts_with('９') || trimmed.is_empty() { Line::Decoration } else { Line::Unknown }
    })
}

/// Moves and branches may be indented.
fn indented(line: &str) -> Option<Line<'_>> {
    let trimmed = skip_wide_blanks(line);
    if begins_with_mark(trimmed) { Some(Line::Spoken(trimmed)) } else { branch(trimmed) }
}

/// `変化：12手`
fn branch(line: &str) -> Option<Line<'_>> {
    let rest = line.strip_prefix("変化").and_then(strip_colon)?;
    Some(Line::Branch(leading_number(rest.trim_start_matches(BLANKS)).map(|(number, _)| number)))
}

/// `手合割：平手`, `手数＝34`, `手数----指手--`
fn of_moves(line: &str) -> Option<Line<'_>> {
    if let Some(name) = line.strip_prefix("手合割").and_then(strip_colon) {
        return Some(Line::Handicap(name.trim()));
    }
    let rest = line.strip_prefix("手数")?;
    if let Some(count) = rest.strip_prefix(['＝', '=']) {
        let count = crate::text::kanji::number(count.trim_start_matches(BLANKS)).map_or(0, |(n, _)| n);
        return Some(Line::Played(count));
    }
    rest.starts_with(['-', '－']).then_some(Line::Decoration)
}

/// Removes `、12手で` from the text after `まで`.
fn until(text: &str) -> &str {
    let text = text.strip_prefix('、').unwrap_or(text);
    match leading_number(text) {
        Some((_, rest)) => rest.strip_prefix("手で").unwrap_or(text),
        None => text,
    }
}

/// `開始日時：…`: a name without blanks, a colon of any width, and the rest.
fn field(line: &str) -> Option<Line<'_>> {
    let mut rest = line.as_bytes();
    loop {
        rest = match rest {
            [b':' | b' ', ..] | [0xef, 0xbc, 0x9a, ..] => break,
            // The shortest possible beginning of such a line.
            [0xe0..=0xff, _, _, after @ ..] | [_, after @ ..] => after,
            [] => return None,
        }
    }
    let at = line.len() - rest.len();
    let value = strip_colon(&line[at..])?;
    (at > 0).then_some(Line::Field(&line[..at], value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_share_their_first_byte() {
        assert!(('\0'..=char::MAX).filter(|c| is_mark(*c)).all(|c| begins_with_mark(&c.to_string())));
    }

    #[test]
    fn lines_of_every_kind() {
        for (text, line) in [
            ("# KIF形式", Line::Remark(" KIF形式")),
            ("手合割：香落ち　　", Line::Handicap("香落ち")),
            ("手合割:平手", Line::Handicap("平手")),
            ("下手の持駒：飛　歩二", Line::Hand(Color::Black, "飛　歩二")),
            ("上手の持ち駒：なし", Line::Hand(Color::White, "なし")),
            ("先手持駒：飛二 角", Line::Field("先手持駒", "飛二 角")),
            ("後手番", Line::Turn(Color::White)),
            ("手数＝94 △８八金(78) まで", Line::Played(94)),
            ("手数＝十二　まで", Line::Played(12)),
            ("手数----指手---------消費時間--", Line::Decoration),
            ("手数：49手", Line::Field("手数", "49手")),
            ("  ９ ８ ７ ６ ５ ４ ３ ２ １", Line::Decoration),
            ("+---------------------------+", Line::Decoration),
            ("   1 ７六歩(77)   ( 0:01/00:00:01)", Line::Numbered(1, "７六歩(77)   ( 0:01/00:00:01)")),
            ("99999999999 投了", Line::Numbered(u32::MAX, "投了")),
            ("　▲７六歩", Line::Spoken("▲７六歩")),
            ("変化：12手", Line::Branch(Some(12))),
            ("変化: 3手", Line::Branch(Some(3))),
            ("変化：", Line::Branch(None)),
            ("*comment", Line::Comment("comment")),
            ("&mark", Line::Bookmark("mark")),
            ("まで79手で先手の勝ち", Line::Until("先手の勝ち")),
            ("まで、79手で中断", Line::Until("中断")),
            ("まで49手詰", Line::Until("49手詰")),
            ("開始日時：2020/01/01 10:00", Line::Field("開始日時", "2020/01/01 10:00")),
            ("Web Page：(Web Page)", Line::Unknown),
            ("：x", Line::Unknown),
            ("　変化：12手", Line::Branch(Some(12))),
            (" まで12手", Line::Unknown),
            ("変化", Line::Unknown),
            ("変な名：x：y", Line::Field("変な名", "x：y")),
            ("先手：a", Line::Field("先手", "a")),
            ("手番：a", Line::Field("手番", "a")),
            ("手合", Line::Unknown),
            ("𠮷野：a", Line::Field("𠮷野", "a")),
            ("é：a", Line::Field("é", "a")),
            ("まで", Line::Until("")),
            ("　", Line::Decoration),
            ("", Line::Decoration),
        ] {
            assert_eq!(classify(text), line, "{text}");
        }
    }
}
