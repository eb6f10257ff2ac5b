//! Playing every defence against a certificate.

use crate::board::{Board, Bytes};
use crate::certificate::{Certificate, FileError};
use std::collections::HashSet;

/// What a certificate has been found to prove.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The position that is mate.
    pub sfen: String,
    /// In so many plies at most.
    pub plies: u32,
    /// Positions of the attacker that were checked.
    pub positions: usize,
}

/// Why something proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// It is no certificate.
    #[error(transparent)]
    File(#[from] FileError),
    /// A position without an entry.
    #[error("nothing is said about {0}")]
    Missing(String),
    /// A move that is not one.
    #[error("{m} is not a legal check in {sfen}")]
    NotACheck {
        /// The move.
        m: String,
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
    /// Positions that have been checked or are open, byte for byte: no two are taken for one.
    done: HashSet<Bytes>,
    /// Positions of the attacker whose move is still to be tried.
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

    /// In how many plies a position of the attacker claims to mate; it is checked later, once.
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

    /// The longest of what is claimed after the defender's first moves.
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
