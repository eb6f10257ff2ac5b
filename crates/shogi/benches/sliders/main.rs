//! The bench that decides how sliding attacks are computed.
//!
//! Each candidate is first compared with [`shogi::attacks`], then timed three ways:
//!
//! - *hot*: many independent calls, everything in the nearest cache;
//! - *chained*: each call waits for the one before, so that what counts is the way through it;
//! - *cold*: a few calls after 8 MiB of other data went through the caches, as between two nodes of a search
//!   with a large evaluation. Only the calls are timed.
//!
//! `BENCH_CPU= make bench` shows the portable build, in which SIMD candidates are called, not inlined.

mod board;
mod crates_own;
mod hyperbola;
mod magic;
mod measure;
#[cfg(target_arch = "x86_64")]
mod pext;
mod rays;
#[cfg(target_arch = "x86_64")]
mod simd;

use measure::{Times, measure};

/// One way to compute the attacks of a bishop or a rook.
struct Candidate {
    name: &'static str,
    table_bytes: usize,
    times: Times,
}

/// Compares with the crate's function, then measures.
fn candidate(
    name: &'static str,
    table_bytes: usize,
    expected: fn(usize, u128) -> u128,
    attacks: impl Fn(usize, u128) -> u128 + Copy,
) -> Candidate {
    for (square, occupied) in board::samples(81 * 500, 0x5eed) {
        let (expected, found) = (expected(square, occupied), attacks(square, occupied));
        assert!(
            expected == found,
            "{name}: square {square}, occupied {occupied:x}: {found:x} != {expected:x}"
        );
    }
    Candidate { name, table_bytes, times: measure(attacks) }
}

fn bishops() -> Vec<Candidate> {
    let expected = crates_own::bishop;
    let (rays, hyperbola, magic) = (rays::Table::new(), hyperbola::Table::new(), magic::Table::bishop());
    let mut all = vec![
        candidate("the crate's: subtract, scalar", crates_own::BISHOP_BYTES, expected, crates_own::bishop),
        candidate("ray scan", rays::BISHOP_BYTES, expected, |square, set| rays.bishop(square, set)),
        candidate("hyperbola", hyperbola::BISHOP_BYTES, expected, |square, set| {
            hyperbola.bishop(square, set)
        }),
        candidate("magic", magic.bytes(), expected, |square, set| magic.attacks(square, set)),
    ];
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(simd) = simd::Table::new() {
            all.push(candidate("subtract, AVX2", simd::BISHOP_BYTES, expected, |square, set| {
                simd.bishop(square, set)
            }));
        }
        if let Some(table) = pext::Table::bishop() {
            all.push(candidate("PEXT", table.bytes(), expected, |square, set| table.attacks(square, set)));
        }
    }
    all
}

fn rooks() -> Vec<Candidate> {
    let expected = crates_own::rook;
    let (rays, hyperbola, magic) = (rays::Table::new(), hyperbola::Table::new(), magic::Table::rook());
    let mut all = vec![
        candidate("the crate's: subtract, scalar", crates_own::ROOK_BYTES, expected, crates_own::rook),
        candidate("ray scan", rays::ROOK_BYTES, expected, |square, set| rays.rook(square, set)),
        candidate("hyperbola, file table", hyperbola::ROOK_BYTES, expected, |square, set| {
            hyperbola.rook(square, set)
        }),
        candidate("magic", magic.bytes(), expected, |square, set| magic.attacks(square, set)),
    ];
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(simd) = simd::Table::new() {
            all.push(candidate("subtract, SSE ranks", simd::ROOK_BYTES, expected, |square, set| {
                simd.rook(square, set)
            }));
        }
        if let Some(table) = pext::Table::rook() {
            all.push(candidate("PEXT", table.bytes(), expected, |square, set| table.attacks(square, set)));
        }
    }
    all
}

fn main() {
    for (piece, candidates) in [("bishop", bishops()), ("rook", rooks())] {
        println!("{piece:<32} {:>8} {:>8} {:>8}   {:>10}", "hot ns", "chained", "cold ns", "table kB");
        for Candidate { name, table_bytes, times } in candidates {
            println!(
                "  {name:<30} {:>8.2} {:>8.2} {:>8.1}   {:>10.1}",
                times.hot,
                times.chained,
                times.cold,
                table_bytes as f64 / 1000.0
            );
        }
    }
}
