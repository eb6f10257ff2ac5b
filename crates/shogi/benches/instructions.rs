//! Instructions needed to count trees: the same on a busy machine. `make bench-instructions` runs it.

#![allow(missing_docs, reason = "gungraun's macros make public items")]

use game::{perft, perft_making_leaves};
use gungraun::{library_benchmark, library_benchmark_group, main};
use shogi::Position;
use std::hint::black_box;

const STARTPOS: &str = shogi::STARTPOS_SFEN;
const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

/// Not counted.
fn tree(sfen: &str, depth: u32) -> (Position, u32) {
    (Position::from_sfen(sfen).expect("a valid SFEN"), depth)
}

#[library_benchmark(setup = tree)]
#[bench::startpos_4(STARTPOS, 4)]
#[bench::matsuri_3(MATSURI, 3)]
fn list_at_the_leaves((mut position, depth): (Position, u32)) -> u64 {
    black_box(perft(&mut position, depth))
}

#[library_benchmark(setup = tree)]
#[bench::startpos_4(STARTPOS, 4)]
#[bench::matsuri_3(MATSURI, 3)]
fn making_the_leaves((mut position, depth): (Position, u32)) -> u64 {
    black_box(perft_making_leaves(&mut position, depth))
}

library_benchmark_group!(name = trees, benchmarks = [list_at_the_leaves, making_the_leaves]);
main!(library_benchmark_groups = trees);
