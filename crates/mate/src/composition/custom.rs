//! The customs of tsume: kinds of flaws, and which of them each custom forgives.

use std::fmt;
use std::str::FromStr;

/// A kind of flaw that a problem can have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FlawKind {
    /// 不詰: the defender escapes.
    NoMate,
    /// 早詰: a mate that is shorter than the intended line.
    EarlyMate,
    /// 余詰: another check that mates, without returning to the main line.
    Cook,
    /// 駒余り: pieces left in the attacker's hand at the end of the main line.
    LeftOver,
    /// 作意外最長: a defence that lasts longer than the main line and leaves no piece, or lasts more than two plies longer.
    NotLongest,
    /// 変化長手数 (変長): a defence that lasts two plies longer than the main line, but leaves pieces in hand.
    LongerDefence,
    /// 手順前後: the attacker's moves can be played in another order.
    Permutation,
    /// 迂回手順: another check that mates only by returning to the main line later.
    Detour,
    /// 変化同手数 (変同): a defence as long as the main line that leaves no piece either.
    EqualDefence,
    /// 成・不成非限定: the move mates with and without promotion.
    Promotion,
    /// 打ち場所非限定: a sliding piece may come to several squares of the same line.
    Square,
    /// 最終手余詰: another last move.
    LastMove,
    /// 変化余詰: a cook after a defence that is not in the main line.
    VariationCook,
}

/// What a custom says about a kind of flaw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ruling {
    /// The problem is unsound.
    Fault,
    /// Forgiven: reported, but the problem counts as sound (キズ).
    Blemish,
}

use FlawKind as Kind;

impl FlawKind {
    /// All kinds, the gravest first.
    pub const ALL: [Self; 13] = [
        Self::NoMate,
        Self::EarlyMate,
        Self::Cook,
        Self::LeftOver,
        Self::NotLongest,
        Self::LongerDefence,
        Self::Permutation,
        Self::Detour,
        Self::EqualDefence,
        Self::Promotion,
        Self::Square,
        Self::LastMove,
        Self::VariationCook,
    ];

    /// Its name on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoMate => "no-mate",
            Self::EarlyMate => "early-mate",
            Self::Cook => "cook",
            Self::LeftOver => "left-over",
            Self::NotLongest => "not-longest",
            Self::LongerDefence => "longer-defence",
            Self::Permutation => "permutation",
            Self::Detour => "detour",
            Self::EqualDefence => "equal-defence",
            Self::Promotion => "promotion",
            Self::Square => "square",
            Self::LastMove => "last-move",
            Self::VariationCook => "variation-cook",
        }
    }

    /// Its Japanese name.
    #[must_use]
    pub const fn japanese(self) -> &'static str {
        match self {
            Self::NoMate => "不詰",
            Self::EarlyMate => "早詰",
            Self::Cook => "余詰",
            Self::LeftOver => "駒余り",
            Self::NotLongest => "作意外最長",
            Self::LongerDefence => "変長",
            Self::Permutation => "手順前後",
            Self::Detour => "迂回手順",
            Self::EqualDefence => "変同",
            Self::Promotion => "成不成非限定",
            Self::Square => "打場所非限定",
            Self::LastMove => "最終手余詰",
            Self::VariationCook => "変化余詰",
        }
    }

    /// Its English name.
    #[must_use]
    pub const fn english(self) -> &'static str {
        match self {
            Self::NoMate => "no mate (不詰)",
            Self::EarlyMate => "shorter mate (早詰)",
            Self::Cook => "cook (余詰)",
            Self::LeftOver => "pieces left in hand (駒余り)",
            Self::NotLongest => "longer defence than the main line (作意外最長)",
            Self::LongerDefence => "longer defence with pieces left (変長)",
            Self::Permutation => "order of moves (手順前後)",
            Self::Detour => "detour (迂回手順)",
            Self::EqualDefence => "equally long defence (変同)",
            Self::Promotion => "promotion or not (成不成非限定)",
            Self::Square => "square of a sliding piece (打場所非限定)",
            Self::LastMove => "other last move (最終手余詰)",
            Self::VariationCook => "cook in a variation (変化余詰)",
        }
    }

    const fn index(self) -> usize {
        self as usize
    }
}

/// An unknown name of a kind of flaw or of a custom.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a rule: use one of {names}", names = FlawKind::ALL.map(FlawKind::name).join(", "))]
pub struct ParseFlawKindError(String);

impl FromStr for FlawKind {
    type Err = ParseFlawKindError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fits = |kind: &Self| kind.name() == text || kind.japanese() == text;
        Self::ALL.into_iter().find(fits).ok_or_else(|| ParseFlawKindError(text.to_owned()))
    }
}

