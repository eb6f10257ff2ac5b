//! The positions of a book and how moves connect them.

use super::worth::{MAX_VALUE, Worth};
use crate::blocks::{Blocks, read_block};
use crate::board_text::setup_of;
use crate::error::At;
use crate::key_table::KeyTable;
use crate::stream::EntryStream;
use crate::{BookError, BookMove, Entry, reference_order};
use shogi::{Color, PackedSfen, Position, Setup};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A move of a position: as it would be played by Black, and where it leads. Six bytes, as there are many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    play: u16,
    /// The number of a position, or a value behind a mark.
    target: [u16; 2],
}

/// Marks a leaf, whose value is the other half.
const LEAF: u16 = 0xffff;

impl Edge {
    fn to_node(play: u16, node: u32) -> Self {
        Self { play, target: [node as u16, (node >> 16) as u16] }
    }

    fn to_leaf(play: u16, value: i16) -> Self {
        Self { play, target: [value as u16, LEAF] }
    }

    pub(super) fn play(self) -> u16 {
        self.play
    }

    #[inline]
    pub(super) fn target(self) -> Target {
        match self.target {
            [value, LEAF] => Target::Leaf(Worth { value: value as i16, depth: 0 }),
            [low, high] => Target::Node(u32::from(low) | u32::from(high) << 16),
        }
    }
}

/// More positions would look like leaves.
const MOST_POSITIONS: u32 = (LEAF as u32) << 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Leaf(Worth),
    Node(u32),
}

/// What is known of a position beside its moves.
#[derive(Clone, Copy, Default)]
pub(super) struct Flags(u8);

impl Flags {
    const WHITE: u8 = 1;
    const CHECKED: u8 = 2;

    /// The book has it with White to move.
    pub(super) fn is_white(self) -> bool {
        self.0 & Self::WHITE != 0
    }

    /// The side to move is in check.
    pub(super) fn is_checked(self) -> bool {
        self.0 & Self::CHECKED != 0
    }
}

/// All positions; their moves lie one behind the other.
pub(super) struct Graph {
    pub(super) flags: Vec<Flags>,
    edges: Vec<Edge>,
    /// Where the edges of a position begin; one more at the end.
    begins: Vec<u32>,
    /// Moves into the book that it does not list.
    pub(super) converged: u64,
    keys: Vec<u128>,
    table: KeyTable,
}

impl Graph {
    pub(super) fn len(&self) -> usize {
        self.flags.len()
    }

    /// The number of a position, in either orientation.
    pub(super) fn find(&self, position: &Position) -> Option<u32> {
        let key = match position.side() {
            Color::White => position.key128(),
            Color::Black => position.flip().key128(),
        };
        self.table.find(key, &self.keys)
    }

    #[inline]
    pub(super) fn edges(&self, node: u32) -> &[Edge] {
        let node = node as usize;
        &self.edges[self.begins[node] as usize..self.begins[node + 1] as usize]
    }

    /// The positions that moves of a position lead to.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        self.edges(node).iter().filter_map(|edge| match edge.target() {
            Target::Node(child) => Some(child),
            Target::Leaf(_) => None,
        })
    }
}

/// Positions and listed moves as they were read.
#[derive(Default)]
pub(super) struct Draft {
    /// Black to move, packed; those that cannot be packed lie in `odd`.
    packed: Vec<[u8; 32]>,
    odd: Vec<(u32, Setup)>,
    flags: Vec<Flags>,
    keys: Vec<u128>,
    listed: Vec<(u16, i16)>,
    listed_begins: Vec<u32>,
}

impl Draft {
    /// Reads a book, every position as one with Black to move.
    pub(super) fn read(
        stream: &mut (impl EntryStream + ?Sized),
        path: &Path,
        threads: usize,
        tell: &mut dyn FnMut(Option<f64>),
    ) -> Result<Self, BookError> {
        let mut draft = Self { listed_begins: vec![0], ..Self::default() };
        let mut batch: Vec<Entry> = Vec::new();
        loop {
            batch.clear();
            while batch.len() < BATCH {
                match stream.next_entry()? {
                    Some(entry) => batch.push(entry.clone()),
                    None => break,
                }
            }
            if batch.is_empty() {
                break;
            }
            tell(stream.progress());
            let prepare = |entry: &Entry| Prepared::new(entry.setup()?, &entry.moves);
            for (entry, prepared) in batch.iter().zip(in_parallel(&batch, threads, prepare)) {
                let prepared = prepared
                    .map_err(|error| BookError::format(path, format!("sfen {}: {error}", entry.sfen())))?;
                draft.push(prepared, path)?;
            }
        }
        draft.listed.shrink_to_fit();
        Ok(draft)
    }

