//! Playing, taking back and generating moves must not touch the heap.

use freeze::{Counts, MoveList, Position};
use game::{MoveSet, Position as _, Promotions, Searchable as _};
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

#[test]
fn nothing_is_allocated_while_playing() {
    let mut position = Position::startpos(Counts::new(9, 9)).clone();
    let before = ALLOCATIONS.get();
    for line in 0..20 {
        let mut played = 0;
        while played < 250 {
            let mut moves = MoveList::new();
            position.generate(MoveSet::Legal, Promotions::Sensible, &mut moves);
            let Some(&m) = moves.get((line * 7 + played * 13) % moves.len().max(1)) else { break };
            let checks = position.checks();
            let _ = (
                position.mate_in_one(&checks),
                position.repetition(played),
                position.exchange_at_least(m, 0),
            );
            position.do_move(m);
            played += 1;
        }
        (0..played).for_each(|_| position.undo_move());
    }
    assert_eq!(ALLOCATIONS.get(), before);
}
