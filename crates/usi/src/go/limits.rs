use crate::time::{Budget, Clock, Millis, TimeOptions, random_time};
use game::Color;

/// The limits of a search; the first one reached ends it.
///
/// ```
/// use game::Color;
/// use usi::time::{Millis, TimeOptions};
/// use usi::Limits;
/// let limits = Limits { movetime: Some(Millis(700)), depth: Some(20), ..Limits::default() };
/// let budget = limits.budget(Color::Black, 1, &TimeOptions::default(), 0).unwrap();
/// assert_eq!(budget.maximum, Millis(700));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The clocks, if `go` mentions any.
    pub clock: Option<Clock>,
    /// Exactly this long.
    pub movetime: Option<Millis>,
    /// This long and a little more, at random.
    pub rtime: Option<Millis>,
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Until `stop`, even if the result is certain.
    pub infinite: bool,
    /// Until `ponderhit` or `stop`; the other limits apply after `ponderhit`.
    pub ponder: bool,
    /// Only these moves, as written; empty for all.
    pub searchmoves: Vec<String>,
}

impl Limits {
    /// The time for the move of `side`; `None` if time does not limit it. `random` is used by `rtime` only.
    ///
    /// A `go` without any limit gets [`Budget::without_clock`], because every `go` must be answered. A clock with only
    /// zeros is ignored if there is another limit.
    #[must_use]
    pub fn budget(&self, side: Color, ply: u32, options: &TimeOptions, random: u64) -> Option<Budget> {
        if self.infinite {
            return None;
        }
        let clock = self.clock.map(|clock| clock.of(side));
        let fixed = self.movetime.or_else(|| self.rtime.map(|rtime| random_time(rtime, ply, random)));
        if let Some(time) = fixed {
            return Some(Budget::for_movetime(time, clock, options));
        }
        let counted = self.depth.is_some() || self.nodes.is_some();
        match clock {
            Some(clock) if !counted || clock.left() > Millis::ZERO => {
                Some(Budget::for_clock(clock, options, ply))
            }
            // Early ponder: `ponderhit` will bring the clocks.
            None if !counted && !self.ponder => Some(Budget::without_clock(options)),
            _ => None,
        }
    }

    /// The budget at `ponderhit`, for [`TimeManager::ponderhit`](crate::time::TimeManager::ponderhit); `None` if it
    /// brought no clocks and `go ponder` had limits.
    ///
    /// ```
    /// use game::Color;
    /// use usi::time::{Millis, TimeOptions};
    /// use usi::{Go, parse_ponderhit};
    /// let (Go::Search(limits), _) = Go::parse("ponder") else { panic!("not a search") };
    /// let options = TimeOptions::default();
    /// assert_eq!(limits.budget(Color::Black, 3, &options, 0), None);
    /// let (clock, _) = parse_ponderhit("btime 0 wtime 0 byoyomi 10000");
    /// let budget = limits.budget_at_ponderhit(clock, Color::Black, 3, &options, 0).unwrap();
    /// assert_eq!(budget.maximum, Millis(8_880));
    /// ```
    #[must_use]
    pub fn budget_at_ponderhit(
        &self,
        clock: Option<Clock>,
        side: Color,
        ply: u32,
        options: &TimeOptions,
        random: u64,
    ) -> Option<Budget> {
        if clock.is_none() && self.budget(side, ply, options, random).is_some() {
            return None;
        }
        let on_our_time = Self { ponder: false, clock: clock.or(self.clock), ..self.clone() };
        on_our_time.budget(side, ply, options, random)
    }

    /// Whether `bestmove` is held back until `stop` (or `ponderhit`).
    #[must_use]
    pub fn is_withheld(&self) -> bool {
        self.infinite || self.ponder
    }
}

/// The limits of a mate search.
///
/// ```
/// use usi::time::Millis;
/// use usi::{Go, MateLimits};
/// let (go, _) = Go::parse("mate 5000 nodes 100000");
/// assert_eq!(go, Go::Mate(MateLimits { time: Some(Millis(5000)), nodes: Some(100_000), depth: None }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MateLimits {
    /// Time limit; `None` for `infinite` or if missing.
    pub time: Option<Millis>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Maximum depth in plies.
    pub depth: Option<u32>,
}
