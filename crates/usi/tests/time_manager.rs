//! A budget on a running clock: `go`, `ponderhit`, the end.

use std::time::{Duration, Instant};
use usi::time::{Budget, Millis, SideClock, TimeManager, TimeOptions};

/// Floodgate at the first move: minimum 1880, optimum 14239, maximum 63880, ends at k * 1000 - 120.
fn floodgate() -> Budget {
    let clock = SideClock { time: Millis(300_000), increment: Millis(10_000), byoyomi: Millis(0) };
    Budget::for_clock(clock, &TimeOptions::default(), 1)
}

fn final_push() -> Budget {
    let clock = SideClock { byoyomi: Millis(10_000), ..SideClock::default() };
    Budget::for_clock(clock, &TimeOptions::default(), 1)
}

struct Test {
    go: Instant,
    manager: TimeManager,
}

impl Test {
    fn go(budget: Budget) -> Self {
        let go = Instant::now();
        Self { go, manager: TimeManager::new(go, Some(budget)) }
    }

    fn ponder(budget: Option<Budget>) -> Self {
        let go = Instant::now();
        Self { go, manager: TimeManager::pondering(go, budget) }
    }

    fn at(&self, millis: u64) -> Instant {
        self.go + Duration::from_millis(millis)
    }

    fn must_stop(&mut self, millis: u64) -> bool {
        let now = self.at(millis);
        self.manager.must_stop(now)
    }

    fn next_iteration(&mut self, millis: u64, stability: f64) -> bool {
        let now = self.at(millis);
        self.manager.after_iteration(now, stability) != search::Next::Stop
    }

    fn ponderhit(&mut self, millis: u64, renewed: Option<Budget>) {
        let now = self.at(millis);
        self.manager.ponderhit(now, renewed);
    }

    fn deadline(&self) -> Option<u64> {
        self.manager.deadline().map(|end| Millis::from(end - self.go).0)
    }
}

#[test]
fn a_search_ends_at_the_optimum_rounded_up() {
    let mut test = Test::go(floodgate());
    assert_eq!(test.deadline(), Some(63_880));
    assert!(test.next_iteration(14_238, 1.0));
    // Enough, but the fifteenth second has begun: 14880.
    assert!(test.next_iteration(14_239, 1.0));
    assert_eq!(test.deadline(), Some(14_880));
    assert!(!test.must_stop(14_879));
    assert!(test.must_stop(14_880) && !test.next_iteration(14_880, 1.0));
}

#[test]
fn an_early_wish_waits_for_the_minimum() {
    let mut test = Test::go(floodgate());
    assert!(test.next_iteration(5, 0.0));
    assert!(!test.must_stop(1879) && test.must_stop(1880));
}

#[test]
fn the_first_decision_stands() {
    let mut test = Test::go(floodgate());
    assert!(test.next_iteration(3000, 0.2));
    assert!(test.next_iteration(3500, 9.0), "the second is paid for");
    assert!(test.must_stop(3880));
}

#[test]
fn an_unsure_search_may_take_the_maximum() {
    let mut test = Test::go(floodgate());
    assert!(test.next_iteration(60_000, 50.0));
    assert!(!test.must_stop(63_879) && test.must_stop(63_880));
    let mut test = Test::go(floodgate());
    assert!(!test.next_iteration(63_880, f64::INFINITY));
    let mut test = Test::go(floodgate());
    assert!(!test.next_iteration(1_880, f64::NAN), "no number is no reason to go on");
}

#[test]
fn without_a_budget_only_stop_ends_it() {
    let go = Instant::now();
    let mut manager = TimeManager::new(go, None);
    let late = go + Duration::from_secs(1_000_000);
    assert!(!manager.must_stop(late) && (manager.after_iteration(late, 0.0) != search::Next::Stop));
    assert_eq!(manager.deadline(), None);
    assert_eq!(manager.elapsed(late), Millis::from_seconds(1_000_000));
}

#[test]
fn nothing_ends_a_search_while_pondering() {
    let mut test = Test::ponder(Some(floodgate()));
    assert!(test.manager.is_pondering());
    assert!(test.next_iteration(500_000, 0.0) && !test.must_stop(500_000));
    assert_eq!(test.deadline(), None);
}

#[test]
fn seconds_count_from_ponderhit() {
    let mut test = Test::ponder(Some(floodgate()));
    assert!(test.next_iteration(4_000, 1.0));
    test.ponderhit(5_300, None);
    assert!(!test.manager.is_pondering());
    // The latest: the whole maximum on our own clock.
    assert_eq!(test.deadline(), Some(5_300 + 63_880));
    // The pondering counts as thought: 15000 is over the optimum; on our clock it is 9700, rounded to 9880.
    assert!(test.next_iteration(15_000, 1.0));
    assert_eq!(test.deadline(), Some(5_300 + 9_880));
    assert!(test.must_stop(5_300 + 9_880));
}

#[test]
fn a_content_search_ends_soon_after_ponderhit() {
    let mut test = Test::ponder(Some(floodgate()));
    assert!(test.next_iteration(20_000, 1.0));
    test.ponderhit(30_000, None);
    // Nothing used of our clock; the least that is counted anyway is 2 s.
    assert_eq!(test.deadline(), Some(31_880));
    assert!(!test.must_stop(31_879) && test.must_stop(31_880));
}

#[test]
fn pondering_past_the_maximum_is_seen_without_an_iteration() {
    let mut test = Test::ponder(Some(floodgate()));
    test.ponderhit(100_000, None);
    assert!(!test.must_stop(100_001));
    assert_eq!(test.deadline(), Some(101_880));
}

#[test]
fn byoyomi_is_used_up_after_ponderhit_too() {
    let mut test = Test::ponder(Some(final_push()));
    assert!(test.next_iteration(20_000, 1.0));
    test.ponderhit(30_000, None);
    assert!(!test.must_stop(38_879) && test.must_stop(38_880));
}

#[test]
fn ponderhit_with_clocks_starts_afresh() {
    let mut test = Test::ponder(None);
    assert!(test.next_iteration(20_000, 1.0));
    test.ponderhit(20_500, Some(final_push()));
    assert_eq!(test.manager.budget(), Some(&final_push()));
    assert!(!test.must_stop(29_379) && test.must_stop(29_380));
}

#[test]
fn a_second_ponderhit_changes_nothing() {
    let mut test = Test::ponder(Some(final_push()));
    test.ponderhit(1_000, None);
    test.ponderhit(9_000, Some(floodgate()));
    assert!(test.must_stop(9_880));
}
