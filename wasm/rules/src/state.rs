//! A game of any kind and the position it stands at.

use crate::request::{Board, Cell, Held, Outcome, State};
use game::{Declaration, Position as _, Script};
use record::notation::Readable;

/// A state of play of some game.
pub trait AnyState {
    fn state(&self) -> State;
    fn moves(&self) -> Vec<String>;
    fn check(&self, text: &str) -> Result<String, String>;
    fn play(&mut self, text: &str) -> Result<String, String>;
    fn undo(&mut self) -> bool;
    fn set(&mut self, position: &str) -> Result<(), String>;
    fn picture(&self, script: Script) -> String;
    fn board(&self) -> Board;
    fn write(&self, moves: &[String]) -> Result<Vec<String>, String>;
    fn parse(&self, text: &str) -> Result<String, String>;
    fn perft(&self, depth: u32) -> u64;
    fn boxed(&self) -> Box<dyn AnyState>;
}

/// The start of a game.
pub fn start_of<G: Readable>(game: &G) -> Box<dyn AnyState> {
    // A referee's rules: everything that players may agree on is allowed.
    let game = game.for_referee();
    Box::new(Playing { position: game.startpos(), game })
}

struct Playing<G: Readable> {
    game: G,
    position: G::Position,
}

impl<G: Readable> AnyState for Playing<G> {
    fn state(&self) -> State {
        let position = &self.position;
        let outcome = position.outcome().map(|outcome| Outcome {
            winner: outcome.winner().map(game::Color::index),
            reason: outcome.reason().to_string(),
        });
        State {
            sfen: position.to_text(),
            turn: position.side().index(),
            move_number: position.ply(),
            key: format!("{:016x}", position.key()),
            in_check: position.in_check(),
            outcome,
            repetition: position.repetition(usize::MAX).map(|repetition| repetition.to_string()),
            may_declare: matches!(position.declaration(), Some(Declaration::Win)),
            can_undo: position.can_undo(),
        }
    }

    fn moves(&self) -> Vec<String> {
        self.position.legal_moves().iter().map(ToString::to_string).collect()
    }

    fn check(&self, text: &str) -> Result<String, String> {
        let why = || self.position.why_illegal(text).map_or(String::new(), |why| format!(": {why}"));
        let parsed = self.position.parse_move(text).map_err(|error| format!("{error}{}", why()))?;
        Ok(parsed.to_string())
    }

    fn play(&mut self, text: &str) -> Result<String, String> {
        let canonical = self.check(text)?;
        let parsed = self.position.parse_move(&canonical).map_err(|error| error.to_string())?;
        self.position.do_move(parsed);
        Ok(canonical)
    }

    fn undo(&mut self) -> bool {
        let can = self.position.can_undo();
        if can {
            self.position.undo_move();
        }
        can
    }

    fn set(&mut self, position: &str) -> Result<(), String> {
        self.position = self.game.position_command(position).map_err(|error| error.to_string())?;
        Ok(())
    }

    fn picture(&self, script: Script) -> String {
        self.game.picture(&self.position, script)
    }

    fn board(&self) -> Board {
        let diagram = G::diagram(&self.position);
        let cell = |cell: record::notation::Cell| Cell {
            text: cell.text,
            player: cell.color.index(),
            promoted: cell.promoted,
            frozen: cell.frozen,
        };
        let held = |held: Vec<(String, u32)>| {
            held.into_iter().map(|(text, count)| Held { text, count }).collect::<Vec<_>>()
        };
        Board {
            files: diagram.files,
            ranks: diagram.ranks,
            cells: diagram.cells.into_iter().map(|each| each.map(cell)).collect(),
            hands: diagram.hands.map(held),
            stones: diagram.stones,
        }
    }

    fn write(&self, moves: &[String]) -> Result<Vec<String>, String> {
        let mut position = self.position.clone();
        let mut written = Vec::with_capacity(moves.len());
        for text in moves {
            let parsed = position.parse_move(text).map_err(|error| error.to_string())?;
            let mark = ["▲", "△"][position.side().index()];
            written.push(format!("{mark}{}", G::move_text(&position, parsed)));
            position.do_move(parsed);
        }
        Ok(written)
    }

    fn parse(&self, text: &str) -> Result<String, String> {
        let words = text.trim().trim_start_matches(['▲', '△', '☗', '☖']);
        match self.position.parse_move(words) {
            Ok(parsed) => Ok(parsed.to_string()),
            Err(error) => {
                let parsed = G::read_words(&self.position, words).ok_or_else(|| error.to_string())?;
                self.check(&parsed.to_string())
            }
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        game::perft(&mut self.position.clone(), depth)
    }

    fn boxed(&self) -> Box<dyn AnyState> {
        Box::new(Self { game: self.game.clone(), position: self.position.clone() })
    }
}
