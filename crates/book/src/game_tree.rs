//! Games as a tree, so that what many of them share is played and judged once.

use crate::error::LineFault;
use crate::game_lines::{ENDS, GameLine, Words, where_moves_begin};
use crate::played_records::{Location, Played, PlayedBoxes};
use crate::slips::{Boxes, Window, window_of};
use crate::spelled_line::SpelledLine;
use crate::usi_bytes::parse_move;
use shogi::{Color, Move, Position};
use std::collections::HashMap;

/// What is taken of games.
#[derive(Clone, Copy)]
pub(crate) struct Taking {
    /// So many moves of each.
    pub(crate) most: usize,
    /// Only those of one side.
    pub(crate) side: Option<Color>,
}

/// The games that one thread has read, and the boxes that it fills with their moves.
pub(crate) struct GameTree {
    nodes: Vec<Node>,
    branches: Vec<Branch>,
    /// The node of each position that games began with, by its key and move number.
    starts: HashMap<(u128, u32), u32>,
    /// How the last game began, and its first node.
    beginning: Option<String>,
    root: u32,
    first_side: Color,
    line: SpelledLine,
    /// Moves of the game, and how many of them the line is known to have.
    moves: Vec<Move>,
    same: usize,
    /// The last box, and how its position began.
    last_box: (Window, usize),
    pub(crate) filled: PlayedBoxes,
}

/// What a move leads to.
#[derive(Clone, Copy)]
struct Node {
    play: u16,
    /// How many nodes are behind this one. If it is one, that is `behind`; if there are more, their branches begin there.
    count: u16,
    behind: u32,
    /// The record of the move, once there is one.
    record: Location,
}

/// One of several nodes behind another. They lie side by side, with room for the next power of two.
#[derive(Clone, Copy)]
struct Branch {
    play: u16,
    node: u32,
}

/// With more nodes than this, the tree is planted anew; it only saves work.
const MOST_NODES: usize = 1 << 30;

impl Node {
    const fn new(play: u16) -> Self {
        Self { play, count: 0, behind: 0, record: Location::NONE }
    }
}

impl GameTree {
    pub(crate) fn new(boxes: usize) -> Self {
        Self {
            nodes: Vec::new(),
            branches: Vec::new(),
            starts: HashMap::new(),
            beginning: None,
            root: 0,
            first_side: Color::Black,
            line: SpelledLine::new(Position::startpos()),
            moves: Vec::new(),
            same: 0,
            last_box: ((0, 0), 0),
            filled: PlayedBoxes::new(boxes),
        }
    }

    /// The node that a move leads to. What was played often comes to the front, as it will be again.
    #[inline]
    fn find(&mut self, node: u32, m: Move) -> Option<u32> {
        let Node { count, behind, .. } = self.nodes[node as usize];
        match count {
            0 => None,
            1 => (self.nodes[behind as usize].play == m.bits()).then_some(behind),
            _ => {
                let branches = &mut self.branches[behind as usize..][..count.into()];
                let at = branches.iter().position(|branch| branch.play == m.bits())?;
                branches.swap(at, at / 2);
                Some(branches[at / 2].node)
            }
        }
    }

    fn insert(&mut self, node: u32, m: Move) -> u32 {
        let new = self.nodes.len() as u32;
        let Node { count, behind, .. } = self.nodes[node as usize];
        let branch = Branch { play: m.bits(), node: new };
        let mut begin = behind;
        match usize::from(count) {
            0 => begin = new,
            1 => {
                begin = self.branches.len() as u32;
                let first = Branch { play: self.nodes[behind as usize].play, node: behind };
                self.branches.extend([first, branch]);
            }
            full if full.is_power_of_two() => {
                begin = self.branches.len() as u32;
                self.branches.extend_from_within(behind as usize..behind as usize + full);
                self.branches.resize(begin as usize + 2 * full, branch);
            }
            some => self.branches[behind as usize + some] = branch,
        }
        self.nodes[node as usize].count += 1;
        self.nodes[node as usize].behind = begin;
        self.nodes.push(Node::new(m.bits()));
        new
    }

