//! King zones: sets of squares among which a king can move without changing the features of its owner.

use std::fmt;
use std::str::FromStr;

/// A map of the 45 squares of files 1 to 5 (`9 * file + rank`, 1a = 0) to zones: the own king, mirrored to those files,
/// chooses the rows of the first layer by its zone.
///
/// A king on the middle file stays there, whether the board is mirrored or not. In maps that lean it is mirrored where the
/// other pieces are more on the left, so that a position and its mirror image have the same features.
///
/// Written as 45 digits of base 36, 0 to z, a file after the other, and `+lean` if it leans.
///
/// ```
/// use eval::nnue::KingZones;
/// assert_eq!(KingZones::ONE.count(), 1);
/// assert_eq!(KingZones::NINE.to_string().parse(), Ok(KingZones::NINE));
/// let halves: KingZones = "000001111".repeat(5).parse()?;
/// assert_eq!((halves.count(), halves.zone(4), halves.zone(44)), (2, 0, 1));
/// let error = "000002222".repeat(5).parse::<KingZones>().unwrap_err();
/// assert_eq!(error.to_string(), "no square is in zone 1, though there is a zone 2");
/// # Ok::<(), eval::nnue::KingZonesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KingZones {
    zones: [u8; KingZones::SQUARES],
    leans: bool,
}

/// What follows the digits of a map that leans.
const LEANING: &str = "+lean";

/// Why a text is not a map of zones.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KingZonesError {
    /// Too few or too many squares.
    #[error("45 zones were expected, one for each square of files 1 to 5; found {0}")]
    Length(usize),
    /// Not a digit.
    #[error("`{0}` is not a zone; zones are 0 to 9 and a to z")]
    Digit(char),
    /// A number that has no digit.
    #[error("there is no zone {0}; the last one is 35")]
    TooMany(u8),
    /// A gap in the numbers.
    #[error("no square is in zone {unused}, though there is a zone {last}")]
    Unused {
        /// The first zone without a square.
        unused: u8,
        /// The largest number in use.
        last: u8,
    },
}

impl KingZones {
    /// Squares of files 1 to 5.
    pub const SQUARES: usize = 45;
    /// As many as there are digits.
    pub const MOST: u8 = 36;

    /// Everywhere the same: pieces on squares, mirrored.
    pub const ONE: Self = Self { zones: [0; Self::SQUARES], leans: true };

    /// Nine zones: the corner, 2h, files 3, 4 and 5 of the two home ranks, the edge and the middle of the third rank,
    /// the middle of the board, the enemy's camp.
    pub const NINE: Self = Self {
        zones: {
            let files = [
                [8, 8, 8, 7, 7, 7, 5, 0, 0],
                [8, 8, 8, 7, 7, 7, 5, 1, 0],
                [8, 8, 8, 7, 7, 7, 6, 2, 2],
                [8, 8, 8, 7, 7, 7, 6, 3, 3],
                [8, 8, 8, 7, 7, 7, 6, 4, 4],
            ];
            let mut zones = [0; Self::SQUARES];
            let mut square = 0;
            while square < Self::SQUARES {
                zones[square] = files[square / 9][square % 9];
                square += 1;
            }
            zones
        },
        leans: true,
    };

    /// A map in which every zone up to the largest has a square; it leans.
    pub fn new(zones: [u8; Self::SQUARES]) -> Result<Self, KingZonesError> {
        let last = zones.into_iter().max().unwrap_or_default();
        if last >= Self::MOST {
            return Err(KingZonesError::TooMany(last));
        }
        match (0..last).find(|zone| !zones.contains(zone)) {
            Some(unused) => Err(KingZonesError::Unused { unused, last }),
            None => Ok(Self { zones, leans: true }),
        }
    }

    /// The same zones, but the board is never mirrored for a king on the middle file.
    #[must_use]
    pub const fn upright(self) -> Self {
        Self { leans: false, ..self }
    }

    /// Whether boards are mirrored for kings on the middle file, too.
    #[inline]
    #[must_use]
    pub const fn leans(self) -> bool {
        self.leans
    }

