//! `tsumugi train stats`, `show`, `check`, `convert`, `correct`, `tensors`: reads and rewrites training data.

use crate::terminal::print;
use crate::words::cores;
use anyhow::ensure;
use clap::Args;
use eval::nnue::Architecture;
use std::io::{self, Write};
use std::path::PathBuf;
use train::tensors::{Filter, Rows};
use train::{DataFile, Stats, check_file, corpus};

/// Input files.
#[derive(Args, PartialEq, Eq, Debug)]
pub struct Paths {
    /// Files or folders of training data.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

impl Paths {
    pub fn files(&self) -> Result<Vec<PathBuf>, corpus::CorpusError> {
        corpus::files(&self.paths)
    }
}

/// Show positions of training data as boards.
#[derive(Args, PartialEq, Eq, Debug)]
pub struct ShowArgs {
    #[command(flatten)]
    paths: Paths,
    /// Number of positions.
    #[arg(long, short = 'n', default_value_t = 3)]
    count: usize,
    /// Number of positions to skip first.
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Only positions with at least this score, for either side.
    #[arg(long, value_name = "SCORE")]
    min_score: Option<u16>,
}

/// Convert training data: .pack, .bin/.psv (40 bytes), .hcpe, .hcpe3, .txt (plain), by file extension.
#[derive(Args, PartialEq, Eq, Debug)]
pub struct ConvertArgs {
    #[command(flatten)]
    paths: Paths,
    /// The file to write; its extension sets the format: .pack, .bin, .psv, .hcpe, .hcpe3, .txt, .sfen.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file of another kind.
    #[arg(long)]
    force: bool,
}

/// Correct the scores of training data by the results of their games.
///
/// A few thousand weights (where pieces stand to their king, on which rank, what is in hand) are fitted to what the scores
/// leave unexplained, and every score within 2500 gets what they say. A network learns more from such scores than from
/// results, of which each game has only one. Correct the games of each generation by themselves:
///
///     tsumugi train correct games1/ -o games1.pack
///     tsumugi train fit --data games1.pack --lambda 0 --scale 800 --loss squared --out net1
#[derive(Args, PartialEq, Eq, Debug)]
#[command(verbatim_doc_comment)]
pub struct CorrectArgs {
    #[command(flatten)]
    paths: Paths,
    /// The file to write; its extension sets the format: .pack, .bin, .psv, .hcpe, .hcpe3, .txt.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file of another kind.
    #[arg(long)]
    force: bool,
    /// Hold out one of this many games for validation; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 50)]
    held_out: usize,
}

/// Write positions as rows of features, for training with another program (`tools/train_gpu.py`).
///
/// Each file becomes a file of rows.
#[derive(Args, PartialEq, Eq, Debug)]
pub struct TensorsArgs {
    #[command(flatten)]
    paths: Paths,
    /// Folder for the rows.
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
    /// Architecture of the network, as its header writes it.
    #[arg(long, value_name = "TEXT")]
    shape: Architecture,
    /// Leave out larger scores.
    #[arg(long, value_name = "SCORE", default_value_t = 2500)]
    score_limit: u16,
    /// Keep positions in check and positions whose best move captures, promotes or gives check.
    #[arg(long)]
    keep_noisy: bool,
    /// Mark one of this many games as held out; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 50)]
    held_out: usize,
    /// Threads; by default one per core.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

pub fn stats(paths: &Paths) -> anyhow::Result<()> {
    let files = paths.files()?;
    let stats = Stats::of(&corpus::load(&files, cores())?);
    write!(io::stdout().lock(), "files       {}\n{stats}", files.len())?;
    Ok(())
}

pub fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let (mut skip, mut left) = (args.skip, args.count);
    for file in args.paths.files()? {
        let records = if left > 0 { corpus::read(&file)?.records } else { Vec::new() };
        let shown = |score: i16| args.min_score.is_none_or(|least| score.unsigned_abs() >= least);
        let records: Vec<_> = records.iter().filter(|record| shown(record.score)).collect();
        for record in records.iter().skip(skip).take(left) {
            left -= 1;
            let position = shogi::Position::try_from(record.setup()?)?;
            let best = record.best_move().map_or("none".to_owned(), |m| m.to_string());
            print(format_args!("{}\nsfen {}", position.kanji(), position.sfen()))?;
            print(format_args!("move {best}, score {}, result {:?}\n", record.score, record.result))?;
        }
        skip = skip.saturating_sub(records.len());
    }
    Ok(())
}

pub fn check(paths: &Paths) -> anyhow::Result<()> {
    let mut bad = 0;
    for file in paths.files()? {
        let checked = check_file(&file);
        bad += usize::from(checked.is_err());
        print(checked.map_or_else(
            |error| error.to_string(),
            |corpus| {
                let (games, positions) = (corpus.games.len(), corpus.records.len());
                format!("{}: {games} games, {positions} positions, all good", file.display())
            },
        ))?;
    }
    ensure!(bad == 0, "{bad} of the files are damaged");
    Ok(())
}

pub fn convert(args: &ConvertArgs) -> anyhow::Result<()> {
    let out = DataFile::any(&args.out, args.force)?;
    let written = out.convert(&args.paths.files()?, None, cores())?;
    eprintln!("{written} written to {}", args.out.display());
    Ok(())
}

pub fn correct(args: &CorrectArgs) -> anyhow::Result<()> {
    let out = DataFile::with_scores(&args.out, args.force)?;
    let say = &mut |line: &str| eprintln!("{line}");
    let written = out.correct(&args.paths.files()?, args.held_out, cores(), say)?;
    eprintln!("{written} written to {}", args.out.display());
    Ok(())
}

pub fn tensors(args: &TensorsArgs) -> anyhow::Result<()> {
    let filter = Filter {
        score_limit: args.score_limit,
        skip_checks: !args.keep_noisy,
        skip_noisy: !args.keep_noisy,
        ..Filter::default()
    };
    let threads = args.threads.unwrap_or_else(cores);
    let rows = Rows { shape: &args.shape, filter, held_out: args.held_out, threads };
    let (rows, positions) = rows.write_files(&args.paths.files()?, &args.out)?;
    println!("{rows} rows of {positions} positions in {}", args.out.display());
    Ok(())
}
