//! Checks the soundness of a problem: cooks (余詰), defences of equal length (変化同手数), pieces left over (駒余り).

use super::answer::certainty;
use crate::{Goal, Limits, Mate, MateLength, Solver, Verdict};
use serde_json::json;
use shogi::{Hand, Move, MoveList, MoveSet, Position, Promotions};
use std::fmt;

/// A move other than the solution's that also mates, and its length in plies.
struct Aside {
    /// Which move of the solution it replaces, from 1.
    number: usize,
    m: Move,
    length: MateLength,
}

/// The result of the check. `Display` is the report for people.
pub struct Soundness {
    length: MateLength,
    /// The attacker's hand after the mate (駒余り).
    leftover: Hand,
    /// Other checks before the last move that mate (余詰).
    cooks: Vec<Aside>,
    /// Other last moves that mate.
    last_moves: Vec<Aside>,
    /// Defences as long as the solution's (変化同手数).
    equal_defences: Vec<Aside>,
    /// Moves that could not be decided.
    undecided: Vec<(usize, Move)>,
}

/// Solves the position after every move that is not in the solution, within `nodes` positions each.
pub fn check_soundness(solver: &mut Solver, start: &Position, mate: &Mate, nodes: u64) -> Soundness {
    let attacker = Solver::attacker(start);
    let mut position = Position::try_from(start.setup()).unwrap_or_else(|_| start.clone());
    let mut found = Soundness {
        length: mate.length,
        leftover: Hand::EMPTY,
        cooks: Vec::new(),
        last_moves: Vec::new(),
        equal_defences: Vec::new(),
        undecided: Vec::new(),
    };
    for (index, &played) in mate.line.iter().enumerate() {
        let attacks = position.side() == attacker;
        let mut moves = MoveList::new();
        let set = if attacks { MoveSet::Checks } else { MoveSet::Legal };
        position.generate(set, Promotions::All, &mut moves);
        let remaining = (mate.line.len() - index) as u32;
        for &m in moves.iter().filter(|m| **m != played) {
            position.do_move(m);
            let goal = if attacks { Goal::Any } else { Goal::Shortest };
            let verdict = solver.go_on(&position, attacker, goal, Limits::nodes(nodes));
            position.undo_move();
            let number = index + 1;
            match verdict {
                Verdict::Mate(other) => {
                    let length = match other.length {
                        MateLength::Exact(plies) => MateLength::Exact(plies + 1),
                        MateLength::AtMost(plies) => MateLength::AtMost(plies + 1),
                    };
                    let aside = Aside { number, m, length };
                    if attacks && index + 1 == mate.line.len() {
                        found.last_moves.push(aside);
                    } else if attacks {
                        found.cooks.push(aside);
                    } else if length == MateLength::Exact(remaining) {
                        found.equal_defences.push(aside);
                    }
                }
                Verdict::NoMate => {}
                Verdict::Unknown(_) => found.undecided.push((number, m)),
            }
        }
        position.do_move(played);
    }
    found.leftover = position.hand(attacker);
    found
}

impl Soundness {
    fn verdict(&self) -> &'static str {
        match (self.cooks.is_empty(), self.undecided.is_empty(), self.length.is_exact()) {
            (false, ..) => "cooked: other checks mate as well",
            (true, false, _) => "not decided: some moves need more positions (--report-nodes)",
            (true, true, false) => {
                "no cook beside this line, but the length is not proved to be the shortest"
            }
            (true, true, true) if self.last_moves.is_empty() => "sound: the solution is unique",
            (true, true, true) => "sound but for the last move, which is not unique",
        }
    }

    /// The report as JSON.
    #[must_use]
    pub fn json(&self, name: &str) -> String {
        let asides = |asides: &[Aside]| -> Vec<serde_json::Value> {
            asides
                .iter()
                .map(|aside| {
                    json!({ "number": aside.number, "move": aside.m.to_string(), "plies": aside.length.plies(),
                            "certainty": certainty(aside.length) })
                })
                .collect()
        };
        json!({
            "name": name,
            "verdict": self.verdict(),
            "leftover": self.leftover.to_string(),
            "cooks": asides(&self.cooks),
            "last_moves": asides(&self.last_moves),
            "equal_defences": asides(&self.equal_defences),
            "undecided": self.undecided.iter().map(|(number, m)| json!({ "number": number, "move": m.to_string() })).collect::<Vec<_>>(),
        })
        .to_string()
    }
}

impl fmt::Display for Soundness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  verdict: {}", self.verdict())?;
        if !self.leftover.is_empty() {
            write!(f, "\n  left over at the end (駒余り): {}", self.leftover)?;
        }
        let sections = [
            ("also mates (余詰)", &self.cooks),
            ("is another last move (最終手余詰)", &self.last_moves),
            ("holds out as long (変化同手数)", &self.equal_defences),
        ];
        for (what, asides) in sections {
            for aside in asides {
                write!(f, "\n  move {}: {} {what}, {} from here", aside.number, aside.m, aside.length)?;
            }
        }
        for (number, m) in &self.undecided {
            write!(f, "\n  move {number}: {m} was not decided")?;
        }
        Ok(())
    }
}
