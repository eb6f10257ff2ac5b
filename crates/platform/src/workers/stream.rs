//! Items of any iterator worked on by threads; results come in the order of the items.

use super::STACK;
use std::collections::BTreeMap;
use std::iter::Enumerate;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Threads for a stream of work.
#[derive(Clone, Copy)]
pub struct Workers<'a> {
    /// The name of the threads.
    pub name: &'a str,
    /// How many threads there are.
    pub threads: usize,
    /// Ends the work when it is set; long items should look at it.
    pub abandon: &'a AtomicBool,
}

/// How long it may take to notice `abandon`.
const PAUSE: Duration = Duration::from_millis(50);
/// Per thread, how many items may be done ahead of one that is not: they wait in memory.
const AHEAD: usize = 64;

/// Hands out items, but not too far ahead of the oldest one that is not done.
struct Queue<I> {
    state: Mutex<QueueState<I>>,
    moved: Condvar,
    ahead: usize,
}

struct QueueState<I> {
    items: I,
    given: usize,
    taken: usize,
}

impl<I: Iterator> Queue<Enumerate<I>> {
    fn next(&self, abandon: &AtomicBool) -> Option<(usize, I::Item)> {
        let mut state = self.state.lock().ok()?;
        while !abandon.load(Relaxed) {
            if state.given < state.taken + self.ahead {
                state.given += 1;
                return state.items.next();
            }
            state = self.moved.wait_timeout(state, PAUSE).ok()?.0;
        }
        None
    }

    fn take_up_to(&self, taken: usize) {
        if let Ok(mut state) = self.state.lock() {
            state.taken = taken;
        }
        self.moved.notify_all();
    }
}

/// Ends the other threads when one panics.
struct AbandonOnPanic<'a>(&'a AtomicBool);

impl Drop for AbandonOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

impl Workers<'_> {
    /// Works on items. Each thread makes itself a worker, which returns `None` if the work is abandoned; `take` gets the
    /// results in the order of the items, and ends everything by an error. `tick` is called at least every 50 ms.
    pub fn work_in_order<I: Iterator + Send, T: Send, E, W: FnMut(I::Item) -> Option<T>>(
        &self,
        items: I,
        make_worker: impl Fn() -> Option<W> + Sync,
        tick: impl Fn(),
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let &Self { name, threads, abandon } = self;
        let threads = threads.max(1);
        let queue = Queue {
            state: Mutex::new(QueueState { items: items.enumerate(), given: 0, taken: 0 }),
            moved: Condvar::new(),
            ahead: AHEAD * threads,
        };
        let (sender, receiver) = mpsc::channel::<(usize, T)>();
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let (sender, queue, make_worker) = (sender.clone(), &queue, &make_worker);
                let work = move || {
                    let _guard = AbandonOnPanic(abandon);
                    let Some(mut worker) = make_worker() else { return };
                    while let Some((number, item)) = queue.next(abandon) {
                        let Some(done) = worker(item) else { break };
                        if sender.send((number, done)).is_err() {
                            break;
                        }
                    }
                };
                // With fewer threads it only takes longer.
                let _ = std::thread::Builder::new()
                    .name(format!("{name}-{thread}"))
                    .stack_size(STACK)
                    .spawn_scoped(scope, work);
            }
            drop(sender);
            let (mut early, mut due) = (BTreeMap::new(), 0);
            loop {
                match receiver.recv_timeout(PAUSE) {
                    Ok((number, done)) => drop(early.insert(number, done)),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
                tick();
                while let Some(done) = early.remove(&due) {
                    due += 1;
                    queue.take_up_to(due);
                    if let Err(error) = take(done) {
                        abandon.store(true, Relaxed);
                        return Err(error);
                    }
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_comes_in_order_and_waits_within_bounds() {
        let (abandon, given) = (AtomicBool::new(false), Mutex::new(0));
        let crew = Workers { name: "test", threads: 3, abandon: &abandon };
        let items = (0..1000).inspect(|item| *given.lock().unwrap() = *item);
        let worker = || {
            Some(|item: usize| {
                // All others wait for the first.
                std::thread::sleep(Duration::from_millis(if item == 0 { 120 } else { 0 }));
                Some(item * item)
            })
        };
        let mut done = Vec::new();
        let all = crew.work_in_order(
            items,
            worker,
            || (),
            |square| {
                assert!(*given.lock().unwrap() <= done.len() + 3 * AHEAD);
                done.push(square);
                Ok::<_, ()>(())
            },
        );
        assert_eq!(all, Ok(()));
        assert!(done.into_iter().eq((0..1000).map(|item| item * item)));
    }

    #[test]
    fn a_failure_ends_it() {
        let abandon = AtomicBool::new(false);
        let crew = Workers { name: "test", threads: 2, abandon: &abandon };
        let worker = || Some(|item: u64| (!abandon.load(Relaxed)).then_some(item));
        let failed =
            crew.work_in_order(0.., worker, || (), |item| if item == 5 { Err(item) } else { Ok(()) });
        assert_eq!(failed, Err(5));
    }
}
