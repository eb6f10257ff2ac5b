use super::{Millis, SideClock, TimeOptions};

/// The time that a move may always use, however large `NetworkDelay2` is.
const FLOOR: Millis = Millis(100);
/// Margin for the scheduling of the operating system.
const SCHEDULING: Millis = Millis(10);

/// The maximum time of a move; beyond it, the flag may fall.
///
/// `YaneuraOu`'s rule is `left - NetworkDelay2`, but at least 100 ms. Two things are added. The lower limit must itself
/// fit: on a clock of 200 ms, 100 ms of thinking and a usual delay of 120 ms would lose. And even if both delays are 0,
/// a few milliseconds are kept as a margin.
pub(super) fn ceiling(clock: SideClock, options: &TimeOptions) -> Millis {
    let left = clock.left();
    if left == Millis::ZERO {
        // The flag has already fallen, or the host sends zeros for "no clock".
        return FLOOR;
    }
    // If fractions of seconds count, 100 ms may be most of the clock, and `NetworkDelay2` was set deliberately.
    let floor = if options.round_up_to_full_second { FLOOR } else { FLOOR.min(left.scaled(1, 10)) };
    (left - options.network_delay2).max(floor).min(safe_part(left, options.network_delay)).max(Millis(1))
}

/// The time that remains if the answer takes `delay`.
fn safe_part(left: Millis, delay: Millis) -> Millis {
    if left <= delay {
        // If the delay really is that long, the game is lost anyway; assume that it is not.
        return left.scaled(1, 4);
    }
    let room = left - delay;
    room - SCHEDULING.min(room.scaled(1, 4))
}
