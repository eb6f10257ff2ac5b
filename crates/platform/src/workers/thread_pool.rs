//! Threads that stay alive between pieces of work.

use super::STACK;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// Threads that stay alive between calls: waking a thread is faster than starting one, and its cache stays warm.
///
/// ```
/// use platform::workers::ThreadPool;
/// let mut numbers = [1, 2, 3];
/// let mut pool = ThreadPool::new("example");
/// let (mine, others) = pool.beside(numbers.iter_mut().collect(), |_, number| *number * 10, || 7);
/// assert_eq!((mine, others), (7, vec![10, 20, 30]));
/// ```
pub struct ThreadPool {
    name: &'static str,
    members: Vec<Member>,
}

type Job = Box<dyn FnOnce() + Send>;

struct Member {
    /// `None` ends the thread.
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Member {
    fn start(name: String) -> Option<Self> {
        let (jobs, given) = mpsc::channel();
        let thread = Builder::new().name(name).stack_size(STACK).spawn(move || serve(&given)).ok()?;
        Some(Self { jobs: Some(jobs), thread: Some(thread) })
    }
}

fn serve(jobs: &Receiver<Job>) {
    while let Ok(job) = jobs.recv() {
        job();
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // Jobs catch their panics, so `join` cannot fail.
            let _ = thread.join();
        }
    }
}

/// Counts the jobs that are not over.
#[derive(Default)]
struct Pending {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Pending {
    fn add(&self, jobs: isize) {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        *count = count.saturating_add_signed(jobs);
        if *count == 0 {
            self.changed.notify_all();
        }
    }

    fn wait(&self) {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_while(count, |count| *count > 0).unwrap_or_else(PoisonError::into_inner));
    }
}

/// Waits on drop until all jobs are over, even if the calling thread panics.
struct WaitForAll<'a>(&'a Pending);

impl Drop for WaitForAll<'_> {
    fn drop(&mut self) {
        self.0.wait();
    }
}

/// Counts a job as over when it is dropped.
struct Over(Arc<Pending>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.add(-1);
    }
}

/// Work, and the guard that counts it as over. Fields drop in this order.
struct TrackedJob<F> {
    work: F,
    over: Over,
}

impl<F: FnOnce()> TrackedJob<F> {
    fn run(self) {
        let Self { work, over } = self;
        // `work` drops what it owns before the count falls.
        work();
        drop(over);
    }
}

impl ThreadPool {
    /// An empty pool: threads are started when there is work for them. `name` is the prefix of their names.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, members: Vec::new() }
    }

    /// Ends all threads beyond the first `threads`.
    pub fn keep(&mut self, threads: usize) {
        self.members.truncate(threads);
    }

    /// Runs `work` on each item and its index, each on a thread of its own, while the calling thread runs `lead`.
    /// Returns the result of `lead` and those of the items in their order. An item has no result if the system could not
    /// start a thread for it, or if its work panicked.
    pub fn beside<T: Send, R: Send, L>(
        &mut self,
        items: Vec<T>,
        work: impl Fn(usize, T) -> R + Sync,
        lead: impl FnOnce() -> L,
    ) -> (L, Vec<R>) {
        while self.members.len() < items.len()
            && let Some(member) = Member::start(format!("{}-{}", self.name, self.members.len() + 1))
        {
            self.members.push(member);
        }
        let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
        let pending = Arc::new(Pending::default());
        let led = {
            let _wait = WaitForAll(&pending);
            for (number, ((item, member), result)) in
                items.into_iter().zip(&self.members).zip(&results).enumerate()
            {
                let work = &work;
                let work = move || {
                    let made = catch_unwind(AssertUnwindSafe(|| work(number, item))).ok();
                    *result.lock().unwrap_or_else(PoisonError::into_inner) = made;
                };
                pending.add(1);
                let tracked = TrackedJob { work, over: Over(pending.clone()) };
                let job: Box<dyn FnOnce() + Send + '_> = Box::new(move || tracked.run());
                // SAFETY: only the lifetime of what the job borrows is erased. `_wait` keeps this function from
                // returning or unwinding before the `over` of each job is dropped, which happens last, whether the job
                // runs or is dropped without running: see `TrackedJob`.
                let job = unsafe { std::mem::transmute::<Box<dyn FnOnce() + Send + '_>, Job>(job) };
                if let Some(jobs) = &member.jobs {
                    // If the thread has ended, `send` drops the job, which lowers the count.
                    let _ = jobs.send(job);
                }
            }
            lead()
        };
        let made = results
            .into_iter()
            .filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner));
        (led, made.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_threads_stay() {
        let mut pool = ThreadPool::new("test");
        let ids = |pool: &mut ThreadPool, count: usize| {
            let items = (0..count).collect();
            pool.beside(items, |number, item| (number == item).then(|| std::thread::current().id()), || ()).1
        };
        let first = ids(&mut pool, 3);
        assert!(first.iter().all(Option::is_some));
        assert_eq!(ids(&mut pool, 3), first);
        assert_eq!(ids(&mut pool, 1), first[..1]);
        let more = ids(&mut pool, 5);
        assert_eq!((&more[..3], more.len()), (&first[..], 5));
        assert_eq!(ids(&mut pool, 0), []);
        pool.keep(1);
        let fewer = ids(&mut pool, 2);
        assert!(fewer[0] == first[0] && fewer[1] != first[1]);
    }

    #[test]
    fn all_run_at_once_and_borrow() {
        let barrier = std::sync::Barrier::new(4);
        let mut numbers = [0; 3];
        let items = numbers.iter_mut().collect();
        let wait = |number, item: &mut usize| {
            barrier.wait();
            *item = number + 1;
        };
        let (leader, made) = ThreadPool::new("test").beside(items, wait, || barrier.wait().is_leader());
        assert_eq!((made.len(), numbers), (3, [1, 2, 3]));
        let _ = leader;
    }

    #[test]
    fn a_panic_leaves_the_others_and_the_thread() {
        let mut pool = ThreadPool::new("test");
        let fails = |_, item: u32| {
            assert!(item != 2, "this is meant to fail");
            item
        };
        assert_eq!(pool.beside(vec![1, 2, 3], fails, || ()).1, [1, 3]);
        assert_eq!(pool.beside(vec![1, 4, 3], fails, || ()).1, [1, 4, 3]);
    }

    #[test]
    fn a_leader_that_panics_waits_for_the_others() {
        let done = std::sync::atomic::AtomicBool::new(false);
        let late = |_, ()| {
            std::thread::sleep(std::time::Duration::from_millis(30));
            done.store(true, std::sync::atomic::Ordering::SeqCst);
        };
        let led = catch_unwind(AssertUnwindSafe(|| {
            ThreadPool::new("test").beside(vec![()], late, || panic!("this is meant to fail"))
        }));
        assert!(led.is_err() && done.load(std::sync::atomic::Ordering::SeqCst));
    }
}
