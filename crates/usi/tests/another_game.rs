//! A game that is nothing like shogi plugs into the session and the search as it is.

use game::{
    Color, EndReason, Evaluation, Game, MoveList, MoveSet, MoveTextError, Outcome, Position, Promotions,
    Script,
};
use search::BestMove;
use usi::options::Folders;
use usi::{Captured, SearchEngine, Session};

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
    type Checks = ();
    const HAS_CHECK: bool = false;
    const HAS_NULL_MOVE: bool = false;
    const HISTORY_SLOTS: usize = 4;
    const ROUTE_SLOTS: usize = 4;
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
    fn can_undo(&self) -> bool {
        !self.taken.is_empty()
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::Win { winner: !self.side(), reason: EndReason::Goal })
    }
    fn history_slot(&self, m: u8) -> usize {
        usize::from(m)
    }
    fn route_slot(&self, m: u8) -> usize {
        self.history_slot(m)
    }
    fn checks(&self) {}
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

/// Knows nothing; the search must find the wins.
#[derive(Clone)]
struct Blank;

impl Evaluation<Heap> for Blank {
    fn refresh(&mut self, _: &Heap) {}
    fn push(&mut self, _: &[u8]) {}
    fn pop(&mut self) {}
    fn value(&mut self, _: &Heap) -> i32 {
        0
    }
}

fn session(input: &str) -> Vec<String> {
    let out = Captured::default();
    let engine = SearchEngine::new("Nimble", "test", Blank);
    let nowhere = Folders::new("/nonexistent", "/nonexistent");
    let mut session = Session::with_folders(Nim, engine, out.output(), nowhere);
    session.run(std::io::Cursor::new(input.to_owned())).unwrap();
    drop(session);
    out.lines()
}

#[test]
fn the_console_speaks_it() {
    assert_eq!(
        session("d\nmoves\nposition startpos moves 3\nd\nmoves\nside\nmated\n"),
        ["ooooo", "sfen 5", "1 2 3", "oo", "sfen 2", "1 2", "white", "0"]
    );
    assert_eq!(session("go perft 5\n").last().unwrap(), "Nodes searched: 1");
    assert_eq!(session("position startpos moves 3 2\nmated\ngo\nwait\n").last().unwrap(), "bestmove resign");
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

#[test]
fn the_search_plays_it() {
    // Leaving a multiple of four wins.
    for (heap, best) in [(5, "1"), (6, "2"), (7, "3"), (13, "1")] {
        let lines = session(&format!("position {heap}\ngo depth 20\nwait\n"));
        let answer = lines.last().unwrap();
        assert!(answer.starts_with(&format!("bestmove {best}")), "{heap}: {answer}");
    }
    // The searcher can be had without a session, too.
    let mut searcher = search::Searcher::new(Blank, 1).unwrap();
    let task = search::Task { depth: Some(8), ..search::Task::new(Nim.position("7").unwrap()) };
    let found = searcher.think(&task, &search::Settings::default(), &search::Unlimited, |report| {
        assert!(report.depth <= 8 && !report.lines.is_empty());
    });
    assert!(matches!(found, BestMove::Play { best: 3, .. }));
}
