//! Playing, taking back and generating moves must not touch the heap.

use shogi::{MoveList, MoveSet, Position, Promotions};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is passed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Walks some lines to the full depth that a position promises to have room for.
fn play_deep(position: &mut Position, plies: usize) {
    for line in 0..20 {
        let mut played = 0;
        while played < plies {
            let mut moves = MoveList::new();
            position.generate(MoveSet::Legal, Promotions::All, &mut moves);
            let Some(&m) = moves.get((line * 7 + played * 13) % moves.len().max(1)) else { break };
            let _ = (position.gives_check(m), position.exchange_at_least(m, 0), position.is_legal(m));
            let _ = (position.mate_in_one(), position.repetition(played));
            position.do_move(m);
            played += 1;
        }
        (0..played).for_each(|_| position.undo_move());
    }
}

#[test]
fn nothing_is_allocated_while_playing() {
    let mut position = Position::startpos();
    let before = ALLOCATIONS.get();
    play_deep(&mut position, Position::RESERVED_PLIES - 1);
    assert_eq!(ALLOCATIONS.get(), before);

    let mut copy = position.clone();
    let before = ALLOCATIONS.get();
    play_deep(&mut copy, Position::RESERVED_PLIES - 1);
    assert_eq!(ALLOCATIONS.get(), before, "a clone has the same room");

    position.reserve(2000);
    let before = ALLOCATIONS.get();
    play_deep(&mut position, 1900);
    assert_eq!(ALLOCATIONS.get(), before, "more room on request");
}

#[test]
fn more_moves_than_reserved_still_work() {
    let mut position = Position::startpos();
    play_deep(&mut position, 3 * Position::RESERVED_PLIES);
    position.assert_consistent();
}
