//! One `go`, shared by two threads: the session's sets `stop` and `ponderhit`, the engine's reads them.

use crate::time::{Budget, TimeManager, need};
use search::{Next, Progress, Timer};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Writing an answer takes no longer than this, unless the reader has stopped reading.
const PATIENCE: Duration = Duration::from_millis(400);

/// How often a waiting thread looks for an interruption.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The clock and the signals of one `go`.
pub(super) struct Control {
    /// Outside the lock, as the search reads it all the time.
    stop: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    time: TimeManager,
    /// Nothing may be answered before `stop` (`go infinite`).
    infinite: bool,
    /// Nothing is to be answered at all: this search was only a guess (stochastic pondering).
    silent: bool,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Thinking,
    /// The answer is on its way out.
    Answering,
    Finished,
}

impl Control {
    pub(super) fn new(time: TimeManager, infinite: bool) -> Self {
        Self {
            stop: AtomicBool::new(false),
            state: Mutex::new(State { time, infinite, silent: false, stage: Stage::Thinking }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is always whole; a thread that died elsewhere does not spoil it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `stop`, `gameover`, `quit`.
    pub(super) fn stop(&self) {
        self.stop.store(true, Relaxed);
        // Taking the lock makes sure that no waiter misses the signal.
        drop(self.state());
        self.changed.notify_all();
    }

    /// Stops without an answer.
    pub(super) fn abandon(&self) {
        self.state().silent = true;
        self.stop();
    }

    /// The expected move was played.
    pub(super) fn ponderhit(&self, renewed: Option<Budget>) {
        self.state().time.ponderhit(Instant::now(), renewed);
        self.changed.notify_all();
    }

    /// Waits until an answer may be given; returns whether it is wanted.
    pub(super) fn wait_for_leave(&self) -> bool {
        let mut state = self.wait_while_held();
        state.stage = Stage::Answering;
        !state.silent
    }

    /// The same for a guess, whose answer has to be found yet.
    pub(super) fn wait_for_end_of_guess(&self) -> bool {
        !self.wait_while_held().silent
    }

    fn wait_while_held(&self) -> MutexGuard<'_, State> {
        let held =
            |state: &mut State| (state.infinite || state.time.is_pondering()) && !self.stop.load(Relaxed);
        self.changed.wait_while(self.state(), held).unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer is out.
    pub(super) fn finish(&self) {
        self.state().stage = Stage::Finished;
        self.changed.notify_all();
    }

    /// Whether `stop` was read.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether the answer is out. One that is being written is waited for: a host that has read it may send its next line
    /// before [`Control::finish`].
    pub(super) fn is_finished(&self) -> bool {
        let leaving = |state: &mut State| state.stage == Stage::Answering;
        let waited = self.changed.wait_timeout_while(self.state(), PATIENCE, leaving);
        waited.unwrap_or_else(PoisonError::into_inner).0.stage == Stage::Finished
    }

    /// Waits for [`Control::finish`] until `given_up`; returns whether it came.
    pub(super) fn wait_until_finished(&self, given_up: impl Fn() -> bool) -> bool {
        let running = |state: &mut State| state.stage != Stage::Finished;
        loop {
            let waited = self.changed.wait_timeout_while(self.state(), POLL_INTERVAL, running);
            let (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            drop(state);
            if !timeout.timed_out() {
                return true;
            }
            if given_up() {
                return false;
            }
        }
    }
}

impl Timer for Control {
    fn must_stop(&self) -> bool {
        self.stop.load(Relaxed) || self.state().time.must_stop(Instant::now())
    }

    fn after_iteration(&self, progress: &Progress) -> Next {
        if self.stop.load(Relaxed) {
            return Next::Stop;
        }
        self.state().time.after_iteration(Instant::now(), need(progress))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Millis;

    fn control(time: TimeManager, infinite: bool) -> Control {
        Control::new(time, infinite)
    }

    #[test]
    fn answers_wait_for_stop_or_ponderhit() {
        let now = Instant::now();
        let free = control(TimeManager::new(now, None), false);
        assert!(free.wait_for_leave());

        let infinite = control(TimeManager::new(now, None), true);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| infinite.wait_for_leave());
            infinite.stop();
            assert!(waiting.join().unwrap());
        });
        assert!(infinite.must_stop());

        let pondering = control(TimeManager::pondering(now, Some(Budget::exactly(Millis(0)))), false);
        assert!(!pondering.must_stop());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| pondering.wait_for_leave());
            pondering.ponderhit(None);
            assert!(waiting.join().unwrap());
        });
    }

    #[test]
    fn an_answer_on_its_way_is_waited_for() {
        let control = control(TimeManager::new(Instant::now(), None), false);
        assert!(!control.is_finished());
        assert!(control.wait_for_leave());
        std::thread::scope(|scope| {
            let asking = scope.spawn(|| control.is_finished());
            control.finish();
            assert!(asking.join().unwrap());
        });
    }

    #[test]
    fn an_abandoned_search_is_not_answered() {
        let guess = control(TimeManager::pondering(Instant::now(), None), false);
        guess.abandon();
        assert!(!guess.wait_for_end_of_guess() && !guess.wait_for_leave());
        assert!(!guess.wait_until_finished(|| true));
        guess.finish();
        assert!(guess.is_finished() && guess.wait_until_finished(|| false));
    }
}
