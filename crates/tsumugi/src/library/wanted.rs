//! Filters for games, and the rules of their variants.

use crate::game_filters::GameFilters;
use crate::games;
use library::GameFilter;
use record::freeze::NoteStyle;
use record::notation::Catalogue;

/// Filters for the games of a library.
#[derive(clap::Args, Clone, PartialEq, Debug, Default)]
pub struct WantedArgs {
    /// Only this game, as `USI_Variant` names it.
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    pub variant: Option<String>,
    /// Only games with a player whose name contains this; may be given more than once, like all following filters.
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    player: Vec<String>,
    #[command(flatten)]
    filters: GameFilters,
    /// Only games with this opening (戦型): 四間飛車, 矢倉, 相掛かり ...
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    opening: Vec<String>,
    /// Only games with this castle (囲い): 美濃囲い, 穴熊 ...
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    castle: Vec<String>,
    /// Only games of this event.
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    event: Vec<String>,
    /// Only games with this ending: 投了, 千日手 ...
    #[arg(long, value_name = "WORD", help_heading = "Filters")]
    ending: Vec<String>,
    /// Only games from files whose names contain this.
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    file: Vec<String>,
}

impl WantedArgs {
    /// The filter.
    pub fn filter(&self) -> GameFilter {
        GameFilter {
            base: self.filters.filter(&self.player),
            variant: self.variant.clone(),
            openings: self.opening.clone(),
            castles: self.castle.clone(),
            events: self.event.clone(),
            endings: self.ending.clone(),
            files: self.file.clone(),
        }
    }
}

/// All games, with those of a file if one is given.
pub fn catalogue(variant_path: Option<&str>) -> anyhow::Result<Catalogue> {
    let games = games::with_file(variant_path)?;
    Ok(Catalogue { style: NoteStyle::default(), find: Box::new(move |name| games.variant(name)) })
}

/// More games.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug, Default)]
pub struct RulesArgs {
    /// A variants.ini with more games.
    #[arg(long, value_name = "FILE")]
    variant_path: Option<String>,
}

impl RulesArgs {
    /// All games.
    pub fn catalogue(&self) -> anyhow::Result<Catalogue> {
        catalogue(self.variant_path.as_deref())
    }
}
