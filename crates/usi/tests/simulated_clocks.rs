//! Thousands of games' worth of clocks, in which no flag may fall.
//!
//! A host that counts to the millisecond (or, where it says so, in full seconds) plays against the time manager:
//! the answer is underway for up to `NetworkDelay`, the process wakes up to 4 ms late, and the search ends wherever
//! the manager lets it, often at the last moment that it may.

use platform::Random;
use std::time::{Duration, Instant};
use usi::time::{Budget, Millis, SideClock, TimeManager, TimeOptions};

/// From `low` to `high`, both included.
fn within(random: &mut Random, low: u64, high: u64) -> u64 {
    low + random.below((high - low + 1) as usize) as u64
}

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[random.below(from.len())]
}

fn one_in(random: &mut Random, count: usize) -> bool {
    random.below(count) == 0
}

/// How the time is counted.
#[derive(Clone, Copy, Debug)]
struct Rules {
    base: u64,
    increment: u64,
    byoyomi: u64,
    /// By the letter of USI, the increment may be used by the move that it is named for.
    granted_before: bool,
    /// Only full seconds are charged.
    full_seconds: bool,
    moves: u32,
}

const RULES: Rules =
    Rules { base: 0, increment: 0, byoyomi: 0, granted_before: false, full_seconds: false, moves: 120 };

/// How the engine behaves.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Temper {
    /// Ends iterations anywhere, more or less sure.
    Usual,
    /// Takes all that it may, with the worst of delays.
    Greedy,
}

struct Game<'a> {
    rules: Rules,
    options: TimeOptions,
    temper: Temper,
    random: &'a mut Random,
}

impl Game<'_> {
    /// Plays one side of a game; says what was left at the end.
    fn play(&mut self) -> u64 {
        let rules = self.rules;
        let mut time = rules.base;
        for number in 0..rules.moves {
            let clock = SideClock {
                time: Millis(time),
                increment: Millis(rules.increment),
                byoyomi: Millis(rules.byoyomi),
            };
            let left = time + rules.byoyomi + if rules.granted_before { rules.increment } else { 0 };
            let thought = self.think(clock, 2 * number + 1);
            let used = thought + self.delay(left);
            assert!(
                used < left,
                "the flag fell: {thought} of {left} ms, {used} with the way, move {number}, {rules:?} {:?} {:?}",
                self.temper,
                self.options
            );
            let charged = if rules.full_seconds { used / 1000 * 1000 } else { used };
            time = (time + if rules.granted_before { rules.increment } else { 0 }).saturating_sub(charged);
            if !rules.granted_before {
                time += rules.increment;
            }
        }
        time
    }

    /// The way to the host, and the time to wake up.
    fn delay(&mut self, left: u64) -> u64 {
        let worst = self.options.network_delay.0;
        // A host that gives less time than the network takes has no such network.
        let worst = if left < worst + 40 { worst.min(left / 2) } else { worst };
        match self.temper {
            Temper::Greedy => worst + 4,
            Temper::Usual => within(self.random, 0, worst) + within(self.random, 0, 4),
        }
    }

    /// How much of our clock a move takes.
    fn think(&mut self, clock: SideClock, ply: u32) -> u64 {
        let budget = Budget::for_clock(clock, &self.options, ply);
        let go = Instant::now();
        // A ponder miss ends in `stop`, a new `go` and nothing else, so only hits are of interest here.
        if !self.options.usi_ponder || one_in(self.random, 2) {
            return self.search(TimeManager::new(go, Some(budget)), go, 0);
        }
        let early = one_in(self.random, 3);
        let mut manager = TimeManager::pondering(go, (!early).then_some(budget));
        let hit = within(self.random, 0, 30_000);
        for _ in 0..3 {
            let now = go + Duration::from_millis(within(self.random, 0, hit));
            assert!((manager.after_iteration(now, 1.0) != search::Next::Stop) && !manager.must_stop(now));
        }
        manager.ponderhit(go + Duration::from_millis(hit), early.then_some(budget));
        self.search(manager, go, hit) - hit
    }

    /// Runs iterations from `from` to the end; both count from `go`.
    fn search(&mut self, mut manager: TimeManager, go: Instant, from: u64) -> u64 {
        let mut elapsed = from;
        loop {
            let step = within(self.random, 1, (elapsed - from) * 2 + 50);
            elapsed += step;
            let now = go + Duration::from_millis(elapsed);
            let deadline = manager.deadline().expect("our clock is running");
            if now >= deadline || self.temper == Temper::Greedy {
                assert!(manager.must_stop(deadline), "the deadline is the end");
                return Millis::from(deadline - go).0;
            }
            let stability = within(self.random, 30, 250) as f64 / 100.0;
            if manager.after_iteration(now, stability) == search::Next::Stop {
                return elapsed;
            }
        }
    }
}

