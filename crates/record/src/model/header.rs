//! The header of a record.

use shogi::Color;
use std::collections::BTreeMap;
use std::fmt;

/// A field that exists in several formats.
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
    /// Its name in KIF, which a [`Header`] uses.
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

/// The header of a record: all fields, known or not, in the order of the file and under their KIF names.
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
    /// Names and values.
    fields: Vec<(Box<str>, Box<str>)>,
    /// Indices of the fields by name, once there are [many](MANY_FIELDS).
    numbers: BTreeMap<Box<str>, usize>,
}

/// From this number of fields on, which no real file has, they are looked up in a map.
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
        self.number(name).map(|number| &*self.fields[number].1)
    }

    /// Sets a field. A repeated name replaces the value and keeps the first place.
    pub fn set(&mut self, name: &str, value: &str) {
        if let Some(known) = self.number(name) {
            self.fields[known].1 = value.into();
            return;
        }
        self.fields.push((name.into(), value.into()));
        match self.fields.len() {
            ..MANY_FIELDS => {}
            MANY_FIELDS => {
                let numbered = self.fields.iter().enumerate();
                self.numbers = numbered.map(|(number, (name, _))| (name.clone(), number)).collect();
            }
            count => drop(self.numbers.insert(name.into(), count - 1)),
        }
    }

    fn number(&self, name: &str) -> Option<usize> {
        if self.fields.len() >= MANY_FIELDS {
            return self.numbers.get(name).copied();
        }
        self.fields.iter().position(|(known, _)| **known == *name)
    }

    /// All fields in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Whether there is no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// A player's name, under any of the field's names.
    #[must_use]
    pub fn player(&self, color: Color) -> Option<&str> {
        let names = match color {
            Color::Black => [Field::Black, Field::Lower, Field::BlackShort],
            Color::White => [Field::White, Field::Upper, Field::WhiteShort],
        };
        names.into_iter().find_map(|field| self.get(field).filter(|name| !name.trim().is_empty()))
    }

    /// The date of the game, as the record writes it.
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
