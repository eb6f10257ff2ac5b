//! Boards: a record with its versions, who looks at it, and the game that is played on it.

mod changes;
pub mod document;
mod registry;
mod store;

pub use document::{Document, Node, ROOT};
pub use registry::{Boards, SharedBoard, lock};

use crate::play::Game;
use crate::protocol::{
    BoardEntry, Change, Changed, Event, PlayState, Refusal, RefusalCode, Scene, Snapshot, Subscribed,
};
use crate::tab::{Tab, TabId};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// So many changes can be undone.
const MOST_UNDO: usize = 200;
/// So many revisions are kept for tabs that connect again.
const MOST_LOG: usize = 200;

/// A board. It is changed under its lock only, so that every tab hears changes in the same order.
pub struct Board {
    /// Its name in addresses.
    pub id: String,
    document: Document,
    rev: u32,
    /// Older versions, with where each change was.
    undo: VecDeque<(Document, u32)>,
    redo: Vec<(Document, u32)>,
    log: VecDeque<(u32, Vec<Change>)>,
    tabs: BTreeMap<TabId, Arc<Tab>>,
    /// Tabs that want to know where others look.
    followers: Vec<TabId>,
    /// The game in progress, or the last one.
    pub game: Option<Game>,
    /// Milliseconds since 1970.
    pub changed: u64,
    /// Not saved yet.
    dirty: bool,
    /// When its last tab went.
    alone_since: Instant,
}

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

impl Board {
    fn new(id: String, document: Document) -> Self {
        Self {
            id,
            document,
            rev: 1,
            undo: VecDeque::new(),
            redo: Vec::new(),
            log: VecDeque::new(),
            tabs: BTreeMap::new(),
            followers: Vec::new(),
            game: None,
            changed: now(),
            dirty: true,
            alone_since: Instant::now(),
        }
    }

    /// The present version.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Changes the record in a way that can be undone; `at` is where.
    pub fn edit<T>(
        &mut self,
        at: u32,
        edit: impl FnOnce(&mut Document) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut next = self.document.clone();
        let result = edit(&mut next)?;
        let old = std::mem::replace(&mut self.document, next);
        let changes = changes::between(&old, &self.document);
        if changes.as_ref().is_some_and(Vec::is_empty) {
            return Ok(result);
        }
        self.undo.push_back((old, at));
        if self.undo.len() > MOST_UNDO {
            self.undo.pop_front();
        }
        self.redo.clear();
        self.tell(changes);
        Ok(result)
    }

    /// Notes something at a node in this version and in those that undo and redo lead to: evaluations that engines fill in.
    pub fn note(&mut self, id: u32, note: impl Fn(&mut Node)) {
        let Some(old) = self.document.find(id).cloned() else { return };
        self.amend(|document| document.change(id, &note));
        let new = self.document.find(id).cloned();
        for (version, _) in self.undo.iter_mut().chain(&mut self.redo) {
            // What versions share they go on sharing.
            let shared = version.find(id).is_some_and(|known| Arc::ptr_eq(known, &old));
            match &new {
                Some(new) if shared => version.put(id, new.clone()),
                _ => version.change(id, &note),
            }
        }
    }

    /// Changes the record in a way that is no step of undo: moves of a game in progress.
    pub fn amend(&mut self, amend: impl FnOnce(&mut Document)) {
        let mut next = self.document.clone();
        amend(&mut next);
        let old = std::mem::replace(&mut self.document, next);
        let changes = changes::between(&old, &self.document);
        if changes.as_ref().is_none_or(|changes| !changes.is_empty()) {
            self.tell(changes);
        }
    }

    /// Goes back to the version before the last change, or forward again; says where the change was.
    pub fn step_back(&mut self, forward: bool) -> Result<u32, Refusal> {
        if self.is_playing() {
            return Err(Refusal::new(
                RefusalCode::State,
                "a game is in progress: take back, or stop it first",
            )
            .ja("対局中です。待ったをするか、対局を終えてからにしてください。"));
        }
        let taken = if forward { self.redo.pop() } else { self.undo.pop_back() };
        let Some((version, at)) = taken else {
            let (what, ja) = if forward { ("redo", "やり直す") } else { ("undo", "元に戻す") };
            let refusal = Refusal::new(RefusalCode::State, format!("nothing to {what}"));
            return Err(refusal.ja(format!("{ja}操作がありません。")));
        };
        let old = std::mem::replace(&mut self.document, version);
        let changes = changes::between(&old, &self.document);
        let shown = if self.document.find(at).is_some() { at } else { ROOT };
        if forward {
            self.undo.push_back((old, at));
        } else {
            self.redo.push((old, at));
        }
        self.tell(changes);
        Ok(shown)
    }

    /// Tells every tab what changed; `None` for everything.
    fn tell(&mut self, changes: Option<Vec<Change>>) {
        self.rev += 1;
        self.changed = now();
        self.dirty = true;
        let history = Change::History { can_undo: !self.undo.is_empty(), can_redo: !self.redo.is_empty() };
        let (changes, whole) = match changes {
            Some(mut changes) => {
                changes.push(history);
                (changes, false)
            }
            None => (vec![Change::All { board: Box::new(self.snapshot()) }], true),
        };
        if whole {
            self.log.clear();
        } else {
            self.log.push_back((self.rev, changes.clone()));
            if self.log.len() > MOST_LOG {
                self.log.pop_front();
            }
        }
        self.send(&Event::Changed(Changed { board: self.id.clone(), rev: self.rev, changes }));
    }

