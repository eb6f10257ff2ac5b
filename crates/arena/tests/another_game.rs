//! A game that is nothing like shogi has the same referee.

use arena::{Adjudication, Answer, GameFiles, Referee, Ruling};
use game::{Color, EndReason, Game, MoveList, MoveSet, MoveTextError, Outcome, Position, Promotions};

/// A heap of stones; who takes the last wins. A move is the number of stones taken, 1 to 3.
#[derive(Clone)]
struct Heap {
    left: u8,
    taken: Vec<u8>,
}

impl Position for Heap {
    type Move = u8;
    type Moves = MoveList<u8, 3>;
    type Change = u8;
    const HAS_CHECK: bool = false;
    const HAS_NULL_MOVE: bool = false;
    const HISTORY_SLOTS: usize = 4;
    const MAX_PLIES: Option<u32> = Some(255);

    fn side(&self) -> Color {
        Color::ALL[self.taken.len() % 2]
    }
    fn ply(&self) -> u32 {
        self.taken.len() as u32 + 1
    }
    fn key(&self) -> u64 {
        u64::from(self.left)
    }
    fn generate(&self, _: MoveSet, _: Promotions, moves: &mut Self::Moves) {
        moves.extend(1..=self.left.min(3));
    }
    fn do_move_observed(&mut self, m: u8, _: impl FnMut(u8)) {
        self.left -= m;
        self.taken.push(m);
    }
    fn undo_move(&mut self) {
        self.left += self.taken.pop().expect("a move was made");
    }
    fn can_undo(&self) -> bool {
        !self.taken.is_empty()
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Win { winner: !self.side(), reason: EndReason::Goal })
    }
    fn history_slot(&self, m: u8) -> usize {
        usize::from(m)
    }
    fn pack_move(m: u8) -> u32 {
        m.into()
    }
    fn unpack_move(&self, bits: u32) -> Option<u8> {
        u8::try_from(bits).ok().filter(|m| self.is_legal(*m))
    }
    fn to_text(&self) -> String {
        self.left.to_string()
    }
    fn parse_move(&self, text: &str) -> Result<u8, MoveTextError> {
        let m = text.parse().map_err(|_| MoveTextError::Syntax(text.to_owned()))?;
        if self.is_legal(m) { Ok(m) } else { Err(MoveTextError::Illegal(text.to_owned())) }
    }
}

#[derive(Clone)]
struct Stones;

impl Game for Stones {
    type Position = Heap;
    type Error = std::num::ParseIntError;

    fn name(&self) -> &'static str {
        "stones"
    }
    fn startpos(&self) -> Heap {
        Heap { left: 5, taken: Vec::new() }
    }
    fn position(&self, text: &str) -> Result<Heap, Self::Error> {
        Ok(Heap { left: text.trim().parse()?, taken: Vec::new() })
    }
}

impl GameFiles for Stones {}

#[test]
fn stones_are_refereed() {
    let mut referee = Referee::new(&Stones, "startpos", Adjudication::default()).unwrap();
    let mut verdict = None;
    for best in ["3", "1", "1"] {
        let ruling = referee.judge(&Answer { best: best.to_owned(), ponder: None });
        let Ruling::Play(m) = ruling else { panic!("{best} is legal") };
        verdict = referee.play(m, None);
    }
    assert_eq!(referee.command(), "position startpos moves 3 1 1");
    assert_eq!(verdict.unwrap().to_string(), "black wins, goal reached");

    let referee = Referee::new(&Stones, "sfen 2", Adjudication::default()).unwrap();
    for (best, expected) in [
        ("3", "white wins, illegal move (3)"),
        ("many", "white wins, garbage for a move (many)"),
        ("win", "white wins, false declaration"),
        ("resign", "white wins, resignation"),
    ] {
        let Ruling::End(None, verdict) = referee.judge(&Answer { best: best.to_owned(), ponder: None })
        else {
            panic!("{best} ends the game")
        };
        assert_eq!(verdict.to_string(), expected);
    }
}
