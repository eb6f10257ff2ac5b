use super::{Budget, Millis};
use platform::clock::Instant;
use search::Next;

/// The clock of one `go`: its start, whether it is pondering, and when to stop.
///
/// A search calls [`must_stop`](Self::must_stop) about every millisecond and [`after_iteration`](Self::after_iteration)
/// between iterations; the session calls [`ponderhit`](Self::ponderhit). All take the present time as an argument, so
/// that tests need not wait.
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
    /// Time from `go ponder` to `ponderhit`, when our clock started.
    pondered: Millis,
    /// Whether the search was ready to stop while pondering: it ends soon after `ponderhit`.
    content: bool,
    /// The decided end of the search, counted from `start`.
    end: Option<Millis>,
}

impl TimeManager {
    /// For a search on our own time; `None` if no clock limits it.
    #[must_use]
    pub fn new(start: Instant, budget: Option<Budget>) -> Self {
        Self { start, budget, pondering: false, pondered: Millis::ZERO, content: false, end: None }
    }

    /// For `go ponder`: nothing ends the search before [`ponderhit`](Self::ponderhit).
    #[must_use]
    pub fn pondering(start: Instant, budget: Option<Budget>) -> Self {
        Self { pondering: true, ..Self::new(start, budget) }
    }

    /// Whether `ponderhit` has not arrived yet.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering
    }

    /// The time since `go`, as `info time` shows it.
    #[must_use]
    pub fn elapsed(&self, now: Instant) -> Millis {
        now.saturating_duration_since(self.start).into()
    }

    /// The budget, if a clock limits the search.
    #[must_use]
    pub fn budget(&self) -> Option<&Budget> {
        self.budget.as_ref()
    }

    /// Handles `ponderhit`: our clock runs from now on. `renewed` is the budget from a `ponderhit` with clocks (early
    /// ponder), which replaces that of `go ponder`.
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

    /// The decision after an iteration of a search that needs `need` times the usual time.
    ///
    /// A search that could stop continues through the rest of a second that has already started.
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
            // The rest of a started second is free.
            Next::Deeper | Next::Stop => Next::Deeper,
        }
    }

    /// Whether the search must end now.
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

    /// When the search will end at the latest, for a thread that sleeps until then; `None` while pondering, or if only
    /// `stop` ends it.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        let budget = self.budget.filter(|_| !self.pondering)?;
        let end = self.end.unwrap_or(self.pondered + budget.maximum);
        self.start.checked_add(end.into())
    }

    /// Only the first decision counts: a later one would use another second.
    fn decide(&mut self, elapsed: Millis) {
        let Some(budget) = self.budget else { return };
        self.end.get_or_insert_with(|| budget.search_end(elapsed, self.pondered));
    }
}
