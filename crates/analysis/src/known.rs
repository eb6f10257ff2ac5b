//! What is known of positions: the journal of a folder, which is its cache, too.

use crate::effort::{Effort, Limit};
use arena::Score;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A line of play and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// For the side to move.
    pub score: Score,
    /// Depth of the search.
    pub depth: Option<u32>,
    /// Positions searched so far when it was told.
    pub nodes: Option<u64>,
    /// The moves, as USI has them.
    pub pv: Vec<String>,
}

/// What is known of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// The lines of play, the best first.
    pub candidates: Vec<Candidate>,
    /// A forced mate by the side to move that the mate engine has proved.
    pub mate: Option<Vec<String>>,
}

/// One line of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The game.
    pub variant: String,
    /// What was sent as `position …`, with the number of the move left out.
    pub position: String,
    /// The engine's name, program and options.
    pub engine: String,
    /// What ended the search.
    pub limit: Limit,
    /// How many lines were looked for.
    pub lines: usize,
    /// What was found.
    pub candidates: Vec<Candidate>,
    /// What the mate engine was allowed.
    pub mate_nodes: u64,
    /// What it proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<Vec<String>>,
}

/// Entries by game and position.
#[derive(Default)]
pub struct Known {
    entries: HashMap<(String, String), Vec<Entry>>,
}

impl Known {
    /// Adds an entry.
    pub fn add(&mut self, entry: Entry) {
        let key = (entry.variant.clone(), entry.position.clone());
        self.entries.entry(key).or_default().push(entry);
    }

    /// The candidates that are good enough, if there are any: those found with just this limit, else those found with more.
    #[must_use]
    pub fn candidates(
        &self,
        place: &(String, String),
        engine: &str,
        effort: &Effort,
    ) -> Option<Vec<Candidate>> {
        let fits = |entry: &&Entry| {
            entry.engine == engine && entry.lines >= effort.lines && entry.limit.covers(effort.limit)
        };
        let exact = |entry: &&Entry| entry.limit == effort.limit && entry.lines == effort.lines;
        let best = self.entries.get(place)?.iter().filter(fits);
        let entry = best.max_by_key(|entry| (exact(entry), entry.limit.amount(), entry.lines))?;
        Some(entry.candidates.iter().take(effort.lines).cloned().collect())
    }

    /// What is known of mates: a proof holds whatever the limit was; without one, whether enough was searched.
    #[must_use]
    pub fn mate(&self, place: &(String, String), effort: &Effort) -> Option<Option<Vec<String>>> {
        if effort.mate_nodes == 0 {
            return Some(None);
        }
        let entries = self.entries.get(place)?;
        let shortest = entries.iter().filter_map(|entry| entry.mate.clone()).min_by_key(Vec::len);
        let enough = entries.iter().any(|entry| entry.mate_nodes >= effort.mate_nodes);
        if shortest.is_some() { Some(shortest) } else { enough.then_some(None) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(limit: Limit, lines: usize, cp: i32) -> Entry {
        let candidate = |index: i32| Candidate {
            score: Score::Centipawns(cp - index),
            depth: Some(3),
            nodes: None,
            pv: vec!["7g7f".to_owned()],
        };
        Entry {
            variant: "shogi".to_owned(),
            position: "p".to_owned(),
            engine: "E".to_owned(),
            limit,
            lines,
            candidates: (0..lines as i32).map(candidate).collect(),
            mate_nodes: 100,
            mate: None,
        }
    }

    #[test]
    fn more_will_do_for_less() {
        let mut known = Known::default();
        known.add(entry(Limit::Nodes(1000), 2, 10));
        known.add(entry(Limit::Nodes(5000), 1, 50));
        let place = ("shogi".to_owned(), "p".to_owned());
        let first = |limit, lines| {
            let effort = Effort { limit, lines, mate_nodes: 0 };
            known.candidates(&place, "E", &effort).map(|all| (all.len(), all[0].score.centipawns()))
        };
        assert_eq!(first(Limit::Nodes(1000), 2), Some((2, 10)));
        assert_eq!(first(Limit::Nodes(1000), 1), Some((1, 50)));
        assert_eq!(first(Limit::Nodes(5000), 2), None);
        assert_eq!(first(Limit::Depth(1), 1), None);
        let effort = |mate_nodes| Effort { limit: Limit::Nodes(1), lines: 1, mate_nodes };
        assert_eq!(known.mate(&place, &effort(0)), Some(None));
        assert_eq!(known.mate(&place, &effort(100)), Some(None));
        assert_eq!(known.mate(&place, &effort(200)), None);
        known.add(Entry { mate: Some(vec!["5c5b".to_owned()]), ..entry(Limit::Nodes(1), 1, 0) });
        assert_eq!(known.mate(&place, &effort(200)), Some(Some(vec!["5c5b".to_owned()])));
        assert!(known.candidates(&place, "other", &effort(0)).is_none());
    }

    #[test]
    fn entries_read_back() {
        let entry = Entry { mate: Some(Vec::new()), ..entry(Limit::Depth(3), 2, -5) };
        let line = serde_json::to_string(&entry).unwrap();
        assert_eq!(serde_json::from_str::<Entry>(&line).unwrap(), entry);
    }
}
