//! Certificate files: proofs of who wins.
//!
//! A certificate gives a move for every position of the winner that can arise, up to reflection; the checker searches
//! the last few moves. Checking needs only the rules of the game: nothing here uses the solver.
//!
//! The file: the line `tsumugi binarsi certificate 1`, the SFEN, `black` or `white` for the winner, and the number of
//! entries, each on a line; then the entries, sorted, with 16 bytes of position and 1 byte of move, little-endian.

use crate::board::Board;
use crate::moves::Move;
use crate::position::MAX_PLIES;
use crate::sfen::SfenError;
use crate::state::{Moves, State};
use game::Color;
use std::collections::{HashMap, HashSet};

const MAGIC: &str = "tsumugi binarsi certificate 1";
const ENTRY_BYTES: usize = 17;

/// Positions with at most this many moves left are not listed: checking searches them.
pub(crate) const SEARCHED: u32 = 4;

/// A proof of who wins.
///
/// ```
/// use binarsi::{Board, Certificate, Solver};
/// let board: Board = "7/7/1xox3/1oxo3/1xoo3/7 b 234cde ///8// 10".parse().unwrap();
/// let solver = Solver::new(16, std::num::NonZeroUsize::MIN).unwrap();
/// let certificate = solver.certificate(&board)?;
/// let read = Certificate::from_bytes(&certificate.to_bytes())?;
/// assert_eq!(read.verify()?.winner, game::Color::Black);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    board: Board,
    winner: Color,
    /// The winner's moves, by canonical position.
    moves: HashMap<u128, Move>,
}

/// The statement that a certificate proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The position.
    pub board: Board,
    /// The winner.
    pub winner: Color,
    /// Number of distinct positions checked, without those of the final searches.
    pub positions: usize,
}

/// Why a file is not a certificate, or proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CertificateError {
    /// Another kind of file.
    #[error("not a certificate: expected the line `{MAGIC}` at the beginning")]
    Magic,
    /// A malformed line of the header.
    #[error("expected {expected} on line {line}, found `{found}`")]
    Header {
        /// What was expected.
        expected: &'static str,
        /// The line.
        line: usize,
        /// What was found.
        found: String,
    },
    /// A malformed position.
    #[error("line 2: {0}")]
    Position(SfenError),
    /// The file is too short or too long.
    #[error("expected {expected} bytes of entries, found {found}")]
    Length {
        /// By the header.
        expected: usize,
        /// Found.
        found: usize,
    },
    /// An entry that is not a move.
    #[error("entry {0} holds no move")]
    Move(usize),
    /// A position without an entry.
    #[error("no move for `{0}`")]
    Missing(Board),
    /// A move of the proof is illegal.
    #[error("`{m}` is illegal in `{board}`")]
    Illegal {
        /// The move.
        m: Move,
        /// The position.
        board: Board,
    },
    /// The proof leads to a position that the other side has won.
    #[error("`{0}` is lost for the side that wins by the certificate")]
    Lost(Board),
}

/// A state packed into one number.
fn packed(state: &State) -> u128 {
    let rest = u128::from(state.locks.bits()) << 7
        | u128::from(state.cleared.bits()) << 1
        | state.side.index() as u128;
    u128::from(state.black) | u128::from(state.occupied) << 48 | rest << 96
}

/// An upper bound of the remaining moves: empty lines that can be filled, and unlocked ways.
fn moves_left(state: &State) -> u32 {
    let lines = crate::way::Way::all().filter(|way| state.is_occupied(Some(*way))).count() as u32;
    (MAX_PLIES + 2).saturating_sub(lines + state.locks.len())
}

fn legal(state: &State) -> Moves {
    let mut moves = Moves::new();
    state.moves(&mut moves);
    moves
}

/// Whether so few moves are left that the certificate has no entry.
pub(crate) fn is_searched(state: &State) -> bool {
    moves_left(state) <= SEARCHED
}

impl Certificate {
    /// A certificate without moves.
    pub(crate) fn new(board: Board, winner: Color) -> Self {
        Self { board, winner, moves: HashMap::new() }
    }

    /// Adds the winner's move in a canonical state.
    pub(crate) fn insert(&mut self, canonical: &State, m: Move) {
        self.moves.insert(packed(canonical), m);
    }

