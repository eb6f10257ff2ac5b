//! Games that begin alike, walked one after the other: what two of them share is played, judged and entered once.

use crate::game_lines::{ENDS, Words};
use crate::played_records::{Played, PlayedBoxes};
use crate::slips::{Boxes, Window, window_of};
use crate::spelled_line::SpelledLine;
use crate::usi_bytes::parse_move;
use shogi::{Color, Move, Position};

/// What is taken of games.
#[derive(Clone, Copy)]
pub(crate) struct Taking {
    /// So many moves of each.
    pub(crate) most: usize,
    /// Only those of one side.
    pub(crate) side: Option<Color>,
}

/// The way to where the last game ended, and the boxes for the moves of all games before it.
pub(crate) struct GameWalk {
    line: SpelledLine,
    first_side: Color,
    steps: Vec<Step>,
    last_box: LastBox,
    pub(crate) filled: PlayedBoxes,
}

/// The box that was used last.
#[derive(Clone, Copy, Default)]
struct LastBox {
    /// How its position began.
    window: Window,
    number: usize,
    /// Bytes that all of its positions begin with.
    common: usize,
}

/// A move on the way, with all games that made it.
#[derive(Clone, Copy)]
struct Step {
    play: Move,
    /// Where its word ends in the text of the last game.
    end: usize,
    /// The games that came here, and those of them that went on.
    came: Visits,
    went_on: Visits,
    /// The move with which the latest of those went on.
    reply: Option<Move>,
}

/// How many games, and when the first and the last of them were.
#[derive(Clone, Copy, Default)]
struct Visits {
    count: u32,
    first: u64,
    last: u64,
}

impl Visits {
    fn add(&mut self, other: Self) {
        self.first = if self.count == 0 { other.first } else { self.first.min(other.first) };
        self.last = self.last.max(other.last);
        self.count = self.count.saturating_add(other.count);
    }
}

/// Where games are entered.
#[derive(Clone, Copy)]
pub(crate) struct Entering<'a> {
    pub(crate) taking: Taking,
    pub(crate) boxes: &'a Boxes,
}

impl GameWalk {
    pub(crate) fn new(boxes: usize) -> Self {
        Self {
            line: SpelledLine::new(&Position::startpos()),
            first_side: Color::Black,
            steps: Vec::new(),
            last_box: LastBox::default(),
            filled: PlayedBoxes::new(boxes),
        }
    }

    /// Begins at another position.
    pub(crate) fn begin(&mut self, start: &Position, entering: Entering<'_>) {
        self.go_back(0, entering);
        self.first_side = start.side();
        self.line.begin(start);
    }

    /// Walks the moves of a text, which has as many bytes as `common` in common with that of the last game from the same
    /// position. Tells the word that is no move, if one ended the game.
    pub(crate) fn enter_text<'t>(
        &mut self,
        text: &'t [u8],
        common: usize,
        time: u64,
        entering: Entering<'_>,
    ) -> Option<&'t [u8]> {
        // A word that ends where the texts begin to differ may go on in one of them.
        let mut depth = self.steps.iter().rposition(|step| step.end < common).map_or(0, |last| last + 1);
        let at = depth.checked_sub(1).map_or(0, |last| self.steps[last].end);
        let mut bad = None;
        for word in
            (Words { line: text, at }).take(entering.taking.most.saturating_add(1).saturating_sub(depth))
        {
            let end = word.end;
            let word = &text[word];
            let play = parse_move(word).ok().flatten();
            if !play.is_some_and(|play| self.step(depth, play, end, entering)) {
                bad = Some(word).filter(|word| !ENDS.iter().any(|end| end.as_bytes() == *word));
                break;
            }
            depth += 1;
        }
        self.end_game(depth, time, entering);
        bad
    }

    /// Walks some legal moves.
    pub(crate) fn enter_moves(&mut self, moves: &[Move], time: u64, entering: Entering<'_>) {
        let moves = &moves[..moves.len().min(entering.taking.most.saturating_add(1))];
        let legal =
            moves.iter().enumerate().take_while(|(depth, m)| self.step(*depth, **m, 0, entering)).count();
        self.end_game(legal, time, entering);
    }

    /// Makes a move after so many others, unless it is not legal.
    fn step(&mut self, depth: usize, play: Move, end: usize, entering: Entering<'_>) -> bool {
        if let Some(step) = self.steps.get_mut(depth)
            && step.play == play
        {
            step.end = end;
            return true;
        }
        self.go_back(depth, entering);
        let legal = self.line.board().is_legal(play);
        if legal {
            self.line.play(play);
            let nobody = Visits::default();
            self.steps.push(Step { play, end, came: nobody, went_on: nobody, reply: None });
        }
        legal
    }

    fn end_game(&mut self, depth: usize, time: u64, entering: Entering<'_>) {
        self.go_back(depth, entering);
        if let Some(last) = self.steps.last_mut() {
            last.came.add(Visits { count: 1, first: time, last: time });
        }
    }

    /// Takes moves back until there are so many, and enters them.
    pub(crate) fn go_back(&mut self, depth: usize, entering: Entering<'_>) {
        while self.steps.len() > depth
            && let Some(step) = self.steps.pop()
        {
            if let Some(before) = self.steps.last_mut() {
                if before.went_on.count == 0 || step.came.last > before.went_on.last {
                    before.reply = Some(step.play);
                }
                before.went_on.add(step.came);
                before.came.add(step.came);
            }
            self.enter(step, entering);
            self.line.undo();
        }
    }

    /// Enters the last move.
    fn enter(&mut self, step: Step, entering: Entering<'_>) {
        let depth = self.steps.len();
        let wanted = |side: Color| (side == self.first_side) == depth.is_multiple_of(2);
        if let Some(reply) = step.reply
            && entering.taking.side.is_none_or(wanted)
            && let Some((place, ply)) = self.line.before_last()
        {
            let Visits { count, first, last } = step.went_on;
            // Each move of a game has a time of its own.
            let (first, last) = (first + depth as u64, last + depth as u64);
            let window = window_of(place, 0);
            // Most moves leave the first rows as they are.
            if self.last_box.window != window {
                let number = entering.boxes.number_of(window);
                self.last_box = LastBox { window, number, common: entering.boxes.common(number) };
            }
            let LastBox { number, common, .. } = self.last_box;
            let played = Played { play: step.play, reply, ply, count, first, last };
            self.filled.put(number, &place[common..], played);
        }
    }

    /// Puts everything from the only box into others.
    pub(crate) fn spread(&mut self, boxes: &Boxes) {
        self.last_box = LastBox::default();
        self.filled = self.filled.spread(boxes);
    }
}
