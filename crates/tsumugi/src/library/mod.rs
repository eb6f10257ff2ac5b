//! `tsumugi games`: a library of the user's games.

mod add;
mod export;
mod find;
mod print;
mod wanted;

use crate::terminal::{print, tell};
use crate::words::cores;
use add::{AddArgs, CheckArgs};
use anyhow::ensure;
use clap::Subcommand;
use export::ExportArgs;
use find::FindArgs;
use library::{Library, Rules};
use print::{csv_line, csv_names, game_line, print_json, stats_text};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use wanted::WantedArgs;

/// A library of your own games: find them by position, player, opening or pattern.
///
/// The library is one file. It indexes the games of the added files; the files stay where they are. Adding a folder
/// again reads only new and changed files.
///
///     tsumugi games --db my.games add kifu/ floodgate.zip
///     tsumugi games --db my.games list --player 羽生 --opening 矢倉
///     tsumugi games --db my.games find --moves "7g7f 3c3d" --tree 3
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct LibraryArgs {
    /// The file of the library; `add` makes it.
    #[arg(long, value_name = "FILE")]
    db: PathBuf,
    #[command(subcommand)]
    command: Commands,
}

#[derive(Subcommand, PartialEq, Debug)]
enum Commands {
    Add(AddArgs),
    List(ListArgs),
    Check(CheckArgs),
    Find(Box<FindArgs>),
    Dups(DupsArgs),
    Export(Box<ExportArgs>),
    Stats(StatsArgs),
    /// Index all positions again, after an update of the program or of a variants.ini.
    Reindex {
        #[command(flatten)]
        rules: wanted::RulesArgs,
    },
}

/// List games with their headers.
#[derive(clap::Args, PartialEq, Debug)]
struct ListArgs {
    #[command(flatten)]
    wanted: WantedArgs,
    /// Only the first N games.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// CSV for spreadsheets.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// All data, as JSON.
    #[arg(long)]
    json: bool,
}

/// Find games that were added twice: with the same moves, or as the beginning of another.
#[derive(clap::Args, PartialEq, Debug)]
struct DupsArgs {
    /// A game of at least so many moves counts as a copy of a longer game that begins with it.
    #[arg(long, value_name = "N", default_value_t = 20)]
    min_prefix: u32,
    #[command(flatten)]
    wanted: WantedArgs,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Count games by result, opening, castle, player, event, year and ending.
#[derive(clap::Args, PartialEq, Debug)]
struct StatsArgs {
    #[command(flatten)]
    wanted: WantedArgs,
    /// At most so many lines of each list.
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Everything, as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &LibraryArgs) -> anyhow::Result<()> {
    match &args.command {
        Commands::Add(add) => add.run(&args.db),
        Commands::Check(check) => check.run(&args.db),
        Commands::Reindex { rules } => {
            let catalogue = rules.catalogue()?;
            let count = library::reindex(&args.db, Rules(&catalogue), cores())?;
            Ok(tell(format_args!("{count} games indexed"))?)
        }
        Commands::List(list) => list.run(&Library::open(&args.db)?),
        Commands::Find(find) => find.run(&Library::open(&args.db)?),
        Commands::Dups(dups) => dups.run(&Library::open(&args.db)?),
        Commands::Export(export) => export.run(&Library::open(&args.db)?),
        Commands::Stats(stats) => stats.run(&Library::open(&args.db)?),
    }
}

impl ListArgs {
    fn run(&self, library: &Library) -> anyhow::Result<()> {
        let filter = self.wanted.filter();
        let mut games = library.list(&filter).take(self.limit.unwrap_or(usize::MAX));
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            print::json_array(&mut out, games)?;
        } else if self.csv {
            // Spreadsheets take UTF-8 for granted only where it says so.
            write!(out, "\u{feff}{}\r\n", csv_names())?;
            games.try_for_each(|game| write!(out, "{}\r\n", csv_line(&game)))?;
        } else {
            games.try_for_each(|game| writeln!(out, "{}", game_line(&game)))?;
        }
        Ok(out.flush()?)
    }
}

impl DupsArgs {
    fn run(&self, library: &Library) -> anyhow::Result<()> {
        let groups = library.duplicates(&self.wanted.filter(), self.min_prefix);
        if self.json {
            return print_json(&groups);
        }
        let mut out = BufWriter::new(io::stdout().lock());
        for group in &groups {
            let (first, longer) = group.copies.split_first().map_or((None, &[][..]), |(a, b)| (Some(a), b));
            for copies in first.into_iter().chain(longer) {
                for game in copies.games.iter().filter_map(|number| library.game(*number)) {
                    writeln!(out, "{}", game_line(&game))?;
                }
            }
            writeln!(out)?;
        }
        let games: usize =
            groups.iter().flat_map(|group| &group.copies).map(|copies| copies.games.len()).sum();
        writeln!(out, "{} groups, {} games more than needed", groups.len(), games - groups.len())?;
        Ok(out.flush()?)
    }
}

impl StatsArgs {
    fn run(&self, library: &Library) -> anyhow::Result<()> {
        let stats = library.stats(&self.wanted.filter());
        if self.json {
            return print_json(&stats);
        }
        ensure!(self.top > 0, "--top: expected 1 or more");
        Ok(print(stats_text(&stats, self.top))?)
    }
}
