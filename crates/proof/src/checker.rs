//! Checks a certificate against every defence.

use crate::board::{Board, Bytes};
use crate::certificate::{Certificate, FileError};
use std::collections::HashSet;

/// The statement that a certificate proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The position that is mate.
    pub sfen: String,
    /// An upper bound of the plies to mate.
    pub plies: u32,
    /// Positions of the attacker that were checked.
    pub positions: usize,
}

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The file is not a certificate.
    #[error(transparent)]
    File(#[from] FileError),
    /// A position without an entry.
    #[error("there is no entry for {0}")]
    Missing(String),
    /// A move that is not a legal check.
    #[error("{m} is not a legal check in {sfen}")]
    NotACheck {
        /// The move.
        m: String,
        /// The position.
        sfen: String,
    },
    /// A mate that does not get shorter.
    #[error("{sfen} must mate within {bound} plies, but claims {plies}")]
    TooLong {
        /// The position.
        sfen: String,
        /// The bound from the positions before it.
        bound: u32,
        /// The bound of its own entry.
        plies: u32,
    },
    /// The defender cannot move, but is not in check.
    #[error("the defender cannot move in {0}, but is not in check")]
    Stalemate(String),
}

/// Reads a certificate and checks every move of it against every defence.
pub fn check(bytes: &[u8]) -> Result<Checked, Refusal> {
    let certificate = Certificate::read(bytes)?;
    let mut checker = Checker { certificate: &certificate, done: HashSet::new(), open: Vec::new() };
    let start = &certificate.start;
    let plies = if start.side() == certificate.attacker {
        checker.claim(start, u32::MAX)?
    } else {
        checker.claim_of_defender(start)?
    };
    checker.run()?;
    Ok(Checked { sfen: certificate.sfen.clone(), plies, positions: checker.done.len() })
}

struct Checker<'a> {
    certificate: &'a Certificate,
    /// Positions that have been checked or are pending, byte for byte, so that key collisions cannot confuse them.
    done: HashSet<Bytes>,
    /// Positions of the attacker whose entry is still to be checked.
    open: Vec<Board>,
}

impl Checker<'_> {
    fn run(&mut self) -> Result<(), Refusal> {
        while let Some(board) = self.open.pop() {
            let (m, plies) = self.answer(&board)?;
            let next = board.after_legal(m).filter(Board::in_check);
            let next = next.ok_or_else(|| Refusal::NotACheck { m: m.to_string(), sfen: board.sfen() })?;
            for defence in next.legal_moves() {
                self.claim(&next.after(defence), plies.saturating_sub(2))?;
            }
        }
        Ok(())
    }

    fn answer(&self, board: &Board) -> Result<(crate::board::Move, u32), Refusal> {
        self.certificate.answer(&board.bytes()).ok_or_else(|| Refusal::Missing(board.sfen()))
    }

    /// The bound of a position of the attacker; schedules its entry to be checked once.
    fn claim(&mut self, board: &Board, bound: u32) -> Result<u32, Refusal> {
        let (_, plies) = self.answer(board)?;
        if plies == 0 || plies > bound {
            return Err(Refusal::TooLong { sfen: board.sfen(), bound, plies });
        }
        if self.done.insert(board.bytes()) {
            self.open.push(board.clone());
        }
        Ok(plies)
    }

    /// The largest bound after the defender's first moves.
    fn claim_of_defender(&mut self, board: &Board) -> Result<u32, Refusal> {
        let defences = board.legal_moves();
        if defences.is_empty() && !board.in_check() {
            return Err(Refusal::Stalemate(board.sfen()));
        }
        let mut plies = 0;
        for defence in defences {
            plies = plies.max(1 + self.claim(&board.after(defence), u32::MAX)?);
        }
        Ok(plies)
    }
}
