//! What the search needs of tic-tac-toe beyond its rules.

use super::tic_tac_toe::{Board, Cell};
use game::{MoveSet, NoDrops, Position as _, Promotions, Searchable};

impl Searchable for Board {
    type Change = Cell;
    type Checks = ();
    type Drops = NoDrops;
    const HISTORY_SLOTS: usize = 9;

    fn generate(&self, set: MoveSet, _: Promotions, moves: &mut Self::Moves) {
        if matches!(set, MoveSet::Legal | MoveSet::Quiets) {
            self.generate_legal(moves);
        }
    }
    fn do_move_observed(&mut self, m: Cell, mut observer: impl FnMut(Cell)) {
        self.do_move(m);
        observer(m);
    }
    fn history_slot(&self, m: Cell) -> usize {
        usize::from(m.0)
    }
    fn pack_move(m: Cell) -> u32 {
        u32::from(m.0) + 1
    }
}
