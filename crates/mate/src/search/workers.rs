//! State shared by the threads that search one problem.

use crate::table::{Stop, Table};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// The threads of one problem: their stop flag, their counters, and the synchronisation for cleaning the table.
#[derive(Default)]
pub(crate) struct Workers {
    done: AtomicBool,
    too_deep: AtomicBool,
    nodes: AtomicU64,
    meeting: Mutex<Meeting>,
    over: Condvar,
}

/// Threads that wait for the table to be cleaned.
#[derive(Default)]
struct Meeting {
    working: usize,
    waiting: usize,
    /// Number of cleanings so far.
    held: u64,
}

impl Workers {
    /// Starts a search with `threads` threads.
    pub(crate) fn begin(&self, threads: usize) {
        self.done.store(false, Ordering::Relaxed);
        self.meeting().working = threads;
    }

    /// Stops all threads.
    pub(crate) fn finish(&self) {
        self.done.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }

    /// Records that a line reached the maximum depth: disproofs for this problem are then not certain.
    pub(crate) fn note_too_deep(&self) {
        self.too_deep.store(true, Ordering::Relaxed);
    }

    pub(crate) fn was_too_deep(&self) -> bool {
        self.too_deep.load(Ordering::Relaxed)
    }

    pub(crate) fn count(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    fn meeting(&self) -> std::sync::MutexGuard<'_, Meeting> {
        // The state is consistent even if a thread panicked elsewhere.
        self.meeting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cleans the table once every thread has arrived here or has left.
    pub(crate) fn make_room(&self, table: &Table, stop: Stop<'_>) {
        let mut meeting = self.meeting();
        let held = meeting.held;
        meeting.waiting += 1;
        self.hold_if_all_are_here(&mut meeting, table, stop);
        while meeting.held == held {
            meeting = self.over.wait(meeting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Removes a thread from the search.
    pub(crate) fn leave(&self, table: &Table, stop: Stop<'_>) {
        let mut meeting = self.meeting();
        meeting.working = meeting.working.saturating_sub(1);
        self.hold_if_all_are_here(&mut meeting, table, stop);
    }

    fn hold_if_all_are_here(&self, meeting: &mut Meeting, table: &Table, stop: Stop<'_>) {
        if meeting.waiting > 0 && meeting.waiting >= meeting.working {
            table.make_room(stop);
            meeting.waiting = 0;
            meeting.held += 1;
            self.over.notify_all();
        }
    }
}
