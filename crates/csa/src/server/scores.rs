//! Standings of the players.

use arena::GameResult;
use game::Color;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The results of a player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// The name.
    pub name: String,
    /// Games played.
    pub games: u32,
    /// Won.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Half points, byes included.
    pub half_points: u32,
}

/// The results of all players so far, by name.
#[derive(Default)]
pub(super) struct Scores(BTreeMap<String, Standing>);

impl Scores {
    /// The results of a player, who is added if missing.
    pub(super) fn of(&mut self, name: &str) -> &mut Standing {
        let new = || Standing { name: name.to_owned(), ..Standing::default() };
        self.0.entry(name.to_owned()).or_insert_with(new)
    }

    /// Adds a game of Black and White.
    pub(super) fn count(&mut self, names: [&String; 2], result: Option<GameResult>) {
        for side in Color::ALL {
            let standing = self.of(names[side.index()]);
            standing.games += 1;
            let points = result.map_or(0, |result| result.half_points(side));
            standing.wins += u32::from(points == 2);
            standing.draws += u32::from(points == 1);
            standing.half_points += u32::from(points);
        }
    }

    /// The standings, best first. `points` replace the counted ones: in a tournament, byes and games won against absent players also
    /// count.
    pub(super) fn table<'a>(&self, points: impl Iterator<Item = (&'a str, u32)>) -> Vec<Standing> {
        let mut scores = self.0.clone();
        for (name, points) in points {
            if let Some(standing) = scores.get_mut(name) {
                standing.half_points = points;
            }
        }
        let mut table: Vec<_> = scores.into_values().collect();
        table.sort_by_key(|standing| Reverse((standing.half_points, standing.wins)));
        table
    }
}
