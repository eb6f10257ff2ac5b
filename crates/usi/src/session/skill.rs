//! Playing below strength on purpose (`SkillLevel`).

use platform::Random;
use search::{Report, Value};

/// How strong to play: 20 is full strength, 0 the weakest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Skill {
    pub(super) level: u32,
    /// Of the noise on the values.
    pub(super) seed: u64,
}

const FULL: u32 = 20;
/// Weak play needs something to choose from.
const CHOICES: usize = 4;

impl Skill {
    /// How many lines the search must find.
    pub(super) fn lines(self, wanted: usize) -> usize {
        if self.level >= FULL { wanted } else { wanted.max(CHOICES) }
    }

    /// Picks a move: at full strength the best, below it now and then a worse one. The weaker, the more a random
    /// push can outweigh what the search says.
    pub(super) fn choose<M: Copy>(
        self,
        best: M,
        ponder: Option<M>,
        mut report: Report<M>,
    ) -> (M, Option<M>, Report<M>) {
        if self.level >= FULL || report.lines.len() < 2 {
            return (best, ponder, report);
        }
        let weakness = i64::from(120 - 5 * self.level);
        let top = i64::from(report.lines[0].value.get());
        let mut random = Random::new(self.seed);
        let mut push = |value: Value| {
            let noise = random.below(weakness as usize) as i64;
            let behind = (top - i64::from(value.get())).min(2000);
            i64::from(value.get()) + (weakness * behind / 2 + noise * 300) / 128
        };
        let ranked = report.lines.iter().enumerate().take(CHOICES).max_by_key(|(_, line)| push(line.value));
        let chosen = ranked.map_or(0, |(index, _)| index);
        report.lines.swap(0, chosen);
        let line = &report.lines[0];
        (line.moves.first().copied().unwrap_or(best), line.moves.get(1).copied(), report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::{Bound, Line};
    use std::collections::BTreeSet;
    use std::time::Duration;

    fn report(values: &[i32]) -> Report<u8> {
        let line = |(index, value): (usize, &i32)| Line {
            value: Value::new(*value),
            bound: Bound::Exact,
            moves: vec![index as u8],
            selective_depth: 1,
        };
        let lines = values.iter().enumerate().map(line).collect();
        Report { depth: 1, lines, nodes: 1, elapsed: Duration::ZERO, table_fullness: 0 }
    }

    fn chosen(level: u32, values: &[i32]) -> BTreeSet<u8> {
        (0..500).map(|seed| Skill { level, seed }.choose(0, None, report(values)).0).collect()
    }

    #[test]
    fn weaker_means_more_variety() {
        assert_eq!(chosen(20, &[100, 90, 80, 70]), BTreeSet::from([0]));
        assert!(chosen(0, &[100, 90, 80, 70]).len() > 2);
        assert!(chosen(19, &[3000, -3000]).contains(&0));
        assert_eq!(Skill { level: 20, seed: 1 }.lines(1), 1);
        assert_eq!(Skill { level: 3, seed: 1 }.lines(1), CHOICES);
    }
}
