//! From a book to its graph, in two passes over the file: the first finds out which positions there are, the second
//! where their moves lead. Nothing else of the book is kept in memory.

use super::graph::{Edge, Flags, Graph, Index, MOST_POSITIONS};
use super::worth::MAX_VALUE;
use crate::blocks::{read_setup, read_setups};
use crate::error::{At, BookError};
use crate::format::BookFormat;
use crate::stream::EntryStream;
use crate::text_records::{cut_file, read_piece};
use crate::{BookMove, Entry, Problems, open_stream, reference_order};
use platform::workers::{in_order, in_parallel};
use shogi::{Color, Move, Position, Setup};
use std::path::Path;

/// How a book is taken apart for several threads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Pieces of text.
    Pieces,
    /// Positions, which takes longer; faults have their line numbers.
    Entries,
}

/// What one thread takes at a time.
enum Batch {
    Piece(Vec<u8>),
    Entries(Vec<Entry>),
}

/// Positions, and bytes of a text, that one thread takes at a time.
const ENTRIES: usize = 1 << 12;
const PIECE: usize = 1 << 20;

impl Batch {
    /// Gives `each` position with its moves; an error if one is none.
    fn each(&self, mut each: impl FnMut(Setup, &[BookMove])) -> Result<(), String> {
        match self {
            Self::Entries(entries) => {
                for entry in entries {
                    each(
                        entry.setup().map_err(|error| format!("sfen {}: {error}", entry.sfen()))?,
                        &entry.moves,
                    );
                }
                Ok(())
            }
            Self::Piece(text) => read_setups(text, each).map_err(|fault| fault.to_string()),
        }
    }

    /// Gives `each` position, and tells about how many moves there are.
    fn each_position(&self, mut each: impl FnMut(Setup)) -> Result<usize, String> {
        let Self::Piece(text) = self else {
            let mut count = 0;
            self.each(|setup, moves| {
                each(setup);
                count += moves.len();
            })?;
            return Ok(count);
        };
        let mut positions = 0;
        let mut rest = text.as_slice();
        while let Some(line) = rest.strip_prefix(b"sfen ") {
            let end = memchr::memchr(b'\n', line).unwrap_or(line.len());
            each(read_setup(line[..end].trim_ascii_end()).map_err(|fault| fault.to_string())?);
            positions += 1;
            let next = memchr::memmem::find(&line[end..], b"\nsfen ").map_or(line.len(), |at| end + at + 1);
            rest = &line[next..];
        }
        Ok(memchr::memchr_iter(b'\n', text).count().saturating_sub(positions))
    }
}

/// As one with Black to move, whatever side the book has.
fn for_black(setup: Setup) -> Setup {
    if setup.side == Color::White { setup.flip() } else { setup }
}

/// Tells how far it is; may be asked from any thread.
type Tell<'a> = &'a (dyn Fn(f64) + Sync);

/// How a pass reads a book.
#[derive(Clone, Copy)]
struct Reading<'a> {
    path: &'a Path,
    way: Way,
    threads: usize,
    problems: &'a Problems,
}

/// Reads a book on several threads: `work` looks at batches, `take` gets what it finds, in order. Tells whether all of it
/// could be understood.
fn pass<R: Send>(
    reading: Reading<'_>,
    tell: Tell<'_>,
    work: impl Fn(&Batch) -> Result<R, String> + Sync,
    take: impl FnMut(R) -> Result<(), BookError> + Send,
) -> Result<bool, BookError> {
    match reading.way {
        Way::Pieces => pass_pieces(reading, tell, work, take),
        Way::Entries => pass_entries(reading, tell, work, take),
    }
}

fn pass_pieces<R: Send>(
    Reading { path, threads, .. }: Reading<'_>,
    tell: Tell<'_>,
    work: impl Fn(&Batch) -> Result<R, String> + Sync,
    mut take: impl FnMut(R) -> Result<(), BookError> + Send,
) -> Result<bool, BookError> {
    let Some(pieces) = cut_file(path, PIECE).at(path)? else { return Ok(false) };
    let mut done = 0;
    let result = in_order(
        pieces.len(),
        threads,
        |number| {
            let text = read_piece(path, &pieces[number]);
            text.and_then(|text| work(&Batch::Piece(text)).ok()).ok_or(None)
        },
        |found| {
            done += 1;
            tell(f64::from(done) / pieces.len() as f64);
            take(found).map_err(Some)
        },
    );
    match result {
        Ok(()) => Ok(true),
        Err(None) => Ok(false),
        Err(Some(error)) => Err(error),
    }
}

