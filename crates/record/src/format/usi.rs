//! USI lines: `position …`, `startpos moves …`, bare SFENs, lists of moves, and web addresses that contain them.

use crate::model::error::quote;
use crate::model::record::{Cursor, Told};
use crate::{Ending, Fault, FaultReason, ReadError, Record, Step};
use shogi::{Handicap, Move, Origin, Setup, Square};
use std::fmt::{Display, Write};

/// Reads the first line that is not empty.
pub(crate) fn read(text: &str) -> Result<Told, ReadError> {
    let (index, line) = crate::text::lines::lines(text)
        .enumerate()
        .find(|(_, line)| !line.trim().is_empty())
        .ok_or(ReadError::Unrecognised)?;
    match from_address(line.trim()) {
        Some(inner) => read_line(index + 1, &inner),
        None => read_line(index + 1, line.trim()),
    }
}

/// Whether a line can be read as USI.
pub(crate) fn looks_like(line: &str) -> bool {
    let first = line.split_ascii_whitespace().next().unwrap_or_default();
    let slashes = memchr::memchr_iter(b'/', line.as_bytes()).count();
    ["position", "sfen", "startpos", "moves"].contains(&first)
        || (slashes >= 8 && is_position(line, first))
        || first.parse::<Move>().is_ok()
        || (slashes >= 2 && line.contains("://") && from_address(line).is_some())
}

/// Whether a line begins with the nine ranks of an SFEN.
fn is_position(line: &str, first: &str) -> bool {
    let ranks = first.bytes().filter(|b| *b == b'/').count() == 8;
    line.parse::<Setup>().is_ok() || (ranks && line.contains(" moves"))
}

fn read_line(number: usize, line: &str) -> Result<Told, ReadError> {
    // Lists of games have notes behind `#`, which no move and no SFEN contains.
    let line = line.split_once(" #").map_or(line, |(line, _)| line);
    let rest = line.strip_prefix("position").map_or(line, str::trim_start);
    let (start, moves) = split(rest);
    let setup = match start.trim() {
        "" | "startpos" => Handicap::Even.setup(),
        sfen => sfen.strip_prefix("sfen").unwrap_or(sfen).parse()?,
    };
    let mut cursor = Cursor::new(Record::new(setup));
    let mut faults = Vec::new();
    for word in moves.split_ascii_whitespace() {
        let reason = match (Ending::from_usi(word), word.parse::<Move>()) {
            (Some(ending), _) => {
                cursor.append(Step::End(ending));
                break;
            }
            (None, Ok(m)) if cursor.append(Step::Move(m)) => continue,
            (None, Ok(_)) => FaultReason::NoPiece,
            (None, Err(_)) => FaultReason::NotAMove,
        };
        let ply = cursor.ply() + 1;
        faults.push(Fault { line: Some(number), ply, text: quote(word), reason });
        break;
    }
    Ok(cursor.told(faults))
}

/// Splits at the word `moves`, or before the first word if that is a move.
fn split(text: &str) -> (&str, &str) {
    let first = text.split_ascii_whitespace().next().unwrap_or_default();
    if first.parse::<Move>().is_ok() {
        return ("", text);
    }
    let at = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    match text.split_ascii_whitespace().find(|word| *word == "moves") {
        Some(word) => (&text[..at(word)], &text[at(word) + word.len()..]),
        None => (text, ""),
    }
}

/// The USI line inside the address of a web board: `?sfen=…`, `?body=…`, or `?xbody=` in base64.
fn from_address(line: &str) -> Option<String> {
    let value = |name: &str| {
        let at = line.find(&format!("?{name}=")).or_else(|| line.find(&format!("&{name}=")))?;
        line[at + name.len() + 2..].split(['&', '#']).next()
    };
    if let Some(text) = value("xbody") {
        return String::from_utf8(base64(text)?).ok();
    }
    let text = value("sfen")
        .or_else(|| value("body"))
        .or_else(|| line.split_once("/positions/").map(|(_, sfen)| sfen))?;
    Some(percent(text))
}

/// Decodes `%2F`, and the substitutes of blanks and slashes: `_`, and `+` if there are no blanks.
fn percent(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let hex = |at: usize| tail.get(at).and_then(|b| (*b as char).to_digit(16));
        match (first, hex(0), hex(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &tail[2..];
                continue;
            }
            (b'_', ..) if !text.contains('/') && !text.contains("%2F") && !text.contains("%2f") => {
                bytes.push(b'/');
            }
            (b'_', ..) => bytes.push(b' '),
            _ => bytes.push(first),
        }
        rest = tail;
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if text.contains(' ') { text } else { text.replace('+', " ") }
}