impl fmt::Display for FlawKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A custom: for every kind of flaw, whether it is forgiven.
///
/// ```
/// use mate::composition::{Custom, FlawKind, Ruling};
/// assert_eq!(Custom::STRICT.ruling(FlawKind::LastMove), Ruling::Fault);
/// assert_eq!(Custom::MODERN.ruling(FlawKind::LastMove), Ruling::Blemish);
/// let mine = Custom::MODERN.with(FlawKind::LastMove, Ruling::Fault);
/// assert_eq!(mine.to_string(), "modern, but forbids last-move");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Custom {
    name: &'static str,
    forgiven: [bool; Kind::ALL.len()],
}

/// The kinds that each custom forgives.
const FORGIVEN: [(&str, &[Kind]); 3] = [
    ("strict", &[Kind::VariationCook]),
    (
        "modern",
        &[
            Kind::VariationCook,
            Kind::LastMove,
            Kind::Square,
            Kind::Promotion,
            Kind::EqualDefence,
            Kind::Detour,
        ],
    ),
    (
        "loose",
        &[
            Kind::VariationCook,
            Kind::LastMove,
            Kind::Square,
            Kind::Promotion,
            Kind::EqualDefence,
            Kind::Detour,
            Kind::Permutation,
            Kind::LongerDefence,
        ],
    ),
];

const fn of_table(row: usize) -> Custom {
    let (name, kinds) = FORGIVEN[row];
    let mut forgiven = [false; Kind::ALL.len()];
    let mut next = 0;
    while next < kinds.len() {
        forgiven[kinds[next].index()] = true;
        next += 1;
    }
    Custom { name, forgiven }
}

impl Custom {
    /// Everything in the main line must be unique.
    pub const STRICT: Self = of_table(0);
    /// What magazines accept today: small indeterminacies are blemishes.
    pub const MODERN: Self = of_table(1);
    /// The custom of the old collections: 変長 and 手順前後 are forgiven as well.
    pub const LOOSE: Self = of_table(2);
    /// All three.
    pub const ALL: [Self; 3] = [Self::STRICT, Self::MODERN, Self::LOOSE];

    /// Its name: `strict`, `modern` or `loose`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What it says about a kind of flaw.
    #[must_use]
    pub const fn ruling(&self, kind: FlawKind) -> Ruling {
        if self.forgiven[kind.index()] { Ruling::Blemish } else { Ruling::Fault }
    }

    /// The same custom with another ruling for one kind. A problem without a mate stays unsound.
    #[must_use]
    pub const fn with(mut self, kind: FlawKind, ruling: Ruling) -> Self {
        if !matches!(kind, Kind::NoMate) {
            self.forgiven[kind.index()] = matches!(ruling, Ruling::Blemish);
        }
        self
    }
}

impl fmt::Display for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        let Some(base) = Self::ALL.iter().find(|base| base.name == self.name) else { return Ok(()) };
        for (word, ruling) in [("forgives", Ruling::Blemish), ("forbids", Ruling::Fault)] {
            let differs = |kind: &Kind| self.ruling(*kind) == ruling && base.ruling(*kind) != ruling;
            let kinds: Vec<&str> = Kind::ALL.into_iter().filter(differs).map(Kind::name).collect();
            if !kinds.is_empty() {
                write!(f, ", but {word} {}", kinds.join(", "))?;
            }
        }
        Ok(())
    }
}

/// An unknown name of a custom.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a custom: use strict, modern or loose")]
pub struct ParseCustomError(String);

impl FromStr for Custom {
    type Err = ParseCustomError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|custom| custom.name == text);
        found.ok_or_else(|| ParseCustomError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_custom_forgives_all_that_a_stricter_one_does() {
        for kind in FlawKind::ALL {
            let forgives = Custom::ALL.map(|custom| custom.ruling(kind) == Ruling::Blemish);
            assert!(forgives.is_sorted(), "{kind}: {forgives:?}");
        }
        for kind in [FlawKind::NoMate, FlawKind::Cook, FlawKind::LeftOver] {
            assert!(Custom::ALL.iter().all(|custom| custom.ruling(kind) == Ruling::Fault), "{kind}");
        }
    }

    #[test]
    fn kinds_have_two_names() {
        for kind in FlawKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(kind.japanese().parse(), Ok(kind));
        }
        assert!("cooks".parse::<FlawKind>().is_err());
        let custom = Custom::MODERN.with(FlawKind::NoMate, Ruling::Blemish);
        assert_eq!(custom.ruling(FlawKind::NoMate), Ruling::Fault, "there is nothing to forgive");
    }
}