    /// The position.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there are no entries because the end is near.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut entries: Vec<_> = self.moves.iter().collect();
        entries.sort_unstable_by_key(|(position, _)| **position);
        let mut bytes = format!("{MAGIC}\n{}\n{}\n{}\n", self.board, self.winner, entries.len()).into_bytes();
        for (position, m) in entries {
            bytes.extend(position.to_le_bytes());
            bytes.push(m.index() as u8);
        }
        bytes
    }

    /// Reads a file; [`Certificate::verify`] checks its content.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CertificateError> {
        let mut parts = bytes.splitn(5, |byte| *byte == b'\n');
        let mut line = || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
        if line() != MAGIC {
            return Err(CertificateError::Magic);
        }
        let board = line().parse().map_err(CertificateError::Position)?;
        let header = |expected, line, found| CertificateError::Header { expected, line, found };
        let winner = line();
        let found = Color::ALL.into_iter().find(|color| color.to_string() == winner);
        let winner = found.ok_or_else(|| header("`black` or `white`", 3, winner))?;
        let count = line();
        let count: usize = count.parse().map_err(|_| header("the number of entries", 4, count))?;
        let entries = parts.next().unwrap_or_default();
        let expected = count.saturating_mul(ENTRY_BYTES);
        if entries.len() != expected {
            return Err(CertificateError::Length { expected, found: entries.len() });
        }
        let mut certificate = Self::new(board, winner);
        for (i, entry) in entries.chunks_exact(ENTRY_BYTES).enumerate() {
            let position = entry[..16].iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte));
            let m = Move::from_index(usize::from(entry[16])).ok_or(CertificateError::Move(i + 1))?;
            certificate.moves.insert(position, m);
        }
        Ok(certificate)
    }

    /// Verifies by the rules alone that the moves win against every play of the loser.
    pub fn verify(&self) -> Result<Verified, CertificateError> {
        let mut seen = HashSet::new();
        self.check(&self.board.state, &mut seen)?;
        Ok(Verified { board: self.board, winner: self.winner, positions: seen.len() })
    }

    fn check(&self, state: &State, seen: &mut HashSet<u128>) -> Result<(), CertificateError> {
        let state = state.canonical();
        let lost = || CertificateError::Lost(Board::of(state));
        if is_searched(&state) || state.ending().is_some() {
            return if winner(&state) == self.winner { Ok(()) } else { Err(lost()) };
        }
        let position = packed(&state);
        if !seen.insert(position) {
            return Ok(());
        }
        if state.side != self.winner {
            return legal(&state).iter().try_for_each(|m| self.check(&state.after(*m), seen));
        }
        let m = *self.moves.get(&position).ok_or_else(|| CertificateError::Missing(Board::of(state)))?;
        if !state.allows(m) {
            return Err(CertificateError::Illegal { m, board: Board::of(state) });
        }
        self.check(&state.after(m), seen)
    }
}

/// The winner, by exhaustive search.
fn winner(state: &State) -> Color {
    if let Some(ending) = state.ending() {
        return ending.winner();
    }
    let wins = legal(state).iter().any(|m| winner(&state.after(*m)) == state.side);
    if wins { state.side } else { !state.side }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Solver;
    use std::num::NonZeroUsize;

    /// Black wins, 11 moves left.
    const BOARD: &str = "7/7/1xox3/1oxo3/1xoo3/7 b 234cde ///8// 10";

    fn certificate() -> Certificate {
        let solver = Solver::new(8, NonZeroUsize::MIN).unwrap();
        solver.certificate(&BOARD.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_proof_is_checked_after_it_was_written() {
        let certificate = certificate();
        assert!(!certificate.is_empty());
        let read = Certificate::from_bytes(&certificate.to_bytes()).unwrap();
        assert_eq!(read, certificate);
        let verified = read.verify().unwrap();
        assert_eq!((verified.winner, verified.board.to_string().as_str()), (Color::Black, BOARD));
        assert!(verified.positions > certificate.len());
    }

    #[test]
    fn every_entry_counts() {
        let certificate = certificate();
        for position in certificate.moves.keys().take(40) {
            let mut changed = certificate.clone();
            changed.moves.remove(position);
            assert!(matches!(changed.verify(), Err(CertificateError::Missing(_))));
            // Another move may win as well, but one on an empty corner is never legal here.
            changed.moves.insert(*position, Move::from_text("7s6").unwrap());
            assert!(matches!(changed.verify(), Err(CertificateError::Illegal { .. })));
        }
        let lie = Certificate { winner: Color::White, ..certificate };
        assert!(lie.verify().is_err());
    }

    #[test]
    fn other_files_are_refused() {
        let good = certificate().to_bytes();
        let refused = |bytes: &[u8]| Certificate::from_bytes(bytes).unwrap_err().to_string();
        assert!(refused(b"").contains("not a certificate"));
        assert!(refused(&good[..good.len() - 1]).contains("bytes of entries"));
        let changed = |from: &str, to: &str| {
            let at = good.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
            [&good[..at], to.as_bytes(), &good[at + from.len()..]].concat()
        };
        assert!(refused(&changed("black", "green")).contains("line 3, found `green`"));
        assert!(refused(&changed("234cde", "234xyz")).starts_with("line 2"));
        let mut no_move = good.clone();
        *no_move.last_mut().unwrap() = 0xff;
        assert!(refused(&no_move).contains("holds no move"));
    }
}
