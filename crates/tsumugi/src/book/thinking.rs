//! Commands that search positions: `think`, `extend`, `mine`.

use super::work::{Force, warn};
use crate::terminal::{Bar, print};
use crate::words::{LINE_ENDS, SIDES, cores, one_of};
use anyhow::Context;
use book::{
    BookError, BookFormat, Cluster, Effort, ExtendOptions, GrowingBook, LeafPolicy, Library, LineEnd,
    Loading, MinMaxOptions, MineEnd, Mining, Output, OwnThinker, Pace, Plies, Problems, ThinkError, Thinker,
    extend, minmax, parse_root, positions_of_game, positions_of_lists, positions_to_think, read_games,
    read_roots, think_all,
};
use engines::UsiThinker;
use eval::{Evaluator, LoadOptions};
use shogi::{Color, Position};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The engine and its limits.
#[derive(clap::Args, PartialEq, Debug)]
struct ThinkerArgs {
    /// Depth of the search; the book records the depth reached.
    #[arg(long, default_value_t = 24)]
    depth: u32,
    /// Limit of nodes per position. Positions searched before, to any depth, are not searched again.
    #[arg(long)]
    nodes: Option<u64>,
    /// Number of moves per position.
    #[arg(long, default_value_t = 1, value_name = "N")]
    lines: usize,
    /// Number of parallel searches; by default one per core.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Total size of the tables in megabytes.
    #[arg(long, default_value_t = 64, value_name = "MB")]
    hash: usize,
    /// Use another engine: "cmd=PATH option.NAME=VALUE ..."; by default our own.
    #[arg(long, value_name = "WORDS")]
    engine: Option<String>,
    /// Folder of the evaluation for our own engine, or `<material>`; by default the one built in.
    #[arg(long, value_name = "FOLDER")]
    eval: Option<PathBuf>,
    /// Seconds between saves of the book; results in between are in its journal.
    #[arg(long, default_value_t = 900, value_name = "SECONDS")]
    save_interval: u64,
    /// Line ends.
    #[arg(long, value_parser = one_of(LINE_ENDS), default_value = "crlf", value_name = "END")]
    eol: LineEnd,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    hub: crate::cluster::HubChoice,
}

/// What searches positions.
enum Thinkers {
    /// Engines on this machine.
    Here(Vec<Box<dyn Thinker>>),
    /// The workers of a hub.
    #[cfg(feature = "cluster")]
    Hub(Box<super::hub::HubThinker>),
}

impl ThinkerArgs {
    fn effort(&self) -> Effort {
        Effort { depth: self.depth, nodes: self.nodes, multi_pv: self.lines.max(1) }
    }

    fn evaluation(&self) -> anyhow::Result<Evaluator> {
        let options = LoadOptions::default();
        let Some(folder) = &self.eval else { return Ok(Evaluator::built_in(options)?) };
        let loaded = Evaluator::load(folder, options)?;
        Ok(loaded.with_context(|| format!("{}: no evaluation", folder.display()))?.0)
    }

    fn thinkers(&self) -> anyhow::Result<Thinkers> {
        let threads = self.threads.map_or_else(cores, NonZeroUsize::get);
        #[cfg(feature = "cluster")]
        if let Some(hub) = self.hub.connect()? {
            anyhow::ensure!(
                self.engine.is_none(),
                "--engine: not over a hub, whose workers search with this program; leave out --engine or --hub"
            );
            let megabytes = self.hash / threads;
            let thinker = super::hub::HubThinker::new(hub, self.eval.as_deref(), megabytes, self.effort())?;
            return Ok(Thinkers::Hub(Box::new(thinker)));
        }
        self.own_thinkers(threads).map(Thinkers::Here)
    }

    fn own_thinkers(&self, threads: usize) -> anyhow::Result<Vec<Box<dyn Thinker>>> {
        if let Some(words) = &self.engine {
            let start = |_| Ok(Box::new(UsiThinker::start(words, self.effort())?) as _);
            return (0..threads).map(start).collect();
        }
        let evaluation = self.evaluation()?;
        let megabytes = self.hash / threads;
        let start = |_| Ok(Box::new(OwnThinker::new(&evaluation, megabytes, self.effort())?) as _);
        (0..threads).map(start).collect()
    }

    /// Searches positions with a progress bar; saves at the end.
    fn think(
        &self,
        growing: &mut GrowingBook,
        positions: &[Position],
        thinkers: &mut Thinkers,
    ) -> Result<usize, ThinkError> {
        let thinkers = match thinkers {
            Thinkers::Here(thinkers) => thinkers,
            #[cfg(feature = "cluster")]
            Thinkers::Hub(hub) => return hub.think(growing, positions),
        };
        let bar = Bar::new("thinking");
        let pace = Pace { save_every: Duration::from_secs(self.save_interval), stop: &|| false };
        let tell = |done: usize, _: usize, _: &Position| bar.tell(done as f64 / positions.len() as f64);
        let done = think_all(growing, positions, thinkers, &pace, &tell)?;
        growing.save()?;
        Ok(done)
    }
}

