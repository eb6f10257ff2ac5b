//! What a library holds, in numbers.

use super::{Counts, GameFilter};
use crate::Library;
use crate::format::positions::Tally;
use crate::format::row::Text;
use game::Color;
use record::convert::GameFacts;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};

/// How often something occurs, and how those games ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Count {
    /// What it is: a player, an opening, a year.
    pub name: String,
    /// The games.
    #[serde(flatten)]
    pub counts: Counts,
}

/// What a library holds. Lists begin with what occurs most; openings and castles count once for a game in which either side has
/// them, players once for each game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stats {
    /// All games that pass.
    pub all: Counts,
    /// Moves in them.
    pub plies: u64,
    /// Files that they came from.
    pub files: u64,
    /// Entries of the index of positions, of all games.
    pub positions: u64,
    /// Bytes of the library's file.
    pub bytes: u64,
    /// Kinds of games.
    pub variants: Vec<Count>,
    /// Openings (shogi only).
    pub openings: Vec<Count>,
    /// Castles (shogi only).
    pub castles: Vec<Count>,
    /// How games ended.
    pub endings: Vec<Count>,
    /// Years, in their order.
    pub years: Vec<Count>,
    /// Events.
    pub events: Vec<Count>,
    /// Players.
    pub players: Vec<Count>,
}

type Groups = BTreeMap<String, Tally>;

impl Library {
    /// Counts the games that pass.
    #[must_use]
    pub fn stats(&self, filter: &GameFilter) -> Stats {
        let (mut all, mut plies, mut files) = (Tally::default(), 0, HashSet::new());
        let mut groups: [Groups; 7] = Default::default();
        for view in self.views().filter(|view| filter.passes(view)) {
            let (segment, row) = (view.segment, view.row);
            let text = |text| segment.text(&row, text);
            all.count(&row, 0);
            plies += u64::from(row.plies);
            files.insert(segment.path(row.file));
            let words = |of: [Text; 2]| -> HashSet<&str> {
                of.into_iter().flat_map(|of| text(of).split_whitespace()).collect()
            };
            let year = view.date().map(|date| date.to_string().chars().take(4).collect::<String>());
            let players = Color::ALL.into_iter().filter_map(|color| view.player(color));
            let names: [Vec<&str>; 7] = [
                vec![text(Text::Variant)],
                words([Text::BlackOpening, Text::WhiteOpening]).into_iter().collect(),
                words([Text::BlackCastle, Text::WhiteCastle]).into_iter().collect(),
                vec![text(Text::Ending)],
                year.as_deref().into_iter().collect(),
                vec![text(Text::Event)],
                players.collect::<HashSet<_>>().into_iter().collect(),
            ];
            for (group, names) in groups.iter_mut().zip(names) {
                for name in names.into_iter().filter(|name| !name.is_empty()) {
                    match group.get_mut(name) {
                        Some(tally) => tally.count(&row, 0),
                        None => group.entry(name.to_owned()).or_default().count(&row, 0),
                    }
                }
            }
        }
        let [variants, openings, castles, endings, years, events, players] = groups;
        Stats {
            all: without_rating(all),
            plies,
            files: files.len() as u64,
            positions: self.positions(),
            bytes: self.bytes(),
            variants: by_frequency(variants),
            openings: by_frequency(openings),
            castles: by_frequency(castles),
            endings: by_frequency(endings),
            years: counted(years),
            events: by_frequency(events),
            players: by_frequency(players),
        }
    }
}

/// The average rating of the players who move first says little here.
fn without_rating(tally: Tally) -> Counts {
    Counts { rating: None, ..tally.into() }
}

fn counted(groups: Groups) -> Vec<Count> {
    groups.into_iter().map(|(name, tally)| Count { name, counts: without_rating(tally) }).collect()
}

fn by_frequency(groups: Groups) -> Vec<Count> {
    let mut counts = counted(groups);
    counts.sort_by_key(|count| std::cmp::Reverse(count.counts.games));
    counts
}
