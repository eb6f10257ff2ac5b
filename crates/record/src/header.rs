//! What is known of a game besides its moves.

use shogi::Color;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// A field that more than one format knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the table below gives each its names")]
pub enum Field {
    Black,
    White,
    Lower,
    Upper,
    BlackShort,
    WhiteShort,
    Start,
    End,
    Date,
    Event,
    Title,
    Site,
    Opening,
    TimeLimit,
    BlackTimeLimit,
    WhiteTimeLimit,
    Byoyomi,
    MaxMoves,
    Jishogi,
    Note,
}

/// Names in KIF (and JKF) and in CSA; CSA's player lines have their own form.
#[rustfmt::skip]
const NAMES: [(Field, &str, &str); 20] = [
    (Field::Black,          "先手",         "N+"),
    (Field::White,          "後手",         "N-"),
    (Field::Lower,          "下手",         ""),
    (Field::Upper,          "上手",         ""),
    (Field::BlackShort,     "先手省略名",   ""),
    (Field::WhiteShort,     "後手省略名",   ""),
    (Field::Start,          "開始日時",     "START_TIME"),
    (Field::End,            "終了日時",     "END_TIME"),
    (Field::Date,           "対局日",       ""),
    (Field::Event,          "棋戦",         "EVENT"),
    (Field::Title,          "表題",         ""),
    (Field::Site,           "場所",         "SITE"),
    (Field::Opening,        "戦型",         "OPENING"),
    (Field::TimeLimit,      "持ち時間",     "TIME_LIMIT"),
    (Field::BlackTimeLimit, "先手持ち時間", "TIME+"),
    (Field::WhiteTimeLimit, "後手持ち時間", "TIME-"),
    (Field::Byoyomi,        "秒読み",       ""),
    (Field::MaxMoves,       "最大手数",     "MAX_MOVES"),
    (Field::Jishogi,        "持将棋",       "JISHOGI"),
    (Field::Note,           "備考",         "NOTE"),
];

impl Field {
    /// Its name in KIF; a [`Header`] keeps fields under these names.
    #[must_use]
    pub fn kif(self) -> &'static str {
        NAMES.iter().find(|(field, ..)| *field == self).map_or("", |(_, kif, _)| kif)
    }
}

impl Field {
    /// Whether records have a field of this name.
    pub(crate) fn is_known(name: &str) -> bool {
        NAMES.iter().any(|(_, kif, _)| *kif == name.trim())
    }
}

/// The KIF name for a CSA keyword (without `$`); unknown keywords keep their name.
pub(crate) fn csa_to_kif(keyword: &str) -> &str {
    // V3 calls the time limit TIME.
    let keyword = if keyword == "TIME" { "TIME_LIMIT" } else { keyword };
    NAMES.iter().find(|(_, _, csa)| !csa.is_empty() && *csa == keyword).map_or(keyword, |(_, kif, _)| kif)
}

/// The CSA keyword for a KIF name; unknown names keep their name.
pub(crate) fn kif_to_csa(name: &str) -> &str {
    NAMES.iter().find(|(_, kif, csa)| *kif == name && !csa.is_empty()).map_or(name, |(.., csa)| csa)
}

/// The header of a record: every field in the order of the file, known or not, under its KIF name.
///
/// ```
/// use record::{Field, Header};
/// let mut header = Header::default();
/// header.set("先手", "大橋宗桂");
/// header.set("棋戦詳細", "御城将棋");
/// assert_eq!(header.get(Field::Black), Some("大橋宗桂"));
/// assert_eq!(header.iter().count(), 2);
/// ```
#[derive(Clone, Default)]
pub struct Header {
    /// Names and values; what was replaced stays where it was.
    text: String,
    fields: Vec<Place>,
    /// Which [prints](print) are there, a bit for some of them each.
    prints: [u64; 4],
    /// The numbers of the fields by name, once there are many.
    numbers: BTreeMap<Box<str>, usize>,
}

/// Where a field lies in the text of a header.
#[derive(Clone)]
struct Place {
    print: u32,
    name: Range<usize>,
    value: Range<usize>,
}

/// What tells most names apart at a glance: their ends.
#[inline]
fn print(name: &str) -> u32 {
    let end = |chunk: Option<&[u8; 4]>| chunk.map_or(0, |bytes| u32::from_le_bytes(*bytes));
    let bytes = name.as_bytes();
    end(bytes.first_chunk()).rotate_left(8) ^ end(bytes.last_chunk()) ^ bytes.len() as u32
}

/// The word and the bit that stand for a print.
#[inline(always)]
fn print_bit(print: u32) -> (usize, u64) {
    let place = print.wrapping_mul(0x9e37_79b1) >> 24;
    ((place / u64::BITS) as usize, 1 << (place % u64::BITS))
}

/// Room for the header of most files.
const USUAL_BYTES: usize = 1000;
const USUAL_FIELDS: usize = 24;

/// From so many fields on, which no real file has, names are not looked through one by one.
const MANY_FIELDS: usize = 100;

impl Header {
    /// The value of a known field.
    #[must_use]
    pub fn get(&self, field: Field) -> Option<&str> {
        self.named(field.kif())
    }

