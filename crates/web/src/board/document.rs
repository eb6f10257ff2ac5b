//! What a board holds: a start position, a header and a tree of moves, all as texts.
//!
//! Nodes are shared between versions, so a copy for undo costs a pointer a node, and two versions are compared by pointers.

use crate::games::{AnyGame, Line, Noted, ReadRecord, WriteStep, WrittenText, ending_words};
use crate::protocol::{NodeEval, Refusal, RefusalCode, Side, TreeNode};
use record::{Ending, Format, encoding::Encoding};
use std::sync::Arc;

/// The number of the start position.
pub const ROOT: u32 = 1;

/// No board has more nodes.
pub const MOST_NODES: usize = 200_000;

/// Comments are not longer, in bytes.
pub const LONGEST_COMMENT: usize = 64 << 10;

/// A node and what follows it.
#[derive(Clone, Debug)]
pub struct Node {
    /// As pages see it.
    pub shown: TreeNode,
    /// The first one is the main line.
    pub children: Vec<u32>,
}

/// A version of a board.
#[derive(Clone)]
pub struct Document {
    /// Its game.
    pub game: Arc<dyn AnyGame>,
    /// The start position as text.
    pub start: String,
    /// Names and values as KIF has them.
    pub header: Arc<Vec<[String; 2]>>,
    /// By number; numbers are not used again.
    nodes: Vec<Option<Arc<Node>>>,
}

impl Document {
    /// A board without moves.
    pub fn new(game: Arc<dyn AnyGame>, start: Option<&str>) -> Result<Self, Refusal> {
        let start = match start {
            Some(text) => game.line(text)?.text(),
            None => game.start(),
        };
        let root = Node { shown: TreeNode { id: ROOT, ..TreeNode::default() }, children: Vec::new() };
        let nodes = vec![None, Some(Arc::new(root))];
        Ok(Self { game, start, header: Arc::new(Vec::new()), nodes })
    }

    /// The board of a record, and what could not be taken over.
    pub fn of_record(game: Arc<dyn AnyGame>, record: &ReadRecord) -> Result<(Self, Vec<String>), Refusal> {
        let mut document = Self::new(game, Some(&record.start))?;
        document.header = Arc::new(record.header.clone());
        document.note(ROOT, &record.root);
        let mut notices = record.notices.clone();
        let mut line = document.game.line(&document.start)?;
        let mut at = ROOT;
        let mut places = Vec::with_capacity(record.steps.len() + 1);
        places.push(Some(ROOT));
        let mut cut = 0;
        for step in &record.steps {
            let Some(parent) = places.get(step.parent).copied().flatten() else {
                places.push(None);
                continue;
            };
            if document.count() > MOST_NODES {
                let text = format!("the record has more than {MOST_NODES} moves");
                return Err(Refusal::new(RefusalCode::TooMuch, text)
                    .ja(format!("棋譜が長すぎます（上限 {MOST_NODES} 手）。")));
            }
            document.walk_to(&mut *line, &mut at, parent)?;
            let id = match &step.what {
                Ok(text) => {
                    if let Ok(named) = line.play(text) {
                        let side = line.side().other();
                        let (id, _) = document.add_named(parent, named.text, named.ja, named.en, side);
                        at = id;
                        Some(id)
                    } else {
                        cut += 1;
                        None
                    }
                }
                Err(ending) => Some(document.add_ending(parent, ending, line.side())),
            };
            if let Some(id) = id {
                document.note(id, &step.noted);
            }
            places.push(id);
        }
        if cut > 0 {
            notices.push(format!("{cut} moves are against the rules: each line ends before its first one"));
        }
        Ok((document, notices))
    }

    /// Goes from one node to another by taking back and playing.
    fn walk_to(&self, line: &mut dyn Line, at: &mut u32, to: u32) -> Result<(), Refusal> {
        let path = self.path(to);
        while *at != ROOT && !path.contains(at) {
            if self.get(*at)?.shown.text.is_some() {
                line.undo();
            }
            *at = self.get(*at)?.shown.parent.unwrap_or(ROOT);
        }
        let from = path.iter().position(|id| id == at).map_or(0, |place| place + 1);
        for id in &path[from..] {
            if let Some(text) = &self.get(*id)?.shown.text {
                line.replay(text)?;
            }
        }
        *at = to;
        Ok(())
    }

    /// How many nodes there are, those that were removed included.
    #[must_use]
    pub fn count(&self) -> usize {
        self.nodes.len() - 2
    }

