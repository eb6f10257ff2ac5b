//! Commands that think: `think`, `extend`, `mine`.

use super::look::Side;
use super::usi_thinker::UsiThinker;
use super::work::{Bar, Eol, OutputFile, print, warn};
use anyhow::{Context, bail};
use book::{
    BookError, BookFormat, Cluster, Effort, ExtendOptions, GameLine, GrowingBook, LeafPolicy, Library,
    LineEnd, Loading, MinMaxOptions, MineEnd, MinedRound, Mining, Output, OwnThinker, Pace, Plies, Problems,
    ThinkError, Thinker, extend, minmax, no_positions, parse_root, positions_of_game, positions_to_think,
    read_game_lines, read_roots, think_all,
};
use eval::{EmbeddedNet, Evaluator, LoadOptions, Material, MaterialLevel};
use shogi::{Color, Position};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Who thinks, and how long.
#[derive(clap::Args, PartialEq, Debug)]
struct ThinkerArgs {
    /// Depth of the search; the book says of its moves what was reached.
    #[arg(long, default_value_t = 24)]
    depth: u32,
    /// At most so many nodes for each position. What was searched before, to whatever depth, is not searched again.
    #[arg(long)]
    nodes: Option<u64>,
    /// How many moves for each position.
    #[arg(long, default_value_t = 1, value_name = "N")]
    lines: usize,
    /// How many positions at a time; by default one for each core.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Megabytes of memory for what all threads remember.
    #[arg(long, default_value_t = 64, value_name = "MB")]
    hash: usize,
    /// Let another engine think: "cmd=PATH option.NAME=VALUE ..."; by default our own.
    #[arg(long, value_name = "WORDS")]
    engine: Option<String>,
    /// Folder of the evaluation for our own engine, or `<material>`; by default the one built in.
    #[arg(long, value_name = "FOLDER")]
    eval: Option<PathBuf>,
    /// Save the book every so many seconds; what is found in between is in its journal.
    #[arg(long, default_value_t = 900, value_name = "SECONDS")]
    save_interval: u64,
    /// Ends of lines.
    #[arg(long, value_enum, default_value_t = Eol::Crlf, value_name = "END")]
    eol: Eol,
}

impl ThinkerArgs {
    fn effort(&self) -> Effort {
        Effort { depth: self.depth, nodes: self.nodes, lines: self.lines.max(1) }
    }

    fn line_end(&self) -> LineEnd {
        self.eol.into()
    }

    fn evaluation(&self) -> anyhow::Result<Evaluator> {
        let options = LoadOptions::default();
        if let Some(folder) = &self.eval {
            let loaded = Evaluator::load(folder, options)?;
            let (evaluator, _) = loaded.with_context(|| format!("{}: no evaluation", folder.display()))?;
            return Ok(evaluator);
        }
        match EmbeddedNet::of_build() {
            Some(net) => Ok(Evaluator::Nnue(Box::new(net.unpack(options.isa)?))),
            None => Ok(Evaluator::Material(Material::new(MaterialLevel::default()))),
        }
    }

    fn thinkers(&self) -> anyhow::Result<Vec<Box<dyn Thinker>>> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or(cores, NonZeroUsize::get);
        if let Some(words) = &self.engine {
            let start = |_| UsiThinker::start(words, self.effort()).map(|thinker| Box::new(thinker) as _);
            return (0..threads).map(start).collect();
        }
        let evaluation = self.evaluation()?;
        let megabytes = self.hash / threads;
        let start =
            |_| OwnThinker::new(&evaluation, megabytes, self.effort()).map(|thinker| Box::new(thinker) as _);
        Ok((0..threads).map(start).collect::<Result<_, _>>()?)
    }

    /// Thinks about positions with a bar; saves at the end.
    fn think(
        &self,
        growing: &mut GrowingBook,
        positions: &[Position],
        thinkers: &mut [Box<dyn Thinker>],
    ) -> Result<usize, ThinkError> {
        let bar = Bar::new("thinking");
        let pace = Pace { save_every: Duration::from_secs(self.save_interval), stop: &|| false };
        let tell = |done: usize, _: usize, _: &Position| bar.tell(done as f64 / positions.len() as f64);
        let done = think_all(growing, positions, thinkers, &pace, &tell)?;
        growing.save()?;
        Ok(done)
    }
}

