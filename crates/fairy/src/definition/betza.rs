//! Parses Betza's notation of moves, as far as shogi-like pieces need it: `WfF` is the gold, `fN` the knight.

/// One way of a piece to move, for a side that moves up the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Way {
    /// Columns to the right of the elementary leap.
    pub right: i8,
    /// Rows up of the elementary leap.
    pub up: i8,
    /// How the leap is used.
    pub manner: Manner,
    /// Whether it may go to empty squares.
    pub quiet: bool,
    /// It may capture.
    pub captures: bool,
}

/// How a piece uses an elementary leap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Manner {
    /// Leaps once, over anything.
    Leap,
    /// Leaps once, if every square on the way is empty.
    Lame,
    /// Repeats the leap over empty squares, at most this often.
    Ride(Option<u8>),
    /// Rides, jumps over exactly one piece, rides on; the number is the limit of all leaps together.
    Hop(Option<u8>),
    /// Rides to a piece and lands right behind it.
    Grasshop,
}

/// Why a notation was not understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BetzaError {
    /// An unknown letter.
    #[error("`{0}` is neither a modifier nor an atom of Betza's notation")]
    Unknown(char),
    /// A feature that only chess pieces need.
    #[error("`{0}` (first move or en passant) is a feature of chess that is not supported")]
    Chess(char),
    /// Modifiers without an atom.
    #[error("nothing follows the modifiers `{0}`")]
    NoAtom(String),
    /// `n` on something other than a single leap.
    #[error("`n` (lame) goes with single leaps only, not with `{0}`")]
    LameRider(char),
    /// A rider of distance 0.
    #[error("a piece cannot ride 0 steps")]
    NoDistance,
}

const fn leaps(atom: char) -> Option<&'static [(i8, i8)]> {
    Some(match atom {
        'W' | 'R' => &[(1, 0)],
        'F' | 'B' => &[(1, 1)],
        'K' | 'Q' => &[(1, 0), (1, 1)],
        'D' => &[(2, 0)],
        'N' => &[(2, 1)],
        'A' => &[(2, 2)],
        'H' => &[(3, 0)],
        'C' | 'L' => &[(3, 1)],
        'Z' | 'J' => &[(3, 2)],
        'G' => &[(3, 3)],
        _ => return None,
    })
}

/// The eight leaps of an atom (a, b), as (up, right) in multiples of a and b, with the direction codes for each. `true`
/// means a, `false` b.
const DIRECTIONS: [((i8, i8), bool, [&str; 7]); 8] = [
    ((1, 1), true, ["ff", "vv", "rf", "rv", "fh", "rh", "hr"]),
    ((1, -1), true, ["ff", "vv", "lf", "lv", "fh", "lh", "hl"]),
    ((-1, 1), true, ["bb", "vv", "rb", "rv", "bh", "rh", "hl"]),
    ((-1, -1), true, ["bb", "vv", "lb", "lv", "bh", "lh", "hr"]),
    ((1, 1), false, ["rr", "ss", "fr", "fs", "fh", "rh", "hl"]),
    ((1, -1), false, ["ll", "ss", "fl", "fs", "fh", "lh", "hr"]),
    ((-1, 1), false, ["rr", "ss", "br", "bs", "bh", "rh", "hr"]),
    ((-1, -1), false, ["ll", "ss", "bl", "bs", "bh", "lh", "hl"]),
];

#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a letter of the notation")]
struct Modifiers {
    text: String,
    directions: Vec<String>,
    quiet: bool,
    captures: bool,
    hops: bool,
    lands_behind: bool,
    lame: bool,
}

/// Reads a notation.
///
/// ```
/// use fairy::betza;
/// assert_eq!(betza::parse("WfF").unwrap().len(), 6);
/// assert_eq!(betza::parse("fN").unwrap().len(), 2);
/// assert!(betza::parse("xR").is_err());
/// ```
pub fn parse(notation: &str) -> Result<Vec<Way>, BetzaError> {
    let letters: Vec<char> = notation.chars().collect();
    let mut ways: Vec<Way> = Vec::new();
    let mut modifiers = Modifiers::default();
    let mut place = 0;
    while let Some(&letter) = letters.get(place) {
        let next = letters.get(place + 1).copied();
        place += 1;
        match letter {
            'm' => modifiers.quiet = true,
            'c' => modifiers.captures = true,
            'p' => modifiers.hops = true,
            'g' => (modifiers.hops, modifiers.lands_behind) = (true, true),
            'n' => modifiers.lame = true,
            'i' | 'e' => return Err(BetzaError::Chess(letter)),
            _ if is_direction(letter) => {
                let second = next.filter(|next| combine(letter, *next));
                place += usize::from(second.is_some());
                modifiers.directions.push([letter, second.unwrap_or(letter)].iter().collect());
            }
            _ => {
                let atoms = leaps(letter).ok_or(BetzaError::Unknown(letter))?;
                let distance = next.and_then(|next| next.to_digit(10)).map(|digit| digit as u8);
                let doubled = next == Some(letter);
                place += usize::from(distance.is_some() || doubled);
                let rides = matches!(letter, 'R' | 'B' | 'Q') || distance.is_some() || doubled;
                let manner = manner(&modifiers, letter, rides, distance)?;
                add_atom(&mut ways, &modifiers, atoms, manner);
                modifiers = Modifiers::default();
                continue;
            }
        }
        modifiers.text.push(letter);
    }
    if modifiers.text.is_empty() { Ok(ways) } else { Err(BetzaError::NoAtom(modifiers.text)) }
}