    /// A node.
    pub fn get(&self, id: u32) -> Result<&Arc<Node>, Refusal> {
        self.find(id).ok_or_else(|| {
            Refusal::new(RefusalCode::Node, format!("no node {id} on this board: it may have been deleted"))
                .ja("その局面はもうありません。")
        })
    }

    /// A node, if it is there.
    #[must_use]
    pub fn find(&self, id: u32) -> Option<&Arc<Node>> {
        self.nodes.get(id as usize)?.as_ref()
    }

    /// Room for every number, for comparing versions.
    #[must_use]
    pub fn slots(&self) -> &[Option<Arc<Node>>] {
        &self.nodes
    }

    /// Nodes from the first move to this one, the root included.
    #[must_use]
    pub fn path(&self, id: u32) -> Vec<u32> {
        let parent = |id: &u32| self.find(*id)?.shown.parent;
        let mut path: Vec<u32> = std::iter::successors(Some(id), parent).collect();
        path.reverse();
        path
    }

    /// The moves that lead to a node.
    #[must_use]
    pub fn moves(&self, id: u32) -> Vec<&str> {
        let nodes = self.path(id).into_iter().filter_map(|id| self.nodes[id as usize].as_ref());
        nodes.filter_map(|node| node.shown.text.as_deref()).collect()
    }

    /// The position at a node.
    pub fn line(&self, id: u32) -> Result<Box<dyn Line>, Refusal> {
        self.get(id)?;
        let mut line = self.game.line(&self.start)?;
        for text in self.moves(id) {
            line.replay(text)?;
        }
        Ok(line)
    }

    /// The position at a node as the command `position` has it.
    #[must_use]
    pub fn command(&self, id: u32) -> String {
        let moves = self.moves(id);
        let separator = if moves.is_empty() { "" } else { " moves " };
        format!("sfen {}{separator}{}", self.start, moves.join(" "))
    }

    /// The end of the main line from a node on.
    #[must_use]
    pub fn end_of(&self, id: u32) -> u32 {
        let next = |id: &u32| self.find(*id)?.children.first().copied();
        std::iter::successors(Some(id), next).last().unwrap_or(id)
    }

    /// All nodes, parents before children, each line to its end before its branches.
    #[must_use]
    pub fn preorder(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut open = vec![ROOT];
        while let Some(id) = open.pop() {
            order.push(id);
            if let Some(node) = self.find(id) {
                open.extend(node.children.iter().rev());
            }
        }
        order
    }

    /// Changes a node.
    pub fn change(&mut self, id: u32, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(id as usize).and_then(Option::as_mut) {
            change(Arc::make_mut(node));
        }
    }

    /// Puts a node that another version has made in place of this one.
    pub(super) fn put(&mut self, id: u32, node: Arc<Node>) {
        if let Some(slot) = self.nodes.get_mut(id as usize) {
            *slot = Some(node);
        }
    }

    /// Adds a move, or finds it among the children; the second value says whether it is new.
    pub fn add_named(
        &mut self,
        parent: u32,
        text: String,
        ja: String,
        en: String,
        side: Side,
    ) -> (u32, bool) {
        let known = self.find(parent).and_then(|node| {
            let same =
                |id: &&u32| self.find(**id).is_some_and(|child| child.shown.text.as_deref() == Some(&text));
            node.children.iter().find(same).copied()
        });
        if let Some(id) = known {
            return (id, false);
        }
        let shown = TreeNode { text: Some(text), ja, en, side: Some(side), ..TreeNode::default() };
        (self.add(parent, shown), true)
    }

    /// Adds the end of a game, with `side` to move there.
    pub fn add_ending(&mut self, parent: u32, ending: &Ending, side: Side) -> u32 {
        let words = ending_words(ending, side);
        let shown = TreeNode {
            ja: ending.kif().to_owned(),
            en: words.say.en,
            side: Some(side),
            ending: Some(words.reason),
            ..TreeNode::default()
        };
        self.add(parent, shown)
    }

    fn add(&mut self, parent: u32, mut shown: TreeNode) -> u32 {
        let id = self.nodes.len() as u32;
        shown.id = id;
        shown.parent = Some(parent);
        shown.ply = self.find(parent).map_or(0, |parent| parent.shown.ply) + 1;
        self.nodes.push(Some(Arc::new(Node { shown, children: Vec::new() })));
        self.change(parent, |parent| parent.children.push(id));
        id
    }