/// Think about the positions of games and keep what is found in a book.
///
/// What the book knows to this depth already is left out. Killed and started again, it goes on where it was.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ThinkArgs {
    /// The games, one to a line: `startpos moves ...` or `sfen ... moves ...`.
    games: PathBuf,
    /// The book, new or old.
    book: PathBuf,
    /// From this move of each game on.
    #[arg(long, default_value_t = 1, value_name = "N")]
    start_moves: usize,
    /// Up to this move.
    #[arg(long, default_value_t = 16, value_name = "N")]
    moves: usize,
    /// Only positions of one side.
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// One machine's share of the work: I/N.
    #[arg(long, value_parser = parse_cluster, default_value = "1/1", value_name = "I/N")]
    cluster: ClusterArg,
    #[command(flatten)]
    thinker: ThinkerArgs,
}

/// A share of the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ClusterArg(Cluster);

fn parse_cluster(text: &str) -> Result<ClusterArg, String> {
    let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    let cluster = parts.and_then(|(number, of)| Cluster::new(number, of));
    cluster.map(ClusterArg).ok_or_else(|| format!("expected a share such as 2/3, found `{text}`"))
}

fn read_games(path: &Path, most: usize) -> anyhow::Result<Vec<GameLine>> {
    let mut games = Vec::new();
    read_game_lines(path, most, |_, _, game| {
        games.push(game);
        Ok(())
    })?;
    Ok(games)
}

impl ThinkArgs {
    pub fn output(&self) -> OutputFile<'_> {
        (&self.book, Output::Book(BookFormat::Db))
    }

    pub fn run(&self) -> anyhow::Result<()> {
        let games = read_games(&self.games, self.moves)?;
        let side = self.side.map(Color::from);
        let candidates: Vec<Position> = games
            .iter()
            .flat_map(|game| positions_of_game(game, self.start_moves, self.moves, side))
            .collect();
        if candidates.is_empty() {
            bail!(no_positions(&self.games, self.start_moves, self.moves));
        }
        let mut growing = GrowingBook::open(&self.book, self.thinker.line_end())?;
        warn(growing.problems());
        let positions =
            positions_to_think(candidates, growing.book(), self.thinker.effort().wanted(), self.cluster.0);
        let done = if positions.is_empty() {
            0
        } else {
            self.thinker.think(&mut growing, &positions, &mut self.thinker.thinkers()?)?
        };
        let place = self.book.display();
        if growing.close()? {
            print(format_args!("{done} positions thought about, {place}"))?;
        } else {
            print(format_args!("nothing new to think about, {place} stays as it is"))?;
        }
        Ok(())
    }
}

/// Write the lines that lead just out of a book, or go on to think about them, again and again.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ExtendArgs {
    /// The book.
    book: PathBuf,
    /// Where to begin, one `startpos moves ...` to a line.
    roots: PathBuf,
    /// Where to write the lines.
    out: PathBuf,
    /// Follow moves of Black that are worth this or more.
    #[arg(long, default_value_t = -50, allow_negative_numbers = true, value_name = "VALUE")]
    black_limit: i32,
    /// Follow moves of White that are worth this or more.
    #[arg(long, default_value_t = -150, allow_negative_numbers = true, value_name = "VALUE")]
    white_limit: i32,
    /// Only leaves behind a move worth from A to B.
    #[arg(long, num_args = 2, value_names = ["A", "B"], allow_negative_numbers = true)]
    range: Option<Vec<i32>>,
    /// Not beyond this move.
    #[arg(long, default_value_t = 320, value_name = "N")]
    max_ply: u32,
    /// Think about the lines and extend again, so many times.
    #[arg(long, default_value_t = 0, value_name = "N")]
    rounds: u32,
    /// A position after another number of moves is the same (`IgnoreBookPly`).
    #[arg(long)]
    ignore_ply: bool,
    #[command(flatten)]
    thinker: ThinkerArgs,
}

impl ExtendArgs {
    pub fn outputs(&self) -> Vec<OutputFile<'_>> {
        let lines = (self.out.as_path(), Output::Lines);
        let book = (self.rounds > 0).then_some((self.book.as_path(), Output::Book(BookFormat::Db)));
        book.into_iter().chain([lines]).collect()
    }

    pub fn run(&self) -> anyhow::Result<()> {
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
            for line in problems.remarks() {
                eprintln!("info string {line}");
            }
            Ok::<_, BookError>(count)
        };
        let mut count = extend()?;
        print(format_args!("{count} lines in {}", self.out.display()))?;
        if self.rounds == 0 {
            return Ok(());
        }
        let mut thinkers = self.thinker.thinkers()?;
        for _ in 0..self.rounds {
            if count == 0 {
                break;
            }
            let games = read_games(&self.out, usize::MAX)?;
            let ends =
                games.iter().flat_map(|game| positions_of_game(game, game.moves.len() + 1, usize::MAX, None));
            let mut growing = GrowingBook::open(&self.book, self.thinker.line_end())?;
            let positions =
                positions_to_think(ends, growing.book(), self.thinker.effort().wanted(), Cluster::default());
            let done = self.thinker.think(&mut growing, &positions, &mut thinkers)?;
            growing.close()?;
            count = extend()?;
            print(format_args!("{done} positions thought about, {count} lines in {}", self.out.display()))?;
        }
        Ok(())
    }
}

