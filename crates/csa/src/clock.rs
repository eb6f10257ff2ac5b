//! Clocks as pure functions of the times that the server reports; no local time is measured here.
//!
//! Three peculiarities of the protocol:
//!
//! 1. an increment is added before each move, including the first. USI needs the time without it, and the
//!    increment separately;
//! 2. moves of the start position have times, but servers disagree on their effect on the clocks ([`ResumeClock`]);
//! 3. stop-watch games (`NAME-600-060`) say `1min` and count in seconds ([`TimeRule::stop_watch`]).

use game::Color;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The time of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeRule {
    /// For the whole game.
    pub total: Duration,
    /// For each move once the total is used up.
    pub byoyomi: Duration,
    /// Added before each move.
    pub increment: Duration,
    /// The least time charged for a move.
    pub least: Duration,
    /// Started units count as whole ones; otherwise only whole ones count.
    pub round_up: bool,
    /// The unit in which moves are charged.
    pub unit: Duration,
}

impl Default for TimeRule {
    fn default() -> Self {
        let zero = Duration::ZERO;
        let unit = Duration::from_secs(1);
        Self { total: zero, byoyomi: zero, increment: zero, least: zero, round_up: false, unit }
    }
}

impl TimeRule {
    /// How long the next move may take if `left` is left.
    #[must_use]
    pub fn budget(&self, left: Duration) -> Duration {
        left.saturating_add(self.byoyomi).saturating_add(self.increment)
    }

    /// The time charged for a move that took `elapsed`.
    #[must_use]
    pub fn charge(&self, elapsed: Duration) -> Duration {
        let unit = self.unit.as_nanos().max(1);
        let units = if self.round_up { elapsed.as_nanos().div_ceil(unit) } else { elapsed.as_nanos() / unit };
        let nanos = u64::try_from(units.saturating_mul(unit)).unwrap_or(u64::MAX);
        Duration::from_nanos(nanos).max(self.least)
    }

    /// The remaining total after a move that was charged `spent`; byoyomi starts again with each move.
    #[must_use]
    pub fn after(&self, left: Duration, spent: Duration) -> Duration {
        left.saturating_add(self.increment).saturating_sub(spent)
    }

    /// Whether a move that was charged `spent` came too late.
    #[must_use]
    pub fn is_lost(&self, left: Duration, spent: Duration) -> bool {
        spent >= self.budget(left)
    }

    /// The rule of a stop-watch game, if the game's name describes one: `NAME-600-060` in units of minutes means 600
    /// seconds in total, charged in whole minutes.
    #[must_use]
    pub fn stop_watch(game_id: &str) -> Option<Self> {
        // `EVENT+NAME-600-060+BLACK+WHITE+DATE`, or only the name.
        game_id.split('+').find_map(|word| {
            let mut parts = word.rsplitn(3, '-');
            let (minute, total, name) = (parts.next()?, parts.next()?, parts.next()?);
            let digits =
                |text: &str| !text.is_empty() && text.len() < 9 && text.bytes().all(|b| b.is_ascii_digit());
            let is_one = minute.len() > 1 && minute.starts_with('0') && digits(minute) && digits(total);
            (is_one && !name.is_empty()).then_some(())?;
            let seconds = |text: &str| text.parse().ok().map(Duration::from_secs);
            Some(Self {
                total: seconds(total)?,
                unit: seconds(minute)?.max(Duration::from_secs(1)),
                ..Self::default()
            })
        })
    }
}

/// The effect of a start position's moves on the clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResumeClock {
    /// Their times are subtracted and increments added, but at most the starting time is left: safe with every server.
    #[default]
    Safe,
    /// Their times are subtracted and increments added, as in the specification.
    Spec,
}

/// Both clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    /// The rules of Black and White.
    pub rules: [TimeRule; 2],
    left: [Duration; 2],
}