    /// How many zones there are.
    #[must_use]
    pub const fn count(self) -> usize {
        let (mut square, mut last) = (0, 0);
        while square < Self::SQUARES {
            if self.zones[square] > last {
                last = self.zones[square];
            }
            square += 1;
        }
        last as usize + 1
    }

    /// The zone of a king on `square`, one of files 1 to 5 as its owner sees it.
    #[inline]
    #[must_use]
    pub const fn zone(self, square: usize) -> usize {
        self.zones[square] as usize
    }

    /// FNV-1a of the zones of all squares, and of whether the map leans.
    pub(in crate::nnue) const fn hash(self) -> u32 {
        let mut hash = 0x811C_9DC5_u32;
        let mut square = 0;
        while square < Self::SQUARES {
            hash = (hash ^ self.zones[square] as u32).wrapping_mul(0x0100_0193);
            square += 1;
        }
        if self.leans { (hash ^ 0xFF).wrapping_mul(0x0100_0193) } else { hash }
    }
}

impl fmt::Display for KingZones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |zone: &u8| char::from_digit((*zone).into(), Self::MOST.into()).unwrap_or('?');
        f.write_str(&self.zones.iter().map(digit).collect::<String>())?;
        f.write_str(if self.leans { LEANING } else { "" })
    }
}

impl fmt::Debug for KingZones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KingZones({self})")
    }
}

impl FromStr for KingZones {
    type Err = KingZonesError;

    fn from_str(text: &str) -> Result<Self, KingZonesError> {
        let digit = |digit: char| match digit.to_digit(Self::MOST.into()) {
            Some(zone) if !digit.is_ascii_uppercase() => Ok(zone as u8),
            _ => Err(KingZonesError::Digit(digit)),
        };
        let digits = text.strip_suffix(LEANING);
        let zones: Vec<u8> = digits.unwrap_or(text).chars().map(digit).collect::<Result<_, _>>()?;
        let zones =
            Self::new(zones.try_into().map_err(|zones: Vec<u8>| KingZonesError::Length(zones.len()))?)?;
        Ok(if digits.is_some() { zones } else { zones.upright() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn named_maps() {
        for (zones, count) in [(KingZones::ONE, 1), (KingZones::NINE, 9)] {
            assert_eq!(zones.count(), count);
            assert_eq!(KingZones::new(zones.zones), Ok(zones));
        }
        // 5i and 2h, where kings begin and where many of them end.
        assert_eq!([44, 16].map(|square| KingZones::NINE.zone(square)), [4, 1]);
    }

    #[test]
    fn nonsense_is_refused() {
        let refused = |text: &str| text.parse::<KingZones>().unwrap_err().to_string();
        assert_eq!(refused(""), "45 zones were expected, one for each square of files 1 to 5; found 0");
        assert_eq!(
            refused(&"0".repeat(46)),
            "45 zones were expected, one for each square of files 1 to 5; found 46"
        );
        assert_eq!(refused(&"A".repeat(45)), "`A` is not a zone; zones are 0 to 9 and a to z");
        assert_eq!(refused(&"z".repeat(45)), "no square is in zone 0, though there is a zone 35");
        let error = KingZones::new([36; 45]).unwrap_err();
        assert_eq!(error.to_string(), "there is no zone 36; the last one is 35");
    }

    proptest! {
        #[test]
        fn text_round_trips(zones: [u8; 5]) {
            let digits: String = zones.iter().map(|zone| char::from_digit((zone % 36).into(), 36).unwrap()).collect();
            if let Ok(zones) = digits.repeat(9).parse::<KingZones>() {
                prop_assert_eq!(zones.to_string(), digits.repeat(9));
                prop_assert!(!zones.leans());
                let leaning: KingZones = format!("{zones}+lean").parse().unwrap();
                prop_assert_eq!((leaning.leans(), leaning.upright()), (true, zones));
                prop_assert!(zones.count() <= 5);
            }
        }
    }
}
