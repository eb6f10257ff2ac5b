//! `tsumugi book import`: games of any format become a book.

use super::look::Side;
use super::work::{Bar, WorkArgs, print};
use crate::game_filters::GameFilters;
use anyhow::{Context, bail};
use book::{Collection, Entry, GameLine, Plies, insert_game};
use record::convert::Filter;
use record::{Format, GameResult, Games, ReadOptions, Record};
use shogi::{Color, Position};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Make a book from games: KIF, KI2, CSA, JKF, USI and USEN files and folders of them.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ImportArgs {
    /// Files, and folders with all below them.
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
    #[command(flatten)]
    work: WorkArgs,
}

/// What became of the games.
#[derive(Default)]
struct Tally {
    games: usize,
    filtered: usize,
    bad: usize,
}

impl ImportArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let files = find_files(&self.inputs)?;
        let filter = self.filters.filter(&self.player);
        let mut book = Collection::new(Plies::Matter);
        let mut tally = Tally::default();
        let bar = Bar::new("importing");
        for (number, path) in files.iter().enumerate() {
            bar.tell(number as f64 / files.len() as f64);
            self.import_file(path, &filter, &mut book, &mut tally, &bar)
                .with_context(|| path.display().to_string())?;
        }
        drop(bar);
        let entries = book.entries().filter_map(|entry| self.frequent(entry));
        let options = self.work.options(&self.output);
        let mut sorter = book::EntrySorter::new(options.limits.clone());
        sorter.push_all(&mut book::Entries::new(entries), &self.output)?;
        let summary = book::write_any(&self.output, &mut sorter.finish()?, &options)?;
        print(format_args!(
            "{} games, {} filtered out, {} unreadable; {} positions in {}",
            tally.games,
            tally.filtered,
            tally.bad,
            summary.positions,
            self.output.display()
        ))?;
        Ok(())
    }

    fn frequent(&self, mut entry: Entry) -> Option<Entry> {
        entry.moves.retain(|m| m.count >= self.min_count);
        Some(entry).filter(|entry| !entry.moves.is_empty())
    }

    fn import_file(
        &self,
        path: &Path,
        filter: &Filter,
        book: &mut Collection,
        tally: &mut Tally,
        bar: &Bar,
    ) -> anyhow::Result<()> {
        if self.takes_everything() && Format::of_path(path) == Some(Format::Usi) {
            // Lines of moves without anything to filter by take the short way.
            return self.import_list(path, book, tally, bar);
        }
        let options = ReadOptions { promised: Format::of_path(path), ..ReadOptions::default() };
        for game in Games::new(BufReader::new(File::open(path)?), options)? {
            let record = match record::read(&game?, &options) {
                Ok(loaded) => loaded.record,
                Err(error) => {
                    tally.bad += 1;
                    bar.note(&format!("warning: {}: {error}", path.display()));
                    continue;
                }
            };
            tally.games += 1;
            if !filter.passes(&record) {
                tally.filtered += 1;
                continue;
            }
            let Some(mut game) = as_line(&record) else {
                tally.bad += 1;
                continue;
            };
            for side in self.sides(&record) {
                insert_game(book, &mut game, self.moves, Some(side));
            }
        }
        Ok(())
    }

    fn takes_everything(&self) -> bool {
        self.player.is_empty() && !self.winner && self.filters == GameFilters::default()
    }

    fn import_list(
        &self,
        path: &Path,
        book: &mut Collection,
        tally: &mut Tally,
        bar: &Bar,
    ) -> anyhow::Result<()> {
        book::read_game_lines(path, self.moves + 1, |number, _, mut game| {
            tally.games += 1;
            if let Some(word) = &game.bad_word {
                bar.note(&format!("warning: {}:{number}: not a move here: {word}", path.display()));
            }
            insert_game(book, &mut game, self.moves, self.side.map(Color::from));
            Ok(())
        })?;
        Ok(())
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

fn as_line(record: &Record) -> Option<GameLine> {
    let start = Position::try_from(record.start.clone()).ok()?;
    let mut position = start.clone();
    let mut moves = Vec::new();
    for m in record.moves() {
        if !position.is_legal(m) {
            break;
        }
        position.do_move(m);
        moves.push(m);
    }
    Some(GameLine { start, moves, bad_word: None, resigned: true })
}

/// The files behind some paths, folders in the order of names.
fn find_files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open: Vec<(PathBuf, bool)> = paths.iter().rev().map(|path| (path.clone(), true)).collect();
    while let Some((path, named)) = open.pop() {
        let metadata = path.metadata().with_context(|| path.display().to_string())?;
        if metadata.is_dir() {
            let listed = path.read_dir().with_context(|| path.display().to_string())?;
            let mut below: Vec<PathBuf> =
                listed.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
            below.sort();
            open.extend(below.into_iter().rev().map(|path| (path, false)));
        } else if named
            || Format::of_path(&path).is_some()
            || path.extension().is_some_and(|end| end == "txt")
        {
            files.push(path);
        }
    }
    if files.is_empty() {
        bail!("no game records found");
    }
    Ok(files)
}
