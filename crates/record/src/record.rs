//! One game.

use crate::legality::Judge;
use crate::note::Draft;
use crate::script::Script;
use crate::{Board, Ending, Fault, GameResult, Header, Node, NodeId, Note, NoteRef, Step, Tree};
use shogi::{Color, Handicap, Move, Setup};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// A record of any game: what is known of it, where it starts, and its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord<S, M> {
    /// Players, dates, places and whatever else the file says.
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
        Self::with_room(start, 0)
    }

    /// The same, ready for so many moves.
    pub(crate) fn with_room(start: S, moves: usize) -> Self {
        Self { header: Header::default(), start, tree: Tree::with_room(moves) }
    }

    /// How the main line ends, if the record says so.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        self.tree.main_line().find_map(|id| self.tree[id].ending())
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

    /// Who won the main line.
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

/// What a reader made of a file.
pub(crate) struct Told {
    pub record: Record,
    /// Moves that could not be taken over.
    pub faults: Vec<Fault>,
    /// Whether all its moves have been judged already and found legal.
    pub lawful: bool,
}

/// From so many branches of one node on, which few games have, they are no longer looked through one by one.
const MANY_BRANCHES: usize = 16;

/// Goes about a record while it is read: where moves are appended, as files tell them.
pub(crate) struct Cursor {
    record: Record,
    judge: Judge,
    here: NodeId,
    /// How far `here` is from the root, and whether it is an ending.
    ply: u32,
    ended: bool,
    /// By node: the child through which a reader went last; short of those that were never left.
    entered: Vec<Option<NodeId>>,
    /// The children, by their steps, of nodes with many.
    crowds: BTreeMap<NodeId, HashMap<Step<Move>, NodeId>>,
    /// Whether every move so far is legal; behind one that is not, nothing is judged any more.
    lawful: bool,
}

impl Cursor {
    pub fn new(record: Record) -> Self {
        Self::with_room(record, 0)
    }

    /// At the start of a game, ready for so many moves.
    pub fn at_start(start: Setup, room: usize) -> Self {
        Self::with_room(Record::with_room(start, room), room)
    }

    fn with_room(record: Record, room: usize) -> Self {
        let (judge, lawful) = Judge::at_start(&record.start, room);
        Self {
            record,
            judge,
            here: NodeId::ROOT,
            ply: 0,
            ended: false,
            entered: Vec::new(),
            crowds: BTreeMap::new(),
            lawful,
        }
    }

    /// Back to the start of another game, with the memory that the last one had.
    pub fn renew(&mut self, start: Setup, room: usize) {
        self.lawful = self.judge.renew(&start, room);
        self.record.start = start;
        self.record.tree = Tree::with_room(room);
        (self.here, self.ply, self.ended) = (NodeId::ROOT, 0, false);
        self.entered.clear();
        if !self.crowds.is_empty() {
            self.crowds.clear();
        }
    }

    /// About so many bytes it holds when it is renewed.
    pub fn memory(&self) -> usize {
        self.judge.memory() + self.entered.capacity() * size_of::<NodeId>()
    }

    pub fn told(self, faults: Vec<Fault>) -> Told {
        Told { record: self.record, faults, lawful: self.lawful }
    }

    /// Gives the record away with this header; what is left is good for [`Self::renew`] alone.
    pub fn tell(&mut self, header: Header, faults: Vec<Fault>) -> Told {
        let tree = std::mem::replace(&mut self.record.tree, Tree::hollow());
        let record = Record { header, start: self.record.start.clone(), tree };
        Told { record, faults, lawful: self.lawful }
    }

    #[inline]
    pub fn board(&self) -> &Board {
        self.judge.board()
    }

    #[inline]
    pub fn node(&mut self) -> &mut Node<Move> {
        &mut self.record.tree[self.here]
    }

