//! Wall time of one evaluation. `cargo bench -p tsumugi-eval`; the count is evaluations, so that divan prints
//! evaluations per second.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use eval::kppt::{Kppt, ZeroParameters};
use eval::{Material, MaterialLevel};
use game::Evaluation;
use shogi::{Change, Position};

fn main() {
    divan::main();
}

/// Positions of a random game: openings, captures, full hands.
fn positions() -> Vec<Position> {
    let mut position = Position::startpos();
    let mut seed = 20_260_726_u64;
    let mut positions = Vec::new();
    while positions.len() < 200 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            position = Position::startpos();
            continue;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        position.do_move(moves[(seed >> 33) as usize % moves.len()]);
        positions.push(position.clone());
    }
    positions
}

#[divan::bench(args = [1, 2, 3, 4])]
fn material(bencher: Bencher, level: usize) {
    let positions = positions();
    let mut material = Material::new(MaterialLevel::ALL[level - 1]);
    bencher
        .counter(ItemsCount::new(positions.len()))
        .bench_local(|| positions.iter().map(|position| material.value(black_box(position))).sum::<i32>());
}

/// Every legal move of every position, made, evaluated, taken back; the numbers cost nothing, so this is the
/// price of the bookkeeping.
#[divan::bench]
fn kppt_incremental(bencher: Bencher) {
    let mut positions = positions();
    let count: usize = positions.iter().map(|position| position.legal_moves().len()).sum();
    let mut evaluation = Kppt::new(ZeroParameters);
    let mut changes: Vec<Change> = Vec::new();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let mut sum = 0;
        for position in &mut positions {
            evaluation.refresh(position);
            evaluation.value(position);
            for m in &position.legal_moves() {
                changes.clear();
                position.do_move_observed(m, |change| changes.push(change));
                evaluation.push(&changes);
                sum += evaluation.value(position);
                position.undo_move();
                evaluation.pop();
            }
        }
        sum
    });
}
