//! The formats of training data.

use crate::corpus::{self, hcpe_record};
use crate::pack::PackReader;
use shogi::{PackedSfenValue, PlainReader, Position};
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// The format of a file of training data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataFormat {
    /// Games.
    Pack,
    /// `YaneuraOu`'s 40 bytes.
    Psv,
    /// Apery's 38 bytes.
    Hcpe,
    /// dlshogi's games.
    Hcpe3,
    /// `YaneuraOu`'s text.
    Plain,
}

impl DataFormat {
    /// The format of a file extension, if known.
    #[must_use]
    pub fn of_name(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "pack" => Self::Pack,
            "bin" | "psv" => Self::Psv,
            "hcpe" => Self::Hcpe,
            "hcpe3" => Self::Hcpe3,
            "txt" | "plain" => Self::Plain,
            _ => return None,
        })
    }

    /// Whether a file contains this format, judged by its first record or game.
    #[must_use]
    pub fn is_in(self, path: &Path) -> bool {
        match self {
            Self::Pack => PackReader::open(path).is_ok(),
            Self::Psv => first_bytes(path).is_some_and(|bytes| {
                let setup = PackedSfenValue::from_bytes(&bytes).ok().and_then(|record| record.setup().ok());
                setup.is_some_and(|setup| Position::try_from(setup).is_ok())
            }),
            Self::Hcpe => first_bytes(path).is_some_and(|bytes| hcpe_record(&bytes).is_ok()),
            Self::Hcpe3 => {
                corpus::games(path).is_ok_and(|mut games| games.next().is_some_and(|game| game.is_ok()))
            }
            Self::Plain => File::open(path).is_ok_and(|file| {
                PlainReader::new(BufReader::new(file)).next().is_some_and(|read| read.is_ok())
            }),
        }
    }
}

/// The name in messages.
impl fmt::Display for DataFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pack => "pack",
            Self::Psv => "40 bytes a position",
            Self::Hcpe => "hcpe",
            Self::Hcpe3 => "hcpe3",
            Self::Plain => "plain text",
        })
    }
}

fn first_bytes<const N: usize>(path: &Path) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    File::open(path).and_then(|mut file| file.read_exact(&mut bytes)).ok()?;
    Some(bytes)
}
