//! The state of one `go`, shared by two threads: the session's sets `stop` and `ponderhit`, the engine's reads them.

use crate::time::{Budget, TimeManager, need};
use platform::clock::Instant;
use search::{Next, Progress, Timer};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Writing an answer takes at most this long, unless the reader has stopped reading.
const PATIENCE: Duration = Duration::from_millis(400);

/// The polling interval of a waiting thread.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Clock and signals of one `go`.
pub(super) struct Control {
    /// Outside of the lock, because the search polls it.
    stop: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    time: TimeManager,
    /// Whether the answer is held back until `stop` (`go infinite`).
    infinite: bool,
    /// Whether `bestmove` is suppressed: the search was for a predicted move (stochastic pondering).
    silent: bool,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Thinking,
    /// The answer is being written.
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
        // The state is consistent even if a thread panicked elsewhere.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `stop`, `gameover`, `quit`.
    pub(super) fn stop(&self) {
        self.stop.store(true, Relaxed);
        // Taking the lock ensures that no waiting thread misses the signal.
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

    /// Waits until an answer may be written; returns whether it is wanted.
    pub(super) fn wait_for_leave(&self) -> bool {
        let mut state = self.wait_while_held();
        state.stage = Stage::Answering;
        !state.silent
    }

    /// Like [`Control::wait_for_leave`], for a guess, whose answer is yet to be found.
    pub(super) fn wait_for_end_of_guess(&self) -> bool {
        !self.wait_while_held().silent
    }

    fn holds(&self, state: &State) -> bool {
        (state.infinite || state.time.is_pondering()) && !self.stop.load(Relaxed)
    }

    /// Whether an answer may be given now.
    pub(super) fn may_be_answered(&self) -> bool {
        !self.holds(&self.state())
    }

    fn wait_while_held(&self) -> MutexGuard<'_, State> {
        self.changed
            .wait_while(self.state(), |state| self.holds(state))
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the answer as written.
    pub(super) fn finish(&self) {
        self.state().stage = Stage::Finished;
        self.changed.notify_all();
    }

    /// Whether the search has been stopped.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether the answer has been written. Waits if it is being written: a host that has read it may send its next
    /// line before [`Control::finish`].
    pub(super) fn is_finished(&self) -> bool {
        let state = self.state();
        if state.stage != Stage::Answering {
            return state.stage == Stage::Finished;
        }
        let leaving = |state: &mut State| state.stage == Stage::Answering;
        let waited = self.changed.wait_timeout_while(state, PATIENCE, leaving);
        waited.unwrap_or_else(PoisonError::into_inner).0.stage == Stage::Finished
    }

    /// Waits for [`Control::finish`] or until `given_up`; returns whether it is finished.
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
