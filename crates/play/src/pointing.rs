//! Moves chosen by pointing at squares.

use crate::view::Mark;
use game::Position;
use record::notation::{MoveOf, Readable};

/// What has been pointed at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointing {
    /// The square of the cursor.
    pub cursor: usize,
    /// The piece that was chosen.
    chosen: Option<Chosen>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Chosen {
    /// The one on a square.
    Square(usize),
    /// One in hand, by how its drops begin: `P*`.
    Hand(String),
}

/// The part of a drop that names the piece.
fn hand_of(text: &str) -> Option<&str> {
    text.find('*').map(|at| &text[..=at])
}

impl Pointing {
    /// The cursor on a square.
    pub fn at(cursor: usize) -> Self {
        Self { cursor, chosen: None }
    }

    /// Moves the cursor on a board of so many files and ranks.
    pub fn step(&mut self, right: i32, down: i32, files: usize, ranks: usize) {
        let (file, rank) = (self.cursor % files.max(1), self.cursor / files.max(1));
        let go = |at: usize, by: i32, count: usize| (at as i32 + by).clamp(0, count as i32 - 1) as usize;
        self.cursor = go(rank, down, ranks) * files + go(file, right, files);
    }

    /// Gives the choice up.
    pub fn cancel(&mut self) {
        self.chosen = None;
    }

    /// Chooses the next piece in hand; its letter, if there is any to drop.
    pub fn next_in_hand<G: Readable>(&mut self, position: &G::Position) -> Option<String> {
        let mut hands: Vec<String> = Vec::new();
        for m in position.legal_moves().iter() {
            if let Some(hand) = hand_of(&m.to_string()).map(str::to_owned)
                && !hands.contains(&hand)
            {
                hands.push(hand);
            }
        }
        let now = match &self.chosen {
            Some(Chosen::Hand(hand)) => {
                hands.iter().position(|other| other == hand).map_or(0, |index| index + 1)
            }
            _ => 0,
        };
        let hand = hands.get(now).cloned();
        self.chosen = hand.clone().map(Chosen::Hand);
        hand
    }

    /// The moves of what is chosen.
    fn moves<G: Readable>(&self, position: &G::Position) -> Vec<(MoveOf<G>, usize)> {
        let legal = position.legal_moves();
        let fits = |m: &MoveOf<G>| {
            let touched = G::touched(position, *m);
            let is_own = match &self.chosen {
                Some(Chosen::Square(from)) => touched.len() > 1 && touched[0] == *from,
                Some(Chosen::Hand(hand)) => hand_of(&m.to_string()) == Some(hand),
                None => false,
            };
            is_own.then(|| touched.last().map(|to| (*m, *to))).flatten()
        };
        legal.iter().filter_map(fits).collect()
    }

    /// Chooses the piece under the cursor, or the moves of the chosen piece to this square.
    pub fn choose<G: Readable>(&mut self, position: &G::Position) -> Vec<MoveOf<G>> {
        let here = self.cursor;
        let moves: Vec<MoveOf<G>> =
            self.moves::<G>(position).into_iter().filter(|(_, to)| *to == here).map(|(m, _)| m).collect();
        let was = self.chosen.take();
        if moves.is_empty() && was != Some(Chosen::Square(here)) {
            self.chosen = Some(Chosen::Square(here));
            if self.moves::<G>(position).is_empty() {
                self.chosen = None;
            }
        }
        moves
    }

    /// The marks of the squares, the last move's included.
    pub fn marks<G: Readable>(
        &self,
        position: &G::Position,
        last: &[usize],
    ) -> impl Fn(usize) -> Mark + use<G> {
        let targets: Vec<usize> = self.moves::<G>(position).into_iter().map(|(_, to)| to).collect();
        let (cursor, chosen, last) = (self.cursor, self.chosen.clone(), last.to_vec());
        move |cell| {
            if cell == cursor {
                Mark::Cursor
            } else if chosen == Some(Chosen::Square(cell)) {
                Mark::Chosen
            } else if targets.contains(&cell) {
                Mark::Target
            } else if last.contains(&cell) {
                Mark::Last
            } else {
                Mark::None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;
    use shogi::Shogi;

    #[test]
    fn a_piece_then_a_square() {
        let position = Shogi::default().startpos();
        // 7g is the third square of the seventh rank.
        let mut pointing = Pointing::at(6 * 9 + 2);
        assert!(pointing.choose::<Shogi>(&position).is_empty());
        pointing.step(0, -1, 9, 9);
        let marks = pointing.marks::<Shogi>(&position, &[0]);
        assert_eq!(
            [marks(5 * 9 + 2), marks(6 * 9 + 2), marks(0), marks(1)],
            [Mark::Cursor, Mark::Chosen, Mark::Last, Mark::None]
        );
        let moves = pointing.choose::<Shogi>(&position);
        assert_eq!(moves.iter().map(ToString::to_string).collect::<Vec<_>>(), ["7g7f"]);
        // An empty square is nothing to choose.
        pointing.cursor = 40;
        assert!(pointing.choose::<Shogi>(&position).is_empty());
        assert_eq!(pointing.chosen, None);
        pointing.step(-99, 99, 9, 9);
        assert_eq!(pointing.cursor, 72);
    }

    #[test]
    fn pieces_in_hand_come_one_after_the_other() {
        let game = Shogi::default();
        let position = game.position("4k4/9/9/9/9/9/9/9/4K4 b GP 1").unwrap();
        let mut pointing = Pointing::at(40);
        let first = pointing.next_in_hand::<Shogi>(&position).unwrap();
        let second = pointing.next_in_hand::<Shogi>(&position).unwrap();
        assert_ne!(first, second);
        assert_eq!(pointing.choose::<Shogi>(&position).len(), 1);
        assert_eq!(pointing.next_in_hand::<Shogi>(&game.startpos()), None);
    }
}