impl Clocks {
    /// The clocks before the first move, after the moves of the start position.
    #[must_use]
    pub fn new(rules: [TimeRule; 2], setup: &[(Color, Duration)], resume: ResumeClock) -> Self {
        let left = Color::ALL.map(|side| {
            let rule = rules[side.index()];
            let spent: Vec<_> =
                setup.iter().filter(|(mover, _)| *mover == side).map(|(_, time)| *time).collect();
            let given = rule.increment.saturating_mul(spent.len() as u32).saturating_add(rule.total);
            let left = spent.iter().fold(given, |left, time| left.saturating_sub(*time));
            if resume == ResumeClock::Safe { left.min(rule.total) } else { left }
        });
        Self { rules, left }
    }

    /// The remaining total of a side, without the increment of its next move.
    #[must_use]
    pub const fn left(&self, side: Color) -> Duration {
        self.left[side.index()]
    }

    /// How long the next move of a side may take.
    #[must_use]
    pub fn budget(&self, side: Color) -> Duration {
        self.rules[side.index()].budget(self.left(side))
    }

    /// Charges a move of a side with the time that the server reported.
    pub fn spend(&mut self, side: Color, spent: Duration) {
        self.left[side.index()] = self.rules[side.index()].after(self.left(side), spent);
    }

    /// The clocks during a move of `side` that has taken `elapsed` so far.
    #[must_use]
    pub fn lessened(mut self, side: Color, elapsed: Duration) -> Self {
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(elapsed);
        self
    }

