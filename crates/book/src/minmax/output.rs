//! Writes min-maxed books.

use super::graph::{Graph, Target};
use super::reading::read_graph;
use super::solve::{Solution, solve};
use super::worth::{CHECKING, Worth};
use crate::error::{At, BookError};
use crate::format::book_format::BookFormat;
use crate::format::usi_bytes::{push_move, push_number};
use crate::grow::lock::create_book;
use crate::{HEADER, LineEnd, Problems, Ybb};
use shogi::Move;
use std::io::Write;
use std::path::Path;

/// Options of min-max.
#[derive(Clone, Debug)]
pub struct MinMaxOptions {
    /// Whether to keep only the moves that are as good as the best.
    pub shrink: bool,
    /// Threads.
    pub threads: usize,
    /// Line ends of a `.db`.
    pub line_end: LineEnd,
    /// Collects the faults of the book.
    pub problems: Problems,
}

impl Default for MinMaxOptions {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { shrink: false, threads, line_end: LineEnd::CrLf, problems: Problems::stop() }
    }
}

/// The result of min-max.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MinMaxSummary {
    /// Positions.
    pub positions: usize,
    /// Positions settled without sweeps, because no cycle is below them.
    pub settled: usize,
    /// Positions in check.
    pub in_check: usize,
    /// Positions on loops of checks.
    pub on_check_loops: usize,
    /// Moves into the book that it does not list.
    pub converged_moves: u64,
}

impl std::fmt::Display for MinMaxSummary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let &Self { positions, settled, on_check_loops, converged_moves, .. } = self;
        let cyclic = positions - settled;
        write!(
            f,
            "{positions} positions, {cyclic} on or above repetitions, {on_check_loops} on loops of checks, "
        )?;
        write!(f, "{converged_moves} moves found that were not listed")
    }
}

/// Writes a book with min-max values. Positions keep their order and spelling. `tell` receives the progress.
pub fn minmax(
    input: &Path,
    output: &Path,
    options: &MinMaxOptions,
    tell: &(dyn Fn(&str, f64) + Sync),
) -> Result<MinMaxSummary, BookError> {
    let formats = (BookFormat::of_path(input)?, BookFormat::of_path(output)?);
    let pair = match formats {
        (BookFormat::Db, BookFormat::Db) | (BookFormat::Ybb, BookFormat::Ybb) => formats.0,
        _ => return Err(BookError::format(output, "min-max goes from .db to .db or from .ybb to .ybb")),
    };
    let mut graph = read_graph(input, options.threads, &options.problems, tell)?;
    // Positions are not looked up any more.
    graph.index = None;
    let solution = solve(&graph, &mut |part| tell("settling", part));
    let summary = MinMaxSummary {
        positions: graph.len(),
        settled: solution.settled,
        in_check: graph.flags.iter().filter(|flags| flags.is_checked()).count(),
        on_check_loops: solution.on_check_loop.iter().filter(|on| **on).count(),
        converged_moves: graph.converged,
    };
    let writer = Writer { graph: &graph, solution: &solution, shrink: options.shrink };
    match pair {
        BookFormat::Ybb => writer.write_ybb(input, output)?,
        _ => writer.write_db(input, output, options.line_end)?,
    }
    Ok(summary)
}

/// Reads and solves a book.
pub(super) fn read_and_solve(
    input: &Path,
    threads: usize,
    tell: &(dyn Fn(&str, f64) + Sync),
) -> Result<(Graph, Solution), BookError> {
    let graph = read_graph(input, threads, &Problems::stop(), tell)?;
    let solution = solve(&graph, &mut |part| tell("settling", part));
    Ok((graph, solution))
}

struct Writer<'a> {
    graph: &'a Graph,
    solution: &'a Solution,
    shrink: bool,
}

impl Writer<'_> {
    /// The moves of a position, best first, as they are written.
    fn moves(&self, node: u32, moves: &mut Vec<(Move, Worth)>) {
        moves.clear();
        let white = self.graph.flags[node as usize].is_white();
        for edge in self.graph.edges(node) {
            let Some(play) = Move::from_bits(edge.play()) else { continue };
            let worth = match edge.target() {
                Target::Leaf(worth) => worth,
                Target::Node(child) => {
                    let mut worth = self.solution.worth[child as usize];
                    // Among equal moves, one that goes on giving check comes last.
                    if self.solution.on_check_loop[child as usize]
                        && self.graph.flags[child as usize].is_checked()
                    {
                        worth.depth = CHECKING;
                    }
                    worth
                }
            };
            moves.push((if white { play.flip() } else { play }, worth));
        }
        moves.sort_by(|(_, a), (_, b)| b.beats(*a).cmp(&a.beats(*b)));
        let Some((_, best)) = moves.first().copied() else { return };
        if self.shrink {
            moves.retain(|(_, worth)| worth.value == best.value);
        }
        for (_, worth) in moves.iter_mut().skip(1) {
            // As good, but with another length: perhaps only a detour.
            if worth.value == best.value && worth.depth != best.depth {
                worth.value = worth.value.wrapping_sub(1);
            }
        }
    }

    fn write_db(&self, input: &Path, output: &Path, line_end: LineEnd) -> Result<(), BookError> {
        let mut file = create_book(output)?;
        let mut text = crate::format::lines::Lines::new(std::fs::File::open(input).at(input)?);
        let mut buffer = format!("{HEADER}\n# NOE:{}\n", self.graph.len()).into_bytes();
        if line_end == LineEnd::CrLf {
            buffer = String::from_utf8_lossy(&buffer).replace('\n', "\r\n").into_bytes();
        }
        let mut moves = Vec::new();
        let mut node = 0;
        while let Some(line) = text.next_filled().at(input)? {
            let crate::format::lines::Line::Text(line) = line else { continue };
            if !line.starts_with(b"sfen ") {
                continue;
            }
            if node as usize == self.graph.len() {
                return Err(BookError::format(input, "the file has grown while it was read"));
            }
            buffer.extend_from_slice(line);
            buffer.extend_from_slice(line_end.bytes());
            self.moves(node, &mut moves);
            for (play, worth) in &moves {
                push_move(&mut buffer, Some(*play));
                buffer.extend_from_slice(b" none ");
                push_number(&mut buffer, worth.value.into());
                buffer.push(b' ');
                push_number(&mut buffer, worth.depth.into());
                buffer.extend_from_slice(line_end.bytes());
            }
            file.write_all(&buffer).at(output)?;
            buffer.clear();
            node += 1;
        }
        file.write_all(&buffer).at(output)?;
        // Windows cannot rename over an open file.
        drop(text);
        Ok(file.commit()?)
    }

    fn write_ybb(&self, input: &Path, output: &Path) -> Result<(), BookError> {
        let book = Ybb::open(input)?;
        let mut moves = Vec::new();
        crate::format::ybb::rewrite_moves(book, output, |index, out| {
            self.moves(index as u32, &mut moves);
            for (play, worth) in &moves {
                out.extend_from_slice(&play.bits().to_le_bytes());
                out.extend_from_slice(&worth.value.to_le_bytes());
                out.extend_from_slice(&worth.depth.to_le_bytes());
            }
        })
    }
}
