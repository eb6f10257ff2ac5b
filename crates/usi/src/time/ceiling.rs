use super::{Millis, SideClock, TimeOptions};

/// What a move may use at least, however large `NetworkDelay2` is.
const FLOOR: Millis = Millis(100);
/// What the operating system may take to wake us and to hand the answer on.
const SCHEDULING: Millis = Millis(10);

/// The longest that a move may take: past it, the flag may fall.
///
/// The rule of the field is `left - NetworkDelay2`, but at least 100 ms. Two things are added. The floor itself
/// must fit: on a clock of 200 ms, 100 ms of thinking and a usual delay of 120 ms would lose. And even with both
/// delays at 0 a few milliseconds are kept, because no process stops on the dot.
pub(super) fn ceiling(clock: SideClock, options: &TimeOptions) -> Millis {
    let left = clock.left();
    if left == Millis::ZERO {
        // The flag has fallen already, or the host sends zeros for "no clock".
        return FLOOR;
    }
    // Where seconds are split, 100 ms may be most of the clock, and NetworkDelay2 was set with care.
    let floor = if options.round_up_to_full_second { FLOOR } else { FLOOR.min(left.scaled(1, 10)) };
    (left - options.network_delay2).max(floor).min(safe_part(left, options.network_delay)).max(Millis(1))
}

/// What remains if the answer is `delay` underway.
fn safe_part(left: Millis, delay: Millis) -> Millis {
    if left <= delay {
        // If the delay is as long as that, the game is lost anyway; so suppose that it is not.
        return left.scaled(1, 4);
    }
    let room = left - delay;
    room - SCHEDULING.min(room.scaled(1, 4))
}