    /// The arguments of USI's `go` for the engine of `side`. USI has either byoyomi or increments: byoyomi if this side
    /// has it; the increments of the other are then left out.
    #[must_use]
    pub fn usi_words(&self, side: Color) -> String {
        let millis = |time: Duration| time.as_millis();
        let [black, white] = self.left.map(millis);
        let rule = self.rules[side.index()];
        let [more, whites] = self.rules.map(|rule| millis(rule.increment));
        if rule.byoyomi.is_zero() && more + whites > 0 {
            format!("btime {black} wtime {white} binc {more} winc {whites}")
        } else {
            format!("btime {black} wtime {white} byoyomi {}", millis(rule.byoyomi))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};
    use proptest::prelude::*;

    fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    fn rule(total: u64, byoyomi: u64, increment: u64) -> TimeRule {
        TimeRule {
            total: seconds(total),
            byoyomi: seconds(byoyomi),
            increment: seconds(increment),
            ..TimeRule::default()
        }
    }

    #[test]
    fn an_increment_comes_before_the_move_and_is_not_in_the_time() {
        let mut clocks = Clocks::new([rule(30, 0, 5); 2], &[], ResumeClock::Safe);
        clocks.spend(Black, seconds(2));
        assert_eq!(clocks.usi_words(White), "btime 33000 wtime 30000 binc 5000 winc 5000");
        assert_eq!(clocks.budget(Black), seconds(38));
    }

    #[test]
    fn byoyomi_and_increments_are_not_mixed() {
        let rules = [rule(600, 0, 10), rule(600, 30, 0)];
        let clocks = Clocks::new(rules, &[], ResumeClock::Safe);
        assert_eq!(clocks.usi_words(White), "btime 600000 wtime 600000 byoyomi 30000");
        assert_eq!(clocks.usi_words(Black), "btime 600000 wtime 600000 binc 10000 winc 0");
        let sudden_death = Clocks::new([rule(30, 0, 0); 2], &[], ResumeClock::Safe);
        assert_eq!(sudden_death.usi_words(Black), "btime 30000 wtime 30000 byoyomi 0");
    }

    #[test]
    fn moves_of_the_start_position() {
        let setup = [(Black, seconds(5)), (White, seconds(3)), (Black, seconds(4))];
        let clocks = |resume| Clocks::new([rule(60, 0, 5); 2], &setup, resume);
        let left = |clocks: Clocks| Color::ALL.map(|side| clocks.left(side).as_secs());
        assert_eq!(left(clocks(ResumeClock::Spec)), [61, 62]);
        assert_eq!(left(clocks(ResumeClock::Safe)), [60, 60]);
        let slow = [(Black, seconds(100))];
        assert_eq!(left(Clocks::new([rule(60, 10, 0); 2], &slow, ResumeClock::Spec)), [0, 60]);
    }

    #[test]
    fn charging_and_losing() {
        let floor = rule(0, 2, 0);
        let lost =
            |rule: TimeRule, millis| rule.is_lost(Duration::ZERO, rule.charge(Duration::from_millis(millis)));
        assert!(!lost(floor, 1999) && lost(floor, 2000));
        let up = TimeRule { round_up: true, least: seconds(1), ..floor };
        assert_eq!([0, 1, 1000, 1001].map(|ms| up.charge(Duration::from_millis(ms)).as_secs()), [1, 1, 1, 2]);
        let exact = TimeRule { unit: Duration::from_millis(1), ..floor };
        assert_eq!(exact.charge(Duration::from_micros(1_234_567)), Duration::from_millis(1234));
    }

    #[test]
    fn stop_watches() {
        let found =
            |id: &str| TimeRule::stop_watch(id).map(|rule| (rule.total.as_secs(), rule.unit.as_secs()));
        assert_eq!(found("test+test-600-060+a+b+20260101000000"), Some((600, 60)));
        for id in ["test+test-600-60+a+b+2026", "floodgate-300-10F", "a-0-0", "a-600-060F", "", "-600-060"] {
            assert_eq!(found(id), None, "{id}");
        }
    }

    /// The other side of the wire: keeps a deadline by adding and subtracting, charges whole units, flags late moves.
    struct Server {
        rule: TimeRule,
        left: i128,
    }

    impl Server {
        /// The time reported, or `None` if the flag has fallen.
        fn moved(&mut self, elapsed: u64) -> Option<u64> {
            let unit = self.rule.unit.as_millis() as u64;
            let rounded = elapsed / unit * unit
                + if self.rule.round_up && !elapsed.is_multiple_of(unit) { unit } else { 0 };
            let told = rounded.max(self.rule.least.as_millis() as u64);
            self.left += self.rule.increment.as_millis() as i128;
            let byoyomi = self.rule.byoyomi.as_millis() as i128;
            if self.left - i128::from(told) + byoyomi <= 0 {
                return None;
            }
            self.left = (self.left - i128::from(told)).max(0);
            Some(told)
        }
    }

    proptest! {
        /// The client's clocks, which know nothing but the times that were told, agree with the server's after every move, and
        /// the budget is where the flag falls.
        #[test]
        fn the_clocks_of_client_and_server_agree(
            total in 0_u64..100_000, byoyomi in 0_u64..10_000, increment in 0_u64..10_000, least in 0_u64..3, round_up: bool,
            unit in prop::sample::select(vec![1_u64, 100, 1000, 60_000]), times in prop::collection::vec(0_u64..12_000, 1..60),
        ) {
            let millis = |number: u64| Duration::from_millis(number);
            let units = |number: u64| millis(number / unit * unit);
            let rule = TimeRule {
                total: units(total), byoyomi: units(byoyomi), increment: units(increment), least: millis(least * unit), round_up,
                unit: millis(unit),
            };
            let mut server = Server { rule, left: rule.total.as_millis() as i128 };
            let mut clocks = Clocks::new([rule; 2], &[], ResumeClock::Safe);
            for elapsed in times {
                let charged = rule.charge(millis(elapsed));
                let lost = rule.is_lost(clocks.left(Black), charged);
                match server.moved(elapsed) {
                    None => {
                        prop_assert!(lost);
                        return Ok(());
                    }
                    Some(told) => {
                        prop_assert!(!lost);
                        prop_assert_eq!(charged, millis(told));
                        clocks.spend(Black, millis(told));
                        prop_assert_eq!(clocks.left(Black).as_millis() as i128, server.left);
                    }
                }
            }
        }
    }
}