fn manner(
    modifiers: &Modifiers,
    atom: char,
    rides: bool,
    distance: Option<u8>,
) -> Result<Manner, BetzaError> {
    if distance == Some(0) {
        return Err(BetzaError::NoDistance);
    }
    if modifiers.lame && (rides || modifiers.hops) {
        return Err(BetzaError::LameRider(atom));
    }
    Ok(match distance {
        _ if modifiers.lame => Manner::Lame,
        None if modifiers.lands_behind => Manner::Grasshop,
        Some(1) if modifiers.hops => Manner::Grasshop,
        _ if modifiers.hops => Manner::Hop(distance),
        _ if rides => Manner::Ride(distance),
        _ => Manner::Leap,
    })
}

fn add_atom(ways: &mut Vec<Way>, modifiers: &Modifiers, atoms: &[(i8, i8)], manner: Manner) {
    let both = modifiers.quiet == modifiers.captures;
    let (quiet, captures) = (both || modifiers.quiet, both || modifiers.captures);
    for &(a, b) in atoms {
        let splits = atoms.len() == 1 && b == 0;
        let mut codes: Vec<String> = Vec::new();
        for code in &modifiers.directions {
            let mut letters = code.chars();
            let (first, second) = (letters.next().unwrap_or_default(), letters.next().unwrap_or_default());
            if splits && first != second {
                codes.extend([[first, first].iter().collect(), [second, second].iter().collect()]);
            } else {
                codes.push(code.clone());
            }
        }
        for ((up, right), long_is_up, enabled_by) in DIRECTIONS {
            if codes.is_empty() || codes.iter().any(|code| enabled_by.contains(&code.as_str())) {
                let (up, right) = if long_is_up { (up * a, right * b) } else { (up * b, right * a) };
                let way = Way { right, up, manner, quiet, captures };
                if !ways.contains(&way) {
                    ways.push(way);
                }
            }
        }
    }
}

fn is_direction(letter: char) -> bool {
    is_vertical(letter) || is_horizontal(letter)
}

fn is_vertical(letter: char) -> bool {
    matches!(letter, 'f' | 'b' | 'v' | 'h')
}

fn is_horizontal(letter: char) -> bool {
    matches!(letter, 'r' | 'l' | 's' | 'h')
}

/// Whether two letters make one code.
fn combine(first: char, second: char) -> bool {
    first == second
        || is_vertical(first) && is_horizontal(second)
        || is_horizontal(first) && is_vertical(second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Elementary leaps as (up, right).
    fn leaps_of(notation: &str) -> BTreeSet<(i8, i8)> {
        parse(notation).unwrap().iter().map(|way| (way.up, way.right)).collect()
    }

    #[test]
    fn directions() {
        for (notation, leaps) in [
            ("fN", vec![(2, 1), (2, -1)]),
            ("ffN", vec![(2, 1), (2, -1)]),
            ("FsfW", vec![(1, 1), (1, -1), (-1, 1), (-1, -1), (0, 1), (0, -1), (1, 0)]),
            ("frlR", vec![(1, 0), (0, 1), (0, -1)]),
            ("rbB", vec![(-1, 1)]),
            ("lbF", vec![(-1, -1)]),
            ("fsW", vec![(1, 0), (0, 1), (0, -1)]),
            ("vRsW", vec![(1, 0), (-1, 0), (0, 1), (0, -1)]),
            ("fsN", vec![(1, 2), (1, -2)]),
            ("fK", vec![(1, 0), (1, 1), (1, -1)]),
            ("", vec![]),
        ] {
            assert_eq!(leaps_of(notation), leaps.into_iter().collect(), "{notation}");
        }
        assert_eq!(leaps_of("N").len(), 8);
        assert_eq!(leaps_of("K").len(), 8);
    }

    #[test]
    fn manners() {
        for (notation, manner, quiet, captures) in [
            ("W", Manner::Leap, true, true),
            ("mW", Manner::Leap, true, false),
            ("cW", Manner::Leap, false, true),
            ("R", Manner::Ride(None), true, true),
            ("R3", Manner::Ride(Some(3)), true, true),
            ("W2", Manner::Ride(Some(2)), true, true),
            ("NN", Manner::Ride(None), true, true),
            ("cpR", Manner::Hop(None), false, true),
            ("pB2", Manner::Hop(Some(2)), true, true),
            ("gR", Manner::Grasshop, true, true),
            ("nN", Manner::Lame, true, true),
        ] {
            let ways = parse(notation).unwrap();
            assert!(!ways.is_empty());
            for way in ways {
                assert_eq!((way.manner, way.quiet, way.captures), (manner, quiet, captures), "{notation}");
            }
        }
    }

    #[test]
    fn errors() {
        for (notation, message) in [
            ("xR", "`x` is neither a modifier nor an atom of Betza's notation"),
            ("Wf", "nothing follows the modifiers `f`"),
            ("ifW", "`i` (first move or en passant) is a feature of chess that is not supported"),
            ("nR", "`n` (lame) goes with single leaps only, not with `R`"),
            ("R0", "a piece cannot ride 0 steps"),
        ] {
            assert_eq!(parse(notation).unwrap_err().to_string(), message);
        }
    }
}
