//! From a book to its graph, in two passes over the file: the first finds out which positions there are, the second
//! where their moves lead. Nothing else of the book is kept in memory.

use super::graph::{Edge, Flags, Graph, Index, MOST_POSITIONS};
use super::worth::MAX_VALUE;
use crate::blocks::{Blocks, read_block};
use crate::board_text::setup_of;
use crate::error::{At, BookError};
use crate::format::BookFormat;
use crate::stream::EntryStream;
use crate::{BookMove, Entry, Problems, open_stream, reference_order};
use shogi::{Color, Position, Setup};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How a book is taken apart for several threads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Blocks of text.
    Blocks,
    /// Positions, which takes longer; faults have their line numbers.
    Entries,
}

/// What one thread takes at a time.
enum Batch {
    Block(Vec<u8>),
    Entries(Vec<Entry>),
}

/// Positions, and bytes of a text, that one thread takes at a time.
const ENTRIES: usize = 1 << 12;
const BLOCK: usize = 1 << 20;

impl Batch {
    /// Gives `each` position as one with Black to move, and its moves; an error if one is none.
    fn each(&self, mut each: impl FnMut(&Oriented, &[BookMove])) -> Result<(), String> {
        match self {
            Self::Entries(entries) => {
                for entry in entries {
                    let setup = entry.setup().map_err(|error| format!("sfen {}: {error}", entry.sfen()))?;
                    each(&Oriented::new(setup), &entry.moves);
                }
                Ok(())
            }
            Self::Block(block) => {
                let mut all_positions = true;
                let understood = read_block(block, |place, _, moves| match setup_of(place) {
                    Some(setup) => each(&Oriented::new(setup), moves),
                    None => all_positions = false,
                });
                understood.map_err(|fault| fault.to_string())?;
                if all_positions { Ok(()) } else { Err("a position that is none".to_owned()) }
            }
        }
    }
}

/// A position from both sides.
struct Oriented {
    black: Setup,
    white: Setup,
    /// The book has it with White to move.
    turned: bool,
}

impl Oriented {
    fn new(mut setup: Setup) -> Self {
        setup.ply = 1;
        let flipped = setup.flip();
        let turned = setup.side == Color::White;
        if turned {
            Self { black: flipped, white: setup, turned }
        } else {
            Self { black: setup, white: flipped, turned }
        }
    }
}

/// Reads a book on several threads: `work` looks at batches, `take` gets what it finds, in order. Tells whether all of it
/// could be understood.
fn pass<R: Send>(
    path: &Path,
    way: Way,
    threads: usize,
    tell: &dyn Fn(f64),
    work: impl Fn(&Batch) -> Result<R, String> + Sync,
    mut take: impl FnMut(R) -> Result<(), BookError>,
) -> Result<bool, BookError> {
    let length = std::fs::metadata(path).at(path)?.len();
    let mut blocks = Blocks::new(std::fs::File::open(path).at(path)?, BLOCK);
    let mut stream = match way {
        Way::Blocks => None,
        Way::Entries => Some(open_stream(path, Problems::Stop)?),
    };
    loop {
        let mut batches = Vec::new();
        while batches.len() < 2 * threads {
            let batch = match &mut stream {
                None => blocks.next_block().at(path)?.map(Batch::Block),
                Some(stream) => next_entries(stream)?.map(Batch::Entries),
            };
            let Some(batch) = batch else { break };
            batches.push(batch);
        }
        if batches.is_empty() {
            return Ok(true);
        }
        for found in in_parallel(&batches, threads, &work) {
            match (found, way) {
                (Ok(found), _) => take(found)?,
                (Err(_), Way::Blocks) => return Ok(false),
                (Err(message), Way::Entries) => return Err(BookError::format(path, message)),
            }
        }
        tell(match &stream {
            None => blocks.consumed() as f64 / length.max(1) as f64,
            Some(stream) => stream.progress().unwrap_or(0.0),
        });
    }
}

fn next_entries(stream: &mut dyn EntryStream) -> Result<Option<Vec<Entry>>, BookError> {
    let mut entries = Vec::new();
    while entries.len() < ENTRIES
        && let Some(entry) = stream.next_entry()?
    {
        entries.push(entry.clone());
    }
    Ok((!entries.is_empty()).then_some(entries))
}

