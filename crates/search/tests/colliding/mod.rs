//! Tic-tac-toe whose positions all have the same 64-bit key.

use super::tic_tac_toe::{Board, Cell};
use game::{Color, MoveSet, MoveTextError, NoDrops, Outcome, Position, Promotions, Searchable};

#[derive(Clone, Default)]
pub(crate) struct Colliding(Board);

impl Position for Colliding {
    type Move = Cell;
    type Moves = <Board as Position>::Moves;

    fn key(&self) -> u64 {
        0
    }
    fn side(&self) -> Color {
        self.0.side()
    }
    fn ply(&self) -> u32 {
        self.0.ply()
    }
    fn generate_legal(&self, moves: &mut Self::Moves) {
        self.0.generate_legal(moves);
    }
    fn do_move(&mut self, m: Cell) {
        self.0.do_move(m);
    }
    fn undo_move(&mut self) {
        self.0.undo_move();
    }
    fn can_undo(&self) -> bool {
        self.0.can_undo()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn to_text(&self) -> String {
        self.0.to_text()
    }
    fn parse_move(&self, text: &str) -> Result<Cell, MoveTextError> {
        self.0.parse_move(text)
    }
}

impl Searchable for Colliding {
    type Change = Cell;
    type Checks = ();
    type Drops = NoDrops;
    const HISTORY_SLOTS: usize = Board::HISTORY_SLOTS;

    fn wide_key(&self) -> u128 {
        u128::from(self.0.key()) << 64
    }
    fn generate(&self, set: MoveSet, promotions: Promotions, moves: &mut Self::Moves) {
        self.0.generate(set, promotions, moves);
    }
    fn do_move_observed(&mut self, m: Cell, observer: impl FnMut(Cell)) {
        self.0.do_move_observed(m, observer);
    }
    fn history_slot(&self, m: Cell) -> usize {
        self.0.history_slot(m)
    }
    fn pack_move(m: Cell) -> u32 {
        Board::pack_move(m)
    }
}
