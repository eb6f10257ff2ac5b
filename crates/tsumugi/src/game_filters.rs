//! Options for selecting games, shared by all commands that read records.

use record::convert::{Date, Filter, WantedResult};

/// Conditions on games, except for players, which each command names in its own way.
#[derive(clap::Args, Clone, PartialEq, Debug, Default)]
pub struct GameFilters {
    /// Only games in which both players have at least this rating.
    #[arg(long, value_name = "RATING", help_heading = "Filters")]
    min_rating: Option<f64>,
    /// Only games of at least this many moves.
    #[arg(long, value_name = "N", help_heading = "Filters")]
    min_ply: Option<u32>,
    /// Only games of at most this many moves.
    #[arg(long, value_name = "N", help_heading = "Filters")]
    max_ply: Option<u32>,
    /// Only games with this result: black, white, draw, decisive or unknown; may be repeated.
    #[arg(long, value_name = "RESULT", help_heading = "Filters")]
    result: Vec<WantedResult>,
    /// Only games played on this day or later.
    #[arg(long, value_name = "DATE", help_heading = "Filters")]
    since: Option<Date>,
    /// Only games played on this day or before.
    #[arg(long, value_name = "DATE", help_heading = "Filters")]
    until: Option<Date>,
}

impl GameFilters {
    /// The filter, including players.
    pub fn filter(&self, players: &[String]) -> Filter {
        Filter {
            players: players.to_vec(),
            min_rating: self.min_rating,
            min_ply: self.min_ply,
            max_ply: self.max_ply,
            results: self.result.clone(),
            since: self.since,
            until: self.until,
        }
    }
}