    /// Reads a text book on several threads; `None` if it cannot be understood.
    pub(super) fn read_db(
        path: &Path,
        threads: usize,
        tell: &mut dyn FnMut(f64),
    ) -> Result<Option<Self>, BookError> {
        let file = std::fs::File::open(path).at(path)?;
        let length = file.metadata().at(path)?.len();
        let mut blocks = Blocks::new(file, BLOCK);
        let mut draft = Self { listed_begins: vec![0], ..Self::default() };
        loop {
            let mut batch = Vec::new();
            while batch.len() < 2 * threads
                && let Some(block) = blocks.next_block().at(path)?
            {
                batch.push(block);
            }
            if batch.is_empty() {
                break;
            }
            for prepared in in_parallel(&batch, threads, |block| Prepared::of_block(block)) {
                let Some(prepared) = prepared else { return Ok(None) };
                for one in prepared {
                    draft.push(one, path)?;
                }
            }
            tell(blocks.consumed() as f64 / length.max(1) as f64);
        }
        draft.listed.shrink_to_fit();
        draft.packed.shrink_to_fit();
        draft.keys.shrink_to_fit();
        Ok(Some(draft))
    }

    fn push(&mut self, prepared: Prepared, path: &Path) -> Result<(), BookError> {
        let number = u32::try_from(self.flags.len()).ok().filter(|number| *number < MOST_POSITIONS);
        let Some(number) = number else {
            return Err(BookError::format(path, format!("more than {MOST_POSITIONS} positions")));
        };
        match prepared.packed {
            Ok(packed) => self.packed.push(packed),
            Err(setup) => {
                self.packed.push([0; 32]);
                self.odd.push((number, setup));
            }
        }
        self.flags.push(prepared.flags);
        self.keys.push(prepared.key);
        self.listed.extend_from_slice(&prepared.listed);
        self.listed_begins.push(self.listed.len() as u32);
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.flags.len()
    }

    fn setup(&self, node: usize) -> Option<Setup> {
        match PackedSfen::from(self.packed[node]).unpack() {
            Ok(setup) => Some(setup),
            Err(_) => {
                self.odd.iter().find(|(number, _)| *number as usize == node).map(|(_, setup)| setup.clone())
            }
        }
    }

    fn listed(&self, node: usize) -> &[(u16, i16)] {
        &self.listed[self.listed_begins[node] as usize..self.listed_begins[node + 1] as usize]
    }

    /// Plays every legal move of every position to see where it leads.
    pub(super) fn connect(self, threads: usize, tell: &(dyn Fn(f64) + Sync)) -> Graph {
        let mut table = KeyTable::new(self.len());
        (0..self.len() as u32).for_each(|number| table.insert(number, &self.keys));
        let converged = AtomicU64::new(0);
        let done = AtomicUsize::new(0);
        let blocks: Vec<std::ops::Range<usize>> =
            (0..self.len()).step_by(BATCH).map(|begin| begin..(begin + BATCH).min(self.len())).collect();
        let connected = in_parallel(&blocks, threads, |range| {
            let mut edges = Vec::new();
            let mut counts = Vec::with_capacity(range.len());
            for node in range.clone() {
                let before = edges.len();
                let unlisted = self.edges_of(node, &table, &mut edges);
                converged.fetch_add(unlisted, Ordering::Relaxed);
                counts.push((edges.len() - before) as u32);
            }
            edges.shrink_to_fit();
            tell(done.fetch_add(range.len(), Ordering::Relaxed) as f64 / self.len() as f64);
            (edges, counts)
        });
        let Self { flags, packed, keys, listed, listed_begins, .. } = self;
        drop((packed, listed, listed_begins));
        let mut begins = Vec::with_capacity(flags.len() + 1);
        begins.push(0);
        let mut edges = Vec::with_capacity(connected.iter().map(|(edges, _)| edges.len()).sum());
        for (some, counts) in connected {
            edges.extend_from_slice(&some);
            for count in counts {
                begins.push(begins[begins.len() - 1] + count);
            }
        }
        Graph { flags, edges, begins, converged: converged.into_inner(), keys, table }
    }

