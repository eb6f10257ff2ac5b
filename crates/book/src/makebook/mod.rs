//! The console command `makebook …`, with YaneuraOu's syntax.

mod stera;

use crate::error::At;
use crate::{
    BUILD_PLIES, BookError, BookFormat, Cluster, Collection, Contempt, Effort, ExtendOptions, GrowingBook,
    LineEnd, MergePolicy, MinMaxOptions, Noise, Output, OwnThinker, PLAYED_DEPTH, Pace, PlayedBook, Plies,
    Problems, SolvedBook, SortLimits, ThinkError, Thinker, WorkOptions, build_tree, build_tree_from,
    convert_book, extend, merge_books, minmax, parse_root, positions_of_game, positions_of_lists,
    positions_to_think, read_collection, read_game_lines, read_roots, sort_book, start_positions, think_all,
    write_entries, write_lines, write_played,
};
use eval::Evaluator;
use shogi::{Color, Position};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why `makebook` failed.
#[derive(Debug, thiserror::Error)]
pub enum MakebookError {
    /// Wrong arguments.
    #[error("{0}")]
    Usage(String),
    /// A book could not be read or written.
    #[error(transparent)]
    Book(#[from] BookError),
    /// Searching failed.
    #[error(transparent)]
    Think(#[from] ThinkError),
    /// There was nothing to do.
    #[error("{0}")]
    Failed(String),
}

type Result<T, E = MakebookError> = std::result::Result<T, E>;

/// The settings of `makebook`.
pub struct Makebook<'a> {
    /// The evaluation for searches.
    pub evaluation: &'a Evaluator,
    /// `Threads`.
    pub threads: usize,
    /// `USI_Hash`, in megabytes.
    pub hash: usize,
    /// `MultiPV`.
    pub multi_pv: usize,
    /// `IgnoreBookPly`.
    pub plies: Plies,
    /// Candidates for the folder `BookDir`.
    pub folders: Vec<PathBuf>,
    /// Whether the user has stopped the command.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}

/// Prints a line.
type Say<'s> = &'s mut dyn FnMut(&str);

type Way = fn(&Makebook<'_>, &mut Words<'_>, Say<'_>) -> Result<()>;

/// All subcommands, with their arguments as listed in messages.
const WAYS: [(&str, &str, Way); 15] = [
    ("from_sfen", "GAMES|bw BLACK WHITE BOOK [moves N]", |_, words, say| from_sfen(words, say)),
    (
        "think",
        "GAMES|bw BLACK WHITE BOOK [startmoves N] [moves N] [depth N] [nodes N] [cluster I N] [book_save_interval S]",
        |shop, words, say| shop.think(words, say),
    ),
    ("merge", "BOOK1 BOOK2 BOOK3", |_, words, say| merge(words, say)),
    ("sort", "BOOK1 BOOK2", |_, words, say| sort(words, say)),
    ("convert_from_apery", "BOOK.bin BOOK.db", |_, words, say| convert(words, say)),
    ("convert_to_apery", "BOOK.db BOOK.bin", |_, words, say| convert(words, say)),
    ("build_tree", "BOOK1 BOOK2 [black_contempt N] [white_contempt N]", |_, words, say| {
        min_max_tree(words, say)
    }),
    (
        "extend_tree",
        "BOOK ROOTS LINES [black_eval_limit N] [white_eval_limit N] [extend_range A B] [max_game_ply N]",
        |shop, words, say| lines_to_extend(words, shop.plies, say),
    ),
    (
        "endless_extend_tree",
        "BOOK ROOTS LINES [loop N] [depth N] [nodes N] [startmoves N] [moves N] …",
        |shop, words, say| shop.endless_extend_tree(words, say),
    ),
    ("extract_sfen_from_db", "[BOOK] [POSITIONS]", |_, words, say| extract_from_db(words, say)),
    ("extract_sfen_from_sfen", "[GAMES] [POSITIONS]", |_, words, say| extract_from_sfen(words, say)),
    ("stera_convert", "[BOOK1] [BOOK2] [ROOTS]", |_, words, say| stera_convert(words, say)),
    ("peta_shock", "BOOK1 BOOK2 [shrink] [fast]", |shop, words, say| shop.peta_shock(words, say)),
    ("peta_shock_next", "BOOK POSITIONS N [eval_noise N] [from_startpos]", |shop, words, say| {
        shop.peta_shock_next(words, say)
    }),
    (
        "stera",
        "[read_book BOOK] [write_book BOOK] [nodes_limit N] [think_limit N] [ranged_alpha_beta_loop N] …",
        |shop, words, say| shop.stera(words, say),
    ),
];

/// Parses arguments one by one.
struct Words<'w> {
    words: std::iter::Peekable<std::vec::IntoIter<&'w str>>,
    /// Whether files of any kind may be replaced.
    force: bool,
}

/// The argument that permits replacing files of any kind, at any place.
const FORCE: &str = "force";

impl<'w> Words<'w> {
    fn new(words: &'w str) -> Self {
        let all: Vec<&str> = words.split_whitespace().collect();
        let others: Vec<&str> = all.iter().copied().filter(|word| *word != FORCE).collect();
        Self { force: others.len() < all.len(), words: others.into_iter().peekable() }
    }

    /// The next argument.
    fn next(&mut self) -> Option<&'w str> {
        self.words.next()
    }

    fn name(&mut self, what: &str) -> Result<PathBuf> {
        let path = self.words.next().map(PathBuf::from);
        path.ok_or_else(|| MakebookError::Usage(format!("expected {what}, found nothing")))
    }

    /// Parses the name of a book to write.
    fn output(&mut self) -> Result<PathBuf> {
        let path = self.name("the book to write")?;
        self.check(&path, Output::Book(BookFormat::of_path(&path).unwrap_or(BookFormat::Db)))?;
        Ok(path)
    }

    /// Fails if a file of another kind would be replaced.
    fn check(&self, path: &Path, output: Output) -> Result<()> {
        if !self.force {
            output.check(path)?;
        }
        Ok(())
    }

    fn name_or(&mut self, default: &str) -> PathBuf {
        PathBuf::from(self.words.next().unwrap_or(default))
    }

    fn number<N: std::str::FromStr>(&mut self, word: &str) -> Result<N> {
        let found = self.words.next().unwrap_or("nothing");
        let wrong = |_| MakebookError::Usage(format!("{word}: expected a whole number, found `{found}`"));
        found.parse().map_err(wrong)
    }

    fn has(&mut self, word: &str) -> bool {
        self.words.next_if(|next| *next == word).is_some()
    }
}

fn unknown<T>(word: &str) -> Result<T> {
    Err(MakebookError::Usage(format!("Illegal token = {word}")))
}

/// Parses one or two lists of games, each for one side.
fn game_lists(words: &mut Words<'_>) -> Result<Vec<(PathBuf, Option<Color>)>> {
    if !words.has("bw") {
        return Ok(vec![(words.name("a list of games")?, None)]);
    }
    let mut lists = Vec::new();
    for side in Color::ALL {
        let path = words.name("a list of games or no_file")?;
        if path != Path::new("no_file") {
            lists.push((path, Some(side)));
        }
    }
    Ok(lists)
}

fn start_root() -> Result<(Position, String)> {
    parse_root("startpos").map_err(|fault| MakebookError::Failed(fault.to_string()))
}

/// Reads a book into memory.
fn read_book(path: &Path, plies: Plies, say: Say<'_>) -> Result<Collection> {
    let problems = Problems::stop();
    let book = read_collection(path, plies, &problems)?;
    tell(&problems, say);
    Ok(book)
}

/// Writes the lines just outside of a book; returns their number.
fn write_extension(
    [book, roots, out]: [&Path; 3],
    options: ExtendOptions,
    plies: Plies,
    say: Say<'_>,
) -> Result<usize> {
    let problems = Problems::stop();
    let count = extend(book, roots, out, options, plies, &problems)?;
    tell(&problems, say);
    Ok(count)
}

fn complain(say: Say<'_>) -> impl FnMut(u64, &str, &str) + '_ {
    |number, line, word| {
        let line: String = line.chars().take(200).collect();
        say(&format!("illegal move : line = {number} , {line} , move = {word}"));
    }
}

/// Prints the faults of a book.
fn tell(problems: &Problems, say: Say<'_>) {
    for line in problems.remarks() {
        say(&format!("info string {line}"));
    }
}

/// Arguments of `think` and `endless_extend_tree`.
struct ThinkWords {
    first: usize,
    last: usize,
    effort: Effort,
    cluster: Cluster,
    save_every: Duration,
}

impl Makebook<'_> {
    /// Runs the command; `say` prints a line.
    pub fn run(&self, words: &str, say: Say<'_>) -> Result<()> {
        let mut words = Words::new(words);
        let first = words.words.next().unwrap_or_default();
        let first = if first == "s_tera" { "stera" } else { first };
        let Some((_, _, way)) = WAYS.iter().find(|(name, _, _)| *name == first) else {
            say("usage");
            for (name, usage, _) in &WAYS {
                say(&format!("> makebook {name} {usage}"));
            }
            return if first.is_empty() {
                Ok(())
            } else {
                Err(MakebookError::Usage(format!("unknown way `{first}`")))
            };
        };
        way(self, &mut words, say)
    }

    /// The path of a book in `BookDir`.
    fn in_book_dir(&self, name: &Path) -> PathBuf {
        let candidates: Vec<PathBuf> = self.folders.iter().map(|folder| folder.join(name)).collect();
        let found = candidates.iter().find(|path| path.exists()).cloned();
        let plain = || Some(name.to_owned()).filter(|path| path.exists());
        found.or_else(plain).or_else(|| candidates.first().cloned()).unwrap_or_else(|| name.to_owned())
    }

    /// Parses the arguments of searches; `last` and `depth` are their defaults.
    fn think_words(
        &self,
        words: &mut Words<'_>,
        (last, depth): (usize, u32),
        other: &mut dyn FnMut(&str, &mut Words<'_>) -> Result<bool>,
    ) -> Result<ThinkWords> {
        let multi_pv = self.multi_pv;
        let mut given = ThinkWords {
            first: 1,
            last,
            effort: Effort { depth, nodes: None, multi_pv },
            cluster: Cluster::default(),
            save_every: Duration::from_mins(15),
        };
        while let Some(word) = words.words.next() {
            match word {
                "startmoves" => given.first = words.number(word)?,
                "moves" => given.last = words.number(word)?,
                "depth" => given.effort.depth = words.number(word)?,
                "nodes" => given.effort.nodes = Some(words.number(word)?).filter(|nodes| *nodes > 0),
                "cluster" => {
                    let (number, of) = (words.number(word)?, words.number(word)?);
                    given.cluster = Cluster::new(number, of).ok_or_else(|| {
                        MakebookError::Usage(format!(
                            "cluster {number} {of}: expected the number of this machine and of all, such as 2 3"
                        ))
                    })?;
                }
                "book_save_interval" => given.save_every = Duration::from_secs(words.number(word)?),
                word => {
                    if !other(word, words)? {
                        return unknown(word);
                    }
                }
            }
        }
        if given.first > given.last {
            let message = format!(
                "startmoves {} is behind moves {}: no position is between them",
                given.first, given.last
            );
            return Err(MakebookError::Usage(message));
        }
        Ok(given)
    }

    fn think(&self, words: &mut Words<'_>, say: Say<'_>) -> Result<()> {
        let lists = game_lists(words)?;
        let out = words.output()?;
        let given = self.think_words(words, (16, 24), &mut |_, _| Ok(false))?;
        self.think_about(&lists, &out, &given, say)
    }

    fn think_about(
        &self,
        lists: &[(PathBuf, Option<Color>)],
        out: &Path,
        given: &ThinkWords,
        say: Say<'_>,
    ) -> Result<()> {
        let candidates = positions_of_lists(lists, given.first, given.last, &mut complain(say))?;
        let mut growing = GrowingBook::open(out, LineEnd::CrLf)?;
        tell(growing.problems(), say);
        if growing.unsaved() > 0 {
            say(&format!("{} positions from an interrupted run are taken over", growing.unsaved()));
        }
        let positions = positions_to_think(candidates, growing.book(), given.effort.wanted(), given.cluster);
        say(&format!("total {} nodes ", positions.len()));
        self.think_through(&mut growing, &positions, given.effort, given.save_every, say)?;
        close(growing, out, say)
    }

    /// Searches positions with our engine on all threads.
    fn think_through(
        &self,
        growing: &mut GrowingBook,
        positions: &[Position],
        effort: Effort,
        save_every: Duration,
        say: Say<'_>,
    ) -> Result<()> {
        let threads = self.threads.min(positions.len().max(1));
        let megabytes = self.hash / threads;
        let mut thinkers: Vec<Box<dyn Thinker>> = Vec::new();
        for _ in 0..threads {
            thinkers.push(Box::new(OwnThinker::new(self.evaluation, megabytes, effort)?));
        }
        let total = positions.len();
        let (lines, told) = std::sync::mpsc::channel();
        let tell = move |done: usize, thread: usize, position: &Position| {
            // Fails if the receiver has ended, which is fine.
            let _ = lines.send(format!("[{done}/{total}:{thread}] : {}", position.sfen()));
        };
        let pace = Pace { save_every, stop: self.stopped };
        let result = std::thread::scope(|scope| {
            let work = scope.spawn(|| {
                let tell = tell;
                think_all(growing, positions, &mut thinkers, &pace, &tell)
            });
            for line in told {
                say(&line);
            }
            work.join().map_err(|_| MakebookError::Failed("thinking has failed".to_owned()))
        })?;
        result?;
        Ok(())
    }

    fn endless_extend_tree(&self, words: &mut Words<'_>, say: Say<'_>) -> Result<()> {
        let (book, roots) = (words.name("a book")?, words.name("a list of roots")?);
        let lines = words.name("the list for thinking")?;
        words.check(&book, Output::Book(BookFormat::Db))?;
        words.check(&lines, Output::Lines)?;
        let mut options = ExtendOptions::default();
        let mut rounds = 256;
        let given = self.think_words(words, (32, 8), &mut |word, words| {
            if word == "loop" {
                rounds = words.number(word)?;
                return Ok(true);
            }
            extend_word(&mut options, word, words)
        })?;
        for round in 0..rounds {
            if (self.stopped)() {
                break;
            }
            let count = write_extension([&book, &roots, &lines], options, self.plies, say)?;
            say(&format!("endless_extend_tree : loop {}/{rounds} , {count} lines", round + 1));
            if count == 0 {
                break;
            }
            self.think_about(&[(lines.clone(), None)], &book, &given, say)?;
        }
        Ok(())
    }

    fn peta_shock(&self, words: &mut Words<'_>, say: Say<'_>) -> Result<()> {
        let book = self.in_book_dir(&words.name("a book")?);
        let out = words.name("the book to write")?;
        let out = book.parent().map_or_else(|| out.clone(), |folder| folder.join(&out));
        words.check(&out, Output::book(&out)?)?;
        let threads = self.threads;
        let mut options = MinMaxOptions { threads, ..MinMaxOptions::default() };
        for word in words.words.by_ref() {
            match word {
                "shrink" => options.shrink = true,
                // Accepted without effect: no temporary files are used anyway.
                "fast" => {}
                other => return unknown(other),
            }
        }
        let summary = minmax(&book, &out, &options, &|_, _| ())?;
        tell(&options.problems, say);
        let lines = [
            ("write book nodes   ", summary.positions as u64),
            ("const_nodes        ", summary.settled as u64),
            ("non-const_nodes    ", (summary.positions - summary.settled) as u64),
            ("in-check nodes     ", summary.in_check as u64),
            ("check-loops nodes2 ", summary.on_check_loops as u64),
            ("converged_moves    ", summary.converged_moves),
        ];
        say(&format!("write {}", out.display()));
        say("[ PetaShock Result ]");
        for (name, number) in &lines {
            say(&format!("{name}: {number}"));
        }
        Ok(())
    }

    fn peta_shock_next(&self, words: &mut Words<'_>, say: Say<'_>) -> Result<()> {
        let book = self.in_book_dir(&words.name("a book")?);
        let out = words.name("the list to write")?;
        let folder = book.parent().unwrap_or(Path::new("")).to_owned();
        let count: usize = words.number("the number of positions")?;
        let (mut as_lines, mut noise) = (false, None);
        while let Some(word) = words.next() {
            match word {
                "from_startpos" => as_lines = true,
                "eval_noise" => noise = Some(words.number(word)?).filter(|most: &u16| *most > 0),
                other => return unknown(other),
            }
        }
        let out = folder.join(out);
        words.check(&out, if as_lines { Output::Lines } else { Output::Positions })?;
        let roots = match folder.join("root_sfens.txt") {
            path if path.exists() => read_roots(&path)?,
            _ => vec![start_root()?],
        };
        let threads = self.threads;
        let solved = match noise {
            None => SolvedBook::read(&book, threads, &|_, _| ())?,
            Some(most) => {
                let noise = Noise { most, seed: platform::Random::fresh_seed() };
                SolvedBook::read_with_noise(&book, threads, noise, &|_, _| ())?
            }
        };
        let leaves = solved.next_leaves(&roots, count);
        let show = |leaf: &crate::Leaf| if as_lines { leaf.line.clone() } else { leaf.position.sfen() };
        let lines: Vec<String> = leaves.iter().map(show).collect();
        write_lines(&lines, &out)?;
        say(&format!("{} positions, write {}", lines.len(), out.display()));
        Ok(())
    }
}

/// Saves a book, and reports it if there was anything to save.
fn close(growing: GrowingBook, out: &Path, say: Say<'_>) -> Result<()> {
    if growing.close()? {
        say(&format!("write {}", out.display()));
    } else {
        say(&format!("nothing new, {} stays as it is", out.display()));
    }
    Ok(())
}

fn from_sfen(words: &mut Words<'_>, say: Say<'_>) -> Result<()> {
    let lists = game_lists(words)?;
    let out = words.output()?;
    let mut most = 16;
    while let Some(word) = words.words.next() {
        match word {
            "moves" => most = words.number(word)?,
            other => return unknown(other),
        }
    }
    let mut book = PlayedBook::new(SortLimits::default()).with_depth(PLAYED_DEPTH);
    for (list, side) in lists {
        if book.insert_list(&list, most, side, &mut complain(say))? == 0 {
            return Err(MakebookError::Failed(format!(
                "{}: no games in it; nothing is written",
                list.display()
            )));
        }
    }
    write_played(&out, book, 0, &WorkOptions::default())?;
    say(&format!("write {}", out.display()));
    Ok(())
}

fn merge(words: &mut Words<'_>, say: Say<'_>) -> Result<()> {
    let (first, second) = (words.name("a book")?, words.name("a second book")?);
    let out = words.output()?;
    let policy = MergePolicy::DepthFirst;
    let options = WorkOptions::default();
    let summary = merge_books([&first, &second], &out, policy, &options, &mut |_| ())?;
    tell(&options.problems, say);
    say(&format!(
        "same nodes = {} , different nodes =  {} + {}",
        summary.same, summary.only_first, summary.only_second
    ));
    say(&summary.dropped_message());
    say(&format!("write {}", out.display()));
    Ok(())
}

fn sort(words: &mut Words<'_>, say: Say<'_>) -> Result<()> {
    let (book, out) = (words.name("a book")?, words.output()?);
    let options = WorkOptions::default();
    sort_book(&book, &out, &options, &mut |_| ())?;
    tell(&options.problems, say);
    say(&format!("write {}", out.display()));
    Ok(())
}

fn convert(words: &mut Words<'_>, say: Say<'_>) -> Result<()> {
    let (book, out) = (words.name("a book")?, words.output()?);
    let options = WorkOptions::default();
    let summary = convert_book(&book, &out, &options, &mut |_| ())?;
    tell(&options.problems, say);
    for line in summary.loss_messages() {
        say(&line);
    }
    say(&format!("write {}", out.display()));
    Ok(())
}

fn min_max_tree(words: &mut Words<'_>, say: Say<'_>) -> Result<()> {
    let (book, out) = (words.name("a book")?, words.output()?);
    let mut contempt = Contempt::default();
    while let Some(word) = words.words.next() {
        match word {
            "black_contempt" => contempt.black = words.number(word)?,
            "white_contempt" => contempt.white = words.number(word)?,
            // Accepted without effect, as in YaneuraOu.
            "max_game_ply" => drop(words.number::<u32>(word)?),
            other => return unknown(other),
        }
    }
    let book = read_book(&book, BUILD_PLIES, say)?;
    write_entries(build_tree(&book, contempt), &out, LineEnd::CrLf)?;
    say(&format!("write {}", out.display()));
    Ok(())
}

fn lines_to_extend(words: &mut Words<'_>, plies: Plies, say: Say<'_>) -> Result<()> {
    let (book, roots) = (words.name("a book")?, words.name("a list of roots")?);
    let out = words.name("the list to write")?;
    words.check(&out, Output::Lines)?;
    let mut options = ExtendOptions::default();
    while let Some(word) = words.words.next() {
        if !extend_word(&mut options, word, words)? {
            return unknown(word);
        }
    }
    let count = write_extension([&book, &roots, &out], options, plies, say)?;
    say(&format!("{count} lines, write {}", out.display()));
    Ok(())
}

fn extract_from_db(words: &mut Words<'_>, say: Say<'_>) -> Result<()> {
    let book = words.name_or("book/read_book.db");
    let out = words.name_or("book/write_sfen.txt");
    words.check(&out, Output::Positions)?;
    let text = std::fs::read_to_string(&book).at(&book)?;
    let lines: Vec<String> =
        text.lines().filter(|line| line.starts_with("sfen")).map(|line| line.trim_end().to_owned()).collect();
    write_lines(&lines, &out)?;
    say(&format!("{} positions, write {}", lines.len(), out.display()));
    Ok(())
}

fn extract_from_sfen(words: &mut Words<'_>, say: Say<'_>) -> Result<()> {
    let games = words.name_or("book/read_sfen.txt");
    let out = words.name_or("book/write_sfen.txt");
    words.check(&out, Output::Positions)?;
    let mut seen = HashSet::new();
    let mut lines = Vec::new();
    read_game_lines(&games, usize::MAX, |_, _, game| {
        for position in positions_of_game(&game, 1, usize::MAX, None) {
            let sfen = position.sfen();
            if seen.insert(sfen.clone()) {
                lines.push(sfen);
            }
        }
        Ok(())
    })?;
    write_lines(&lines, &out)?;
    say(&format!("{} positions, write {}", lines.len(), out.display()));
    Ok(())
}

fn stera_convert(words: &mut Words<'_>, say: Say<'_>) -> Result<()> {
    let book = words.name_or("book/read_book.db");
    let out = words.name_or("book/write_tera_book.db");
    words.check(&out, Output::book(&out)?)?;
    let named = words.next().map(PathBuf::from);
    let usual = Some(PathBuf::from("book/root_sfens.txt")).filter(|path| path.exists());
    let roots = match named.or(usual) {
        Some(path) => read_roots(&path)?.into_iter().map(|(position, _)| position).collect(),
        None => start_positions().into_iter().flat_map(with_children).collect(),
    };
    let book = read_book(&book, BUILD_PLIES, say)?;
    let tree = build_tree_from(&book, roots, Contempt { black: 0, white: 0 });
    write_entries(tree, &out, LineEnd::CrLf)?;
    say(&format!("write {}", out.display()));
    Ok(())
}

fn with_children(position: Position) -> Vec<Position> {
    let mut all = vec![position.clone()];
    let mut position = position;
    let moves: Vec<shogi::Move> = position.legal_moves().iter().copied().collect();
    for m in moves {
        position.do_move(m);
        all.push(position.clone());
        position.undo_move();
    }
    all
}

/// Parses an argument that selects leaves; returns whether it was one.
fn extend_word(options: &mut ExtendOptions, word: &str, words: &mut Words<'_>) -> Result<bool> {
    match word {
        "black_eval_limit" => options.black_limit = words.number(word)?,
        "white_eval_limit" => options.white_limit = words.number(word)?,
        "extend_range" => options.range = Some((words.number(word)?, words.number(word)?)),
        "max_game_ply" => options.max_ply = words.number(word)?,
        _ => return Ok(false),
    }
    Ok(true)
}
