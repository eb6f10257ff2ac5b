use super::{Budget, Millis};
use search::Next;
use std::time::Instant;

/// The clock of one `go`: when it began, whether the opponent is still thinking, and when to be done.
///
/// A search calls [`must_stop`](Self::must_stop) every millisecond or so and
/// [`after_iteration`](Self::after_iteration) between iterations; the session calls
/// [`ponderhit`](Self::ponderhit). All of them take the present time, so that tests need not wait.
///
/// ```
/// use std::time::{Duration, Instant};
/// use usi::time::{Budget, Millis, TimeManager};
/// let go = Instant::now();
/// let mut manager = TimeManager::pondering(go, Some(Budget::exactly(Millis(500))));
/// let later = go + Duration::from_secs(60);
/// assert!(!manager.must_stop(later), "the opponent is thinking");
/// manager.ponderhit(later, None);
/// assert!(manager.must_stop(later));
/// ```
#[derive(Clone, Debug)]
pub struct TimeManager {
    start: Instant,
    budget: Option<Budget>,
    pondering: bool,
    /// From `go ponder` to `ponderhit`; our clock has been running since.
    pondered: Millis,
    /// The search was content while pondering: it ends soon after `ponderhit`.
    content: bool,
    /// Decided: the search ends here, counted from `start`.
    end: Option<Millis>,
}

impl TimeManager {
    /// A search on our own time; `None` for one that no clock ends.
    #[must_use]
    pub fn new(start: Instant, budget: Option<Budget>) -> Self {
        Self { start, budget, pondering: false, pondered: Millis::ZERO, content: false, end: None }
    }

    /// `go ponder`: nothing ends the search before [`ponderhit`](Self::ponderhit).
    #[must_use]
    pub fn pondering(start: Instant, budget: Option<Budget>) -> Self {
        Self { pondering: true, ..Self::new(start, budget) }
    }

    /// Whether `ponderhit` is still to come.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering
    }

    /// The time since `go`, as `info time` shows it.
    #[must_use]
    pub fn elapsed(&self, now: Instant) -> Millis {
        now.saturating_duration_since(self.start).into()
    }

    /// What this move may take, if a clock limits it.
    #[must_use]
    pub fn budget(&self) -> Option<&Budget> {
        self.budget.as_ref()
    }

    /// The opponent played the expected move: our clock runs from now on. `renewed` is what a `ponderhit` with
    /// clocks brought (early ponder), which then replaces the budget of `go ponder`.
    pub fn ponderhit(&mut self, now: Instant, renewed: Option<Budget>) {
        if !self.pondering {
            return;
        }
        self.pondering = false;
        self.pondered = self.elapsed(now);
        if let Some(renewed) = renewed {
            self.content = renewed.after_iteration(self.pondered, 1.0) == Next::Stop;
            self.budget = Some(renewed);
        }
        if self.content {
            self.decide(self.pondered);
        }
    }

    /// What to do after an iteration of a search that needs `need` times what a move usually gets.
    ///
    /// A search that has thought enough may still be allowed to go on, into a second that is paid for.
    pub fn after_iteration(&mut self, now: Instant, need: f64) -> Next {
        let elapsed = self.elapsed(now);
        let next = self.budget.map_or(Next::Deeper, |budget| budget.after_iteration(elapsed, need));
        if self.pondering {
            self.content = next == Next::Stop;
            return Next::Deeper;
        }
        if next == Next::Stop {
            self.decide(elapsed);
        }
        match next {
            _ if self.must_stop(now) => Next::Stop,
            Next::Again => Next::Again,
            // What is left of a second that is paid for may as well be used.
            Next::Deeper | Next::Stop => Next::Deeper,
        }
    }

    /// Whether the search must end now, in whatever state it is.
    pub fn must_stop(&mut self, now: Instant) -> bool {
        if self.pondering {
            return false;
        }
        let elapsed = self.elapsed(now);
        if self.budget.is_some_and(|budget| budget.must_stop(elapsed)) {
            self.decide(elapsed);
        }
        self.end.is_some_and(|end| elapsed >= end)
    }

    /// When the search will be over at the latest, for a thread that sleeps until then; `None` if only `stop`
    /// ends it, or while pondering.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        let budget = self.budget.filter(|_| !self.pondering)?;
        let end = self.end.unwrap_or(self.pondered + budget.maximum);
        self.start.checked_add(end.into())
    }

    /// The first decision stands: a later one would buy the next second.
    fn decide(&mut self, elapsed: Millis) {
        let Some(budget) = self.budget else { return };
        self.end.get_or_insert_with(|| budget.search_end_after(elapsed, self.pondered));
    }
}
