//! The formats: detection, readers and writers.

pub mod analysis;
pub(crate) mod csa;
pub(crate) mod games;
pub(crate) mod jkf;
pub(crate) mod kif;
pub(crate) mod read;
pub(crate) mod show;
pub(crate) mod spoken;
pub(crate) mod usen;
pub(crate) mod usi;
pub(crate) mod write;

use crate::text::encoding::{Encoding, LineEnd};
use crate::text::lines::lines;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A format of game records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Numbered moves in Japanese: `1 ７六歩(77)`.
    Kif,
    /// Moves as people say them: `▲７六歩`.
    Ki2,
    /// The computer shogi association's: `+7776FU`, version 2.2.
    Csa,
    /// Version 3 of the same.
    Csa3,
    /// JSON.
    Jkf,
    /// `startpos moves …`, one game to a line.
    Usi,
    /// The form for web addresses.
    Usen,
    /// A diagram without moves.
    Bod,
}

/// Name, usual extensions (the first is the one we write), and the encoding that other readers expect.
#[rustfmt::skip]
const TABLE: [(Format, &str, &[&str], Encoding, LineEnd); 8] = [
    (Format::Kif,  "kif",  &["kif", "kifu"], Encoding::ShiftJis, LineEnd::CrLf),
    (Format::Ki2,  "ki2",  &["ki2", "ki2u"], Encoding::ShiftJis, LineEnd::CrLf),
    (Format::Csa,  "csa",  &["csa"],         Encoding::Utf8,     LineEnd::Lf),
    (Format::Csa3, "csa3", &["csa"],         Encoding::Utf8,     LineEnd::Lf),
    (Format::Jkf,  "jkf",  &["jkf", "json"], Encoding::Utf8,     LineEnd::Lf),
    (Format::Usi,  "usi",  &["usi", "sfen"], Encoding::Utf8,     LineEnd::Lf),
    (Format::Usen, "usen", &["usen"],        Encoding::Utf8,     LineEnd::Lf),
    (Format::Bod,  "bod",  &["bod"],         Encoding::ShiftJis, LineEnd::CrLf),
];

impl Format {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Kif, Self::Ki2, Self::Csa, Self::Csa3, Self::Jkf, Self::Usi, Self::Usen, Self::Bod];

    fn row(self) -> &'static (Self, &'static str, &'static [&'static str], Encoding, LineEnd) {
        &TABLE[self as usize]
    }

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The extension of file names in this format and encoding, without the dot.
    #[must_use]
    pub fn extension(self, encoding: Encoding) -> &'static str {
        match (self, encoding) {
            (Self::Kif | Self::Ki2, Encoding::Utf8 | Encoding::Utf8Bom) => self.row().2[1],
            _ => self.row().2[0],
        }
    }

    /// The format suggested by the extension of a file name.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        let is_known = |known: &&str| extension.eq_ignore_ascii_case(known);
        TABLE.iter().find(|row| row.2.iter().any(is_known)).map(|row| row.0)
    }

    /// The encoding that most readers expect. For KIF and KI2 it is Shift_JIS by tradition.
    #[must_use]
    pub fn usual_encoding(self) -> Encoding {
        self.row().3
    }

    /// The line end that most readers expect.
    #[must_use]
    pub fn usual_line_end(self) -> LineEnd {
        self.row().4
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown name of a format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected kif, ki2, csa, csa3, jkf, usi, usen or bod")]
pub struct ParseFormatError;

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, ParseFormatError> {
        let name = text.to_ascii_lowercase();
        let named =
            |row: &&(Self, &str, &[&str], Encoding, LineEnd)| row.1 == name || row.2.contains(&name.as_str());
        TABLE.iter().find(named).map(|row| row.0).ok_or(ParseFormatError)
    }
}

/// Detects the format of a text by its content; `promised` (from the file name) breaks ties.
///
/// ```
/// use record::{Format, detect};
/// assert_eq!(detect("PI\n+\n+7776FU\n", None), Some(Format::Csa));
/// assert_eq!(detect("手合割：平手\n▲７六歩\n", None), Some(Format::Ki2));
/// ```
#[must_use]
pub fn detect(text: &str, promised: Option<Format>) -> Option<Format> {
    if csa::server_mark(text).is_some() {
        return Some(Format::Csa);
    }
    let first = lines(text).map(str::trim).find(|line| !line.is_empty())?;
    if first.starts_with(['{', '[']) {
        return Some(Format::Jkf);
    }
    if usen::looks_like(first) {
        return Some(Format::Usen);
    }
    if usi::looks_like(first) {
        return Some(Format::Usi);
    }
    let seen = Seen::in_text(text);
    let kakinoki = seen.kakinoki();
    if seen.csa > kakinoki {
        return Some(Format::Csa);
    }
    match promised {
        Some(Format::Kif | Format::Bod) if seen.spoken <= seen.numbered && kakinoki > 0 => return promised,
        Some(Format::Ki2) if seen.numbered <= seen.spoken && kakinoki > 0 => return promised,
        _ => {}
    }
    if seen.spoken > seen.numbered {
        Some(Format::Ki2)
    } else if seen.numbered > 0 {
        Some(Format::Kif)
    } else if seen.diagram > seen.fields {
        Some(Format::Bod)
    } else if kakinoki > 0 {
        // Without moves only the ending decides: KI2 has only this line, KIF has a title above the moves.
        Some(if seen.until && !seen.title { Format::Ki2 } else { Format::Kif })
    } else {
        promised
    }
}