    /// Tells every tab about the game in progress.
    pub fn tell_play(&mut self) {
        let play = self.play_state();
        self.rev += 1;
        self.changed = now();
        self.dirty = true;
        let changes = vec![Change::Play { play }];
        self.log.push_back((self.rev, changes.clone()));
        if self.log.len() > MOST_LOG {
            self.log.pop_front();
        }
        self.send(&Event::Changed(Changed { board: self.id.clone(), rev: self.rev, changes }));
    }

    /// Sends an event to every tab that subscribed.
    pub fn send(&self, event: &Event) {
        if self.tabs.is_empty() {
            return;
        }
        let frame = crate::tab::Frame::of(event);
        self.tabs.values().for_each(|tab| tab.push(frame.clone()));
    }

    /// A tab looks at a node: those that follow hear of it.
    pub fn looked(&self, tab: TabId, event: &Event) {
        for follower in self.followers.iter().filter(|follower| **follower != tab) {
            if let Some(follower) = self.tabs.get(follower) {
                follower.push(crate::tab::Frame::of(event));
            }
        }
    }

    /// A tab wants to hear about the board, and knows a revision already.
    pub fn subscribe(&mut self, tab: &Arc<Tab>, known: Option<u32>) -> Subscribed {
        self.tabs.insert(tab.id, tab.clone());
        let first = self.log.front().map(|(rev, _)| *rev);
        let rev = self.rev;
        match known {
            Some(known) if known == rev => Subscribed { rev, all: None, changes: Some(Vec::new()) },
            Some(known) if known < rev && first.is_some_and(|first| first <= known + 1) => {
                let later = self.log.iter().filter(|(rev, _)| *rev > known);
                Subscribed {
                    rev,
                    all: None,
                    changes: Some(later.flat_map(|(_, changes)| changes.clone()).collect()),
                }
            }
            _ => Subscribed { rev, all: Some(self.snapshot()), changes: None },
        }
    }

    /// A tab goes.
    pub fn unsubscribe(&mut self, tab: TabId) {
        if self.tabs.remove(&tab).is_some() {
            self.alone_since = Instant::now();
        }
        self.followers.retain(|follower| *follower != tab);
    }

    /// No tab has been subscribed for so long.
    #[must_use]
    pub fn is_alone_for(&self, time: Duration) -> bool {
        self.tabs.is_empty() && self.alone_since.elapsed() > time
    }

    /// How many tabs are subscribed.
    #[must_use]
    pub fn tabs(&self) -> usize {
        self.tabs.len()
    }

    /// A tab wants, or does not want, to hear where others look.
    pub fn follow(&mut self, tab: TabId, on: bool) {
        self.followers.retain(|follower| *follower != tab);
        if on {
            self.followers.push(tab);
        }
    }

    /// Everything.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let order = self.document.preorder();
        let nodes = order.iter().filter_map(|id| self.document.find(*id)).map(|node| node.shown.clone());
        Snapshot {
            board: self.id.clone(),
            rev: self.rev,
            rules: self.document.game.rules().clone(),
            start: self.document.start.clone(),
            header: self.document.header.to_vec(),
            nodes: nodes.collect(),
            play: self.play_state(),
            can_undo: !self.undo.is_empty(),
            can_redo: !self.redo.is_empty(),
        }
    }

    /// The scene at a node.
    pub fn scene(&self, node: u32) -> Result<Scene, Refusal> {
        let shown = &self.document.get(node)?.shown;
        let line = self.document.line(node)?;
        let mut scene = line.scene();
        scene.node = node;
        if let (Some(_), Some(side)) = (&shown.ending, shown.side) {
            let outcome = crate::games::ending_words(&record::Ending::from_kif(&shown.ja), side);
            scene.say = outcome.say.clone();
            scene.legal = Vec::new();
            scene.outcome = Some(outcome);
        }
        Ok(scene)
    }

    /// A game is in progress.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.game.as_ref().is_some_and(|game| !game.over)
    }

    fn play_state(&self) -> Option<PlayState> {
        self.game.as_ref().map(Game::state)
    }

    /// Refuses changes of the line that a game is playing.
    pub fn not_playing(&self) -> Result<(), Refusal> {
        if self.is_playing() {
            let text = "a game is in progress: resign or stop it first";
            return Err(
                Refusal::new(RefusalCode::State, text).ja("対局中です。投了か中断をしてからにしてください。")
            );
        }
        Ok(())
    }

    /// For the list of boards.
    #[must_use]
    pub fn entry(&self) -> BoardEntry {
        BoardEntry {
            board: self.id.clone(),
            game: self.document.game.rules().game.game.clone(),
            title: self.document.title(),
            moves: self.document.main_length(),
            changed: self.changed,
            playing: self.is_playing(),
        }
    }
}
