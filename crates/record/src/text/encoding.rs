//! Encodings: decoding bytes and encoding text.

use encoding_rs::SHIFT_JIS;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// How text is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// UTF-8, or plain ASCII.
    Utf8,
    /// UTF-8 that begins with a byte order mark.
    Utf8Bom,
    /// Shift_JIS as in Windows (cp932).
    ShiftJis,
}

impl Encoding {
    /// The names of the encodings on the command line.
    pub const NAMES: [(&'static str, Self); 3] =
        [("utf-8", Self::Utf8), ("utf-8-bom", Self::Utf8Bom), ("shift-jis", Self::ShiftJis)];

    /// The byte order mark.
    pub(crate) const fn mark(self) -> &'static [u8] {
        match self {
            Self::Utf8 | Self::ShiftJis => &[],
            Self::Utf8Bom => BOM,
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, encoding)| encoding == self).map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

/// An unknown name of an encoding.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected utf-8, utf-8-bom or shift-jis (sjis, cp932)")]
pub struct ParseEncodingError;

impl FromStr for Encoding {
    type Err = ParseEncodingError;

    fn from_str(text: &str) -> Result<Self, ParseEncodingError> {
        let name: String =
            text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        match name.as_str() {
            "utf8" => Ok(Self::Utf8),
            "utf8bom" | "utf8sig" => Ok(Self::Utf8Bom),
            "shiftjis" | "sjis" | "cp932" | "windows31j" | "ms932" => Ok(Self::ShiftJis),
            _ => Err(ParseEncodingError),
        }
    }
}

/// How lines end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LineEnd {
    /// `\n`
    Lf,
    /// `\r
    /// `, as the original programs write it.
    #[default]
    CrLf,
}

impl LineEnd {
    /// The characters themselves.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }

    /// The same as bytes.
    #[must_use]
    pub const fn bytes(self) -> &'static [u8] {
        self.as_str().as_bytes()
    }
}

/// Decoded text with its encoding.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The text without byte order mark.
    pub text: Cow<'a, str>,
    /// The encoding.
    pub encoding: Encoding,
    /// Whether there were invalid bytes, which became U+FFFD.
    pub damaged: bool,
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Detects the encoding: a byte order mark, else strict UTF-8, else Shift_JIS; a header line breaks ties.
///
/// ```
/// use record::encoding::{Encoding, decode};
/// let decoded = decode(b"\x8e\xe8\x8d\x87\x8a\x84");
/// assert_eq!((&*decoded.text, decoded.encoding), ("手合割", Encoding::ShiftJis));
/// ```
#[must_use]
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    let rest = without_marks(bytes);
    if rest.len() < bytes.len() {
        let text = std::str::from_utf8(rest).map_or_else(|_| String::from_utf8_lossy(rest), Cow::Borrowed);
        let damaged = matches!(text, Cow::Owned(_));
        return Decoded { text, encoding: Encoding::Utf8Bom, damaged };
    }
    match std::str::from_utf8(bytes) {
        Ok(text)
            if begins_with_kanji(text) || !claims_shift_jis(bytes) || has_kanji(text) || text.is_ascii() =>
        {
            return Decoded { text: Cow::Borrowed(text), encoding: Encoding::Utf8, damaged: false };
        }
        // UTF-8 that was truncated in the middle of a character.
        Err(error)
            if error.error_len().is_none() && error.valid_up_to() > 0 && {
                std::str::from_utf8(&bytes[..error.valid_up_to()]).is_ok_and(has_kanji)
            } =>
        {
            let text = String::from_utf8_lossy(bytes);
            return Decoded { text, encoding: Encoding::Utf8, damaged: true };
        }
        _ => {}
    }
    let (text, damaged) = SHIFT_JIS.decode_without_bom_handling(bytes);
    if damaged {
        // Neither is valid: choose the one with fewer invalid bytes.
        let lost = |text: &str| text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
        let utf8 = String::from_utf8_lossy(bytes);
        if lost(&utf8) < lost(&text) {
            return Decoded { text: utf8, encoding: Encoding::Utf8, damaged };
        }
    }
    Decoded { text, encoding: Encoding::ShiftJis, damaged }
}

/// Skips the byte order mark, or marks: some files have two after passing through several editors.
fn without_marks(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    while let Some(less) = rest.strip_prefix(BOM) {
        rest = less;
    }
    rest
}

/// `#KIF version=2.0 encoding=Shift_JIS`, `'CSA encoding=SHIFT_JIS` and the like in the first line.
fn claims_shift_jis(bytes: &[u8]) -> bool {
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(&line[..line.len().min(200)]).to_ascii_lowercase();
    line.contains("encoding=shift_jis") || line.contains("encoding=sjis") || line.contains("encoding=cp932")
}

/// Whether a remark is the line that names the encoding; it belongs to the file, not to the game.
pub(crate) fn is_declaration(remark: &str) -> bool {
    let remark = remark.trim_start().to_ascii_lowercase();
    ["kif version=", "csa encoding=", "encoding="].iter().any(|start| remark.starts_with(start))
}

