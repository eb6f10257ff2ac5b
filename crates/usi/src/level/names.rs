//! The names of levels.

use super::Level;

/// Full strength, or one of the steps below it, as named in options and by users.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rank(usize);

const KYU: usize = 15;
const DAN: [&str; 9] = ["初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段"];
/// Full strength.
const FULL: &str = "full";

impl Rank {
    /// Full strength.
    pub const FULL: Self = Self(Level::STEPS);

    /// All of them, full strength last.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=Level::STEPS).map(Self)
    }

    /// Its index in [`Rank::all`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }

    /// `15k` … `1k`, `1d` … `9d`, `full`.
    #[must_use]
    pub fn ascii(self) -> String {
        match self.0 {
            kyu @ 0..KYU => format!("{}k", KYU - kyu),
            dan if self != Self::FULL => format!("{}d", dan + 1 - KYU),
            _ => FULL.to_owned(),
        }
    }

    /// `15 kyu` … `1 kyu`, `1 dan` … `9 dan`, `full strength`.
    #[must_use]
    pub fn english(self) -> String {
        match self.0 {
            kyu @ 0..KYU => format!("{} kyu", KYU - kyu),
            dan if self != Self::FULL => format!("{} dan", dan + 1 - KYU),
            _ => "full strength".to_owned(),
        }
    }

    /// `1` … `24`, `full`: for games without ranks.
    #[must_use]
    pub fn number(self) -> String {
        if self == Self::FULL { FULL.to_owned() } else { (self.0 + 1).to_string() }
    }

    /// `15級` … `1級`, `初段` … `九段`, `最強`.
    #[must_use]
    pub fn japanese(self) -> String {
        match self.0 {
            kyu @ 0..KYU => format!("{}級", KYU - kyu),
            dan => DAN.get(dan - KYU).map_or_else(|| "最強".to_owned(), |name| (*name).to_owned()),
        }
    }

    /// All spellings that options understand; those of full strength may repeat.
    #[must_use]
    pub fn spellings(self) -> Vec<String> {
        let mut all = vec![self.ascii(), self.number(), self.japanese()];
        if (KYU..Level::STEPS).contains(&self.0) {
            all.push(format!("{}段", self.0 + 1 - KYU));
        }
        all
    }

    /// The rank of that name; capitals and full-width digits are accepted.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let narrow = |c: char| match c {
            '０'..='９' => char::from(b'0' + (c as u32 - '０' as u32) as u8),
            c => c.to_ascii_lowercase(),
        };
        let name: String = name.trim().chars().map(narrow).collect();
        Self::all().find(|rank| rank.spellings().contains(&name))
    }
}