/// URL-safe (or ordinary) base64, padded or not.
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut held) = (0u32, 0);
    for byte in text.bytes().filter(|b| *b != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'-' | b'+' => 62,
            b'_' | b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(out)
}

/// `startpos moves …` or `sfen … moves …`, followed by the ending if `with_ending` and USI has a word for it.
pub(crate) fn write_line(record: &Record, with_ending: bool) -> String {
    let ending = record.ending().and_then(Ending::usi).filter(|_| with_ending);
    let mut line = start_text(&record.start).into_bytes();
    line.reserve(" moves".len() + (record.tree.len() + 1) * LONGEST_MOVE);
    let bare = line.len();
    for m in record.moves() {
        if line.len() == bare {
            line.extend_from_slice(b" moves");
        }
        push_move(&mut line, m);
    }
    if let Some(word) = ending {
        line.extend_from_slice(if line.len() == bare { b" moves " } else { b" " });
        line.extend_from_slice(word.as_bytes());
    }
    String::from_utf8(line).expect("words are text, and moves are ASCII")
}

/// ` 8h2b+`
const LONGEST_MOVE: usize = 6;

/// Appends a blank and the move, without the cost of formatting.
#[inline]
fn push_move(line: &mut Vec<u8>, m: Move) {
    let [file, rank] = match m.origin() {
        Origin::Board(from) => square_name(from),
        Origin::Hand(piece) => [piece.kind().letter() as u8, b'*'],
    };
    let [to_file, to_rank] = square_name(m.to());
    let words: [u8; LONGEST_MOVE] = [b' ', file, rank, to_file, to_rank, b'+'];
    // Appends the longest form, then truncates.
    line.extend_from_slice(&words);
    line.truncate(line.len() - usize::from(!m.is_promotion()));
}

/// `7g`
#[inline]
fn square_name(square: Square) -> [u8; 2] {
    static NAMES: [[u8; 2]; Square::COUNT] = {
        let mut names = [[0; 2]; Square::COUNT];
        let mut i = 0;
        while i < Square::COUNT {
            names[i] = [b'1' + (i / 9) as u8, b'a' + (i % 9) as u8];
            i += 1;
        }
        names
    };
    NAMES[square.index()]
}

/// `startpos` or `sfen …`.
pub(crate) fn start_text(start: &Setup) -> String {
    if *start == Handicap::Even.setup() { "startpos".to_owned() } else { format!("sfen {start}") }
}

/// A start position and the words after it.
pub(crate) fn line_of(start: String, words: impl Iterator<Item: Display>) -> String {
    let mut line = start;
    let mut first = true;
    for word in words {
        line.push_str(if std::mem::take(&mut first) { " moves " } else { " " });
        let _ = write!(line, "{word}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> String {
        let Told { record, faults, .. } = read(text).expect(text);
        assert!(faults.is_empty(), "{text}: {faults:?}");
        write_line(&record, true)
    }

    #[test]
    fn every_form() {
        let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        for text in [
            "position startpos moves 7g7f 3c3d",
            "startpos moves 7g7f 3c3d",
            "moves 7g7f 3c3d",
            "7g7f 3c3d",
            "startpos moves 7g7f 3c3d # result=b src=games/1.kif",
            "\r\n  startpos   moves  7g7f   3c3d \r\n",
            &format!("position sfen {sfen} moves 7g7f 3c3d"),
            &format!("sfen {sfen} moves 7g7f 3c3d"),
            &format!("{sfen} moves 7g7f 3c3d"),
            "https://www.shogi-extend.com/share-board?xbody=cG9zaXRpb24gc3RhcnRwb3MgbW92ZXMgN2c3ZiAzYzNk",
            "https://example.net/?sfen=position%20startpos%20moves%207g7f%203c3d&x=1",
        ] {
            assert_eq!(line(text), "startpos moves 7g7f 3c3d", "{text}");
        }
        assert_eq!(line("startpos"), "startpos");
        assert_eq!(line("4k4/9/9/9/9/9/9/9/4K4 w G"), "sfen 4k4/9/9/9/9/9/9/9/4K4 w G 1");
        assert_eq!(line("startpos moves 7g7f resign"), "startpos moves 7g7f resign");
        assert_eq!(
            line("http://kyokumen.jp/positions/4k4/9/9/9/9/9/9/9/4K4%20w%20G%201"),
            "sfen 4k4/9/9/9/9/9/9/9/4K4 w G 1"
        );
    }

    #[test]
    fn faults_keep_what_came_before() {
        let Told { record, faults, .. } = read("startpos moves 7g7f xyz 3c3d").unwrap();
        assert_eq!(record.moves().count(), 1);
        assert_eq!(faults[0].to_string(), "line 1: move 2 `xyz`: not a move");
        assert!(read("sfen nonsense").is_err());
        assert!(read("").is_err());
    }
}
