//! Writes proofs of mates as certificate files.
//!
//! A certificate gives, for every position of the attacker that can arise, the check to play and an upper bound of the
//! plies to mate. The format is documented in the crate `proof`, which checks it. To keep both independent, keys and
//! moves are encoded here a second time.

use shogi::{Color, HandPiece, Move, Origin, Position, Square};
use std::collections::HashMap;

/// A proof of a mate.
///
/// ```
/// use mate::{Goal, Limits, Solver};
/// use shogi::{Color, Position};
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1")?;
/// let mut solver = Solver::new(1 << 20)?;
/// solver.solve(&position, Goal::Shortest, Limits::none());
/// let certificate = solver.certificate(&position, Color::Black, 1, Limits::none()).expect("it is short");
/// assert_eq!(proof::check(&certificate.to_bytes())?.plies, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    sfen: String,
    attacker: Color,
    entries: HashMap<u128, (Move, u16)>,
}

const MAGIC: &str = "tsumugi mate certificate 2";

impl Certificate {
    pub(crate) fn new(position: &Position, attacker: Color, entries: HashMap<u128, (Move, u16)>) -> Self {
        Self { sfen: position.sfen(), attacker, entries }
    }

    /// Number of positions in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The check to play in a position, and an upper bound of the plies to mate.
    #[must_use]
    pub fn answer(&self, position: &Position) -> Option<(Move, u32)> {
        self.entries.get(&key(position)).map(|(m, plies)| (*m, u32::from(*plies)))
    }

    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut sorted: Vec<_> = self.entries.iter().collect();
        sorted.sort_unstable();
        let mut bytes =
            format!("{MAGIC}\n{}\n{}\n{}\n", self.sfen, self.attacker.letter(), sorted.len()).into_bytes();
        for (key, (m, plies)) in sorted {
            bytes.extend_from_slice(&key.to_le_bytes());
            bytes.extend_from_slice(&code(*m).to_le_bytes());
            bytes.extend_from_slice(&plies.to_le_bytes());
        }
        bytes
    }
}

/// The key of a position in a certificate: FNV-1a over board, hands and side to move.
pub(crate) fn key(position: &Position) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let square = |square: Square| {
        position.piece_at(square).map_or(0, |piece| piece.kind() as u8 + 16 * piece.color() as u8)
    };
    let hand = |color| HandPiece::ALL.map(|piece| position.hand(color).count(piece) as u8);
    let bytes = Square::all()
        .map(square)
        .chain(hand(Color::Black))
        .chain(hand(Color::White))
        .chain([position.side() as u8]);
    bytes.fold(BASIS, |key, byte| (key ^ u128::from(byte)).wrapping_mul(PRIME))
}

/// The encoding of a move in a certificate.
fn code(m: Move) -> u16 {
    let origin = match m.origin() {
        Origin::Board(from) => from.index(),
        Origin::Hand(piece) => Square::COUNT + piece.index(),
    };
    m.to().index() as u16 | (origin as u16) << 7 | u16::from(m.is_promotion()) << 14
}