/// The options that players use: as they are, for floodgate, for fair matches, for split seconds, with ponder.
fn options(random: &mut Random) -> TimeOptions {
    let default = TimeOptions { usi_ponder: one_in(random, 2), ..TimeOptions::default() };
    let (network_delay, network_delay2) =
        pick(random, &[(120, 1120), (400, 1400), (0, 0), (15, 30), (50, 1050)]);
    TimeOptions {
        network_delay: Millis(network_delay),
        network_delay2: Millis(network_delay2),
        minimum_thinking_time: Millis(pick(random, &[2000, 1000, 1])),
        slow_mover: pick(random, &[100, 100, 30, 300]),
        round_up_to_full_second: !one_in(random, 3),
        max_moves_to_draw: pick(random, &[0, 256, 320]),
        ..default
    }
}

/// Some games under `rules`, each with other options.
fn play(seed: u64, games: u32, mut rules: impl FnMut(&mut Random, &TimeOptions) -> Rules) {
    let mut random = Random::new(seed);
    for game in 0..games {
        let options = options(&mut random);
        let mut rules = rules(&mut random, &options);
        if options.max_moves_to_draw > 0 {
            // The host ends the game there, as the engine was told.
            rules.moves = rules.moves.min(options.max_moves_to_draw / 2);
        }
        let temper = if game % 4 == 0 { Temper::Greedy } else { Temper::Usual };
        Game { rules, options, temper, random: &mut random }.play();
    }
}

#[test]
fn byoyomi() {
    play(1, 1500, |random, _| Rules {
        base: pick(random, &[0, 0, 60_000, 600_000, 432_100]),
        byoyomi: 1000 * within(random, 1, 60),
        full_seconds: one_in(random, 2),
        ..RULES
    });
}

#[test]
fn byoyomi_below_a_second() {
    play(2, 1500, |random, _| Rules {
        base: if one_in(random, 2) { 0 } else { within(random, 0, 20_000) },
        byoyomi: within(random, 100, 500),
        ..RULES
    });
}

#[test]
fn fischer() {
    play(3, 1500, |random, options| {
        let most = pick(random, &[500, 10_000]);
        // An increment below the delay cannot be lived on.
        let increment = options.network_delay.0 + 40 + within(random, 0, most);
        Rules {
            base: increment + within(random, 0, 900_000),
            increment,
            granted_before: one_in(random, 2),
            ..RULES
        }
    });
}

#[test]
fn increments_only() {
    play(4, 500, |random, options| Rules {
        increment: options.network_delay.0 + 40 + within(random, 0, 20_000),
        granted_before: true,
        ..RULES
    });
}

#[test]
fn floodgate() {
    play(5, 500, |random, _| Rules {
        base: 300_000,
        increment: 10_000,
        full_seconds: one_in(random, 2),
        granted_before: one_in(random, 2),
        moves: 160,
        ..RULES
    });
}

#[test]
fn sudden_death() {
    play(6, 1500, |random, options| {
        let moves = within(random, 30, 160);
        // The network alone takes its part of every move; the rest is ours to share out.
        let network = moves * (options.network_delay.0 + 4) * 2;
        Rules { base: network + within(random, 10_000, 900_000), moves: moves as u32, ..RULES }
    });
}

#[test]
fn mixed() {
    play(7, 1000, |random, _| Rules {
        base: within(random, 0, 300_000),
        increment: within(random, 0, 5_000),
        byoyomi: within(random, 600, 30_000),
        ..RULES
    });
}

/// Never to think would also keep the flag up.
#[test]
fn the_clock_is_used() {
    let mut random = Random::new(8);
    for (base, increment, byoyomi, most) in [
        (300_000, 10_000, 0, 200_000),
        (600_000, 0, 10_000, 60_000),
        (300_000, 0, 0, 150_000),
        (60_000, 0, 0, 30_000),
    ] {
        let rules = Rules { base, increment, byoyomi, moves: 100, ..RULES };
        let options = TimeOptions::default();
        let left = Game { rules, options, temper: Temper::Usual, random: &mut random }.play();
        assert!(left < most, "{rules:?} leaves {left} ms");
    }
}
