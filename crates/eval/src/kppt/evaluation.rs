//! The evaluation along a line of play.

use super::KpptParameters;
use super::piece_list::{Changed, PieceList, Replaced};
use super::sums::Sums;
use game::Evaluation;
use shogi::{Change, Color, PieceKind, Position, Square};
use std::sync::Arc;

/// KPPT or `KPP_KKPT` with any source of numbers, kept up to date along a line of play.
///
/// Sums are computed only when a value needs them, from the nearest earlier position that has sums. Clones share the
/// numbers. If a king is missing, the value is that of the material.
///
/// ```no_run
/// use eval::kppt::{Kppt, Kppt32};
/// use game::Evaluation;
/// use shogi::Position;
/// let mut evaluation = Kppt::new(Kppt32::open("eval".as_ref())?);
/// let position = Position::startpos();
/// evaluation.refresh(&position);
/// println!("eval = {}", evaluation.value(&position));
/// # Ok::<(), eval::kppt::KpptError>(())
/// ```
#[derive(Debug)]
pub struct Kppt<P> {
    parameters: Arc<P>,
    list: PieceList,
    /// One for each position of the line, the present one last.
    frames: Vec<Frame>,
}

#[derive(Clone, Debug)]
struct Frame {
    kings: [Option<Square>; 2],
    /// The entries that the move to here has replaced.
    changed: Changed,
    sums: Option<Sums>,
}

const NO_POSITION: &str = "a line begins with a position";

/// With more changed slots than this, starting from scratch is no slower.
const MOST_CHANGED: usize = 8;

impl<P> Clone for Kppt<P> {
    fn clone(&self) -> Self {
        Self {
            parameters: Arc::clone(&self.parameters),
            list: self.list.clone(),
            frames: self.frames.clone(),
        }
    }
}

impl<P: KpptParameters> Kppt<P> {
    /// The evaluation with these numbers.
    #[must_use]
    pub fn new(parameters: P) -> Self {
        Self { parameters: Arc::new(parameters), list: PieceList::default(), frames: Vec::new() }
    }

    /// The numbers.
    #[must_use]
    pub fn parameters(&self) -> &P {
        &self.parameters
    }

    /// The value computed from the position alone: slow, the reference for the incremental sums.
    #[must_use]
    pub fn value_from_scratch(&self, position: &Position) -> i32 {
        let [Some(black), Some(white)] = Color::ALL.map(|color| position.king(color)) else {
            return material_value(position);
        };
        Sums::new(&*self.parameters, [black, white], &PieceList::new(position))
            .value(position.side(), position.material())
    }

    /// The sums of the current position.
    fn sums(&mut self, kings: [Square; 2]) -> Sums {
        if let Some(sums) = self.present().sums {
            return sums;
        }
        let sums = self.updated(kings).unwrap_or_else(|| Sums::new(&*self.parameters, kings, &self.list));
        self.frames.last_mut().expect(NO_POSITION).sums = Some(sums);
        sums
    }

    fn present(&self) -> &Frame {
        self.frames.last().expect(NO_POSITION)
    }

    /// The sums updated from the nearest earlier position that has them, if it is near enough.
    fn updated(&self, kings: [Square; 2]) -> Option<Sums> {
        let mut changed = [Replaced::default(); MOST_CHANGED];
        let mut count = 0;
        for frame in self.frames.iter().rev() {
            if let (Some(sums), [Some(black), Some(white)]) = (frame.sums, frame.kings) {
                let kings = [[black, white], kings];
                return Some(sums.updated(&*self.parameters, kings, &self.list, &changed[..count]));
            }
            for replaced in frame.changed.into_iter().rev().flatten() {
                // Walking back, the last entry found for a slot is its oldest content.
                if let Some(known) = changed[..count].iter_mut().find(|known| known.slot == replaced.slot) {
                    known.old = replaced.old;
                } else if count < MOST_CHANGED {
                    changed[count] = replaced;
                    count += 1;
                } else {
                    return None;
                }
            }
        }
        None
    }
}

fn material_value(position: &Position) -> i32 {
    if position.side() == Color::Black { position.material() } else { -position.material() }
}

impl<P: KpptParameters> Evaluation<Position> for Kppt<P> {
    /// A pawn's value.
    const HUNDRED_CENTIPAWNS: i32 = 90;

    fn refresh(&mut self, position: &Position) {
        self.list = PieceList::new(position);
        self.frames.clear();
        let kings = Color::ALL.map(|color| position.king(color));
        self.frames.push(Frame { kings, changed: [None; 2], sums: None });
    }

    fn push(&mut self, changes: &[Change]) {
        let mut kings = self.present().kings;
        for change in changes {
            if let Change::Placed(piece, square) = *change
                && piece.kind() == PieceKind::King
            {
                kings[piece.color().index()] = Some(square);
            }
        }
        let changed = self.list.apply(changes);
        self.frames.push(Frame { kings, changed, sums: None });
    }

    fn pop(&mut self) {
        let frame = self.frames.pop().expect("there is a move to take back");
        self.list.restore(frame.changed);
    }

    fn value(&mut self, position: &Position) -> i32 {
        let [Some(black), Some(white)] = self.present().kings else {
            return material_value(position);
        };
        let value = self.sums([black, white]).value(position.side(), position.material());
        debug_assert_eq!(value, self.value_from_scratch(position), "incremental sums went astray");
        value
    }
}