/// Search the positions of games and write the results to a book.
///
/// Positions that the book already has to this depth are left out. If killed and started again, it resumes.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ThinkArgs {
    /// The games, one per line: `startpos moves ...` or `sfen ... moves ...`.
    games: PathBuf,
    /// The book, new or existing.
    book: PathBuf,
    /// From this move of each game.
    #[arg(long, default_value_t = 1, value_name = "N")]
    start_moves: usize,
    /// Up to this move.
    #[arg(long, default_value_t = 16, value_name = "N")]
    moves: usize,
    /// Only positions of one side.
    #[arg(long, value_parser = one_of(SIDES))]
    side: Option<Color>,
    /// This machine's part of the work: I/N.
    #[arg(long, default_value = "1/1", value_name = "I/N")]
    cluster: Cluster,
    #[command(flatten)]
    thinker: ThinkerArgs,
}

impl ThinkArgs {
    pub fn run(&self, force: Force) -> anyhow::Result<()> {
        force.check(&self.book, Output::Book(BookFormat::Db))?;
        let games = [(self.games.clone(), self.side)];
        let candidates = positions_of_lists(&games, self.start_moves, self.moves, &mut |_, _, _| ())?;
        let mut growing = GrowingBook::open(&self.book, self.thinker.eol)?;
        warn(growing.problems());
        let wanted = self.thinker.effort().wanted();
        let positions = positions_to_think(candidates, growing.book(), wanted, self.cluster);
        let none = Thinkers::Here(Vec::new());
        let mut thinkers = if positions.is_empty() { none } else { self.thinker.thinkers()? };
        let done = self.thinker.think(&mut growing, &positions, &mut thinkers)?;
        let place = self.book.display();
        Ok(if growing.close()? {
            print(format_args!("{done} positions thought about, {place}"))
        } else {
            print(format_args!("nothing new to think about, {place} stays as it is"))
        }?)
    }
}

/// Write the lines that lead just out of a book, or search them, repeatedly.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ExtendArgs {
    /// The book.
    book: PathBuf,
    /// The roots, one `startpos moves ...` per line.
    roots: PathBuf,
    /// The file for the lines.
    out: PathBuf,
    /// Follow moves of Black with at least this value.
    #[arg(long, default_value_t = -50, allow_negative_numbers = true, value_name = "VALUE")]
    black_limit: i32,
    /// Follow moves of White with at least this value.
    #[arg(long, default_value_t = -150, allow_negative_numbers = true, value_name = "VALUE")]
    white_limit: i32,
    /// Only leaves after a move with a value from A to B.
    #[arg(long, num_args = 2, value_names = ["A", "B"], allow_negative_numbers = true)]
    range: Option<Vec<i32>>,
    /// Not beyond this move.
    #[arg(long, default_value_t = 320, value_name = "N")]
    max_ply: u32,
    /// Search the lines and extend again, this many times.
    #[arg(long, default_value_t = 0, value_name = "N")]
    rounds: u32,
    /// Positions with different move numbers are the same (`IgnoreBookPly`).
    #[arg(long)]
    ignore_ply: bool,
    #[command(flatten)]
    thinker: ThinkerArgs,
}

impl ExtendArgs {
    pub fn run(&self, force: Force) -> anyhow::Result<()> {
        if self.rounds > 0 {
            force.check(&self.book, Output::Book(BookFormat::Db))?;
        }
        force.check(&self.out, Output::Lines)?;
        let options = ExtendOptions {
            black_limit: self.black_limit,
            white_limit: self.white_limit,
            range: self.range.as_ref().map(|range| (range[0], range[1])),
            max_ply: self.max_ply,
        };
        let plies = if self.ignore_ply { Plies::Ignored } else { Plies::Matter };
        let extend = || {
            let problems = Problems::stop();
            let count = extend(&self.book, &self.roots, &self.out, options, plies, &problems)?;
            problems.remarks().iter().for_each(|line| eprintln!("info string {line}"));
            Ok::<_, BookError>(count)
        };
        let mut count = extend()?;
        let place = self.out.display();
        print(format_args!("{count} lines in {place}"))?;
        let none = Thinkers::Here(Vec::new());
        let mut thinkers = if self.rounds > 0 { self.thinker.thinkers()? } else { none };
        for _ in 0..self.rounds {
            if count == 0 {
                break;
            }
            let games = read_games(&self.out)?;
            let ends =
                games.iter().flat_map(|game| positions_of_game(game, game.moves.len() + 1, usize::MAX, None));
            let mut growing = GrowingBook::open(&self.book, self.thinker.eol)?;
            let wanted = self.thinker.effort().wanted();
            let positions = positions_to_think(ends, growing.book(), wanted, Cluster::default());
            let done = self.thinker.think(&mut growing, &positions, &mut thinkers)?;
            growing.close()?;
            count = extend()?;
            print(format_args!("{done} positions thought about, {count} lines in {place}"))?;
        }
        Ok(())
    }
}

