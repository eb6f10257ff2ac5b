//! What is wrong with a small problem, found by exhaustive search without the solver: values of all positions, all
//! checks and all defences along a line.

use crate::exhaustive::exhaustive;
use shogi::{Color, Move, MoveList, MoveSet, Position, Promotions};
use std::collections::{BTreeSet, HashMap};

/// Values of positions: plies to mate with best play, by exhaustive search.
pub struct Values {
    attacker: Color,
    most: usize,
    known: HashMap<u128, Option<u32>>,
}

/// Moves beside a line, each with the index of its place.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Beside {
    /// Checks that mate as well.
    pub checks: BTreeSet<(usize, String)>,
    /// Defences that last as long and can be mated without pieces left over.
    pub defences: BTreeSet<(usize, String)>,
}

/// A position that could not be listed.
#[derive(Debug)]
pub struct TooLarge;

impl Values {
    pub fn new(attacker: Color, most: usize) -> Self {
        Self { attacker, most, known: HashMap::new() }
    }

    pub fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = MoveList::new();
        position.generate(MoveSet::Legal, Promotions::All, &mut moves);
        let attacks = position.side() == self.attacker;
        moves.iter().copied().filter(|m| !attacks || position.gives_check(*m)).collect()
    }

    /// Plies to mate; nothing if there is none.
    pub fn value(&mut self, position: &Position) -> Result<Option<u32>, TooLarge> {
        if let Some(known) = self.known.get(&position.key128()) {
            return Ok(*known);
        }
        let value = if position.side() == self.attacker {
            exhaustive(position, self.most).ok_or(TooLarge)?.mate
        } else {
            self.defended(position)?
        };
        self.known.insert(position.key128(), value);
        Ok(value)
    }

    fn defended(&mut self, position: &Position) -> Result<Option<u32>, TooLarge> {
        let moves = self.moves(position);
        if moves.is_empty() {
            return Ok(position.in_check().then_some(0));
        }
        let mut longest = 0;
        for m in moves {
            match self.value(&after(position, m))? {
                Some(plies) => longest = longest.max(plies + 1),
                None => return Ok(None),
            }
        }
        Ok(Some(longest))
    }

    /// The fewest pieces that any line of optimal play leaves.
    pub fn left_over(&mut self, position: &Position) -> Result<Option<u32>, TooLarge> {
        let Some(plies) = self.value(position)? else { return Ok(None) };
        if plies == 0 {
            return Ok(Some(position.hand(self.attacker).iter().map(|(_, count)| count).sum()));
        }
        let mut least = None;
        for m in self.moves(position) {
            let next = after(position, m);
            if self.value(&next)? == Some(plies - 1) {
                let left = self.left_over(&next)?;
                least = match (least, left) {
                    (Some(a), Some(b)) => Some(u32::min(a, b)),
                    (a, b) => a.or(b),
                };
            }
        }
        Ok(least)
    }

    /// What mates or lasts as long beside a line.
    pub fn beside(&mut self, start: &Position, line: &[Move]) -> Result<Beside, TooLarge> {
        let mut position = start.clone();
        let mut beside = Beside::default();
        for (index, &played) in line.iter().enumerate() {
            let remaining = (line.len() - index) as u32;
            for m in self.moves(&position).into_iter().filter(|m| *m != played) {
                let next = after(&position, m);
                let Some(plies) = self.value(&next)? else { continue };
                let is_twin = m.to() == played.to() && m.origin() == played.origin();
                if position.side() == self.attacker {
                    beside.checks.insert((index, m.to_string()));
                } else if plies + 1 == remaining && !is_twin && self.left_over(&next)? == Some(0) {
                    beside.defences.insert((index, m.to_string()));
                }
            }
            position.do_move(played);
        }
        Ok(beside)
    }
}

pub fn after(position: &Position, m: Move) -> Position {
    let mut next = Position::try_from(position.setup()).expect("it was a position");
    next.do_move(m);
    next
}
