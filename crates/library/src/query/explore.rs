//! The opening explorer: what was played in a position, however it was reached.

use super::GameFilter;
use crate::format::positions::Tally;
use crate::format::segment::Segment;
use crate::rules::{Grown, Looked};
use crate::store::GameView;
use crate::{GameNumber, Library, LibraryError, Place, Rules};
use game::Color;
use serde::Serialize;

/// What became of some games.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Those that Black won.
    pub black: u64,
    /// Those that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Those that do not tell who won.
    pub unknown: u64,
    /// The average rating of the players to move, of those who have one.
    pub rating: Option<f64>,
}

impl From<Tally> for Counts {
    fn from(tally: Tally) -> Self {
        let Tally { games, black, white, draws, rated, ratings } = tally;
        let unknown = games.saturating_sub(black + white + draws);
        let rating = (rated > 0).then(|| ratings / rated as f64);
        Self { games, black, white, draws, unknown, rating }
    }
}

/// A move that was played in a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Played {
    /// In USI.
    pub usi: String,
    /// As KIF writes it: ７六歩(77).
    pub text: String,
    /// What became of the games.
    #[serde(flatten)]
    pub counts: Counts,
}

/// What is known of a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Explored {
    /// The game.
    pub variant: String,
    /// The position (SFEN).
    pub position: String,
    /// The side to move.
    #[serde(serialize_with = "as_text")]
    pub side: Color,
    /// All games that reach it.
    #[serde(flatten)]
    pub counts: Counts,
    /// Games that end here.
    pub ended: u64,
    /// What was played, the most frequent move first.
    pub moves: Vec<Played>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over fields so")]
fn as_text<S: serde::Serializer>(side: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(side)
}

/// A move of a tree with what was played after it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TreeMove {
    /// The move.
    #[serde(flatten)]
    pub played: Played,
    /// The next moves, the most frequent first.
    pub moves: Vec<TreeMove>,
}

/// A game that reaches a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Hit {
    /// The game.
    pub number: GameNumber,
    /// After so many moves.
    pub ply: u32,
}

/// What was played in a position: moves, the empty one where games end, with their tallies.
type Tallies = Vec<(String, Tally)>;

impl Library {
    /// What was played in a position in the games that pass, by whatever moves they reached it. Without a filter this takes
    /// a moment only, however many games there are; with one, all games of the position are looked at.
    pub fn explore(
        &self,
        rules: Rules<'_>,
        place: &Place,
        filter: &GameFilter,
    ) -> Result<Explored, LibraryError> {
        self.check_keys(rules, &place.variant)?;
        let Looked { key, text, side } = rules.look(place, "--position")?;
        let tallies = self.tallies(key, filter);
        let mut all = Tally::default();
        for (_, tally) in &tallies {
            all.add(tally);
        }
        let ended = tallies.iter().find(|(m, _)| m.is_empty()).map_or(0, |(_, tally)| tally.games);
        let mut known = tallies.into_iter().filter(|(m, _)| !m.is_empty());
        let grown = rules.grow(place, 1, &mut |_| known.by_ref().collect())?;
        let moves = grown.into_iter().map(played).collect();
        let variant = place.variant.clone();
        Ok(Explored { variant, position: text, side, counts: all.into(), ended, moves })
    }

    /// The same for the positions that follow, `depth` moves deep; moves of fewer than `least` games are left out.
    pub fn tree(
        &self,
        rules: Rules<'_>,
        place: &Place,
        filter: &GameFilter,
        depth: u32,
        least: u64,
    ) -> Result<Vec<TreeMove>, LibraryError> {
        self.check_keys(rules, &place.variant)?;
        let mut ask = |key| -> Tallies {
            let mut tallies = self.tallies(key, filter);
            tallies.retain(|(m, tally)| !m.is_empty() && tally.games >= least.max(1));
            tallies
        };
        Ok(rules.grow(place, depth, &mut ask)?.into_iter().map(tree_move).collect())
    }

    /// The games that pass and reach a position, in the order in which they were added.
    pub fn games_at(
        &self,
        rules: Rules<'_>,
        place: &Place,
        filter: &GameFilter,
    ) -> Result<Vec<Hit>, LibraryError> {
        self.check_keys(rules, &place.variant)?;
        let looked = rules.look(place, "--position")?;
        let mut hits = Vec::new();
        for (before, segment) in self.numbered() {
            let reached = segment.positions().find(looked.key);
            let views = reached.into_iter().filter_map(|(game, ply)| view(before, segment, game, ply));
            let passing = views.filter(|(view, _)| filter.passes(view));
            hits.extend(passing.map(|(view, ply)| Hit { number: view.number, ply: u32::from(ply) }));
        }
        Ok(hits)
    }

    /// The most frequent move first; among equals in the order of their texts.
    fn tallies(&self, key: u64, filter: &GameFilter) -> Tallies {
        let mut tallies = Tallies::new();
        let mut count = |m: &str, tally: &Tally| match tallies.iter_mut().find(|(known, _)| known == m) {
            Some((_, known)) => known.add(tally),
            None => tallies.push((m.to_owned(), *tally)),
        };
        for (before, segment) in self.numbered() {
            let summary = segment.positions().summary(key);
            // A summary knows all games, also those that are gone.
            if let Some(summary) = summary.filter(|_| filter.is_open() && segment.place.deleted.is_empty()) {
                for branch in summary {
                    if let Some(row) = segment.row(branch.game) {
                        count(segment.move_at(&row, branch.ply), &branch.tally);
                    }
                }
                continue;
            }
            for (game, ply) in segment.positions().find(key) {
                let Some((view, ply)) = view(before, segment, game, ply) else { continue };
                if filter.passes(&view) {
                    let mut one = Tally::default();
                    one.count(&view.row, u32::from(ply));
                    count(segment.move_at(&view.row, ply), &one);
                }
            }
        }
        tallies.sort_by(|a, b| b.1.games.cmp(&a.1.games).then_with(|| a.0.cmp(&b.0)));
        tallies
    }
}

/// A game of the index, if it counts.
fn view(before: u64, segment: Segment<'_>, game: u32, ply: u16) -> Option<(GameView<'_>, u16)> {
    let row = segment.row(game).filter(|_| !segment.place.is_deleted(game))?;
    Some((GameView::new(before, game, segment, row), ply))
}

fn played(grown: Grown<Tally>) -> Played {
    Played { usi: grown.m, text: grown.text, counts: grown.value.into() }
}

fn tree_move(grown: Grown<Tally>) -> TreeMove {
    let Grown { m, text, value, after } = grown;
    let moves = after.into_iter().map(tree_move).collect();
    TreeMove { played: Played { usi: m, text, counts: value.into() }, moves }
}
