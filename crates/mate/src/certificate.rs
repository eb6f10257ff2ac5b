//! Proofs of mates that anyone can check.
//!
//! A certificate names, for every position of the attacker that can come up, the check to play and in how many plies it mates
//! at most. Checking it needs the rules of the game and nothing else: nothing here uses any part of the solver.
//!
//! The file: the line `tsumugi mate certificate 1`, the SFEN, the word `b` or `w` for the attacker, the number of entries,
//! each on a line; then the entries, sorted by key, each 16 bytes key, 2 bytes move, 2 bytes plies, the smaller bytes first.

use shogi::{Color, Move, Position, SfenError};
use std::collections::{HashMap, HashSet};

/// A proof of a mate.
///
/// ```
/// use mate::{Certificate, Goal, Limits, Solver};
/// use shogi::{Color, Position};
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1")?;
/// let mut solver = Solver::new(1 << 20)?;
/// solver.solve(&position, Goal::Shortest, Limits::none());
/// let certificate = solver.certificate(&position, Color::Black, 1, Limits::none()).expect("it is short");
/// let read = Certificate::from_bytes(&certificate.to_bytes())?;
/// assert_eq!(read.verify()?.plies, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    sfen: String,
    attacker: Color,
    entries: HashMap<u128, (Move, u16)>,
}

/// What a certificate has been found to prove.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The position that is mate.
    pub sfen: String,
    /// In so many plies at most.
    pub plies: u32,
    /// Positions of the attacker that were checked.
    pub positions: usize,
}

/// Why something is no certificate, or proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CertificateError {
    /// Another file.
    #[error("not a certificate: expected the line `{MAGIC}` at the beginning")]
    Magic,
    /// The lines at the beginning.
    #[error("expected {expected} on line {line}, found `{found}`")]
    Header {
        /// What should have been there.
        expected: &'static str,
        /// Where.
        line: usize,
        /// What was there.
        found: String,
    },
    /// The position.
    #[error("line 2: {0}")]
    Position(#[from] SfenError),
    /// Too few or too many bytes.
    #[error("expected {expected} bytes of entries, found {found}")]
    Size {
        /// By the number of entries.
        expected: usize,
        /// What was there.
        found: usize,
    },
    /// An entry that is no move.
    #[error("entry {0} holds no move")]
    Move(usize),
    /// A position without an entry.
    #[error("nothing is said about {0}")]
    Missing(String),
    /// A move that is not one.
    #[error("{m} is not a legal check in {sfen}")]
    NotACheck {
        /// The move.
        m: Move,
        /// Where.
        sfen: String,
    },
    /// A mate that does not get nearer.
    #[error("{sfen} must mate within {bound} plies, but claims {plies}")]
    TooLong {
        /// Where.
        sfen: String,
        /// What the positions before it promise.
        bound: u32,
        /// What it says itself.
        plies: u32,
    },
}

const MAGIC: &str = "tsumugi mate certificate 1";
const ENTRY: usize = 20;

impl Certificate {
    pub(crate) fn new(position: &Position, attacker: Color, entries: HashMap<u128, (Move, u16)>) -> Self {
        Self { sfen: position.sfen(), attacker, entries }
    }

    /// Number of positions it speaks of.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it speaks of none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What it says to play, and in how many plies that mates at most.
    #[must_use]
    pub fn answer(&self, position: &Position) -> Option<(Move, u32)> {
        self.entries.get(&position.key128()).map(|(m, plies)| (*m, u32::from(*plies)))
    }

