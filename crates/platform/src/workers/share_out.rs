//! Parallel work that also completes if the system starts fewer threads than requested.

use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

/// Bytes of stack of each thread. A search recurses deeply: some 2 kB for each of its plies, several times that in debug builds.
pub const STACK: usize = 16 << 20;

/// Addresses that the system's `malloc` reserves for each thread: 64 MB on Linux. They cost nothing unless the process
/// has a limit (`ulimit -v`).
pub const HEAP_ADDRESSES: usize =
    if cfg!(all(target_os = "linux", target_pointer_width = "64")) { 64 << 20 } else { 0 };

/// Runs `work` on each item on at most `threads` threads, the calling one included. Returns the number of threads used:
/// fewer if memory or a limit of the system forbids more.
pub fn share_out<T: Send>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    work: impl Fn(T) + Sync,
) -> usize {
    share_out_with(STACK, items, threads, work)
}

fn share_out_with<T: Send>(
    stack: usize,
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    work: impl Fn(T) + Sync,
) -> usize {
    let items = Mutex::new(items);
    let lock = || items.lock().unwrap_or_else(PoisonError::into_inner);
    let run = || {
        loop {
            let item = lock().next();
            let Some(item) = item else { return };
            work(item);
        }
    };
    std::thread::scope(|scope| {
        // Held until all threads have been started, so that none ends before and makes room for another.
        let held = lock();
        let start = |_: usize| Builder::new().stack_size(stack).spawn_scoped(scope, run).ok();
        let started = (1..threads).map_while(start).count();
        drop(held);
        run();
        1 + started
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubled(stack: usize, threads: usize) -> (usize, Vec<u32>) {
        let mut numbers: Vec<u32> = (0..100).collect();
        let took_part = share_out_with(stack, numbers.iter_mut(), threads, |number| *number *= 2);
        (took_part, numbers)
    }

    #[test]
    fn everything_is_done_by_however_many_threads() {
        let all: Vec<u32> = (0..100).map(|number| 2 * number).collect();
        for threads in [0, 1, 2, 7] {
            assert_eq!(doubled(STACK, threads), (threads.max(1), all.clone()));
        }
        // No system can allocate such a stack.
        assert_eq!(doubled(1 << 60, 7), (1, all));
    }
}