/// Grow a book in rounds: min-max, choose positions at its edge, search them, and repeat.
///
/// Results go to the book's journal at once. If killed and started again, it resumes.
#[derive(clap::Args, PartialEq, Debug)]
pub struct MineArgs {
    /// The book, new or existing. It keeps the values of searches; OUT gets those of the min-max.
    book: PathBuf,
    /// Write the min-maxed book here after each round.
    #[arg(long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// The roots, one `startpos moves ...` per line; by default the start position.
    #[arg(long, value_name = "FILE")]
    roots: Option<PathBuf>,
    /// Number of rounds.
    #[arg(long, default_value_t = 10, value_name = "N")]
    rounds: u64,
    /// Number of positions searched per round.
    #[arg(long, default_value_t = 100, value_name = "N")]
    leaves: usize,
    /// How to choose positions.
    #[arg(long, value_enum, default_value_t = Policy::Next)]
    policy: Policy,
    /// With `refutation`: minimum loss of the move by min-max.
    #[arg(long, default_value_t = 100, value_name = "VALUE")]
    margin: i32,
    /// With `unsolved`: the games, one per line.
    #[arg(long, value_name = "FILE", required_if_eq("policy", "unsolved"))]
    games: Option<PathBuf>,
    /// With `opponent`: the book of the opponent.
    #[arg(long, value_name = "BOOK", required_if_eq("policy", "opponent"))]
    opponent: Option<PathBuf>,
    /// With `opponent`: our side.
    #[arg(long, value_parser = one_of(SIDES), default_value = "black")]
    side: Color,
    #[command(flatten)]
    thinker: ThinkerArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Policy {
    /// The ends of the best lines.
    Next,
    /// Lines that min-max has refuted.
    Refutation,
    /// Positions from which a move leads back into the book.
    Rejoin,
    /// Where games leave the book.
    Unsolved,
    /// Where another book leaves ours.
    Opponent,
}

impl MineArgs {
    pub fn run(&self, force: Force) -> anyhow::Result<()> {
        // The name of OUT is checked before anything is read.
        let out = self.out.as_ref().map(|out| Ok::<_, BookError>((out, Output::book(out)?))).transpose()?;
        force.check(&self.book, Output::Book(BookFormat::Db))?;
        if let Some((out, output)) = out {
            force.check(out, output)?;
        }
        let roots = match &self.roots {
            Some(path) => read_roots(path)?,
            None => vec![parse_root("startpos")?],
        };
        let games = self.games.as_ref().map(|path| read_games(path)).transpose()?.unwrap_or_default();
        let library = Library::open(self.opponent.as_slice(), Loading::Memory)?;
        let policy = match self.policy {
            Policy::Next => LeafPolicy::Next,
            Policy::Refutation => LeafPolicy::Refutation { margin: self.margin },
            Policy::Rejoin => LeafPolicy::Rejoin,
            Policy::Unsolved => LeafPolicy::Unsolved { games: &games },
            Policy::Opponent => LeafPolicy::Opponent { library: &library, side: self.side },
        };
        let mut thinkers = self.thinker.thinkers()?;
        let growing = GrowingBook::open(&self.book, self.thinker.eol)?;
        warn(growing.problems());
        let wanted = self.thinker.effort().wanted();
        let (book, rounds, leaves) = (&self.book, self.rounds, self.leaves);
        let mining = Mining { book, roots: &roots, policy, rounds, leaves, wanted };
        let mut printed = Ok(());
        let mut tell = |line: &str| {
            printed = print(line);
            printed.is_ok()
        };
        let mut think = |growing: &mut GrowingBook, positions: &[Position]| {
            self.thinker.think(growing, positions, &mut thinkers)
        };
        let end = mining.run(growing, &mut think, &mut tell)?;
        printed?;
        if end == MineEnd::NothingLeft {
            print("nothing is left to think about")?;
        }
        if let Some(out) = &self.out {
            minmax(&self.book, out, &MinMaxOptions::default(), &|_, _| ())?;
            print(format_args!("min-maxed book in {}", out.display()))?;
        }
        Ok(())
    }
}
