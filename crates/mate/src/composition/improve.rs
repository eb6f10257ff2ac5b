//! Which single changes keep a problem sound, and what they do to its length.

use super::custom::Custom;
use super::neighbours::{Edit, apply, edits};
use super::quick::{count_flaws, exact_mate, examined_sound};
use crate::{NoMemory, Solver};
use shogi::{Move, Position};

/// A change after which the problem is sound.
#[derive(Clone, Debug)]
pub struct Improvement {
    /// The change.
    pub edit: Edit,
    /// The new problem.
    pub position: Position,
    /// Its main line.
    pub line: Vec<Move>,
    /// Number of pieces on the board and in the attacker's hand.
    pub pieces: u32,
}

/// Size of the table.
const MEGABYTES: usize = 32;

/// Tries every single change of a problem; `watch` gets the number of changes tried and of all, and stops if it returns
/// `true`. The sound ones come longest first, then by number of pieces.
pub fn improve(
    problem: &Position,
    custom: Custom,
    mut watch: impl FnMut(usize, usize) -> bool,
) -> Result<Vec<Improvement>, NoMemory> {
    let mut solver = Solver::with_megabytes(MEGABYTES)?;
    let attacker = Solver::attacker(problem);
    let edits = edits(problem, attacker);
    let mut found = Vec::new();
    for (index, &edit) in edits.iter().enumerate() {
        if watch(index, edits.len()) {
            break;
        }
        let Some(position) = apply(problem, attacker, edit) else { continue };
        let Some(mate) = exact_mate(&mut solver, &position) else { continue };
        // What a custom forgives is counted here as well, so a few flaws do not decide.
        if custom == Custom::STRICT && count_flaws(&mut solver, &position, &mate, 1) > 0 {
            continue;
        }
        if let Some(examination) = examined_sound(&mut solver, &position, custom) {
            let pieces = pieces(&position);
            found.push(Improvement { edit, position, line: examination.line, pieces });
        }
    }
    found.sort_by_key(|found| (std::cmp::Reverse(found.line.len()), found.pieces));
    Ok(found)
}

/// Number of pieces of a problem: on the board and in the attacker's hand.
#[must_use]
pub fn pieces(position: &Position) -> u32 {
    let held: u32 = position.hand(Solver::attacker(position)).iter().map(|(_, count)| count).sum();
    position.occupied().count() + held
}
