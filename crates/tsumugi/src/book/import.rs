//! `tsumugi book import`: games of any format become a book.

use super::look::Side;
use super::work::{Bar, OutputFile, WorkArgs, print};
use crate::game_filters::GameFilters;
use anyhow::{Context, bail};
use book::{BookError, GameLine, Output, PlayedBook, write_played};
use record::convert::{Filter, LoadError, Summary, each_record, record_files};
use record::{Format, GameResult, Loaded, ReadOptions, Record};
use shogi::{Color, Position};
use std::path::{Path, PathBuf};

/// Make a book from games: KIF, KI2, CSA, JKF, USI and USEN files, folders and zip archives of them.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ImportArgs {
    /// Files, folders with all below them, zip archives, and patterns (quoted).
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// The book to write.
    #[arg(short, long, value_name = "BOOK")]
    output: PathBuf,
    /// Take so many moves of each game.
    #[arg(long, default_value_t = 16, value_name = "N")]
    moves: usize,
    /// Take moves of one side only.
    #[arg(long, value_enum, help_heading = "Filters")]
    side: Option<Side>,
    /// Take only the moves of players whose names contain this; may be given more than once.
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    player: Vec<String>,
    /// Take only the moves of the winner.
    #[arg(long, help_heading = "Filters")]
    winner: bool,
    #[command(flatten)]
    filters: GameFilters,
    /// Only moves that were played so often.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Filters")]
    min_count: u64,
    /// The depth of the moves in the book. They were not searched, so 0; YaneuraOu plays only moves of depth 16
    /// and more unless its BookDepthLimit says otherwise.
    #[arg(long, value_name = "N", default_value_t = 0)]
    depth: u16,
    #[command(flatten)]
    work: WorkArgs,
}

impl ImportArgs {
    pub fn output(&self) -> anyhow::Result<OutputFile<'_>> {
        Ok((&self.output, Output::book(&self.output)?))
    }

    pub fn run(&self) -> anyhow::Result<()> {
        let files = find_files(&self.inputs)?;
        let filter = self.filters.filter(&self.player);
        let options = self.work.options(&self.output);
        let mut book = PlayedBook::new(options.limits.clone()).with_depth(self.depth.into());
        let mut summary = Summary::default();
        let bar = Bar::new("importing");
        for (number, path) in files.iter().enumerate() {
            bar.tell(number as f64 / files.len() as f64);
            self.import_file(path, &filter, &mut book, &mut summary, &bar)?;
        }
        drop(bar);
        if summary.games == 0 {
            bail!("no game record found in {} files; nothing is written", files.len());
        }
        let positions = write_played(&self.output, book, self.min_count, &options)?;
        print(format_args!("{summary}; {positions} positions in {}", self.output.display()))?;
        if summary.failed > 0 {
            bail!("{} of the inputs could not be imported", summary.failed);
        }
        Ok(())
    }

    fn import_file(
        &self,
        path: &Path,
        filter: &Filter,
        book: &mut PlayedBook,
        summary: &mut Summary,
        bar: &Bar,
    ) -> anyhow::Result<()> {
        // Lines of moves without anything to filter by take the short way, if all of them are games.
        if self.takes_everything()
            && Format::of_path(path) == Some(Format::Usi)
            && self.import_list(path, book, summary, bar)?
        {
            return Ok(());
        }
        let mut each = |shown: &str, loaded: Result<Loaded, LoadError>| {
            let imported = loaded.map_err(|error| error.to_string()).and_then(|loaded| {
                for fault in &loaded.faults {
                    bar.note(&format!("warning: {shown}: {fault}"));
                }
                summary.faulty += usize::from(!loaded.faults.is_empty());
                self.import_game(&loaded.record, filter, book, summary)
            });
            if let Err(error) = imported {
                summary.failed += 1;
                bar.note(&format!("error: {shown}: {error}"));
            }
        };
        each_record(path, ReadOptions::default(), &mut each);
        Ok(())
    }

    fn import_game(
        &self,
        record: &Record,
        filter: &Filter,
        book: &mut PlayedBook,
        summary: &mut Summary,
    ) -> Result<(), String> {
        let game = as_line(record)?;
        summary.games += 1;
        if !filter.passes(record) {
            summary.filtered += 1;
            return Ok(());
        }
        summary.written += 1;
        let mut insert = |side| book.insert_game(&game, self.moves, side).map_err(|error| error.to_string());
        match self.sides(record)[..] {
            [] => Ok(()),
            [side] => insert(Some(side)),
            _ => insert(None),
        }
    }

    fn takes_everything(&self) -> bool {
        self.player.is_empty() && !self.winner && self.filters == GameFilters::default()
    }

    /// Tells whether it was done: a list with a line that is no game is left to the reader of records, which names it
    /// and takes the others.
    fn import_list(
        &self,
        path: &Path,
        book: &mut PlayedBook,
        summary: &mut Summary,
        bar: &Bar,
    ) -> anyhow::Result<bool> {
        let mut faulty = 0;
        let mut complain = |number: u64, _: &str, word: &str| {
            faulty += 1;
            bar.note(&format!("warning: {}:{number}: not a move here: {word}", path.display()));
        };
        let side = self.side.map(Color::from);
        let games = match book.insert_list(path, self.moves, side, &mut complain) {
            Ok(games) => games as usize,
            Err(BookError::Line { .. }) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        summary.games += games;
        summary.written += games;
        summary.faulty += faulty;
        Ok(true)
    }

    /// The sides whose moves are wanted.
    fn sides(&self, record: &Record) -> Vec<Color> {
        let named = |color: Color| {
            let name = record.header.player(color).unwrap_or_default().to_lowercase();
            self.player.is_empty() || self.player.iter().any(|wanted| name.contains(&wanted.to_lowercase()))
        };
        let won = |color: Color| !self.winner || record.result() == GameResult::Win(color);
        let asked = |color: Color| self.side.is_none_or(|side| Color::from(side) == color);
        Color::ALL.into_iter().filter(|color| named(*color) && won(*color) && asked(*color)).collect()
    }
}

fn as_line(record: &Record) -> Result<GameLine, String> {
    let start = Position::try_from(record.start.clone()).map_err(|error| error.to_string())?;
    let mut position = start.clone();
    let mut moves = Vec::new();
    for m in record.moves() {
        if !position.is_legal(m) {
            break;
        }
        position.do_move(m);
        moves.push(m);
    }
    Ok(GameLine { start, moves, bad_word: None, resigned: true })
}

/// The files behind some paths and patterns.
fn find_files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(record_files(path).with_context(|| path.display().to_string())?);
    }
    if files.is_empty() {
        bail!("no game records found");
    }
    Ok(files)
}
