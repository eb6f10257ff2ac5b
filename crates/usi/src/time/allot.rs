use super::budget::Rounding;
use super::ceiling::ceiling;
use super::{Budget, Millis, SideClock, TimeOptions};

/// Games last so many plies, for planning.
const HORIZON: u32 = 160;
/// What a move takes where the length of the game is unknown.
const BLIND: Millis = Millis(1000);

impl Budget {
    /// Shares out what is on the clock. `ply` is 1 at the start of a game.
    ///
    /// ```
    /// use usi::time::{Budget, Millis, SideClock, TimeOptions};
    /// let floodgate = SideClock { time: Millis(300_000), increment: Millis(10_000), byoyomi: Millis(0) };
    /// let budget = Budget::for_clock(floodgate, &TimeOptions::default(), 1);
    /// assert_eq!(budget.optimum, Millis(14_239));
    /// ```
    #[must_use]
    pub fn for_clock(clock: SideClock, options: &TimeOptions, ply: u32) -> Self {
        let ceiling = ceiling(clock, options);
        let moves = u64::from(moves_to_go(clock, options, ply));
        match moves {
            // The game should be over; play on, but do not think it over.
            0 => Self::exactly(ceiling.min(Millis(500))),
            1 => Self::exactly(ceiling),
            _ if clock.left() == Millis::ZERO => Self::exactly(ceiling),
            _ if is_final_push(clock) => Self { minimum_from_hit: true, ..Self::exactly(ceiling) },
            _ if clock.byoyomi == Millis::ZERO && share(clock, moves) < shortest(options) => {
                thrifty(clock, options, moves, ceiling)
            }
            _ => planned(clock, options, moves, ceiling),
        }
    }

    /// `movetime`, or `rtime` once drawn: exactly that, but inside the clock if there is one.
    #[must_use]
    pub fn for_movetime(time: Millis, clock: Option<SideClock>, options: &TimeOptions) -> Self {
        let runs = clock.filter(|clock| clock.left() > Millis::ZERO);
        Self::exactly(runs.map_or(time, |clock| time.min(ceiling(clock, options))))
    }

    /// For a `go` without any clock: about a second, which every host allows.
    #[must_use]
    pub fn without_clock(options: &TimeOptions) -> Self {
        Self::exactly((BLIND - options.network_delay).max(Millis(100)))
    }
}

/// `rtime r`: `r` and up to a half more, less as the game goes on, so that self-play does not repeat itself.
///
/// ```
/// use usi::time::{Millis, random_time};
/// assert_eq!(random_time(Millis(100), 1, 49), Millis(149));
/// assert_eq!(random_time(Millis(100), 1, 50), Millis(100));
/// assert_eq!(random_time(Millis(100), 100, 19), Millis(109));
/// ```
#[must_use]
pub fn random_time(rtime: Millis, ply: u32, random: u64) -> Millis {
    let spread = rtime.scaled(1, 2).min(rtime.scaled(10, ply.into()));
    rtime + Millis(random.checked_rem(spread.0).unwrap_or(0))
}

/// How many more moves we expect to make, this one included.
fn moves_to_go(clock: SideClock, options: &TimeOptions, ply: u32) -> u32 {
    // The opening is played from the book or quickly; a sudden-death clock must last for longer games too.
    let horizon =
        if clock.is_sudden_death() { HORIZON + 40 - ply.min(40) } else { HORIZON + 20 - ply.min(80) };
    let plies = match options.max_moves_to_draw {
        0 => horizon,
        // The last ply and the one before it are the last moves of the two players.
        last => horizon.min(last.saturating_add(2).saturating_sub(ply)),
    };
    plies / 2
}

/// With little or no main time before the byoyomi, saving it gains nothing.
fn is_final_push(clock: SideClock) -> bool {
    clock.byoyomi > Millis::ZERO && clock.time < clock.byoyomi.scaled(12, 10)
}

/// What each of the coming moves can have.
fn share(clock: SideClock, moves: u64) -> Millis {
    clock.time.scaled(1, moves) + clock.increment
}

/// What a move costs at least by the rule of the field; twice the delay, so that half of it is thinking.
fn shortest(options: &TimeOptions) -> Millis {
    let minimum = options.minimum_thinking_time.max(options.network_delay.scaled(2, 1));
    minimum.max(Millis(if options.round_up_to_full_second { 1000 } else { 1 }))
}

/// The rule of the field: the minimum, and a share of what the minima leave.
fn planned(clock: SideClock, options: &TimeOptions, moves: u64, ceiling: Millis) -> Budget {
    let delay = options.network_delay;
    let full_seconds = options.round_up_to_full_second;
    let minimum = (options.minimum_thinking_time - delay).max(Millis(if full_seconds { 1000 } else { 1 }));
    let income = (clock.increment + clock.byoyomi).scaled(moves, 1);
    let reserve = if full_seconds { Millis::from_seconds(moves + 1) } else { Millis::ZERO };
    let estimate = clock.time + income - reserve;

    let optimum = (minimum + estimate.scaled(1, moves)).min(ceiling);
    let maximum = (minimum + estimate.scaled(max_ratio(clock), 60_000 * moves))
        .min(estimate.scaled(3, 10))
        .min(ceiling);

    let (rounding, minimum, maximum) = if full_seconds {
        let rounding = Rounding::FullSecond { delay, least: options.minimum_thinking_time };
        (rounding, rounding.up(minimum), rounding.up(maximum))
    } else {
        (Rounding::None, minimum, maximum.max(options.minimum_thinking_time) - delay)
    };
    Budget {
        minimum: minimum.min(ceiling),
        optimum: paced(optimum, options),
        maximum: maximum.min(ceiling),
        rounding,
        minimum_from_hit: false,
    }
    .ordered()
}

/// Where the shortest move is more than its share, insisting on it, or on full seconds, would drain a clock that
/// nothing refills: a game of one minute is then lost on time at about the fortieth move. So the share is kept,
/// less the delay, which the clock pays for too.
fn thrifty(clock: SideClock, options: &TimeOptions, moves: u64, ceiling: Millis) -> Budget {
    let share = share(clock, moves);
    let pace = (share - options.network_delay).max(share.scaled(1, 4)).min(ceiling);
    // There is less to borrow from than in `planned`, so less is lent: half as much, and no more than would do
    // for its shortest move.
    let maximum = pace
        .scaled(60_000 + max_ratio(clock), 120_000)
        .min(shortest(options) - options.network_delay)
        .min(ceiling);
    Budget {
        minimum: Millis(1),
        optimum: paced(pace, options),
        maximum,
        rounding: Rounding::None,
        minimum_from_hit: false,
    }
    .ordered()
}

/// How many times its share a hard move may take, in units of 1/60000: five, but in sudden death no more than
/// there are minutes left.
fn max_ratio(clock: SideClock) -> u64 {
    let most = 5 * 60_000;
    if clock.is_sudden_death() { clock.time.0.clamp(60_000, most) } else { most }
}

/// `SlowMover`, and a quarter more where the opponent's time is ours too.
fn paced(optimum: Millis, options: &TimeOptions) -> Millis {
    let optimum = optimum.scaled(options.slow_mover.into(), 100);
    if options.usi_ponder && !options.stochastic_ponder { optimum.scaled(5, 4) } else { optimum }
}