    /// The value of any field by its KIF name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&str> {
        self.number(name).map(|number| &self.text[self.fields[number].value.clone()])
    }

    /// Sets a field; the last word on a name counts, in the place of the first.
    pub fn set(&mut self, name: &str, value: &str) {
        self.make_room();
        if let Some(known) = self.number(name) {
            self.fields[known].value = self.add(value);
            return;
        }
        let (name_at, value) = (self.add(name), self.add(value));
        self.add_field(name, name_at, value);
    }

    /// Sets a field where a line holds both: the name up to one place, the value from another on.
    #[inline(always)]
    pub(crate) fn set_line(&mut self, line: &str, name: usize, value: usize) {
        self.make_room();
        let (name, value_at) = (&line[..name], value);
        if self.has_print(print(name)) {
            return self.set(name, &line[value_at..]);
        }
        let all = self.add(line);
        self.add_field(name, all.start..all.start + name.len(), all.start + value_at..all.end);
    }

    /// Whether a field may have a name with this print.
    #[inline(always)]
    fn has_print(&self, print: u32) -> bool {
        let (word, bit) = print_bit(print);
        self.prints[word] & bit != 0
    }

    /// Gets ready for lines of so many bytes.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.text.reserve(bytes);
    }

    #[inline(always)]
    fn make_room(&mut self) {
        if self.fields.is_empty() {
            self.text.reserve(USUAL_BYTES);
            self.fields.reserve(USUAL_FIELDS);
        }
    }

    /// Adds a field with a new name.
    #[inline(always)]
    fn add_field(&mut self, name: &str, name_at: Range<usize>, value: Range<usize>) {
        let print = print(name);
        let (word, bit) = print_bit(print);
        self.prints[word] |= bit;
        self.fields.push(Place { print, name: name_at, value });
        if self.fields.len() >= MANY_FIELDS {
            self.count_many(name);
        }
    }

    #[cold]
    fn count_many(&mut self, name: &str) {
        if self.fields.len() == MANY_FIELDS {
            self.numbers = self.iter().enumerate().map(|(number, (name, _))| (name.into(), number)).collect();
        } else {
            self.numbers.insert(name.into(), self.fields.len() - 1);
        }
    }

    fn add(&mut self, text: &str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text);
        start..self.text.len()
    }

    fn number(&self, name: &str) -> Option<usize> {
        if self.fields.len() >= MANY_FIELDS {
            return self.numbers.get(name).copied();
        }
        let (bytes, print) = (self.text.as_bytes(), print(name));
        if !self.has_print(print) {
            return None;
        }
        let named = |place: &Place| place.print == print && bytes[place.name.clone()] == *name.as_bytes();
        self.fields.iter().position(named)
    }

    /// All fields in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|place| (&self.text[place.name.clone()], &self.text[place.value.clone()]))
    }

    /// Whether there is no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// A player's name, whatever the record calls the players.
    #[must_use]
    pub fn player(&self, color: Color) -> Option<&str> {
        let names = match color {
            Color::Black => [Field::Black, Field::Lower, Field::BlackShort],
            Color::White => [Field::White, Field::Upper, Field::WhiteShort],
        };
        names.into_iter().find_map(|field| self.get(field).filter(|name| !name.trim().is_empty()))
    }

    /// When the game was played, as the record writes it.
    #[must_use]
    pub fn date(&self) -> Option<&str> {
        [Field::Start, Field::Date].into_iter().find_map(|field| self.get(field))
    }
}

/// Headers are equal when they have the same fields in the same order.
impl PartialEq for Header {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Header {}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_counts_in_the_place_of_the_first() {
        let mut header = Header::default();
        for (name, value) in
            [("先手", "a"), ("後手", "b"), ("場所", ""), ("先手", "羽生"), ("場所", "東京"), ("後手", "")]
        {
            header.set(name, value);
        }
        assert_eq!(header.iter().collect::<Vec<_>>(), [("先手", "羽生"), ("後手", ""), ("場所", "東京")]);
        assert_eq!((header.named("場所"), header.named("戦型")), (Some("東京"), None));
    }

    #[test]
    fn many_fields_are_found_like_few() {
        let mut header = Header::default();
        for round in ["a", "b"] {
            for i in 0..3 * MANY_FIELDS {
                header.set(&format!("項目{i}"), &format!("{round}{i}"));
            }
        }
        let fields: Vec<_> = (0..3 * MANY_FIELDS).map(|i| (format!("項目{i}"), format!("b{i}"))).collect();
        assert!(header.iter().eq(fields.iter().map(|(name, value)| (name.as_str(), value.as_str()))));
        assert_eq!(header.named("項目299"), Some("b299"));
    }

    #[test]
    fn names_map_both_ways() {
        for (field, kif, csa) in NAMES {
            assert_eq!(field.kif(), kif);
            if !csa.is_empty() {
                assert_eq!(csa_to_kif(csa), kif);
                assert_eq!(kif_to_csa(kif), csa);
            }
        }
        assert_eq!(csa_to_kif("X_FINAL"), "X_FINAL");
        assert_eq!(csa_to_kif("TIME"), "持ち時間");
    }
}
