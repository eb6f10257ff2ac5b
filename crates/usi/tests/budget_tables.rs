//! Budgets worked out by hand from the formulae, so that a change to them is seen.
//!
//! Notation: `M` moves to go, `E` the estimate `time + (increment + byoyomi) * M - (M + 1) * 1000`, `C` the ceiling
//! `left - NetworkDelay2`; with the default options the minimum is 2000 - 120 = 1880, and rounding goes up to
//! the next k * 1000 - 120.

use usi::time::{Budget, Millis, SideClock, TimeOptions};

/// Main time, increment, byoyomi; or minimum, optimum, maximum.
type Three = (u64, u64, u64);

fn budget((time, increment, byoyomi): Three, ply: u32, options: &TimeOptions) -> Three {
    let clock = SideClock { time: Millis(time), increment: Millis(increment), byoyomi: Millis(byoyomi) };
    let budget = Budget::for_clock(clock, options, ply);
    (budget.minimum.0, budget.optimum.0, budget.maximum.0)
}

fn check(options: TimeOptions, table: &[(Three, u32, Three)]) {
    for &(clock, ply, expected) in table {
        assert_eq!(budget(clock, ply, &options), expected, "clock {clock:?} ply {ply} {options:?}");
    }
}

const FLOODGATE: Three = (300_000, 10_000, 0);

#[test]
fn fischer() {
    check(
        TimeOptions::default(),
        &[
            // M = (180 - 1) / 2 = 89, E = 300000 + 890000 - 90000 = 1100000, E / M = 12359;
            // 1880 + 5 E / M = 63677, rounded up to 63880.
            (FLOODGATE, 1, (1880, 14_239, 63_880)),
            // M = (180 - 80) / 2 = 50, E = 300000 + 500000 - 51000 = 749000, E / M = 14980;
            // 1880 + 74900 = 76780, rounded up to 76880.
            (FLOODGATE, 81, (1880, 16_860, 76_880)),
            // Nothing but the coming increment: C = 10000 - 1120; M = 65, E = 650000 - 66000, E / M = 8984.
            ((0, 10_000, 0), 50, (1880, 8_880, 8_880)),
            // 2000 - 1120 = 880, below the minimum.
            ((2_000, 5_000, 0), 50, (880, 880, 880)),
        ],
    );
}

#[test]
fn byoyomi() {
    check(
        TimeOptions::default(),
        &[
            // M = 89, E = 600000 + 890000 - 90000 = 1400000, E / M = 15730; 1880 + 78651 = 80531 -> 80880.
            ((600_000, 0, 10_000), 1, (1880, 17_610, 80_880)),
            // Final push: all of it.
            ((0, 0, 10_000), 81, (8_880, 8_880, 8_880)),
            ((11_999, 0, 10_000), 81, (20_879, 20_879, 20_879)),
            // 12000 is no longer less than 1.2 byoyomi. M = 50, E = 12000 + 500000 - 51000 = 461000,
            // E / M = 9220; the maximum is C = 20880, which is a rounded moment itself.
            ((12_000, 0, 10_000), 81, (1880, 11_100, 20_880)),
            ((0, 0, 60_000), 81, (58_880, 58_880, 58_880)),
            ((0, 0, 1_500), 81, (380, 380, 380)),
            // NetworkDelay2 is all of it: the floor of 100 ms.
            ((0, 0, 1_000), 81, (100, 100, 100)),
            // The floor does not fit: 200 - 120 - 10.
            ((0, 0, 200), 81, (70, 70, 70)),
            // Not even the usual delay fits: a quarter.
            ((0, 0, 100), 81, (25, 25, 25)),
        ],
    );
}

#[test]
fn sudden_death() {
    check(
        TimeOptions::default(),
        &[
            // M = (200 - 1) / 2 = 99, E = 600000 - 100000 = 500000, E / M = 5050; 1880 + 25252 -> 27880.
            ((600_000, 0, 0), 1, (1880, 6_930, 27_880)),
            // M = 80, E = 180000 - 81000 = 99000, E / M = 1237; ratio 3: 1880 + 3712 = 5592 -> 5880.
            ((180_000, 0, 0), 60, (1880, 3_117, 5_880)),
            // The share is 1500, less than the minimum: 1500 - 120; ratio 2, half of it lent: 1380 * 1.5 = 2070,
            // but a planned move would take 2000 - 120.
            ((120_000, 0, 0), 60, (1, 1_380, 1_880)),
            // The share is 1000: 880; ratio 4 / 3: 880 * (1 + 1 / 6).
            ((80_000, 0, 0), 60, (1, 880, 1_026)),
            // 750 - 120, ratio 1.
            ((60_000, 0, 0), 60, (1, 630, 630)),
            // 100 - 120 is nothing: a quarter of the share.
            ((8_000, 0, 0), 60, (1, 25, 25)),
            ((1, 0, 0), 60, (1, 1, 1)),
            // Asked for a move with nothing left.
            ((0, 0, 0), 60, (100, 100, 100)),
        ],
    );
}

