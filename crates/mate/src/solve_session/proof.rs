//! Extracts a whole proof from the table: one check for every position of the attacker, against every defence.

use super::SolveSession;
use crate::certificate;
use crate::length::Length;
use crate::verdict::Reason;
use shogi::Move;
use std::collections::HashMap;

/// The check to play and an upper bound of the plies to mate for each position of the attacker, by its certificate key.
pub(crate) type Proof = HashMap<u128, (Move, u16)>;

/// The defender's moves after a check, and how many of them have been answered.
struct Defences {
    moves: Vec<Move>,
    next: usize,
    /// An upper bound of the plies to mate after each of them.
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
                    // Undo the check and the defence that it answered.
                    self.searcher.walk.leave();
                    self.searcher.walk.leave();
                }
            }
        }
        Ok(())
    }

    /// Chooses the attacker's move in the current position and plays it; `None` if the proof already has a good enough
    /// one. (An entry of the current line is never good enough, because bounds shrink with every move.)
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