/// Let a book grow by itself: min-max, choose where it ends, think there, and again, for as long as you like.
///
/// Everything that is found is in the journal of the book at once. Killed and started again, it goes on.
#[derive(clap::Args, PartialEq, Debug)]
pub struct MineArgs {
    /// The book, new or old. It keeps the values that were thought; OUT gets those of the min-max.
    book: PathBuf,
    /// Write the min-maxed book here after each round.
    #[arg(long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Where to begin, one `startpos moves ...` to a line; by default the start position.
    #[arg(long, value_name = "FILE")]
    roots: Option<PathBuf>,
    /// How many rounds.
    #[arg(long, default_value_t = 10, value_name = "N")]
    rounds: u64,
    /// How many positions are thought about in a round.
    #[arg(long, default_value_t = 100, value_name = "N")]
    leaves: usize,
    /// How to choose them.
    #[arg(long, value_enum, default_value_t = Policy::Next)]
    policy: Policy,
    /// With `refutation`: by how much min-max must have turned against a move.
    #[arg(long, default_value_t = 100, value_name = "VALUE")]
    margin: i32,
    /// With `unsolved`: the games, one to a line.
    #[arg(long, value_name = "FILE", required_if_eq("policy", "unsolved"))]
    games: Option<PathBuf>,
    /// With `opponent`: the book to play against.
    #[arg(long, value_name = "BOOK", required_if_eq("policy", "opponent"))]
    opponent: Option<PathBuf>,
    /// With `opponent`: our side.
    #[arg(long, value_enum, default_value_t = Side::Black)]
    side: Side,
    #[command(flatten)]
    thinker: ThinkerArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Policy {
    /// The ends of the best lines.
    Next,
    /// Lines that min-max has turned against.
    Refutation,
    /// Positions from which a move leads back into the book.
    Rejoin,
    /// Where games leave the book.
    Unsolved,
    /// Where another book leaves ours.
    Opponent,
}

impl MineArgs {
    pub fn outputs(&self) -> anyhow::Result<Vec<OutputFile<'_>>> {
        let mut outputs = vec![(self.book.as_path(), Output::Book(BookFormat::Db))];
        if let Some(out) = &self.out {
            outputs.push((out, Output::book(out)?));
        }
        Ok(outputs)
    }

    pub fn run(&self) -> anyhow::Result<()> {
        let roots = match &self.roots {
            Some(path) => read_roots(path)?,
            None => vec![parse_root("startpos")?],
        };
        let games =
            self.games.as_ref().map(|path| read_games(path, usize::MAX)).transpose()?.unwrap_or_default();
        let mut library = Library::default();
        if let Some(path) = &self.opponent {
            library.add(path, Loading::Memory)?;
        }
        let policy = match self.policy {
            Policy::Next => LeafPolicy::Next,
            Policy::Refutation => LeafPolicy::Refutation { margin: self.margin },
            Policy::Rejoin => LeafPolicy::Rejoin,
            Policy::Unsolved => LeafPolicy::Unsolved { games: &games },
            Policy::Opponent => LeafPolicy::Opponent { library: &library, side: self.side.into() },
        };
        let mut thinkers = self.thinker.thinkers()?;
        let growing = GrowingBook::open(&self.book, self.thinker.line_end())?;
        warn(growing.problems());
        let wanted = self.thinker.effort().wanted();
        let (book, rounds, leaves) = (&self.book, self.rounds, self.leaves);
        let mining = Mining { book, roots: &roots, policy, rounds, leaves, wanted };
        let mut failed = None;
        let mut tell = |done: &MinedRound| {
            let seconds = done.took.as_secs_f64();
            let line = format!(
                "round {} of {rounds}: {} positions in {seconds:.1} s, {} in the book",
                done.round, done.done, done.positions
            );
            failed = print(line).err();
            failed.is_none()
        };
        let mut think = |growing: &mut GrowingBook, positions: &[Position]| {
            self.thinker.think(growing, positions, &mut thinkers)
        };
        let end = mining.run(growing, &mut think, &mut tell)?;
        if let Some(error) = failed {
            return Err(error.into());
        }
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