    /// Puts a node back under the number that it had.
    pub(super) fn restore(&mut self, shown: TreeNode) -> bool {
        let id = shown.id as usize;
        if id > 2 * MOST_NODES {
            return false;
        }
        if self.nodes.len() <= id {
            self.nodes.resize(id + 1, None);
        }
        if shown.id == ROOT {
            self.change(ROOT, |root| root.shown = shown);
            return true;
        }
        let Some(parent) = shown.parent.filter(|parent| self.find(*parent).is_some()) else { return false };
        if self.nodes[id].is_some() {
            return false;
        }
        self.nodes[id] = Some(Arc::new(Node { shown, children: Vec::new() }));
        self.change(parent, |parent| parent.children.push(id as u32));
        true
    }

    /// Removes a node and all that follows; returns its parent.
    pub fn delete(&mut self, id: u32) -> Result<u32, Refusal> {
        let Some(parent) = self.get(id)?.shown.parent else {
            return Err(Refusal::new(RefusalCode::Node, "the start position cannot be deleted"));
        };
        self.change(parent, |parent| parent.children.retain(|child| *child != id));
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if let Some(node) = self.nodes[id as usize].take() {
                open.extend(&node.children);
            }
        }
        Ok(parent)
    }

    /// Moves a line one place towards the main line.
    pub fn promote(&mut self, id: u32) -> Result<(), Refusal> {
        let Some(parent) = self.get(id)?.shown.parent else { return Ok(()) };
        self.change(parent, |parent| {
            if let Some(place) =
                parent.children.iter().position(|child| *child == id).filter(|place| *place > 0)
            {
                parent.children.swap(place, place - 1);
            }
        });
        Ok(())
    }

    fn note(&mut self, id: u32, noted: &Noted) {
        if *noted == Noted::default() {
            return;
        }
        self.change(id, |node| {
            let shown = &mut node.shown;
            shown.comment.clone_from(&noted.comment);
            shown.time = noted.time;
            if noted.bookmark {
                shown.marks = vec!["bookmark".to_owned()];
            }
            shown.eval =
                noted.value.map(|(score, depth)| NodeEval { score, depth, engine: None, best: None });
        });
    }

    /// The record in a format.
    pub fn write(&self, format: Format, encoding: Encoding) -> Result<WrittenText, Refusal> {
        let order = self.preorder();
        let mut places = vec![0; self.nodes.len()];
        let noted: Vec<Noted> = order
            .iter()
            .filter_map(|id| self.find(*id))
            .map(|node| Noted {
                comment: node.shown.comment.clone(),
                bookmark: node.shown.marks.iter().any(|mark| mark == "bookmark"),
                time: node.shown.time,
                value: node.shown.eval.as_ref().map(|eval| (eval.score, eval.depth)),
            })
            .collect();
        let mut steps = Vec::with_capacity(order.len());
        for (place, (id, noted)) in order.iter().zip(&noted).enumerate() {
            let shown = &self.get(*id)?.shown;
            places[*id as usize] = place;
            let what = match (&shown.text, &shown.ending) {
                (Some(text), _) => Some(Ok(text.as_str())),
                (None, Some(_)) => Some(Err(shown.ja.as_str())),
                (None, None) => None,
            };
            let parent = shown.parent.map_or(0, |parent| places[parent as usize]);
            steps.push(WriteStep { parent, what, noted });
        }
        self.game.write(&self.start, &self.header, &steps, format, encoding)
    }

    /// What people call the record: the players, or the event.
    #[must_use]
    pub fn title(&self) -> String {
        let field = |names: &[&str]| {
            let found = self
                .header
                .iter()
                .find(|[name, value]| names.contains(&name.as_str()) && !value.trim().is_empty());
            found.map(|[_, value]| value.clone())
        };
        match (field(&["先手", "下手"]), field(&["後手", "上手"]), field(&["作品名", "表題", "棋戦"]))
        {
            (Some(black), Some(white), _) => format!("{black} – {white}"),
            (_, _, Some(event)) => event,
            (Some(name), None, None) | (None, Some(name), None) => name,
            (None, None, None) => String::new(),
        }
    }

    /// Moves of the main line.
    #[must_use]
    pub fn main_length(&self) -> u32 {
        self.find(self.end_of(ROOT)).map_or(0, |node| node.shown.ply)
    }
}
