//! Which games of a collection are wanted: the same words for every command that reads records.

use record::convert::{Date, Filter, WantedResult};

/// What is asked of a game; who played it, each command asks in its own words.
#[derive(clap::Args, Clone, PartialEq, Debug, Default)]
pub struct GameFilters {
    /// Only games between players rated so or better.
    #[arg(long, value_name = "RATING", help_heading = "Filters")]
    min_rating: Option<f64>,
    /// Only games of so many moves or more.
    #[arg(long, value_name = "N", help_heading = "Filters")]
    min_ply: Option<u32>,
    /// Only games of so many moves or fewer.
    #[arg(long, value_name = "N", help_heading = "Filters")]
    max_ply: Option<u32>,
    /// Only games that ended so: black, white, draw, decisive or unknown; may be given more than once.
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
    /// With the players that are wanted.
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
