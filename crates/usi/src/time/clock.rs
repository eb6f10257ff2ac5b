use super::Millis;
use game::Color;

/// Both players' clocks, as `go` and `ponderhit` give them.
///
/// ```
/// use game::Color;
/// use usi::time::{Clock, Millis};
/// let clock = Clock { time: [Millis(60_000), Millis(0)], byoyomi: Millis(10_000), ..Clock::default() };
/// assert_eq!(clock.of(Color::White).left(), Millis(10_000));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// `btime` and `wtime`.
    pub time: [Millis; 2],
    /// `binc` and `winc`.
    pub increment: [Millis; 2],
    /// `byoyomi`, the same for both.
    pub byoyomi: Millis,
}

impl Clock {
    /// The clock of one side.
    #[must_use]
    pub const fn of(&self, side: Color) -> SideClock {
        let index = side.index();
        SideClock { time: self.time[index], increment: self.increment[index], byoyomi: self.byoyomi }
    }
}

/// The clock of the side that is to move.
///
/// ```
/// use usi::time::{Millis, SideClock};
/// let fischer = SideClock { time: Millis(5_000), increment: Millis(10_000), ..SideClock::default() };
/// assert_eq!(fischer.left(), Millis(5_000));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideClock {
    /// Remaining main time.
    pub time: Millis,
    /// Increment per move.
    pub increment: Millis,
    /// Time per move once the main time is used up.
    pub byoyomi: Millis,
}

impl SideClock {
    /// The time after which the flag falls, if this move takes it.
    ///
    /// By the letter of USI a move may also use the increment that is about to be granted, but many hosts grant it
    /// after the move. It therefore counts only if nothing else is left, because a host of the second kind would have
    /// ended the game there.
    #[must_use]
    pub fn left(self) -> Millis {
        let left = self.time + self.byoyomi;
        if left == Millis::ZERO { self.increment } else { left }
    }

    /// Whether there is only main time (`kiremake`).
    #[must_use]
    pub fn is_sudden_death(self) -> bool {
        self.increment == Millis::ZERO && self.byoyomi == Millis::ZERO
    }
}
