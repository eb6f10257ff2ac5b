//! Evaluating allocates nothing, once there is an evaluation.

use eval::kppt::{Kppt, ZeroParameters};
use eval::nnue::{Architecture, Features, Isa, Network, NnueEvaluation, Parameters};
use eval::{Material, MaterialLevel};
use game::Evaluation;
use shogi::{Change, Position};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

/// The system's allocator, which counts for each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Allocations of a call.
fn counted<T>(call: impl FnOnce() -> T) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    std::hint::black_box(call());
    ALLOCATIONS.with(Cell::get) - before
}

/// Allocations while every move of some positions is made, evaluated and taken back, after a first time. Debug builds
/// compare each value with `reference`, which may allocate and is not counted.
fn allocations(evaluation: &mut impl Evaluation<Position>, reference: impl Fn(&Position) -> i32) -> u64 {
    let of_reference =
        |position: &Position| if cfg!(debug_assertions) { counted(|| reference(position)) } else { 0 };
    let mut position = Position::startpos();
    let mut changes: Vec<Change> = Vec::with_capacity(8);
    let mut count = 0;
    for _ in 0..2 {
        evaluation.refresh(&position);
        count = 0;
        for ply in 0..20 {
            let moves = position.legal_moves();
            for m in &moves {
                changes.clear();
                position.do_move_observed(m, |change| changes.push(change));
                count += counted(|| evaluation.push(&changes));
                count += counted(|| evaluation.value(&position)) - of_reference(&position);
                count += counted(|| evaluation.pop());
                position.undo_move();
            }
            changes.clear();
            position.do_move_observed(moves[ply * 7 % moves.len()], |change| changes.push(change));
            count += counted(|| evaluation.push(&changes));
        }
        for _ in 0..20 {
            evaluation.pop();
            position.undo_move();
        }
    }
    count
}

#[test]
fn the_counter_counts() {
    assert_eq!(counted(|| Box::new(7)), 1);
}

#[test]
fn networks() {
    for shape in [
        Architecture::classic(Features::Kp, 256, 32, 32),
        Architecture::classic(Features::HalfKp, 32, 8, 32),
        Architecture::stacked(Features::HalfKaHm2, 64, 15, 32),
    ] {
        for isa in Isa::available() {
            let network = Arc::new(Network::with_isa(Parameters::random(&shape, 1), isa));
            let mut evaluation = NnueEvaluation::new(Arc::clone(&network), 16);
            let reference = |position: &Position| network.parameters().evaluate(position);
            assert_eq!(allocations(&mut evaluation, reference), 0, "{shape} on {isa}");
        }
    }
}

#[test]
fn material_and_tables() {
    for level in MaterialLevel::ALL {
        assert_eq!(allocations(&mut Material::new(level), |_| 0), 0, "{level:?}");
    }
    let slow = Kppt::new(ZeroParameters);
    let reference = |position: &Position| slow.value_from_scratch(position);
    assert_eq!(allocations(&mut Kppt::new(ZeroParameters), reference), 0);
}
