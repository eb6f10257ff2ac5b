use super::budget::Rounding;
use super::ceiling::ceiling;
use super::{Budget, Millis, SideClock, TimeOptions};

/// The expected length of a game in plies.
const HORIZON: u32 = 160;
/// The time of a move if the length of the game is unknown.
const BLIND: Millis = Millis(1000);

impl Budget {
    /// Distributes the time on the clock. `ply` is 1 at the start of a game.
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
            // The game should be over: move quickly.
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

    /// The budget of `movetime`, or of `rtime` once drawn: exactly that, but within the clock if there is one.
    #[must_use]
    pub fn for_movetime(time: Millis, clock: Option<SideClock>, options: &TimeOptions) -> Self {
        let runs = clock.filter(|clock| clock.left() > Millis::ZERO);
        Self::exactly(runs.map_or(time, |clock| time.min(ceiling(clock, options))))
    }

    /// The budget of a `go` without any clock: about a second, which every host allows.
    #[must_use]
    pub fn without_clock(options: &TimeOptions) -> Self {
        Self::exactly((BLIND - options.network_delay).max(Millis(100)))
    }
}

/// The time of `rtime r`: `r` plus up to a half, less as the game goes on, so that games of self-play differ.
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

/// Expected number of further moves, this one included.
fn moves_to_go(clock: SideClock, options: &TimeOptions, ply: u32) -> u32 {
    // The opening is played from the book or quickly; a sudden-death clock must suffice for longer games, too.
    let horizon =
        if clock.is_sudden_death() { HORIZON + 40 - ply.min(40) } else { HORIZON + 20 - ply.min(80) };
    let plies = match options.max_moves_to_draw {
        0 => horizon,
        // The last two plies are the last moves of the two players.
        last => horizon.min(last.saturating_add(2).saturating_sub(ply)),
    };
    plies / 2
}

/// Whether saving main time gains nothing, because there is little or none before the byoyomi.
fn is_final_push(clock: SideClock) -> bool {
    clock.byoyomi > Millis::ZERO && clock.time < clock.byoyomi.scaled(12, 10)
}

/// The time for each of the coming moves.
fn share(clock: SideClock, moves: u64) -> Millis {
    clock.time.scaled(1, moves) + clock.increment
}

/// The minimum time of a move, as in `YaneuraOu`: twice the delay, so that half of it is thinking.
fn shortest(options: &TimeOptions) -> Millis {
    let minimum = options.minimum_thinking_time.max(options.network_delay.scaled(2, 1));
    minimum.max(Millis(if options.round_up_to_full_second { 1000 } else { 1 }))
}

/// `YaneuraOu`'s rule: the minimum, and a share of the time that the minima leave.
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

/// If the minimum exceeds the share of a move, keeping to it, or to full seconds, would drain a clock without
/// increment: a game of one minute would be lost on time at about move 40. So each move gets its share, less the delay,
/// which also runs on the clock.
fn thrifty(clock: SideClock, options: &TimeOptions, moves: u64, ceiling: Millis) -> Budget {
    let share = share(clock, moves);
    let pace = (share - options.network_delay).max(share.scaled(1, 4)).min(ceiling);
    // There is less to borrow from than in `planned`: half as much, and no more than its minimum needs.
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

/// How many times its share a hard move may take, in units of 1/60000: five, but in sudden death no more than the
/// number of minutes left.
fn max_ratio(clock: SideClock) -> u64 {
    let most = 5 * 60_000;
    if clock.is_sudden_death() { clock.time.0.clamp(60_000, most) } else { most }
}

/// Applies `SlowMover`, and adds a quarter if the opponent's time is used as well.
fn paced(optimum: Millis, options: &TimeOptions) -> Millis {
    let optimum = optimum.scaled(options.slow_mover.into(), 100);
    if options.usi_ponder && !options.stochastic_ponder { optimum.scaled(5, 4) } else { optimum }
}