    /// The edges of one position; tells how many lead into the book without being listed.
    fn edges_of(&self, node: usize, table: &KeyTable, edges: &mut Vec<Edge>) -> u64 {
        let listed = self.listed(node);
        let begin = edges.len();
        let mut unlisted = 0;
        let position = self.setup(node).and_then(|setup| Position::with_room(&setup, 2).ok());
        if let Some(mut position) = position {
            let mut leads = Vec::new();
            for m in &position.legal_moves() {
                if table.may_have(position.key_after(m)) {
                    leads.push(m);
                }
            }
            leads.retain(|m| {
                position.do_move(*m);
                let child = table.find(position.key128(), &self.keys);
                position.undo_move();
                child.is_some()
            });
            if leads.len() > 1 {
                // Equal moves are listed in the order of the reference program.
                let order = reference_order::legal_moves(&position);
                leads.sort_by_key(|m| order.iter().position(|other| other == m));
            }
            for m in leads {
                position.do_move(m);
                let child = table.find(position.key128(), &self.keys);
                position.undo_move();
                if let Some(child) = child {
                    unlisted += u64::from(!listed.iter().any(|(play, _)| *play == m.bits()));
                    edges.push(Edge::to_node(m.bits(), child));
                }
            }
        }
        for (play, value) in listed {
            if *play != 0 && !edges[begin..].iter().any(|edge| edge.play == *play) {
                edges.push(Edge::to_leaf(*play, *value));
            }
        }
        unlisted
    }
}

/// A position made ready on another thread.
struct Prepared {
    packed: Result<[u8; 32], Setup>,
    flags: Flags,
    /// Of the position rotated so that White is to move: what a move of Black leads to.
    key: u128,
    /// Moves, as Black would play them, and values.
    listed: Vec<(u16, i16)>,
}

impl Prepared {
    fn new(mut setup: Setup, moves: &[BookMove]) -> Result<Self, shogi::SfenError> {
        setup.ply = 1;
        let white = setup.side == Color::White;
        let flipped = setup.flip();
        let (black_setup, white_setup) = if white { (flipped, setup) } else { (setup, flipped) };
        let position = Position::with_room(&white_setup, 1)?;
        let mut flags = Flags(if white { Flags::WHITE } else { 0 });
        if position.in_check() {
            flags.0 |= Flags::CHECKED;
        }
        let packed =
            PackedSfen::try_from(&black_setup).map(|packed| *packed.bytes()).map_err(|_| black_setup);
        let listed = |m: &BookMove| {
            let play = m.play.map_or(0, |play| if white { play.flip() } else { play }.bits());
            (play, m.value.clamp((-MAX_VALUE).into(), MAX_VALUE.into()) as i16)
        };
        Ok(Self { packed, flags, key: position.key128(), listed: moves.iter().map(listed).collect() })
    }

    /// All positions of a block; `None` if it cannot be understood.
    fn of_block(block: &[u8]) -> Option<Vec<Self>> {
        let mut prepared = Vec::new();
        let mut positions = true;
        let understood = read_block(block, |place, _, moves| {
            let one = setup_of(place).and_then(|setup| Self::new(setup, moves).ok());
            positions &= one.is_some();
            prepared.extend(one);
        });
        (understood.is_ok() && positions).then_some(prepared)
    }
}

/// Bytes of a text book that one thread takes at a time.
const BLOCK: usize = 1 << 20;
const BATCH: usize = 1 << 12;

/// Does something with every item on several threads; results are in the order of the items.
pub(super) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.clamp(1, items.len().max(1));
    if threads == 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let share = if items.len() > 64 * threads { 64 } else { 1 };
    let mut parts: Vec<(usize, Vec<R>)> = std::thread::scope(|scope| {
        let worker = || {
            let mut parts = Vec::new();
            loop {
                let begin = next.fetch_add(share, Ordering::Relaxed);
                if begin >= items.len() {
                    return parts;
                }
                let end = (begin + share).min(items.len());
                parts.push((begin, items[begin..end].iter().map(&work).collect()));
            }
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        // A panic of a worker is one of ours.
        handles.into_iter().flat_map(|handle| handle.join().expect("workers do not panic")).collect()
    });
    parts.sort_by_key(|(begin, _)| *begin);
    parts.into_iter().flat_map(|(_, results)| results).collect()
}
