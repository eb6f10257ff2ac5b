//! A record of one game.

use crate::model::board::Undo;
use crate::model::tree::MOVES_OF_A_GAME;
use crate::{Board, Ending, Fault, GameResult, Header, Node, NodeId, Note, NoteRef, Step, Tree};
use shogi::{Color, Handicap, Move, Position, Setup};
use std::collections::{BTreeMap, HashMap};

/// A record of any game: header, start position and moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord<S, M> {
    /// Players, dates, places and other fields of the file.
    pub header: Header,
    /// The start position.
    pub start: S,
    /// The moves with their branches.
    pub tree: Tree<M>,
}

/// A record of shogi.
///
/// ```
/// let text = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n";
/// let loaded = record::read(text.as_bytes(), &record::ReadOptions::default())?;
/// let game = loaded.record;
/// assert_eq!(game.moves().map(|m| m.to_string()).collect::<Vec<_>>(), ["7g7f", "3c3d"]);
/// assert_eq!(game.ending(), Some(&record::Ending::Resign));
/// # Ok::<(), record::ReadError>(())
/// ```
pub type Record = GameRecord<Setup, Move>;

impl Default for Record {
    fn default() -> Self {
        Self::new(Handicap::Even.setup())
    }
}

impl<S, M> GameRecord<S, M> {
    /// A record without moves.
    #[must_use]
    pub fn new(start: S) -> Self {
        Self { header: Header::default(), start, tree: Tree::new() }
    }

    /// The ending of the main line, if the record has one.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        self.tree.main_line().find_map(|id| self.tree[id].ending())
    }
}

impl<S, M> GameRecord<S, M> {
    /// The notes after this many moves of the main line; `None` if it is shorter.
    pub fn note_mut(&mut self, moves: usize) -> Option<&mut Note> {
        let Some(last) = moves.checked_sub(1) else { return Some(self.tree.note_mut(NodeId::ROOT)) };
        let id = self.tree.main_line().filter(|id| self.tree[*id].played().is_some()).nth(last)?;
        Some(self.tree.note_mut(id))
    }
}

impl<S, M: Copy> GameRecord<S, M> {
    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = M> {
        self.tree.main_line().filter_map(|id| self.tree[id].played().copied())
    }
}

impl Record {
    /// The side to move after this many plies.
    #[must_use]
    pub fn side_after(&self, plies: u32) -> Color {
        if plies.is_multiple_of(2) { self.start.side } else { !self.start.side }
    }

    /// The result of the main line.
    #[must_use]
    pub fn result(&self) -> GameResult {
        self.ending()
            .map_or(GameResult::Unknown, |ending| ending.result(self.side_after(self.moves().count() as u32)))
    }

    /// The positions of the main line, the start position first.
    pub fn positions(&self) -> impl Iterator<Item = Setup> {
        let mut board = Board::from(&self.start);
        let mut ply = self.start.ply;
        let mut moves = self.moves();
        let first = Some(self.start.clone());
        first.into_iter().chain(std::iter::from_fn(move || {
            board.play(moves.next()?)?;
            ply += 1;
            Some(board.setup(ply))
        }))
    }
}

/// The result of a reader.
pub(crate) struct Told {
    pub record: Record,
    /// Moves that were left out.
    pub faults: Vec<Fault>,
    /// Whether all its moves have already been found legal.
    pub lawful: bool,
}

/// From this number of branches of a node on, which few games have, they are looked up in a map.
const MANY_BRANCHES: usize = 16;

/// The position of a reader in a record: appends moves in the order of the file.
pub(crate) struct Cursor {
    record: Record,
    board: Board,
    /// The moves from the root to the current node.
    played: Vec<Undo>,
    /// The same position under the rules, as long as every move was legal; not updated after an illegal one.
    lawful: Option<Position>,
    here: NodeId,
    /// The depth of `here`, and whether it is an ending.
    ply: u32,
    ended: bool,
    /// The child of each node that was entered last; may be shorter than the list of nodes.
    entered: Vec<Option<NodeId>>,
    /// The children by step, of nodes with many.
    crowds: BTreeMap<NodeId, HashMap<Step<Move>, NodeId>>,
}

impl Cursor {
    pub fn new(record: Record) -> Self {
        Self {
            board: Board::from(&record.start),
            played: Vec::with_capacity(MOVES_OF_A_GAME),
            lawful: Position::with_room(&record.start, MOVES_OF_A_GAME).ok(),
            record,
            here: NodeId::ROOT,
            ply: 0,
            ended: false,
            entered: Vec::new(),
            crowds: BTreeMap::new(),
        }
    }

    pub fn told(self, faults: Vec<Fault>) -> Told {
        Told { record: self.record, faults, lawful: self.lawful.is_some() }
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    pub fn node(&mut self) -> &mut Node<Move> {
        &mut self.record.tree[self.here]
    }

    /// The notes here.
    pub fn note(&self) -> NoteRef<'_> {
        self.record.tree.note(self.here)
    }

    /// The notes here, for changing.
    pub fn note_mut(&mut self) -> &mut Note {
        self.record.tree.note_mut(self.here)
    }

    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The move that led here.
    pub fn last_move(&self) -> Option<Move> {
        self.played.last().filter(|_| !self.ended).map(|undo| undo.played)
    }

