//! Reads a book into a graph in two passes over the file: the first collects the positions, the second connects them.
//! Nothing else of the book is kept in memory.

use super::graph::{Edge, Flags, Graph, Index, MOST_POSITIONS};
use super::worth::MAX_VALUE;
use crate::error::BookError;
use crate::sort::parts::{Part, Parts};
use crate::{BookMove, Problems, reference_order};
use platform::workers::Workers;
use shogi::{Color, Move, Position, Setup};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Approximate memory of a thread's part, in bytes.
const PART: usize = 1 << 20;

/// The position with Black to move, rotated if necessary.
fn for_black(setup: Setup) -> Setup {
    if setup.side == Color::White { setup.flip() } else { setup }
}

/// Receives the progress, from any thread.
type Tell<'a> = &'a (dyn Fn(f64) + Sync);

/// The settings of a pass.
#[derive(Clone, Copy)]
struct Reading<'a> {
    path: &'a Path,
    threads: usize,
    problems: &'a Problems,
}

impl Reading<'_> {
    /// Calls `work` with the parts of the book on several threads, and `take` with the results in order.
    fn pass<R: Send>(
        self,
        tell: Tell<'_>,
        work: impl Fn(&Part) -> Result<R, BookError> + Sync,
        mut take: impl FnMut(R) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        let mut parts = Parts::open(self.path, self.problems.clone(), |_| PART)?;
        let parts = std::iter::from_fn(move || {
            let part = parts.next_part().transpose()?;
            Some(part.map(|part| (part, parts.progress())))
        });
        let worker = || {
            Some(|part: Result<(Part, f64), BookError>| {
                Some(part.and_then(|(part, progress)| Ok((work(&part)?, progress))))
            })
        };
        let abandon = AtomicBool::new(false);
        let workers = Workers::new("minmax", self.threads, &abandon);
        let take = |done: Result<(R, f64), BookError>| {
            let (found, progress) = done?;
            tell(progress);
            take(found)
        };
        workers.work_in_order(parts, worker, || (), take)
    }

    /// Calls `each` with the positions of a part.
    fn each(
        self,
        part: &Part,
        mut each: impl FnMut(Setup, &[BookMove]) -> Result<(), String>,
    ) -> Result<(), BookError> {
        part.each(|entry| {
            let setup = entry.setup().map_err(|error| format!("sfen {}: {error}", entry.sfen()));
            let done = setup.and_then(|setup| each(setup, &entry.moves));
            done.map_err(|message| BookError::format(self.path, message))
        })
    }
}

/// Reads a book and connects its positions.
pub(super) fn read_graph(
    path: &Path,
    threads: usize,
    problems: &Problems,
    tell: &(dyn Fn(&str, f64) + Sync),
) -> Result<Graph, BookError> {
    let first = Reading { path, threads: threads.max(1), problems };
    let (keys, moves) = read_positions(first, &|part| tell("reading", part))?;
    // Faults were reported by the first pass.
    let second = Reading { problems: &Problems::stop(), ..first };
    connect(second, Index::new(keys), moves, &|part| tell("connecting", part))
}

/// The first pass: the keys of all positions, and the approximate number of moves.
fn read_positions(reading: Reading<'_>, tell: Tell<'_>) -> Result<(Vec<u128>, usize), BookError> {
    let (mut keys, mut moves) = (Vec::new(), 0);
    let work = |part: &Part| -> Result<(Vec<u128>, usize), BookError> {
        let (mut found, mut moves) = (Vec::new(), 0);
        let key =
            |setup: Setup| if setup.side == Color::White { setup.key128() } else { setup.flip().key128() };
        reading.each(part, |setup, some_moves| {
            found.push(key(setup));
            moves += some_moves.len();
            Ok(())
        })?;
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
    reading.pass(tell, work, take)?;
    keys.shrink_to_fit();
    Ok((keys, moves))
}

/// Grows by an eighth instead of doubling, because these lists take most of the memory.
fn extend_tightly<T: Copy>(list: &mut Vec<T>, more: &[T]) {
    if list.capacity() < list.len() + more.len() {
        list.reserve_exact((list.len() / 8).max(more.len()));
    }
    list.extend_from_slice(more);
}

/// The second pass: plays every legal move of every position to see where it leads.
fn connect(reading: Reading<'_>, index: Index, moves: usize, tell: Tell<'_>) -> Result<Graph, BookError> {
    let count = index.len();
    let mut flags = Vec::with_capacity(count);
    let mut begins = Vec::with_capacity(count + 1);
    begins.push(0u32);
    let (mut edges, mut converged) = (Vec::with_capacity(moves), 0);
    let work = |part: &Part| {
        let mut found = Connected::default();
        reading.each(part, |setup, moves| found.add(setup, moves, &index))?;
        Ok(found)
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
    reading.pass(tell, work, take)?;
    if flags.len() != count {
        return Err(BookError::format(reading.path, "the file has changed while it was read"));
    }
    edges.shrink_to_fit();
    Ok(Graph { flags, edges, begins, converged, index: Some(index) })
}

/// The edges of a part.
#[derive(Default)]
struct Connected {
    flags: Vec<Flags>,
    edges: Vec<Edge>,
    counts: Vec<u32>,
    /// Number of moves into the book that it does not list.
    unlisted: u64,
    /// Moves of the current position into the book.
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
            // Equal moves are listed in YaneuraOu's order.
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
