//! JKF: records as JSON.

mod json;
mod read;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

use shogi::Handicap;

/// Names of start positions.
const PRESETS: [(&str, Handicap); 18] = [
    ("HIRATE", Handicap::Even),
    ("KY", Handicap::Lance),
    ("KY_R", Handicap::RightLance),
    ("KA", Handicap::Bishop),
    ("HI", Handicap::Rook),
    ("HIKY", Handicap::RookLance),
    ("2", Handicap::TwoPieces),
    ("3", Handicap::ThreePieces),
    ("4", Handicap::FourPieces),
    ("5", Handicap::FivePieces),
    ("5_L", Handicap::LeftFivePieces),
    ("6", Handicap::SixPieces),
    ("7_L", Handicap::LeftSevenPieces),
    ("7_R", Handicap::RightSevenPieces),
    ("8", Handicap::EightPieces),
    ("10", Handicap::TenPieces),
    // Not in the format's own list, but some programs read it.
    ("H3", Handicap::ThreePawns),
    ("NAKED", Handicap::NakedKing),
];

/// Letters that distinguish moves to the same square.
const RELATIVE: [(char, char); 7] =
    [('左', 'L'), ('直', 'C'), ('右', 'R'), ('上', 'U'), ('寄', 'M'), ('引', 'D'), ('打', 'H')];
