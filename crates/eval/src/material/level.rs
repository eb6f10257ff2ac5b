//! The levels of the material evaluation.

use std::fmt;
use std::str::FromStr;

/// What [`Material`](crate::Material) takes into account; each level includes the ones before it.
///
/// ```
/// use eval::MaterialLevel;
/// assert_eq!("1".parse(), Ok(MaterialLevel::Pieces));
/// assert_eq!(MaterialLevel::default(), MaterialLevel::Mobility);
/// assert_eq!(MaterialLevel::default().to_string(), "4");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum MaterialLevel {
    /// The values of the pieces.
    Pieces = 1,
    /// Their squares, and the flexibility of pieces in hand.
    Squares,
    /// Attacks around the kings.
    KingSafety,
    /// Attacks everywhere else, and pieces left hanging.
    #[default]
    Mobility,
}

impl MaterialLevel {
    /// All levels, the plainest first.
    pub const ALL: [Self; 4] = [Self::Pieces, Self::Squares, Self::KingSafety, Self::Mobility];
}

/// As the number of the level.
impl fmt::Display for MaterialLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", *self as u8)
    }
}

/// A text that names no level.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a material level is a number from 1 to {}", MaterialLevel::ALL.len())]
pub struct ParseMaterialLevelError;

impl FromStr for MaterialLevel {
    type Err = ParseMaterialLevelError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|level| level.to_string() == text).ok_or(ParseMaterialLevelError)
    }
}