fn pass_entries<R: Send>(
    Reading { path, threads, problems, .. }: Reading<'_>,
    tell: Tell<'_>,
    work: impl Fn(&Batch) -> Result<R, String> + Sync,
    mut take: impl FnMut(R) -> Result<(), BookError>,
) -> Result<bool, BookError> {
    let mut stream = open_stream(path, problems.clone())?;
    loop {
        let mut batches = Vec::new();
        while batches.len() < 2 * threads
            && let Some(entries) = next_entries(&mut stream)?
        {
            batches.push(Batch::Entries(entries));
        }
        if batches.is_empty() {
            return Ok(true);
        }
        for found in in_parallel(&batches, threads, &work) {
            take(found.map_err(|message| BookError::format(path, message))?)?;
        }
        tell(stream.progress().unwrap_or(0.0));
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
    problems: &Problems,
    tell: &(dyn Fn(&str, f64) + Sync),
) -> Result<Graph, BookError> {
    let threads = threads.max(1);
    let read = |way| -> Result<Option<Graph>, BookError> {
        let first = Reading { path, way, threads, problems };
        let Some((keys, moves)) = read_positions(first, &|part| tell("reading", part))? else {
            return Ok(None);
        };
        let index = Index::new(keys);
        // What the first pass has met need not be told again.
        let second = Reading { problems: &Problems::stop(), ..first };
        connect(second, index, moves, &|part| tell("connecting", part))
    };
    if BookFormat::of_path(path)? == BookFormat::Db
        && let Some(graph) = read(Way::Pieces)?
    {
        return Ok(graph);
    }
    // Once more, to say which line is at fault.
    let changed = || BookError::format(path, "the file has changed while it was read");
    read(Way::Entries)?.ok_or_else(changed)
}

/// The first pass: the keys of all positions, and about how many moves they have.
fn read_positions(reading: Reading<'_>, tell: Tell<'_>) -> Result<Option<(Vec<u128>, usize)>, BookError> {
    let (mut keys, mut moves) = (Vec::new(), 0);
    let work = |batch: &Batch| -> Result<(Vec<u128>, usize), String> {
        let mut found = Vec::new();
        let key =
            |setup: Setup| if setup.side == Color::White { setup.key128() } else { setup.flip().key128() };
        let moves = batch.each_position(|setup| found.push(key(setup)))?;
        Ok((found, moves))
    };
    let take = |(found, some_moves): (Vec<u128>, usize)| {
        if keys.len() + found.len() >= MOST_POSITIONS as usize {
            return Err(BookError::format(reading.path, format!("more than {MOST_POSITIONS} positions")));
        }
        extend_tightly(&mut keys, &found);
        moves += some_moves;
        Ok(())
    };
    let understood = pass(reading, tell, work, take)?;
    keys.shrink_to_fit();
    Ok(understood.then_some((keys, moves)))
}

/// Grows by an eighth, not by doubling: these lists are what memory is for.
fn extend_tightly<T: Copy>(list: &mut Vec<T>, more: &[T]) {
    if list.capacity() < list.len() + more.len() {
        list.reserve_exact((list.len() / 8).max(more.len()));
    }
    list.extend_from_slice(more);
}

/// The second pass: plays every legal move of every position to see where it leads.
fn connect(
    reading: Reading<'_>,
    index: Index,
    moves: usize,
    tell: Tell<'_>,
) -> Result<Option<Graph>, BookError> {
    let count = index.len();
    let mut flags = Vec::with_capacity(count);
    let mut begins = Vec::with_capacity(count + 1);
    begins.push(0u32);
    let (mut edges, mut converged) = (Vec::with_capacity(moves), 0);
    let work = |batch: &Batch| {
        let mut found = Connected::default();
        let mut impossible = None;
        batch.each(|setup, moves| {
            if let Err(error) = found.add(setup, moves, &index) {
                impossible = Some(error);
            }
        })?;
        impossible.map_or(Ok(found), Err)
    };
    let take = |found: Connected| {
        flags.extend_from_slice(&found.flags);
        extend_tightly(&mut edges, &found.edges);
        converged += found.unlisted;
        for count in found.counts {
            begins.push(begins[begins.len() - 1] + count);
        }
        Ok(())
    };
    let understood = pass(reading, tell, work, take)?;
    if !understood || flags.len() != count {
        return Ok(None);
    }
    edges.shrink_to_fit();
    Ok(Some(Graph { flags, edges, begins, converged, index: Some(index) }))
}

/// The edges of some positions.
#[derive(Default)]
struct Connected {
    flags: Vec<Flags>,
    edges: Vec<Edge>,
    counts: Vec<u32>,
    /// Moves into the book that it does not list.
    unlisted: u64,
    /// Moves of the present position into the book.
    leads: Vec<(Move, u32)>,
}

impl Connected {
    fn add(&mut self, setup: Setup, moves: &[BookMove], index: &Index) -> Result<(), String> {
        let begin = self.edges.len();
        let turned = setup.side == Color::White;
        let play = |m: &BookMove| m.play.map(|play| if turned { play.flip() } else { play }.bits());
        let black = Setup { ply: 1, ..for_black(setup) };
        let mut position =
            Position::with_room(&black, 2).map_err(|error| format!("sfen {black}: {error}"))?;
        self.flags.push(Flags::new(turned, position.in_check()));
        self.leads.clear();
        for m in &position.legal_moves() {
            if index.may_have(position.key_after(m)) {
                position.do_move(m);
                self.leads.extend(index.find(position.key128()).map(|child| (m, child)));
                position.undo_move();
            }
        }
        if self.leads.len() > 1 {
            // Equal moves are listed in the order of the reference program.
            let order = reference_order::legal_moves(&position);
            self.leads.sort_by_key(|(m, _)| order.iter().position(|other| other == m));
        }
        for (m, child) in &self.leads {
            self.unlisted += u64::from(!moves.iter().any(|listed| play(listed) == Some(m.bits())));
            self.edges.push(Edge::to_node(m.bits(), *child));
        }
        for listed in moves {
            let Some(play) = play(listed) else { continue };
            if !self.edges[begin..].iter().any(|edge| edge.play() == play) {
                let value = listed.value.clamp((-MAX_VALUE).into(), MAX_VALUE.into());
                self.edges.push(Edge::to_leaf(play, value as i16));
            }
        }
        self.counts.push((self.edges.len() - begin) as u32);
        Ok(())
    }
}
