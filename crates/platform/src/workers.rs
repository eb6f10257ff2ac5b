//! Work spread over threads, results in the order of the work.

mod share_out;
mod stream;

pub use share_out::{HEAP_ADDRESSES, STACK, share_out};
pub use stream::Workers;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Maps every item on several threads; results are in the order of the items.
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
        // A panic of a worker is passed on.
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
        // A panic of a worker is passed on.
        states.extend(handles.into_iter().map(|handle| handle.join().expect("workers do not panic")));
        states
    })
}

/// Runs `work` for the parts `0..parts` on several threads and passes the results to `take` in the order of the parts. An
/// error of either ends it; the first one in order is returned. A thread whose result is not the next one leaves it to the
/// thread that takes that one, and works on.
pub fn in_order<R: Send, E: Send>(
    parts: usize,
    threads: usize,
    work: impl Fn(usize) -> Result<R, E> + Sync,
    take: impl FnMut(R) -> Result<(), E> + Send,
) -> Result<(), E> {
    struct Counter<T, R, E> {
        /// The part to be taken next.
        part: usize,
        ready: BTreeMap<usize, Result<R, E>>,
        /// `None` while a thread runs it.
        take: Option<T>,
        failed: Option<E>,
    }
    impl<T, R, E> Counter<T, R, E> {
        fn next(&mut self) -> Option<Result<R, E>> {
            let result = self.ready.remove(&self.part)?;
            self.part += 1;
            Some(result)
        }
    }
    /// Results that may wait, per thread.
    const AHEAD: usize = 6;
    let threads = threads.clamp(1, parts.max(1));
    let next = AtomicUsize::new(0);
    let counter = Mutex::new(Counter { part: 0, ready: BTreeMap::new(), take: Some(take), failed: None });
    let lock = || counter.lock().unwrap_or_else(PoisonError::into_inner);
    let taken = Condvar::new();
    let worker = || {
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                return;
            }
            let result = work(part);
            let mut counter = lock();
            counter.ready.insert(part, result);
            loop {
                if let Some(mut take) = counter.take.take() {
                    while let Some(result) = counter.next() {
                        let failed = counter.failed.is_some();
                        drop(counter);
                        let error = if failed { None } else { result.and_then(&mut take).err() };
                        counter = lock();
                        if let Some(error) = error {
                            counter.failed = Some(error);
                            // No thread begins another part.
                            next.fetch_max(parts, Ordering::Relaxed);
                        }
                        taken.notify_all();
                    }
                    counter.take = Some(take);
                }
                if counter.ready.len() < AHEAD * threads {
                    break;
                }
                counter = taken.wait(counter).unwrap_or_else(PoisonError::into_inner);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(worker);
        }
        worker();
    });
    counter.into_inner().unwrap_or_else(PoisonError::into_inner).failed.map_or(Ok(()), Err)
}

/// Buffers for reuse, a few for each thread, so that no new memory is touched.
#[derive(Default)]
pub struct Pool<T>(Mutex<Vec<T>>);

impl<T: Default> Pool<T> {
    /// One that was given back, as it is, or a new one.
    pub fn take(&self) -> T {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Gives one back.
    pub fn give(&self, thing: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(thing);
    }
}

/// Writes what `render` makes of the parts, one behind the other. Returns the results of the parts, or `None` when one of
/// them failed; then nothing more is written.
pub fn write_in_order<R: Send>(
    out: &mut (impl Write + Send),
    parts: usize,
    threads: usize,
    render: impl Fn(usize, &mut Vec<u8>) -> Option<R> + Sync,
) -> io::Result<Option<Vec<R>>> {
    let texts = Pool::<Vec<u8>>::default();
    let mut results = Vec::with_capacity(parts);
    let work = |part: usize| {
        let mut text = texts.take();
        text.clear();
        render(part, &mut text).map(|result| (text, result)).ok_or(None)
    };
    let take = |(text, result): (Vec<u8>, R)| {
        let written = out.write_all(&text).map_err(Some);
        results.push(result);
        texts.give(text);
        written
    };
    match in_order(parts, threads, work, take) {
        Ok(()) => Ok(Some(results)),
        Err(None) => Ok(None),
        Err(Some(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_written_in_order() {
        for threads in [1, 2, 5] {
            let mut out = Vec::new();
            let render = |part: usize, text: &mut Vec<u8>| {
                if part.is_multiple_of(3) {
                    std::thread::yield_now();
                }
                text.extend_from_slice(format!("{part},").as_bytes());
                Some(part)
            };
            let results = write_in_order(&mut out, 50, threads, render).unwrap();
            let expected: Vec<usize> = (0..50).collect();
            assert_eq!(results, Some(expected.clone()));
            let texts: Vec<String> = expected.iter().map(|part| format!("{part},")).collect();
            assert_eq!(out, texts.concat().into_bytes());
        }
    }

    #[test]
    fn failing_ends_it() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for threads in [1, 3] {
            let render = |part: usize, text: &mut Vec<u8>| {
                text.push(b'x');
                (part != 7).then_some(())
            };
            assert!(write_in_order(&mut Vec::<u8>::new(), 50, threads, render).unwrap().is_none());
            let error = write_in_order(&mut Full, 50, threads, render).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        }
    }
}
