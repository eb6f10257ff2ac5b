//! Games on boards: players, clocks, whose turn it is.

mod moves;

pub use moves::{LEVELS, OngoingGames};

use crate::protocol::{ClockRules, Clocks, PlayState, Player, Side};
use arena::{Clock, TimeControl};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// A game in progress on a board, or over.
pub struct Game {
    /// Black's player first.
    pub sides: [Player; 2],
    /// Where it is.
    pub node: u32,
    /// Where it began.
    pub first: u32,
    rules: ClockRules,
    clocks: [Clock; 2],
    /// Whose turn it is and since when; `None` when it is over.
    turn: Option<(Side, Instant)>,
    /// An engine is thinking about its move.
    pub thinking: bool,
    /// It has ended.
    pub over: bool,
    /// Counts turns, so that an engine's answer to an earlier one is known as such.
    pub turns: u64,
    /// It was kept over the end of a server, and no tab has come back to it: its clocks stand.
    paused: bool,
}

/// A game in progress as it is kept with its board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct KeptGame {
    sides: [Player; 2],
    rules: ClockRules,
    /// Where it is.
    pub node: u32,
    first: u32,
    /// Main time that is left, in milliseconds.
    left: [u64; 2],
}

fn clock(rules: ClockRules, main: u64) -> Clock {
    Clock::new(TimeControl {
        main,
        byoyomi: rules.byoyomi,
        increment: rules.increment,
        ..TimeControl::default()
    })
}

impl Game {
    /// A game that begins now.
    #[must_use]
    pub fn new(sides: [Player; 2], rules: ClockRules, node: u32, side: Side) -> Self {
        Self {
            sides,
            node,
            first: node,
            rules,
            clocks: [clock(rules, rules.main), clock(rules, rules.main)],
            turn: Some((side, Instant::now())),
            thinking: false,
            over: false,
            turns: 0,
            paused: false,
        }
    }

    /// What is kept of a game in progress.
    #[must_use]
    pub fn kept(&self) -> Option<KeptGame> {
        let left = [0, 1].map(|side: usize| self.clocks[side].left_ms());
        let (sides, rules) = (self.sides.clone(), self.rules);
        (!self.over).then_some(KeptGame { sides, rules, node: self.node, first: self.first, left })
    }

    /// A game that was kept, with `side` to move; it goes on when a tab comes back to it.
    #[must_use]
    pub fn again(kept: KeptGame, side: Side) -> Self {
        let mut game = Self::new(kept.sides, kept.rules, kept.node, side);
        game.first = kept.first;
        game.clocks = kept.left.map(|left| clock(kept.rules, left));
        game.paused = true;
        game
    }

    /// A tab has come back; `false` if the game was not waiting for one.
    pub fn wake(&mut self) -> bool {
        if let Some((_, since)) = &mut self.turn
            && self.paused
        {
            *since = Instant::now();
        }
        std::mem::take(&mut self.paused)
    }

    /// Whether any time is agreed on.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.rules.main > 0 || self.rules.byoyomi > 0 || self.rules.increment > 0
    }

    /// The side whose turn it is.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        self.turn.map(|(side, _)| side)
    }

    /// The engine whose turn it is, and its level.
    #[must_use]
    pub fn engine_to_move(&self) -> Option<(String, Option<u32>)> {
        match &self.sides[self.turn()?.index()] {
            Player::Engine { engine, level } => Some((engine.clone(), *level)),
            Player::Human { .. } => None,
        }
    }

    /// How long the side to move has thought.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.turn.map_or(Duration::ZERO, |(_, since)| since.elapsed())
    }

    /// The side to move has used up its time.
    #[must_use]
    pub fn is_out_of_time(&self) -> bool {
        let Some((side, since)) = self.turn.filter(|_| self.is_limited() && !self.paused) else {
            return false;
        };
        self.clocks[side.index()].budget().is_some_and(|budget| since.elapsed() > budget)
    }

    /// Ends the turn of the side to move; the other side is to move then, at another node.
    pub fn end_turn(&mut self, node: u32) {
        if let Some((side, since)) = self.turn {
            self.clocks[side.index()].spend(since.elapsed());
            self.turn = Some((side.other(), Instant::now()));
        }
        self.node = node;
        self.thinking = false;
        self.turns += 1;
    }

    /// Goes back (or elsewhere) without time being spent.
    pub fn go_to(&mut self, node: u32, side: Side) {
        self.node = node;
        self.turn = Some((side, Instant::now()));
        self.thinking = false;
        self.turns += 1;
    }

    /// Ends the game.
    pub fn end(&mut self, node: u32) {
        if let Some((side, since)) = self.turn.take() {
            self.clocks[side.index()].spend(since.elapsed());
        }
        self.node = node;
        self.thinking = false;
        self.over = true;
        self.turns += 1;
    }

    /// The clocks as they stand now.
    #[must_use]
    pub fn clocks(&self) -> Clocks {
        let mut clocks = Clocks {
            main: [0, 1].map(|side: usize| self.clocks[side].left_ms()),
            byoyomi: [self.rules.byoyomi; 2],
            running: self.turn(),
            limited: self.is_limited(),
        };
        if let Some((side, since)) = self.turn {
            let spent = since.elapsed().as_millis() as u64;
            let main = &mut clocks.main[side.index()];
            let over = spent.saturating_sub(*main);
            *main = main.saturating_sub(spent);
            clocks.byoyomi[side.index()] = self.rules.byoyomi.saturating_sub(over);
        }
        clocks
    }

    /// What follows `go` for the engine to move.
    #[must_use]
    pub fn go(&self) -> String {
        if !self.is_limited() {
            return "movetime 1000".to_owned();
        }
        let left = [0, 1].map(|side: usize| self.clocks[side].left_ms());
        let increment = match self.rules.increment {
            0 => String::new(),
            increment => format!(" binc {increment} winc {increment}"),
        };
        let byoyomi = match (self.rules.byoyomi, self.rules.increment) {
            (0, 1..) => String::new(),
            (byoyomi, _) => format!(" byoyomi {byoyomi}"),
        };
        format!("btime {} wtime {}{increment}{byoyomi}", left[0], left[1])
    }

    /// As pages see it.
    #[must_use]
    pub fn state(&self) -> PlayState {
        PlayState {
            sides: self.sides.clone(),
            node: self.node,
            rules: self.rules,
            clocks: self.clocks(),
            thinking: self.thinking,
            over: self.over,
        }
    }
}