/// Shift_JIS bytes that happen to be valid UTF-8 never decode to kana or kanji.
fn has_kanji(text: &str) -> bool {
    text.chars().any(is_kanji)
}

/// Like [`has_kanji`], but only examines the beginning, where most Japanese files have some.
fn begins_with_kanji(text: &str) -> bool {
    text.chars().take(64).any(is_kanji)
}

fn is_kanji(c: char) -> bool {
    ('\u{3000}'..='\u{9fff}').contains(&c)
}

/// Encoded bytes, and the characters that the encoding lacks.
#[derive(Debug)]
pub struct Encoded {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Characters that became 〓, each once, in order of appearance.
    pub lost: Vec<char>,
}

/// Substitutes for characters that Shift_JIS lacks, as in Windows.
const SUBSTITUTES: [(char, char); 9] = [
    ('〜', '～'),
    ('−', '－'),
    ('—', '―'),
    ('‖', '∥'),
    ('☗', '▲'),
    ('☖', '△'),
    ('⛊', '▲'),
    ('⛉', '△'),
    ('\u{a0}', ' '),
];

/// Encodes text.
#[must_use]
pub fn encode<'a>(text: impl Into<Cow<'a, str>>, encoding: Encoding) -> Encoded {
    let text = text.into();
    let bytes = match encoding {
        Encoding::Utf8 => text.into_owned().into_bytes(),
        Encoding::Utf8Bom => [BOM, text.as_bytes()].concat(),
        Encoding::ShiftJis => return encode_shift_jis(&text),
    };
    Encoded { bytes, lost: Vec::new() }
}

fn encode_shift_jis(text: &str) -> Encoded {
    let (bytes, _, unmappable) = SHIFT_JIS.encode(text);
    if !unmappable {
        return Encoded { bytes: bytes.into_owned(), lost: Vec::new() };
    }
    let mut lost = Vec::new();
    let replaced: String = text
        .chars()
        .map(|c| {
            if let Some((_, substitute)) = SUBSTITUTES.iter().find(|(odd, _)| *odd == c) {
                return *substitute;
            }
            if !SHIFT_JIS.encode(c.encode_utf8(&mut [0; 4])).2 {
                return c;
            }
            if !lost.contains(&c) {
                lost.push(c);
            }
            '〓'
        })
        .collect();
    Encoded { bytes: SHIFT_JIS.encode(&replaced).0.into_owned(), lost }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(bytes: &[u8]) -> (String, Encoding, bool) {
        let decoded = decode(bytes);
        (decoded.text.into_owned(), decoded.encoding, decoded.damaged)
    }

    #[test]
    fn detection() {
        let kif = "先手：羽生\n";
        assert_eq!(seen(kif.as_bytes()), (kif.into(), Encoding::Utf8, false));
        assert_eq!(seen(&[BOM, kif.as_bytes()].concat()), (kif.into(), Encoding::Utf8Bom, false));
        assert_eq!(seen(&[BOM, BOM, kif.as_bytes()].concat()), (kif.into(), Encoding::Utf8Bom, false));
        let sjis = encode(kif, Encoding::ShiftJis).bytes;
        assert_eq!(seen(&sjis), (kif.into(), Encoding::ShiftJis, false));
        assert_eq!(seen(b"N+abc\n").1, Encoding::Utf8);
        // A wrong header: the file was saved again as UTF-8.
        let lying = format!("'encoding=Shift_JIS\n{kif}");
        assert_eq!(seen(lying.as_bytes()), (lying, Encoding::Utf8, false));
        // Half-width kana that happen to be valid UTF-8; only the header decides.
        let short = [b"#KIF encoding=Shift_JIS\n".as_slice(), b"*\xc3\xa1"].concat();
        assert_eq!(seen(&short).1, Encoding::ShiftJis);
        // Truncated in the middle of a character.
        let cut = &kif.as_bytes()[..kif.len() - 2];
        assert_eq!(seen(cut), ("先手：羽\u{fffd}".into(), Encoding::Utf8, true));
    }

    #[test]
    fn what_shift_jis_lacks_is_reported() {
        let encoded = encode("☗〜𠮷é𠮷", Encoding::ShiftJis);
        assert_eq!(encoded.lost, ['𠮷', 'é']);
        assert_eq!(seen(&encoded.bytes).0, "▲～〓〓〓");
        assert!(encode("①髙﨑", Encoding::ShiftJis).lost.is_empty());
    }

    #[test]
    fn names() {
        for (name, encoding) in Encoding::NAMES {
            assert_eq!(name.parse(), Ok(encoding));
            assert_eq!(encoding.to_string(), name);
        }
        assert_eq!("Shift_JIS".parse(), Ok(Encoding::ShiftJis));
        assert_eq!("euc-jp".parse::<Encoding>(), Err(ParseEncodingError));
    }
}