    /// The file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut sorted: Vec<_> = self.entries.iter().collect();
        sorted.sort_unstable();
        let mut bytes =
            format!("{MAGIC}\n{}\n{}\n{}\n", self.sfen, self.attacker.letter(), sorted.len()).into_bytes();
        for (key, (m, plies)) in sorted {
            bytes.extend_from_slice(&key.to_le_bytes());
            bytes.extend_from_slice(&m.bits().to_le_bytes());
            bytes.extend_from_slice(&plies.to_le_bytes());
        }
        bytes
    }

    /// Reads a file; whether it proves anything, [`Certificate::verify`] says.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CertificateError> {
        let mut rest = bytes;
        let mut line = || {
            let end = rest.iter().take(500).position(|byte| *byte == b'\n')?;
            let text = String::from_utf8_lossy(&rest[..end]).into_owned();
            rest = &rest[end + 1..];
            Some(text)
        };
        if line().as_deref() != Some(MAGIC) {
            return Err(CertificateError::Magic);
        }
        let header = |expected, line, found: Option<String>| CertificateError::Header {
            expected,
            line,
            found: found.unwrap_or_default().chars().take(40).collect(),
        };
        let sfen = line().ok_or_else(|| header("an SFEN", 2, None))?;
        Position::from_sfen(&sfen)?;
        let attacker = match line() {
            Some(word) if word == "b" => Color::Black,
            Some(word) if word == "w" => Color::White,
            other => return Err(header("`b` or `w`", 3, other)),
        };
        let count = line();
        let Some(count) = count.as_ref().and_then(|word| word.parse::<u32>().ok()) else {
            return Err(header("a number of entries", 4, count));
        };
        let expected = count as usize * ENTRY;
        if rest.len() != expected {
            return Err(CertificateError::Size { expected, found: rest.len() });
        }
        let mut entries = HashMap::with_capacity(count as usize);
        for (index, entry) in rest.chunks_exact(ENTRY).enumerate() {
            let word = |at: usize| u16::from_le_bytes([entry[at], entry[at + 1]]);
            let key = entry[..16].iter().rev().fold(0, |key, byte| key << 8 | u128::from(*byte));
            let m = Move::from_bits(word(16)).ok_or(CertificateError::Move(index))?;
            entries.insert(key, (m, word(18)));
        }
        Ok(Self { sfen, attacker, entries })
    }

    /// Checks every move against every defence.
    pub fn verify(&self) -> Result<Verified, CertificateError> {
        let mut checker = Checker {
            certificate: self,
            position: Position::from_sfen(&self.sfen)?,
            checked: HashSet::new(),
        };
        let plies = checker.run()?;
        Ok(Verified { sfen: self.sfen.clone(), plies, positions: checker.checked.len() })
    }
}

struct Checker<'a> {
    certificate: &'a Certificate,
    position: Position,
    checked: HashSet<u128>,
}

/// Defences that are still to be looked at, and the plies that remain after each.
struct Open {
    defences: Vec<Move>,
    bound: u32,
}

impl Checker<'_> {
    fn run(&mut self) -> Result<u32, CertificateError> {
        let mut stack = Vec::new();
        let plies = if self.position.side() == self.certificate.attacker {
            let plies = self.claim(u32::MAX)?;
            stack.extend(self.attack(u32::MAX)?);
            plies
        } else {
            // The longest of what is claimed after the defender's first moves.
            let mut longest = None;
            let defences: Vec<Move> = self.position.legal_moves().iter().copied().collect();
            for &m in &defences {
                self.position.do_move(m);
                longest = longest.max(Some(self.claim(u32::MAX)?));
                self.position.undo_move();
            }
            let plies = longest.map_or(0, |longest| longest + 1);
            stack.push(Open { defences, bound: u32::MAX });
            plies
        };
        let root = self.position.moves_since_start();
        while let Some(open) = stack.last_mut() {
            if let Some(m) = open.defences.pop() {
                let bound = open.bound;
                self.position.do_move(m);
                match self.attack(bound)? {
                    Some(next) => stack.push(next),
                    None => self.position.undo_move(),
                }
            } else {
                stack.pop();
                if self.position.moves_since_start() > root {
                    self.position.undo_move();
                    self.position.undo_move();
                }
            }
        }
        Ok(plies)
    }

    /// In how many plies the present position claims to mate.
    fn claim(&self, bound: u32) -> Result<u32, CertificateError> {
        let answer = self.certificate.answer(&self.position);
        let (_, plies) = answer.ok_or_else(|| CertificateError::Missing(self.position.sfen()))?;
        if plies == 0 || plies > bound {
            return Err(CertificateError::TooLong { sfen: self.position.sfen(), bound, plies });
        }
        Ok(plies)
    }

    /// Plays the attacker's move; `None` if the position was checked before.
    fn attack(&mut self, bound: u32) -> Result<Option<Open>, CertificateError> {
        let plies = self.claim(bound)?;
        if !self.checked.insert(self.position.key128()) {
            return Ok(None);
        }
        let Some((m, _)) = self.certificate.answer(&self.position) else { return Ok(None) };
        if !(self.position.is_legal(m) && self.position.gives_check(m)) {
            return Err(CertificateError::NotACheck { m, sfen: self.position.sfen() });
        }
        self.position.do_move(m);
        let defences: Vec<Move> = self.position.legal_moves().iter().copied().collect();
        Ok(Some(Open { defences, bound: plies.saturating_sub(2) }))
    }
}