    fn back(&mut self) {
        let Some(parent) = self.record.tree.parent(self.here) else { return };
        if !self.ended
            && let Some(undo) = self.played.pop()
        {
            self.board.take_back(undo);
            if let Some(position) = &mut self.lawful {
                position.undo_move();
            }
        }
        if self.entered.len() <= parent.index() {
            self.entered.resize(parent.index() + 1, None);
        }
        self.entered[parent.index()] = Some(self.here);
        self.here = parent;
        self.ply -= 1;
        self.ended = false;
    }

    /// Moves to a ply: back along the line, or forward along the line that was read last, as far as it goes.
    pub fn go_to(&mut self, ply: u32) {
        while self.ply() > ply {
            self.back();
        }
        while self.ply() < ply {
            let last = self.entered.get(self.here.index()).copied().flatten();
            let Some(next) = last.or_else(|| self.record.tree.next(self.here)) else { break };
            self.enter(next, self.record.tree[next].played().copied());
        }
    }

    /// Moves to a child.
    fn enter(&mut self, id: NodeId, m: Option<Move>) {
        if let Some(m) = m
            && let Some(undo) = self.board.play(m)
        {
            self.played.push(undo);
            if let Some(position) = &mut self.lawful {
                position.do_move(m);
            }
        }
        self.here = id;
        self.ply += 1;
        self.ended = m.is_none();
    }

    /// Leaves an ending: nothing can follow it, so the next step becomes its sibling.
    pub fn leave_ending(&mut self) {
        if self.ended {
            self.back();
        }
    }

    /// Moves on by this step, to the existing node or a new one. Returns false if no piece can make the move.
    pub fn append(&mut self, step: Step<Move>) -> bool {
        self.leave_ending();
        let m = match step {
            Step::Move(m) if self.board().moving(m).is_none() => return false,
            Step::Move(m) => Some(m),
            Step::End(_) => None,
        };
        let id = match self.record.tree.next(self.here) {
            None => self.add(step, m),
            Some(_) => self.child(step, m),
        };
        self.enter(id, m);
        true
    }

    fn add(&mut self, step: Step<Move>, m: Option<Move>) -> NodeId {
        if m.is_some_and(|m| self.lawful.as_ref().is_some_and(|position| !position.is_legal(m))) {
            self.lawful = None;
        }
        self.record.tree.add(self.here, step)
    }

    /// The child with this step, created if necessary: a step that occurs twice in a file is one node.
    fn child(&mut self, step: Step<Move>, m: Option<Move>) -> NodeId {
        if let Some(known) = self.known(&step) {
            return known;
        }
        let id = self.add(step.clone(), m);
        if let Some(crowd) = self.crowds.get_mut(&self.here) {
            crowd.insert(step, id);
        }
        id
    }

    fn known(&mut self, step: &Step<Move>) -> Option<NodeId> {
        if let Some(crowd) = self.crowds.get(&self.here) {
            return crowd.get(step).copied();
        }
        let tree = &self.record.tree;
        let children = || tree.children(self.here);
        let known = children().find(|id| tree[*id].step() == Some(step));
        if known.is_none() && children().count() >= MANY_BRANCHES {
            let steps = children().filter_map(|id| Some((tree[id].step()?.clone(), id)));
            self.crowds.insert(self.here, steps.collect());
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn step(text: &str) -> Step<Move> {
        Step::Move(text.parse().unwrap())
    }

    #[test]
    fn many_branches_are_told_apart_like_few() {
        let mut cursor = Cursor::new(Record::default());
        let endings = |number: usize| Step::End(Ending::Other(format!("理由{number}").into()));
        let many = 3 * MANY_BRANCHES;
        for step in (0..many).chain(0..many).map(endings) {
            assert!(cursor.append(step));
        }
        assert!(cursor.append(step("7g7f")));
        let tree = &cursor.record.tree;
        let found: Vec<_> = tree.children(NodeId::ROOT).filter_map(|id| tree[id].step().cloned()).collect();
        assert_eq!(found, (0..many).map(endings).chain([step("7g7f")]).collect::<Vec<_>>());
    }

    #[test]
    fn a_cursor_branches_where_it_is_sent() {
        let mut cursor = Cursor::new(Record::default());
        for text in ["7g7f", "3c3d", "2g2f"] {
            assert!(cursor.append(step(text)));
        }
        assert!(cursor.append(Step::End(Ending::Interrupt)));
        // After an ending the next step is its sibling, at the same ply.
        assert!(cursor.append(step("8c8d")));
        assert_eq!(cursor.ply(), 4);
        cursor.go_to(1);
        assert!(cursor.append(step("8c8d")));
        assert_eq!(cursor.board().side(), Color::Black);
        cursor.go_to(9);
        assert_eq!(cursor.ply(), 2);
        assert!(!cursor.append(step("5e5d")));
        // A known move is entered, not duplicated.
        cursor.go_to(0);
        assert!(cursor.append(step("7g7f")));
        let game = cursor.record;
        assert_eq!((game.tree.len(), game.tree.leaves()), (6, 3));
        assert_eq!(game.moves().count(), 3);
        assert_eq!(game.ending(), Some(&Ending::Interrupt));
        assert_eq!(game.positions().count(), 4);
    }
}
