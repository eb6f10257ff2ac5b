//! A game in some fifty lines. Its rules alone suffice for perft, a random player and a plain negamax; `arena` referees it,
//! `usi` gives it a console, and the tests of `search` make it searchable.

use game::{Color, EndReason, Game, MoveList, MoveTextError, Outcome, Position, perft};
use platform::random::Random;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cell(pub(crate) u8);

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0 % 3 + 1, char::from(b'a' + self.0 / 3))
    }
}

#[derive(Clone, Default)]
pub(crate) struct Board {
    stones: [u16; 2],
    played: Vec<Cell>,
}

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Position for Board {
    type Move = Cell;
    type Moves = MoveList<Cell, 9>;

    fn side(&self) -> Color {
        Color::ALL[self.played.len() % 2]
    }
    fn ply(&self) -> u32 {
        self.played.len() as u32 + 1
    }
    fn key(&self) -> u64 {
        u64::from(self.stones[0]) << 9 | u64::from(self.stones[1])
    }
    fn generate_legal(&self, moves: &mut Self::Moves) {
        if self.outcome().is_none() {
            let taken = self.stones[0] | self.stones[1];
            moves.extend((0..9).filter(|c| taken >> c & 1 == 0).map(Cell));
        }
    }
    fn do_move(&mut self, m: Cell) {
        self.stones[self.side().index()] |= 1 << m.0;
        self.played.push(m);
    }
    fn undo_move(&mut self) {
        let m = self.played.pop().expect("a move was played");
        self.stones[self.side().index()] ^= 1 << m.0;
    }
    fn can_undo(&self) -> bool {
        !self.played.is_empty()
    }
    fn outcome(&self) -> Option<Outcome> {
        let won = |c: Color| LINES.iter().any(|l| self.stones[c.index()] & l == *l);
        let winner = Color::ALL.into_iter().find(|c| won(*c));
        match winner {
            Some(winner) => Some(Outcome::Win { winner, reason: EndReason::Goal }),
            None => (self.played.len() == 9).then_some(Outcome::Draw { reason: EndReason::Points }),
        }
    }
    fn to_text(&self) -> String {
        self.played.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
    }
    fn parse_move(&self, text: &str) -> Result<Cell, MoveTextError> {
        let cell = (0..9).map(Cell).find(|c| c.to_string() == text);
        let m = cell.ok_or_else(|| MoveTextError::Syntax(text.into()))?;
        if self.is_legal(m) { Ok(m) } else { Err(MoveTextError::Illegal(text.into())) }
    }
}

#[derive(Clone)]
pub(crate) struct TicTacToe;

impl Game for TicTacToe {
    type Position = Board;
    type Error = MoveTextError;

    fn name(&self) -> &'static str {
        "tic-tac-toe"
    }
    fn startpos(&self) -> Board {
        Board::default()
    }
    fn position(&self, text: &str) -> Result<Board, MoveTextError> {
        let mut board = Board::default();
        for word in text.split_whitespace() {
            board.do_move(board.parse_move(word)?);
        }
        Ok(board)
    }
}

/// Value for the side to move: 1 win, 0 draw, -1 loss.
fn negamax<P: Position>(position: &mut P) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.winner().map_or(0, |w| if w == position.side() { 1 } else { -1 });
    }
    let mut best = i32::MIN;
    for &m in position.legal_moves().iter() {
        position.do_move(m);
        best = best.max(-negamax(position));
        position.undo_move();
    }
    best
}

#[test]
fn perft_counts_the_known_tree() {
    let known = [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0];
    for (depth, count) in (0..).zip(known) {
        assert_eq!(perft(&mut TicTacToe.startpos(), depth), count, "depth {depth}");
        assert_eq!(game::perft_making_leaves(&mut TicTacToe.startpos(), depth), count, "depth {depth}");
    }
    let split: u64 = game::divide(&mut TicTacToe.startpos(), 5).iter().map(|(_, n)| n).sum();
    assert_eq!(split, known[5]);
}

#[test]
fn negamax_draws_and_finds_wins() {
    assert_eq!(negamax(&mut TicTacToe.startpos()), 0);
    let mut fork = TicTacToe.position_command("startpos moves 1a 2a 1b 2b").unwrap();
    assert_eq!(negamax(&mut fork), 1);
}

/// Plays random moves to the end.
fn play_out<P: Position>(mut position: P, random: &mut Random) -> Outcome {
    loop {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        let moves = position.legal_moves();
        position.do_move(moves[random.below(moves.len())]);
    }
}

#[test]
fn a_random_player_needs_the_rules_only() {
    let mut random = Random::new(7);
    let results: Vec<_> = (0..200).map(|_| play_out(TicTacToe.startpos(), &mut random).winner()).collect();
    for result in [Some(Color::Black), Some(Color::White), None] {
        assert!(results.contains(&result), "{result:?}");
    }
}

#[test]
fn position_commands() {
    assert_eq!(TicTacToe.position_command("1a 2b moves 3c").unwrap().to_text(), "1a 2b 3c");
    let error = |command| TicTacToe.position_command(command).err().unwrap().to_string();
    assert_eq!(error("startpos moves 1a 1a"), "Illegal Input Move : 1a (move 2 of the list)");
    assert_eq!(error("startpos moves 9z"), "move 1 `9z` is not a move");
    assert_eq!(error("sfen zz"), "`zz` is not a move");
}
