//! Option changes queued during a search.

use crate::options::{Event, OptionId, SetOption};

/// How an option was set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// `setoption`.
    Set(SetOption),
    /// `NAME VALUE`.
    Spoken(String),
}

/// Queued changes: the last one for each option, in the order of arrival.
#[derive(Default)]
pub(super) struct Postponed(Vec<(OptionId, Change)>);

impl Postponed {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Queues a change, replacing an earlier one of the same option. `event` is the effect that it would have had at
    /// once.
    pub(super) fn push(&mut self, event: Event, change: Change) {
        self.0.retain(|(id, _)| *id != event.id());
        self.0.push((event.id(), change));
    }

    /// Takes all queued changes.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Change> + use<> {
        std::mem::take(&mut self.0).into_iter().map(|(_, change)| change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;

    #[test]
    fn the_last_change_of_each_option_is_kept() {
        let mut options = Options::new();
        options.spin("Threads", 4, 1..=1024, "search threads");
        options.check("USI_Ponder", false, "think while the opponent does");
        let mut postponed = Postponed::default();
        let set = |arguments: &str| SetOption::parse(arguments).unwrap();
        for round in 1..=1000 {
            let command = set(&format!("name threads value {round}"));
            let event = command.apply(&mut options.clone()).unwrap();
            postponed.push(event, Change::Set(command));
            let line = "USI_Ponder true".to_owned();
            let event = options.clone().shorthand(&line).unwrap().unwrap().event.unwrap();
            postponed.push(event, Change::Spoken(line));
        }
        let kept: Vec<Change> = postponed.take().collect();
        let last = set("name threads value 1000");
        assert_eq!(kept, [Change::Set(last), Change::Spoken("USI_Ponder true".to_owned())]);
        assert!(postponed.is_empty());
    }
}
