//! Playing below full strength, at levels that users choose.
//!
//! | file | content |
//! |---|---|
//! | [`names`] | 15級 … 九段 and their other spellings |
//! | [`strength`] | parameters of each level, calibrated in `docs/levels.md` |
//! | [`plausibility`] | how likely a person considers a move |
//! | [`player`] | the choice of a move |
//!
//! `USI_Level`, `SkillLevel` and `UCI_Elo` are three ways to choose a [`Level`].

mod names;
mod plausibility;
mod player;
mod strength;

pub use names::Rank;
pub(crate) use player::LevelPlayer;
use strength::ELO;

/// A strength of play below full strength: a step of the ladder from 15級 (the weakest) to 九段, or a value between two
/// steps.
///
/// ```
/// use usi::Level;
/// let level = Level::parse("初段").unwrap();
/// assert_eq!(Level::parse("1d"), Some(level));
/// assert_eq!(Level::parse("16"), Some(level));
/// assert!(level > Level::parse("1k").unwrap() && level < Level::STRONGEST);
/// assert_eq!(Level::parse("full"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u16);

/// Fractions of a step.
const PARTS: u16 = 100;
/// `SkillLevel` at full strength.
const FULL_SKILL: i64 = 20;

impl Level {
    /// How many steps there are.
    pub const STEPS: usize = 24;
    /// 15級.
    pub const WEAKEST: Self = Self(0);
    /// 九段.
    pub const STRONGEST: Self = Self((Self::STEPS as u16 - 1) * PARTS);

    /// All steps, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::STEPS as u16).map(|step| Self(step * PARTS))
    }

    /// The step of this number: 0 is the weakest.
    #[must_use]
    pub fn step(number: usize) -> Option<Self> {
        Self::all().nth(number)
    }

    /// The level of that name, in any spelling; `None` for full strength and for unknown names.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::step(Rank::parse(name)?.index())
    }

    /// The level nearest to an Elo rating of the ladder.
    #[must_use]
    pub fn of_elo(elo: i64) -> Self {
        let above = ELO.partition_point(|step| i64::from(*step) <= elo);
        let (Some(below), Some(next)) = (above.checked_sub(1), ELO.get(above)) else {
            return if above == 0 { Self::WEAKEST } else { Self::STRONGEST };
        };
        let (low, high) = (i64::from(ELO[below]), i64::from(*next));
        let part = (elo - low) * i64::from(PARTS) / (high - low);
        Self(below as u16 * PARTS + part as u16)
    }

    /// The rating of the weakest and of the strongest level.
    #[must_use]
    pub fn elo_range() -> (i64, i64) {
        (ELO[0].into(), ELO[Self::STEPS - 1].into())
    }

    /// The measured rating on the ladder's own scale: 0 is a player who captures at random.
    #[must_use]
    pub fn elo(self) -> i64 {
        let (step, part) = (usize::from(self.0 / PARTS), i64::from(self.0 % PARTS));
        let low = i64::from(ELO[step]);
        let high = ELO.get(step + 1).map_or(low, |next| i64::from(*next));
        low + (high - low) * part / i64::from(PARTS)
    }

    /// The level of a `SkillLevel`: 0 is the weakest level, 20 full strength, the others are evenly spaced.
    #[must_use]
    pub fn of_skill(skill: i64) -> Option<Self> {
        let skill = skill.clamp(0, FULL_SKILL);
        let place = skill * Self::STEPS as i64 * i64::from(PARTS) / FULL_SKILL;
        (skill < FULL_SKILL).then(|| Self((place as u16).min(Self::STRONGEST.0)))
    }

    /// The position on the ladder, in steps.
    fn place(self) -> f64 {
        f64::from(self.0) / f64::from(PARTS)
    }
}

#[cfg(test)]
mod tests;