#[test]
fn pace_options() {
    let default = TimeOptions::default();
    let ponder = TimeOptions { usi_ponder: true, ..default };
    // 14239 * 5 / 4.
    check(ponder, &[(FLOODGATE, 1, (1880, 17_798, 63_880))]);
    check(TimeOptions { stochastic_ponder: true, ..ponder }, &[(FLOODGATE, 1, (1880, 14_239, 63_880))]);
    check(TimeOptions { slow_mover: 200, ..default }, &[(FLOODGATE, 1, (1880, 28_478, 63_880))]);
    // 142 and 142390 are brought back between minimum and maximum.
    check(TimeOptions { slow_mover: 1, ..default }, &[(FLOODGATE, 1, (1880, 1880, 63_880))]);
    check(TimeOptions { slow_mover: 1000, ..default }, &[(FLOODGATE, 1, (1880, 63_880, 63_880))]);
}

#[test]
fn the_game_ends_at_max_moves_to_draw() {
    let options = TimeOptions { max_moves_to_draw: 256, ..TimeOptions::default() };
    check(
        options,
        &[
            (FLOODGATE, 81, (1880, 16_860, 76_880)),
            // M = 5 / 2 = 2, E = 300000 + 20000 - 3000 = 317000; the maximum 0.3 E = 95100 -> 95880, and the
            // optimum 1880 + 158500 with it.
            (FLOODGATE, 253, (1880, 95_880, 95_880)),
            // Our last move: C.
            (FLOODGATE, 255, (298_880, 298_880, 298_880)),
            (FLOODGATE, 256, (298_880, 298_880, 298_880)),
            // Past the end.
            (FLOODGATE, 257, (500, 500, 500)),
            ((300, 0, 0), 999, (100, 100, 100)),
        ],
    );
}

#[test]
fn two_tenths_of_a_second_as_in_the_manual() {
    let options = TimeOptions {
        minimum_thinking_time: Millis(1000),
        network_delay: Millis(800),
        network_delay2: Millis(800),
        ..TimeOptions::default()
    };
    // 1000 - 800, less 10 for the scheduler.
    check(options, &[((0, 0, 1000), 33, (190, 190, 190))]);
}

#[test]
fn without_delays_nearly_everything_is_used() {
    let options = TimeOptions {
        minimum_thinking_time: Millis(1000),
        network_delay: Millis(0),
        network_delay2: Millis(0),
        ..TimeOptions::default()
    };
    check(
        options,
        &[
            ((0, 0, 10_000), 33, (9_990, 9_990, 9_990)),
            ((0, 0, 20), 33, (15, 15, 15)),
            // M = 50: E / M = 749000 / 50; 1000 + 74900 = 75900 -> 76000.
            (FLOODGATE, 81, (1000, 15_980, 76_000)),
        ],
    );
}

#[test]
fn split_seconds() {
    let split = TimeOptions { round_up_to_full_second: false, ..TimeOptions::default() };
    // Delays that were left at their defaults: a tenth of the clock.
    check(split, &[((0, 0, 1000), 33, (100, 100, 100)), ((0, 0, 300), 33, (30, 30, 30))]);
    let quick = TimeOptions {
        minimum_thinking_time: Millis(1),
        network_delay: Millis(20),
        network_delay2: Millis(40),
        ..split
    };
    check(
        quick,
        &[
            ((0, 0, 200), 33, (160, 160, 160)),
            // M = 89, E = 10000 + 8900 = 18900 (no seconds to reserve), E / M = 212; 1 + 1061, less 20.
            ((10_000, 100, 0), 1, (1, 213, 1_042)),
            // M = 80, E / M = 750, ratio 1, less 20 for the maximum, which the optimum follows.
            ((60_000, 0, 0), 60, (1, 731, 731)),
        ],
    );
}

#[test]
fn searches_end_on_the_second() {
    let clock = SideClock { time: Millis(300_000), increment: Millis(10_000), byoyomi: Millis(0) };
    let budget = Budget::for_clock(clock, &TimeOptions::default(), 1);
    for (wish, end) in
        [(0, 1880), (1880, 1880), (1881, 2880), (2880, 2880), (63_880, 63_880), (70_000, 63_880)]
    {
        assert_eq!(budget.search_end(Millis(wish), Millis(0)), Millis(end), "{wish}");
    }
    // One second after a ponderhit at 29000: 1000 -> 1880 on our clock.
    assert_eq!(budget.search_end(Millis(30_000), Millis(29_000)), Millis(30_880));
    let byoyomi = SideClock { byoyomi: Millis(10_000), ..SideClock::default() };
    let push = Budget::for_clock(byoyomi, &TimeOptions::default(), 1);
    assert_eq!(push.search_end(Millis(30_000), Millis(29_000)), Millis(29_000 + 8_880));
}
