//! Reading a whole proof off the table: one check for every position of the attacker, against every defence.

use super::SolveSession;
use crate::certificate;
use crate::length::Length;
use crate::verdict::Reason;
use shogi::Move;
use std::collections::HashMap;

/// For each position of the attacker, by its key in certificates: what to play, and in how many plies it mates at most.
pub(crate) type Proof = HashMap<u128, (Move, u16)>;

/// The defender's moves after a check, of which the first few have been answered.
struct Defences {
    moves: Vec<Move>,
    next: usize,
    /// After each of them it mates within so many plies.
    bound: Length,
}

impl SolveSession<'_, '_> {
    /// The proof of a mate within `length` at the present position.
    pub(crate) fn proof(&mut self, length: Length) -> Result<Proof, Reason> {
        let start = self.searcher.walk.depth();
        let mut proof = Proof::new();
        let done = self.collect(length, &mut proof);
        while self.searcher.walk.depth() > start {
            self.searcher.walk.leave();
        }
        done.map(|()| proof)
    }

    fn collect(&mut self, length: Length, proof: &mut Proof) -> Result<(), Reason> {
        let mut stack: Vec<Defences> = Vec::new();
        if self.searcher.walk.attacks() {
            stack.extend(self.answer(length, proof)?);
        } else {
            self.decide(length)?.ok_or(Reason::Stopped)?;
            stack.push(self.defences(length.minus(1)));
        }
        let root = self.searcher.walk.depth();
        while let Some(defences) = stack.last_mut() {
            if let Some(&m) = defences.moves.get(defences.next) {
                defences.next += 1;
                let bound = defences.bound;
                self.searcher.walk.enter(m);
                match self.answer(bound, proof)? {
                    Some(next) => stack.push(next),
                    None => self.searcher.walk.leave(),
                }
            } else {
                stack.pop();
                if self.searcher.walk.depth() > root {
                    // The check, and the defence that it answered.
                    self.searcher.walk.leave();
                    self.searcher.walk.leave();
                }
            }
        }
        Ok(())
    }

    /// Chooses the attacker's move at the present position and plays it; `None` if the proof has one that is good enough.
    /// (A position of the present line is not good enough: bounds get smaller from move to move.)
    fn answer(&mut self, bound: Length, proof: &mut Proof) -> Result<Option<Defences>, Reason> {
        let key = certificate::key(&self.searcher.walk.position);
        if proof.get(&key).is_some_and(|(_, plies)| *plies <= bound.plies()) {
            return Ok(None);
        }
        let (m, after) = match self.searcher.walk.position.mate_in_one() {
            Some(m) => (m, Length::ZERO),
            None => self.attack(bound)?,
        };
        proof.insert(key, (m, after.plus_one().plies()));
        self.searcher.walk.enter(m);
        Ok(Some(self.defences(after.minus(1))))
    }

    fn defences(&self, bound: Length) -> Defences {
        Defences { moves: self.searcher.walk.moves().iter().copied().collect(), next: 0, bound }
    }
}
