//! Positions in 32 bytes.

use super::bits::BYTES;
use super::codes::{Codes, HUFFMAN_CODED_POS, PACKED_SFEN};
use super::pack::pack;
use super::unpack::unpack;
use crate::{Color, Position, Setup, SetupError, Square};
use std::fmt;
use std::marker::PhantomData;

/// A position in 32 bytes, in one of the field's two formats: [`PackedSfen`] or [`HuffmanCodedPos`].
///
/// It may contain any bytes; [`Packed::unpack`] fails if they are not a position. The move number is not stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Packed<F> {
    bytes: [u8; BYTES],
    format: PhantomData<F>,
}

/// `YaneuraOu`'s packed position.
///
/// Written like the newest versions: hands in the order P L N S G B R, then the pieces that a handicap leaves out.
/// Reads the output of every version.
///
/// ```
/// use shogi::{PackedSfen, Position};
/// let packed = PackedSfen::try_from(&Position::startpos())?;
/// let same = PackedSfen::from(*packed.bytes());
/// let position = Position::try_from(same.unpack()?)?;
/// assert_eq!(position.sfen(), Position::startpos().sfen());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type PackedSfen = Packed<Yaneuraou>;

/// The packed position (`hcp`) of Apery, cshogi and dlshogi.
///
/// ```
/// use shogi::{HuffmanCodedPos, PackedSfen, Position};
/// let hcp = HuffmanCodedPos::try_from(&Position::startpos())?;
/// let packed_sfen = PackedSfen::try_from(&hcp.unpack()?)?;
/// assert_ne!(hcp.bytes(), packed_sfen.bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type HuffmanCodedPos = Packed<Apery>;

/// The code words of [`PackedSfen`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Yaneuraou {}

/// The code words of [`HuffmanCodedPos`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Apery {}

/// The formats of [`Packed`], for code that handles both.
///
/// ```
/// use shogi::{Packed, PackedFormat, Position, UnpackError, Yaneuraou};
/// fn sfens<F: PackedFormat>(positions: &[Packed<F>]) -> Result<Vec<String>, UnpackError> {
///     positions.iter().map(|packed| Ok(packed.unpack()?.to_string())).collect()
/// }
/// let start = Packed::<Yaneuraou>::try_from(&Position::startpos())?;
/// assert_eq!(sfens(&[start])?, [shogi::STARTPOS_SFEN]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PackedFormat: sealed::HasCodes {}

impl PackedFormat for Yaneuraou {}
impl PackedFormat for Apery {}

mod sealed {
    pub trait HasCodes {
        fn codes() -> &'static super::Codes;
    }
}

impl sealed::HasCodes for Yaneuraou {
    fn codes() -> &'static Codes {
        &PACKED_SFEN
    }
}

impl sealed::HasCodes for Apery {
    fn codes() -> &'static Codes {
        &HUFFMAN_CODED_POS
    }
}

impl<F: PackedFormat> Packed<F> {
    /// Reads the position; its move number is 1.
    pub fn unpack(&self) -> Result<Setup, UnpackError> {
        unpack(&self.bytes, F::codes())
    }
}

impl<F: PackedFormat> TryFrom<&Setup> for Packed<F> {
    type Error = PackError;

    fn try_from(setup: &Setup) -> Result<Self, PackError> {
        pack(setup, F::codes()).map(Self::from)
    }
}

impl<F: PackedFormat> TryFrom<&Position> for Packed<F> {
    type Error = PackError;

    /// Fails only when a king is missing, and then rarely.
    fn try_from(position: &Position) -> Result<Self, PackError> {
        Self::try_from(&position.setup())
    }
}

impl<F> From<[u8; BYTES]> for Packed<F> {
    fn from(bytes: [u8; BYTES]) -> Self {
        Self { bytes, format: PhantomData }
    }
}

impl<F> Packed<F> {
    /// The 32 bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; BYTES] {
        &self.bytes
    }
}

/// The bytes in hexadecimal.
impl<F> fmt::Debug for Packed<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Why a position cannot be packed.
///
/// ```
/// use shogi::{PackError, PackedSfen, Setup, SetupError};
/// let error = PackedSfen::try_from(&Setup::EMPTY).unwrap_err();
/// assert_eq!(error, PackError::Impossible(SetupError::NoKing));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PackError {
    /// There is no code for this.
    #[error("impossible position: {0}")]
    Impossible(SetupError),
    /// A missing king makes a position one bit too long, and here that bit would be missed.
    #[error("with a king missing this position does not fit into 256 bits")]
    DoesNotFit,
}

// Not `#[from]`, which would make it a source as well: the text above already contains it.
impl From<SetupError> for PackError {
    fn from(error: SetupError) -> Self {
        Self::Impossible(error)
    }
}

/// Why 32 bytes are not a packed position.
///
/// ```
/// use shogi::{PackedSfen, UnpackError, Square};
/// let error = PackedSfen::from([0; 32]).unpack().unwrap_err();
/// assert_eq!(error, UnpackError::KingsCollide(Square::Sq11));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnpackError {
    /// A king beyond the board.
    #[error("{color}'s king is on square {square} of 0 to 80 (81 if missing)")]
    KingSquare {
        /// Whose king.
        color: Color,
        /// The number found.
        square: u8,
    },
    /// Both kings on one square.
    #[error("both kings are on {0}")]
    KingsCollide(Square),
    /// The board or a hand goes on beyond the last bit.
    #[error("the position does not end within 256 bits")]
    RanOut,
    /// Bits that are no code word.
    #[error("the bits from {0} on are no code of a piece")]
    BadCode(usize),
    /// More pieces than a set has.
    #[error("impossible position: {0}")]
    Impossible(SetupError),
}

// Not `#[from]`, which would make it a source as well: the text above already contains it.
impl From<SetupError> for UnpackError {
    fn from(error: SetupError) -> Self {
        Self::Impossible(error)
    }
}
