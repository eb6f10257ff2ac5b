//! Parallel work with results in the order of the items.

mod share_out;
mod stream;
mod thread_pool;

pub use share_out::{HEAP_ADDRESSES, STACK, share_out};
pub use stream::Workers;
pub use thread_pool::ThreadPool;

use std::sync::atomic::{AtomicUsize, Ordering};

/// Maps all items on several threads; results are in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = threads.clamp(1, items.len().max(1));
    if threads == 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let share = if items.len() > 64 * threads { 64 } else { 1 };
    let mut parts: Vec<(usize, Vec<R>)> = std::thread::scope(|scope| {
        let worker = || {
            let mut parts = Vec::new();
            loop {
                let begin = next.fetch_add(share, Ordering::Relaxed);
                if begin >= items.len() {
                    return parts;
                }
                let end = (begin + share).min(items.len());
                parts.push((begin, items[begin..end].iter().map(&work).collect()));
            }
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        // Passes on a panic of a worker.
        handles.into_iter().flat_map(|handle| handle.join().expect("workers do not panic")).collect()
    });
    parts.sort_by_key(|(begin, _)| *begin);
    parts.into_iter().flat_map(|(_, results)| results).collect()
}

/// Works through all items on several threads, each with a state of its own, and returns the states.
pub fn gather<T: Sync, S: Send>(
    items: &[T],
    threads: usize,
    new: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize, &T) + Sync,
) -> Vec<S> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut state = new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { return state };
            work(&mut state, number, item);
        }
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> =
            (1..threads.clamp(1, items.len().max(1))).map(|_| scope.spawn(worker)).collect();
        let mut states = vec![worker()];
        // Passes on a panic of a worker.
        states.extend(handles.into_iter().map(|handle| handle.join().expect("workers do not panic")));
        states
    })
}
