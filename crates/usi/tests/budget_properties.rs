//! What holds for every clock.

use proptest::prelude::*;
use usi::time::{Budget, Millis, SideClock, TimeOptions};

fn options() -> impl Strategy<Value = TimeOptions> {
    let delays = (0..500u64, 0..2000u64);
    (delays, 1..5000u64, 1..1000u32, any::<[bool; 3]>(), prop_oneof![Just(0), 1..600u32]).prop_map(
        |((delay, more), minimum, slow_mover, [full, ponder, stochastic], max_moves_to_draw)| TimeOptions {
            network_delay: Millis(delay),
            network_delay2: Millis(delay + more),
            minimum_thinking_time: Millis(minimum),
            slow_mover,
            round_up_to_full_second: full,
            usi_ponder: ponder,
            stochastic_ponder: stochastic,
            max_moves_to_draw,
        },
    )
}

fn span() -> impl Strategy<Value = u64> {
    prop_oneof![3 => Just(0), 2 => 0..2000u64, 3 => 0..60_000u64, 2 => 0..4_000_000u64]
}

fn clock() -> impl Strategy<Value = SideClock> {
    (span(), span(), span()).prop_map(|(time, increment, byoyomi)| SideClock {
        time: Millis(time),
        increment: Millis(increment),
        byoyomi: Millis(byoyomi),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn in_order_and_inside_the_clock(clock in clock(), options in options(), ply in 0..700u32) {
        let budget = Budget::for_clock(clock, &options, ply);
        prop_assert!(Millis(1) <= budget.minimum && budget.minimum <= budget.optimum);
        prop_assert!(budget.optimum <= budget.maximum);
        let left = clock.left();
        if left > Millis(1) {
            prop_assert!(budget.maximum < left);
        }
        if left > options.network_delay + Millis(40) {
            prop_assert!(budget.maximum + options.network_delay + Millis(10) <= left);
        }
    }

    #[test]
    fn a_wish_to_stop_is_rounded_into_the_budget(
        clock in clock(), options in options(), ply in 0..700u32, wish in 0..100_000u64, pondered in 0..100_000u64,
    ) {
        let budget = Budget::for_clock(clock, &options, ply);
        let end = budget.search_end(Millis(wish), Millis(0));
        prop_assert!(budget.minimum <= end && end <= budget.maximum);
        prop_assert!(end >= Millis(wish).min(budget.maximum));
        prop_assert_eq!(budget.search_end(end, Millis(0)), end);
        let end = budget.search_end(Millis(wish + pondered), Millis(pondered));
        prop_assert!(end >= Millis(pondered) && end <= Millis(pondered) + budget.maximum);
    }

    /// More time on the clock is never less time to think, while the end is not near.
    #[test]
    fn more_time_is_more_thought(clock in clock(), options in options(), ply in 0..700u32, more in 0..100_000u64) {
        let options = TimeOptions { max_moves_to_draw: 0, ..options };
        // Out of the final push, and past the delay, below which there is nothing to plan.
        let enough = (clock.byoyomi.0 * 12 / 10).max(options.network_delay.0 + 1);
        let clock = SideClock { time: clock.time + Millis(enough), ..clock };
        let richer = SideClock { time: clock.time + Millis(more), ..clock };
        let (poor, rich) = (Budget::for_clock(clock, &options, ply), Budget::for_clock(richer, &options, ply));
        prop_assert!(poor.maximum <= rich.maximum, "{poor:?} {rich:?}");
        prop_assert!(poor.optimum <= rich.optimum, "{poor:?} {rich:?}");
    }

    #[test]
    fn absurd_numbers_do_not_overflow(time: [u64; 3], delays: [u64; 3], slow_mover: u32, last: u32, ply: u32, full: bool) {
        let [time, increment, byoyomi] = time.map(Millis);
        let options = TimeOptions {
            network_delay: Millis(delays[0]),
            network_delay2: Millis(delays[1]),
            minimum_thinking_time: Millis(delays[2]),
            slow_mover,
            round_up_to_full_second: full,
            max_moves_to_draw: last,
            ..TimeOptions::default()
        };
        let budget = Budget::for_clock(SideClock { time, increment, byoyomi }, &options, ply);
        prop_assert!(budget.minimum <= budget.optimum && budget.optimum <= budget.maximum);
    }
}