    fn forget(&mut self) {
        self.nodes.clear();
        self.branches.clear();
        self.starts.clear();
        self.beginning = None;
    }

    /// Goes to the position that a game begins with.
    fn begin(&mut self, start: Position) {
        if self.nodes.len() > MOST_NODES {
            self.forget();
        }
        self.root = *self.starts.entry((start.key128(), start.ply())).or_insert_with(|| {
            self.nodes.push(Node::new(0));
            self.nodes.len() as u32 - 1
        });
        self.first_side = start.side();
        self.line = SpelledLine::new(start);
    }

    /// Enters a line of a list and tells the word that is no move, if one ended it. `time` is when the line begins.
    pub(crate) fn enter_line(
        &mut self,
        line: &str,
        taking: Taking,
        boxes: &Boxes,
        time: u64,
    ) -> Result<Option<String>, LineFault> {
        let at = where_moves_begin(line);
        if self.beginning.as_deref() != Some(&line[..at]) || self.nodes.len() > MOST_NODES {
            let GameLine { start, .. } = GameLine::parse(line, 0)?;
            self.begin(start);
            self.beginning = Some(line[..at].to_owned());
        }
        self.moves.clear();
        self.same = 0;
        let mut node = self.root;
        for word in (Words { line: line.as_bytes(), at }).take(taking.most.saturating_add(1)) {
            let at = word.start as u64;
            let m = parse_move(&line.as_bytes()[word.clone()]).ok().flatten();
            let Some(next) = m.and_then(|m| self.advance(node, m, taking, boxes, time + at)) else {
                let bad = !ENDS.contains(&&line[word.clone()]);
                return Ok(bad.then(|| line[word].chars().take(40).collect()));
            };
            node = next;
        }
        Ok(None)
    }

    /// Enters a game whose moves are legal.
    pub(crate) fn enter_game(&mut self, game: &GameLine, taking: Taking, boxes: &Boxes, time: u64) {
        self.beginning = None;
        self.begin(game.start.clone());
        self.moves.clear();
        self.same = 0;
        let mut node = self.root;
        for (m, time) in game.moves.iter().take(taking.most.saturating_add(1)).zip(time..) {
            let Some(next) = self.advance(node, *m, taking, boxes, time) else { return };
            node = next;
        }
    }

    /// Brings the line to where the game is.
    #[inline]
    fn catch_up(&mut self) {
        self.line.go_to(&self.moves, self.same);
        self.same = self.moves.len();
    }

    /// Goes on with a move to the next node, unless it is not legal. It is the reply to the move before it, which is
    /// entered.
    #[inline]
    fn advance(&mut self, node: u32, m: Move, taking: Taking, boxes: &Boxes, time: u64) -> Option<u32> {
        let known = self.find(node, m);
        if known.is_none() {
            self.catch_up();
            if !self.line.position().is_legal(m) {
                return None;
            }
        }
        if let Some(last) = self.moves.last().copied()
            && taking.side.is_none_or(|wanted| (wanted == self.first_side) == (self.moves.len() % 2 == 1))
        {
            match self.nodes[node as usize].record {
                Location::NONE => {
                    self.catch_up();
                    if let Some((place, ply)) = self.line.before_last() {
                        let played = Played { play: last, reply: m, ply, count: 1, first: time, last: time };
                        let window = window_of(place, 0);
                        // Most moves leave the first rows as they are.
                        if self.last_box.0 != window {
                            self.last_box = (window, boxes.number_of(window));
                        }
                        self.nodes[node as usize].record = self.filled.put(self.last_box.1, place, played);
                    }
                }
                record => self.filled.again(record, m, time),
            }
        }
        let next = known.unwrap_or_else(|| self.insert(node, m));
        self.moves.push(m);
        Some(next)
    }

    /// Puts everything from the only box into others.
    pub(crate) fn refill(&mut self, boxes: &Boxes) {
        // Records are elsewhere now.
        self.forget();
        self.last_box = ((0, 0), 0);
        self.filled = self.filled.spread(boxes);
    }
}
