//! `tsumugi book import`: makes a book from games of any format.

use super::work::{Force, WorkArgs};
use crate::game_filters::GameFilters;
use crate::terminal::{self, Bar};
use crate::words::{SIDES, one_of};
use anyhow::ensure;
use book::{Import, KnownGame};
use library::{GameFilter, Library};
use record::convert::Screen;
use shogi::Color;
use std::path::PathBuf;

/// Make a book from games: KIF, KI2, CSA, JKF, USI and USEN files, folders and zip archives of them.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ImportArgs {
    /// Files, folders with all below them, zip archives, and patterns (quoted).
    #[arg(required_unless_present = "from_library", value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// Take the games of a library (`tsumugi games`) instead of files.
    #[arg(long, value_name = "FILE", conflicts_with = "inputs")]
    from_library: Option<PathBuf>,
    /// Only games of the library with this opening (戦型); may be given more than once.
    #[arg(long, value_name = "NAME", requires = "from_library", help_heading = "Filters")]
    opening: Vec<String>,
    /// The book to write.
    #[arg(short, long, value_name = "BOOK")]
    output: PathBuf,
    /// Use this many moves of each game.
    #[arg(long, default_value_t = 16, value_name = "N")]
    moves: usize,
    /// Use moves of this side only.
    #[arg(long, value_parser = one_of(SIDES), help_heading = "Filters")]
    side: Option<Color>,
    /// Use only moves of players whose names contain this; may be repeated.
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    player: Vec<String>,
    /// Use only moves of the winner.
    #[arg(long, help_heading = "Filters")]
    winner: bool,
    #[command(flatten)]
    filters: GameFilters,
    /// Only moves played at least this often.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Filters")]
    min_count: u64,
    /// The depth of the moves in the book; 0, because they were not searched. YaneuraOu plays only moves of depth 16
    /// and more unless its BookDepthLimit says otherwise.
    #[arg(long, value_name = "N", default_value_t = 0)]
    depth: u16,
    #[command(flatten)]
    work: WorkArgs,
}

impl ImportArgs {
    pub fn run(&self, force: Force) -> anyhow::Result<()> {
        force.check_book(&self.output)?;
        let &Self { moves, side, winner, min_count, depth, .. } = self;
        let filter = self.filters.filter(&self.player);
        let import = Import { moves, side, winner, filter, min_count, depth };
        let options = self.work.options(&self.output);
        let bar = Bar::new("importing");
        let (tell, note) = (|part| bar.tell(part), |line: &str| bar.line(line));
        let imported = match &self.from_library {
            None => import.run(&self.inputs, &self.output, &options, &tell, &note)?,
            Some(path) => {
                let library = Library::open(path)?;
                let wanted = GameFilter {
                    base: import.filter.clone(),
                    openings: self.opening.clone(),
                    variant: Some("shogi".to_owned()),
                    ..GameFilter::default()
                };
                let games = library.list(&wanted).map(|game| KnownGame {
                    line: game.line(),
                    players: [game.black, game.white],
                    result: game.result,
                });
                import.run_known(games, &self.output, &options)?
            }
        };
        drop(bar);
        terminal::tell(&imported)?;
        let failed = imported.summary.failed;
        ensure!(failed == 0, "{failed} of the inputs could not be imported");
        Ok(())
    }
}