/// Number of lines of each kind at the beginning of a text.
#[derive(Default)]
struct Seen {
    numbered: usize,
    spoken: usize,
    diagram: usize,
    fields: usize,
    csa: usize,
    /// A line `まで…`.
    until: bool,
    /// The line above the moves of KIF.
    title: bool,
}

/// Limits of the lines and moves examined.
const ENOUGH_LINES: usize = 400;
const ENOUGH_MOVES: usize = 4;

impl Seen {
    /// The number of lines that indicate KIF, KI2 or BOD.
    fn kakinoki(&self) -> usize {
        self.numbered + self.spoken + self.diagram + self.fields
    }

    fn in_text(text: &str) -> Self {
        let mut seen = Self::default();
        for line in lines(text).take(ENOUGH_LINES) {
            if is_csa(line) {
                seen.csa += 1;
                if seen.csa > ENOUGH_LINES / 20 + seen.kakinoki() {
                    break;
                }
            } else if kif::is_move_line(line) {
                let numbered = line.trim_start().starts_with(|c: char| c.is_ascii_digit());
                *(if numbered { &mut seen.numbered } else { &mut seen.spoken }) += 1;
                if seen.kakinoki() > seen.csa && seen.numbered.abs_diff(seen.spoken) >= ENOUGH_MOVES {
                    break;
                }
            } else if line.starts_with('|') {
                seen.diagram += 1;
            } else {
                seen.words(line);
            }
        }
        seen
    }

    /// Counts a line that is neither CSA nor a move.
    fn words(&mut self, line: &str) {
        if is_hand(line.trim_start()) || line.starts_with("手数＝") {
            self.diagram += 1;
        } else if has_wide_colon(line) || line.starts_with("まで") || line.starts_with("手数-") {
            self.fields += 1;
            self.until |= line.starts_with("まで");
            self.title |= line.starts_with("手数-");
        }
    }
}

/// Whether a line contains ：, as fields do.
fn has_wide_colon(line: &str) -> bool {
    const COLON: [u8; 3] = *b"\xef\xbc\x9a";
    let bytes = line.as_bytes();
    memchr::memchr_iter(COLON[0], bytes).any(|first| bytes[first..].starts_with(&COLON))
}

/// `先手の持駒：…`, or of any other side.
fn is_hand(line: &str) -> bool {
    let side = '先'.len_utf8();
    line.as_bytes().get(side..).is_some_and(|rest| rest.starts_with("手の持駒".as_bytes()))
}

fn is_csa(line: &str) -> bool {
    match line.as_bytes() {
        [b'+' | b'-', square @ ..] if square.len() >= 6 => square[..4].iter().all(u8::is_ascii_digit),
        [b'$', b'A'..=b'Z', ..] => line.contains(':'),
        [b'+' | b'-']
        | [b'P', b'1'..=b'9' | b'+' | b'-' | b'I', ..]
        | [b'V' | b'T', b'0'..=b'9', ..]
        | [b'N', b'+' | b'-', ..]
        | [b'%', b'A'..=b'Z' | b'+' | b'-', ..]
        | [b'\'', ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        for format in Format::ALL {
            assert_eq!(format.row().0, format);
            assert_eq!(format.name().parse(), Ok(format));
        }
        assert_eq!("ki2u".parse(), Ok(Format::Ki2));
        assert_eq!("pgn".parse::<Format>(), Err(ParseFormatError));
        assert_eq!(Format::of_path(Path::new("a/b.KIFU")), Some(Format::Kif));
        assert_eq!(Format::Kif.extension(Encoding::Utf8), "kifu");
        assert_eq!(Format::Kif.extension(Encoding::ShiftJis), "kif");
    }

    #[test]
    fn contents_tell() {
        for (text, format) in [
            ("", None),
            ("hello\nworld", None),
            (" {\"header\":{},\"moves\":[{}]}", Some(Format::Jkf)),
            ("~0.6y2.", Some(Format::Usen)),
            ("position startpos", Some(Format::Usi)),
            ("4k4/9/9/9/9/9/9/9/4K4 w G 1", Some(Format::Usi)),
            ("'comment\nV2.2\nPI\n+\n", Some(Format::Csa)),
            ("#KIF version=2.0\n先手：a\n手合割：平手\n   1 ７六歩(77)\n*+7776FU\n", Some(Format::Kif)),
            ("先手：a\n後手：b\n\n▲７六歩 △３四歩\nまで2手で後手の勝ち\n", Some(Format::Ki2)),
            ("後手の持駒：なし\n+---+\n| ・ ・|一\n+---+\n先手の持駒：なし\n", Some(Format::Bod)),
            ("先手：a\n後手：b\n", Some(Format::Kif)),
            ("先手：a\n手数----指手--\nまで0手で中断\n", Some(Format::Kif)),
            ("先手：a\nまで0手で中断\n", Some(Format::Ki2)),
        ] {
            assert_eq!(detect(text, None), format, "{text}");
        }
        assert_eq!(detect("先手：a\n", Some(Format::Ki2)), Some(Format::Ki2));
        assert_eq!(detect("hello", Some(Format::Csa)), Some(Format::Csa));
    }
}
