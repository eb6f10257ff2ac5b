//! Long work without the interpreter's lock that still ends on Ctrl-C.

use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often Python is asked for signals.
const INTERVAL: Duration = Duration::from_millis(50);

/// Polled by the work; remembers the exception of a signal.
struct Watch {
    state: Mutex<(Instant, Option<PyErr>)>,
    stopped: AtomicBool,
}

impl Watch {
    fn stops(&self) -> bool {
        if self.stopped.load(Ordering::Relaxed) {
            return true;
        }
        let Ok(mut state) = self.state.try_lock() else { return false };
        if state.0.elapsed() < INTERVAL {
            return false;
        }
        state.0 = Instant::now();
        #[allow(
            clippy::redundant_closure_for_method_calls,
            reason = "the method itself has one lifetime only"
        )]
        let signals = Python::attach(|py| py.check_signals());
        if let Err(error) = signals {
            state.1 = Some(error);
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.stopped.load(Ordering::Relaxed)
    }
}

/// Does some work without the lock. The work polls the function that it is given and ends soon when that says `true`; an exception
/// from a signal handler is then raised.
pub fn without_lock<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send,
) -> PyResult<T> {
    let watch = Watch { state: Mutex::new((Instant::now(), None)), stopped: AtomicBool::new(false) };
    let result = py.detach(|| work(&|| watch.stops()));
    match watch.state.into_inner() {
        Ok((_, Some(error))) => Err(error),
        _ => Ok(result),
    }
}