    /// What is noted here.
    pub fn note(&self) -> NoteRef<'_> {
        self.record.tree.note(self.here)
    }

    /// What is noted here, to be changed.
    pub fn note_mut(&mut self) -> &mut Note {
        self.record.tree.note_mut(self.here)
    }

    /// Notes this at the start of a game of which nothing is read yet.
    pub fn begin_with(&mut self, note: Note) {
        self.record.tree.begin_with(note);
    }

    /// Adds a line to the comments.
    pub fn add_comment(&mut self, line: &str) {
        self.record.tree.add_comment(self.here, line);
    }

    /// The comments of all nodes, as [`Tree::draft_comments`] gives them.
    #[inline(always)]
    pub fn draft_comments(&mut self) -> Draft {
        self.record.tree.draft_comments()
    }

    /// Puts them back, as [`Tree::keep_comments`] does.
    #[inline(always)]
    pub fn keep_comments(&mut self, draft: Draft) -> bool {
        self.record.tree.keep_comments(draft)
    }

    /// Adds a comment as [`Tree::take_comment`] does.
    #[inline(never)]
    pub fn take_comment<S: Script>(&mut self, draft: &mut Draft, bytes: &[u8]) -> Option<usize> {
        self.record.tree.take_comment::<S>(self.here, draft, bytes)
    }

    #[inline]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The move that led here.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        if self.ended { None } else { self.judge.last_move() }
    }

    fn back(&mut self) {
        let Some(parent) = self.record.tree.parent(self.here) else { return };
        if !self.ended {
            self.judge.take_back();
        }
        if self.entered.len() <= parent.index() {
            self.entered.resize(parent.index() + 1, None);
        }
        self.entered[parent.index()] = Some(self.here);
        self.here = parent;
        self.ply -= 1;
        self.ended = false;
    }

    /// Goes to a ply: back along the line, or on along the line that was read last, as far as it goes.
    #[inline(always)]
    pub fn go_to(&mut self, ply: u32) {
        if self.ply != ply {
            self.walk_to(ply);
        }
    }

    fn walk_to(&mut self, ply: u32) {
        while self.ply() > ply {
            self.back();
        }
        while self.ply() < ply {
            let last = self.entered.get(self.here.index()).copied().flatten();
            let Some(next) = last.or_else(|| self.record.tree.next(self.here)) else { break };
            self.enter(next, self.record.tree[next].played().copied());
        }
    }

    /// Goes on to a child.
    #[inline(always)]
    fn enter(&mut self, id: NodeId, m: Option<Move>) {
        if let Some(m) = m {
            self.judge.play(m);
        }
        self.here = id;
        self.ply += 1;
        self.ended = m.is_none();
    }

    /// Leaves an ending: nothing follows one, so whatever comes next is its sibling.
    #[inline]
    pub fn leave_ending(&mut self) {
        if self.ended {
            self.back();
        }
    }

    /// Goes on by this step, by the node that is there already or by a new one. False if no piece can make
    /// the move.
    #[inline(never)]
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

    /// Whether all is legal so far and nothing follows here yet, so that [`Self::go_on`] may.
    #[inline(always)]
    pub fn is_open(&self) -> bool {
        self.lawful && !self.ended && self.record.tree.next(self.here).is_none()
    }

    /// Goes on by a legal move where none is yet, as files mostly do. False, and nothing happens, in any other case: then
    /// [`Self::append`] knows what to do.
    #[inline(always)]
    pub fn extend(&mut self, m: Move, time: Option<Duration>) -> bool {
        self.is_open() && self.go_on(m, time, |judge| judge.play_if_legal(m))
    }

    /// The same where the way [is open](Self::is_open), with a closer word for the judge.
    #[inline(always)]
    pub fn go_on(&mut self, m: Move, time: Option<Duration>, play: impl FnOnce(&mut Judge) -> bool) -> bool {
        let legal = play(&mut self.judge);
        if legal {
            self.here = self.record.tree.add_first(self.here, Step::Move(m), time);
            self.ply += 1;
        }
        legal
    }

    #[inline(always)]
    fn add(&mut self, step: Step<Move>, m: Option<Move>) -> NodeId {
        if let Some(m) = m {
            self.lawful = self.lawful && self.judge.verdict(m).is_ok();
        }
        self.record.tree.add(self.here, step)
    }

    /// The child of this step beside others: a step that stands twice in a file is one node.
    #[cold]
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
pub(crate) mod tests {
    use super::*;
    use crate::ReadError;
    use crate::encoding::decode;
    use proptest::prelude::*;
    use std::io::Write;
    use std::path::Path;

    /// What a reader made of a text, to be compared.
    pub(crate) fn told_parts(told: Result<Told, ReadError>) -> Result<(Record, Vec<Fault>, bool), String> {
        told.map(|told| (told.record, told.faults, told.lawful)).map_err(|error| error.to_string())
    }

    /// A place in a text, how many characters go there, and those that come instead.
    #[derive(Clone, Debug)]
    pub(crate) struct Change(prop::sample::Index, usize, String);

    impl Change {
        /// A few of them, with such characters.
        pub(crate) fn some(chars: &'static str) -> impl Strategy<Value = Vec<Self>> {
            let change = (any::<prop::sample::Index>(), 0..4usize, chars);
            prop::collection::vec(change.prop_map(|(at, count, new)| Self(at, count, new)), 0..6)
        }
    }

    /// A text with changes.
    pub(crate) fn spoilt(lines: &[&str], changes: Vec<Change>) -> String {
        let mut chars: Vec<char> = lines.concat().chars().collect();
        for Change(at, count, new) in changes {
            let at = at.index(chars.len() + 1);
            let end = chars.len().min(at + count);
            chars.splice(at..end, new.chars());
        }
        chars.into_iter().collect()
    }

    /// The seeds of a fuzz target, and all files of the corpus if it lies anywhere above the crate.
    pub(crate) fn texts(target: &str) -> Vec<String> {
        let read = |folder: &str| -> Vec<String> {
            let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
            let entries = above.find_map(|above| std::fs::read_dir(above.join(folder)).ok());
            let files =
                entries.into_iter().flatten().flatten().filter_map(|entry| std::fs::read(entry.path()).ok());
            files.map(|bytes| decode(&bytes).text.into_owned()).collect()
        };
        let seeds = read(&format!("fuzz/seeds/{target}"));
        assert!(!seeds.is_empty());
        let corpus = ["files", "generated"].map(|part| read(&format!("shared/public/records/{part}")));
        if corpus.iter().all(Vec::is_empty) {
            // Not `eprintln!`: the harness hides what passing tests print.
            let _ = writeln!(std::io::stderr(), "skipped: shared/public/records is nowhere above");
        }
        seeds.into_iter().chain(corpus.into_iter().flatten()).collect()
    }

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
        // A known move is entered, not doubled.
        cursor.go_to(0);
        assert!(cursor.append(step("7g7f")));
        let game = cursor.record;
        assert_eq!((game.tree.len(), game.tree.leaves()), (6, 3));
        assert_eq!(game.moves().count(), 3);
        assert_eq!(game.ending(), Some(&Ending::Interrupt));
        assert_eq!(game.positions().count(), 4);
    }
}
