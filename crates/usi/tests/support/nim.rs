//! A game in a page, for sessions to play.

use game::{
    Color, EndReason, Evaluation, Game, MoveList, MoveSet, MoveTextError, NoDrops, Outcome, Position,
    Promotions, Script, Searchable,
};

/// A heap of stones; who takes the last wins. A move is the number of stones taken, 1 to 3.
#[derive(Clone)]
pub struct Heap {
    left: u8,
    taken: Vec<u8>,
}

impl Position for Heap {
    type Move = u8;
    type Moves = MoveList<u8, 3>;

    fn side(&self) -> Color {
        Color::ALL[self.taken.len() % 2]
    }
    fn ply(&self) -> u32 {
        self.taken.len() as u32 + 1
    }
    fn key(&self) -> u64 {
        u64::from(self.left) << 1 | self.side().index() as u64
    }
    fn generate_legal(&self, moves: &mut Self::Moves) {
        moves.extend(1..=self.left.min(3));
    }
    fn do_move(&mut self, m: u8) {
        self.left -= m;
        self.taken.push(m);
    }
    fn undo_move(&mut self) {
        self.left += self.taken.pop().expect("a move was played");
    }
    fn can_undo(&self) -> bool {
        !self.taken.is_empty()
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::Win { winner: !self.side(), reason: EndReason::Goal })
    }
    fn to_text(&self) -> String {
        self.left.to_string()
    }
    fn parse_move(&self, text: &str) -> Result<u8, MoveTextError> {
        let m = text.parse().map_err(|_| MoveTextError::Syntax(text.into()))?;
        if self.is_legal(m) { Ok(m) } else { Err(MoveTextError::Illegal(text.into())) }
    }
}

impl Searchable for Heap {
    type Change = u8;
    type Checks = ();
    type Drops = NoDrops;
    const HISTORY_SLOTS: usize = 4;

    fn generate(&self, set: MoveSet, _: Promotions, moves: &mut Self::Moves) {
        if matches!(set, MoveSet::Legal | MoveSet::Quiets) {
            self.generate_legal(moves);
        }
    }
    fn do_move_observed(&mut self, m: u8, mut observer: impl FnMut(u8)) {
        self.do_move(m);
        observer(m);
    }
    fn history_slot(&self, m: u8) -> usize {
        usize::from(m)
    }
    fn pack_move(m: u8) -> u32 {
        u32::from(m)
    }
}

#[derive(Clone)]
pub struct Nim;

impl Game for Nim {
    type Position = Heap;
    type Error = std::num::ParseIntError;

    fn name(&self) -> &'static str {
        "nim"
    }
    fn startpos(&self) -> Heap {
        Heap { left: 5, taken: Vec::new() }
    }
    fn position(&self, text: &str) -> Result<Heap, Self::Error> {
        Ok(Heap { left: text.parse()?, taken: Vec::new() })
    }

    fn picture(&self, position: &Heap, _: Script) -> String {
        "o".repeat(usize::from(position.left))
    }
}

/// Knows nothing; the search must find the wins.
#[derive(Clone)]
pub struct Blank;

impl Evaluation<Heap> for Blank {
    fn refresh(&mut self, _: &Heap) {}
    fn push(&mut self, _: &[u8]) {}
    fn pop(&mut self) {}
    fn value(&mut self, _: &Heap) -> i32 {
        0
    }
}