/// Reads a book and connects its positions.
pub(super) fn read_graph(
    path: &Path,
    threads: usize,
    tell: &(dyn Fn(&str, f64) + Sync),
) -> Result<Graph, BookError> {
    let threads = threads.max(1);
    let quick = match BookFormat::of_path(path)? {
        BookFormat::Db => read_positions(path, Way::Blocks, threads, &|part| tell("reading", part))?,
        _ => None,
    };
    let (way, positions) = match quick {
        Some(positions) => (Way::Blocks, Some(positions)),
        // Once more, to say which line is at fault.
        None => (Way::Entries, read_positions(path, Way::Entries, threads, &|part| tell("reading", part))?),
    };
    let (flags, keys) = positions.unwrap_or_default();
    connect(path, way, threads, flags, Index::new(keys), &|part| tell("connecting", part))
}

/// What the first pass finds of each position.
type Positions = (Vec<Flags>, Vec<u128>);

fn read_positions(
    path: &Path,
    way: Way,
    threads: usize,
    tell: &dyn Fn(f64),
) -> Result<Option<Positions>, BookError> {
    let (mut flags, mut keys) = Positions::default();
    let work = |batch: &Batch| {
        let mut found = Positions::default();
        let mut impossible = None;
        batch.each(|oriented, _| match Position::with_room(&oriented.white, 1) {
            Ok(position) => {
                found.0.push(Flags::new(oriented.turned, position.in_check()));
                found.1.push(position.key128());
            }
            Err(error) => impossible = Some(format!("sfen {}: {error}", oriented.black)),
        })?;
        impossible.map_or(Ok(found), Err)
    };
    let take = |(some_flags, some_keys): Positions| {
        if flags.len() + some_flags.len() >= MOST_POSITIONS as usize {
            return Err(BookError::format(path, format!("more than {MOST_POSITIONS} positions")));
        }
        flags.extend_from_slice(&some_flags);
        keys.extend_from_slice(&some_keys);
        Ok(())
    };
    let understood = pass(path, way, threads, tell, work, take)?;
    flags.shrink_to_fit();
    keys.shrink_to_fit();
    Ok(understood.then_some((flags, keys)))
}

/// Plays every legal move of every position to see where it leads.
fn connect(
    path: &Path,
    way: Way,
    threads: usize,
    flags: Vec<Flags>,
    index: Index,
    tell: &dyn Fn(f64),
) -> Result<Graph, BookError> {
    let mut begins = Vec::with_capacity(flags.len() + 1);
    begins.push(0u32);
    let (mut edges, mut converged) = (Vec::new(), 0);
    let work = |batch: &Batch| {
        let mut found = Connected::default();
        batch.each(|oriented, moves| found.add(oriented, moves, &index)).map(|()| found)
    };
    let take = |found: Connected| {
        edges.extend_from_slice(&found.edges);
        converged += found.unlisted;
        for count in found.counts {
            begins.push(begins[begins.len() - 1] + count);
        }
        Ok(())
    };
    let understood = pass(path, way, threads, tell, work, take)?;
    if !understood || begins.len() != flags.len() + 1 {
        return Err(BookError::format(path, "the file has changed while it was read"));
    }
    edges.shrink_to_fit();
    Ok(Graph { flags, edges, begins, converged, index: Some(index) })
}

/// The edges of some positions.
#[derive(Default)]
struct Connected {
    edges: Vec<Edge>,
    counts: Vec<u32>,
    /// Moves into the book that it does not list.
    unlisted: u64,
}

impl Connected {
    fn add(&mut self, oriented: &Oriented, moves: &[BookMove], index: &Index) {
        let begin = self.edges.len();
        let play = |m: &BookMove| m.play.map(|play| if oriented.turned { play.flip() } else { play }.bits());
        if let Ok(mut position) = Position::with_room(&oriented.black, 2) {
            let mut leads = Vec::new();
            for m in &position.legal_moves() {
                if index.may_have(position.key_after(m)) {
                    position.do_move(m);
                    leads.extend(index.find(position.key128()).map(|child| (m, child)));
                    position.undo_move();
                }
            }
            if leads.len() > 1 {
                // Equal moves are listed in the order of the reference program.
                let order = reference_order::legal_moves(&position);
                leads.sort_by_key(|(m, _)| order.iter().position(|other| other == m));
            }
            for (m, child) in leads {
                self.unlisted += u64::from(!moves.iter().any(|listed| play(listed) == Some(m.bits())));
                self.edges.push(Edge::to_node(m.bits(), child));
            }
        }
        for listed in moves {
            let Some(play) = play(listed) else { continue };
            if !self.edges[begin..].iter().any(|edge| edge.play() == play) {
                let value = listed.value.clamp((-MAX_VALUE).into(), MAX_VALUE.into());
                self.edges.push(Edge::to_leaf(play, value as i16));
            }
        }
        self.counts.push((self.edges.len() - begin) as u32);
    }
}

/// Does something with every item on several threads; results are in the order of the items.
fn in_parallel<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
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
