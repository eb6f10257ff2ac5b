//! A game that is nothing like shogi plugs into the console as it is.

use game::{Color, EndReason, Game, MoveList, MoveSet, MoveTextError, Outcome, Position, Promotions, Script};
use tsumugi::console::Console;

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
        u64::from(self.left) << 1 | self.side().index() as u64
    }
    fn generate(&self, set: MoveSet, _: Promotions, moves: &mut Self::Moves) {
        if matches!(set, MoveSet::Legal | MoveSet::Quiets) {
            moves.extend(1..=self.left.min(3));
        }
    }
    fn do_move_observed(&mut self, m: u8, mut observer: impl FnMut(u8)) {
        self.left -= m;
        self.taken.push(m);
        observer(m);
    }
    fn undo_move(&mut self) {
        self.left += self.taken.pop().expect("a move was played");
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::Win { winner: !self.side(), reason: EndReason::Goal })
    }
    fn history_slot(&self, m: u8) -> usize {
        usize::from(m)
    }
    fn pack_move(m: u8) -> u32 {
        u32::from(m)
    }
    fn unpack_move(&self, bits: u32) -> Option<u8> {
        u8::try_from(bits).ok().filter(|m| self.is_legal(*m))
    }
    fn to_text(&self) -> String {
        self.left.to_string()
    }
    fn parse_move(&self, text: &str) -> Result<u8, MoveTextError> {
        let m = text.parse().map_err(|_| MoveTextError::Syntax(text.into()))?;
        if self.is_legal(m) { Ok(m) } else { Err(MoveTextError::Illegal(text.into())) }
    }
}

#[derive(Clone)]
struct Nim;

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

fn session(input: &str) -> Vec<String> {
    let mut out = Vec::new();
    Console::new(Nim).run(input.as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn the_console_speaks_it() {
    assert_eq!(
        session("d\nmoves\nposition startpos moves 3\nd\nmoves\nside\nmated\n"),
        ["ooooo", "sfen 5", "1 2 3", "oo", "sfen 2", "1 2", "white", "0"]
    );
    assert_eq!(session("go perft 5\n").last().unwrap(), "Nodes searched: 1");
    assert_eq!(session("position startpos moves 3 2\nmated\ngo\n"), ["1", "bestmove resign"]);
}

#[test]
fn what_it_lacks_is_refused() {
    assert_eq!(
        session("position 1\nposition startpos moves 3 3\nposition x\nflip\nmatsuri\nsfen\n"),
        [
            "info string Error! Illegal Input Move : 3 (move 2 of the list)",
            "info string Error! invalid digit found in string",
            "info string Error! nim has no `flip`",
            "info string Error! nim has no `matsuri`",
            "1",
        ]
    );
}
