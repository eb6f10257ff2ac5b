//! `tsumugi train stats`, `show`, `check`, `convert`, `correct`, `tensors`: teachers, looked at and rewritten.

use super::overwrite::Output;
use anyhow::{Context, bail, ensure};
use eval::nnue::Architecture;
use platform::atomic_file::write_at;
use platform::workers::in_parallel;
use shogi::{HcpeRecord, HuffmanCodedPos, Position, TeacherRecord};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use train::corpus::{self, Corpus, TeacherFormat};
use train::fit::Correction;
use train::pack::PackFile;
use train::tensors::{self, Filter};
use train::{Stats, TeacherGame};

/// Count what is in teachers: results, scores, plies, duplicates, and the scale of the scores.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct StatsArgs {
    /// Files or folders of teachers.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

/// Show positions of teachers as boards.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct ShowArgs {
    /// Files or folders of teachers.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How many positions.
    #[arg(long, short = 'n', default_value_t = 3)]
    count: usize,
    /// Skip so many before.
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Only positions with at least this score, for either side.
    #[arg(long, value_name = "SCORE")]
    min_score: Option<u16>,
}

/// Read teachers to the end and name the first bad record.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct CheckArgs {
    /// Files or folders of teachers.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

/// Convert teachers: .pack, .bin/.psv (40 bytes), .hcpe, .hcpe3, .txt (plain), by the ending of the name.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct ConvertArgs {
    /// Files or folders of teachers.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The file to write; its ending tells the format: .pack, .bin, .psv, .hcpe, .hcpe3, .txt, .sfen.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file that holds something else.
    #[arg(long)]
    force: bool,
}

/// Correct the scores of teachers by what the results of their games say.
///
/// A few thousand weights (where pieces stand to their king, on which rank, what is in hand) are fitted to what the scores
/// leave unexplained, and every score within 2500 gets what they say. A network learns more from such scores than from
/// results, of which each game has only one. Correct the games of each generation by themselves:
///
///     tsumugi train correct games1/ -o games1.pack
///     tsumugi train fit --data games1.pack --lambda 0 --scale 800 --loss squared --out net1
#[derive(clap::Args, PartialEq, Eq, Debug)]
#[command(verbatim_doc_comment)]
pub struct CorrectArgs {
    /// Files or folders of teachers.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The file to write; its ending tells the format: .pack, .bin, .psv, .hcpe, .hcpe3, .txt.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file that holds something else.
    #[arg(long)]
    force: bool,
    /// Hold out one game of so many, to be examined on; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 50)]
    held_out: usize,
}

/// Write positions as rows of features, for training with another program (`tools/train_gpu.py`).
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct TensorsArgs {
    /// Files or folders of teachers; each file becomes a file of rows.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Folder for the rows.
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
    /// Shape of the network, as its header writes it.
    #[arg(long, value_name = "TEXT")]
    shape: Architecture,
    /// Leave out larger scores.
    #[arg(long, value_name = "SCORE", default_value_t = 2500)]
    score_limit: u16,
    /// Keep positions in check and positions whose best move captures, promotes or gives check.
    #[arg(long)]
    keep_noisy: bool,
    /// Mark one game of so many as held out; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 50)]
    held_out: usize,
    /// Threads; by default as many as there are cores.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Counts.
pub fn stats(args: &StatsArgs) -> anyhow::Result<()> {
    let files = corpus::files(&args.paths)?;
    let stats = Stats::of(&corpus::load(&files, cores())?);
    let mut out = io::stdout().lock();
    let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    writeln!(out, "files       {}", files.len())?;
    writeln!(out, "games       {}", stats.games)?;
    let per_game = stats.positions as f64 / stats.games.max(1) as f64;
    writeln!(out, "positions   {} ({per_game:.1} a game)", stats.positions)?;
    let duplicates = percent(stats.duplicates, stats.positions);
    writeln!(out, "duplicates  {} ({duplicates:.2} %)", stats.duplicates)?;
    let [black, draw, white] = stats.results.map(|count| percent(count, stats.games));
    writeln!(out, "results     Black {black:.1} %, draw {draw:.1} %, White {white:.1} %")?;
    writeln!(out, "sign        {:.1} % of the scores agree with the result", 100.0 * stats.sign_agreement)?;
    match stats.scale {
        Some(scale) => writeln!(out, "scale       {scale:.0} (a score of this means 73 %)")?,
        None => writeln!(out, "scale       unknown: no score or no result but draws")?,
    }
    writeln!(out, "\nscore")?;
    for (step, count) in stats.scores.iter().enumerate() {
        let from = step as i32 * Stats::SCORE_STEP - Stats::SCORE_END;
        writeln!(
            out,
            "{from:>6} {:>6.2} % {}",
            percent(*count, stats.positions),
            bar(*count, stats.positions)
        )?;
    }
    writeln!(out, "\nply")?;
    for (step, count) in stats.plies.iter().enumerate() {
        let from = step * Stats::PLY_STEP;
        writeln!(
            out,
            "{from:>6} {:>6.2} % {}",
            percent(*count, stats.positions),
            bar(*count, stats.positions)
        )?;
    }
    Ok(())
}

fn bar(part: usize, whole: usize) -> String {
    "#".repeat(200 * part / whole.max(1))
}

/// Shows.
pub fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let (mut skip, mut left) = (args.skip, args.count);
    for file in corpus::files(&args.paths)? {
        for record in &corpus::read(&file)?.records {
            if left == 0 {
                return Ok(());
            }
            if args.min_score.is_some_and(|least| record.score.unsigned_abs() < least) {
                continue;
            }
            if skip > 0 {
                skip -= 1;
                continue;
            }
            left -= 1;
            let position = position_of(record)?;
            let best = record.best_move().map_or("none".to_owned(), |m| m.to_string());
            writeln!(out, "{}", position.kanji())?;
            writeln!(out, "sfen {}", position.sfen())?;
            writeln!(out, "move {best}, score {}, result {:?}\n", record.score, record.result)?;
        }
    }
    Ok(())
}

fn position_of(record: &TeacherRecord) -> anyhow::Result<Position> {
    Ok(Position::try_from(record.setup()?)?)
}

/// Reads everything.
pub fn check(args: &CheckArgs) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let mut bad = 0;
    for file in corpus::files(&args.paths)? {
        let checked = corpus::read(&file).map_err(anyhow::Error::from).and_then(|corpus| {
            for (number, record) in (1..).zip(&corpus.records) {
                check_record(record).with_context(|| format!("{}: record {number}", file.display()))?;
            }
            Ok(corpus)
        });
        match checked {
            Ok(corpus) => {
                let (games, positions) = (corpus.games.len(), corpus.records.len());
                writeln!(out, "{}: {games} games, {positions} positions, all good", file.display())?;
            }
            Err(error) => {
                bad += 1;
                writeln!(out, "{error:#}")?;
            }
        }
    }
    if bad > 0 {
        bail!("{bad} of the files are damaged");
    }
    Ok(())
}

fn check_record(record: &TeacherRecord) -> anyhow::Result<()> {
    let position = position_of(record)?;
    match record.best_move() {
        Some(m) if !position.is_legal(m) => bail!("{m} is not legal in {}", position.sfen()),
        _ => Ok(()),
    }
}

/// What the ending of a name asks for, nothing for SFENs, if it can be written.
pub(super) fn format_of(
    out: &Path,
    expected: &str,
    can_be_written: impl FnOnce(Option<TeacherFormat>) -> bool,
) -> anyhow::Result<Option<TeacherFormat>> {
    let sfens = out.extension().is_some_and(|ending| ending == "sfen");
    let format = TeacherFormat::of_name(out);
    if (sfens || format.is_some()) && can_be_written(format) {
        Ok(format)
    } else {
        bail!("{}: cannot write this; expected {expected}", out.display())
    }
}

/// Rewrites.
pub fn convert(args: &ConvertArgs) -> anyhow::Result<()> {
    let format = format_of(&args.out, ".pack, .bin, .psv, .hcpe, .hcpe3, .txt or .sfen", |_| true)?;
    Output::Data(format).check(&args.out, args.force)?;
    rewrite(&corpus::files(&args.paths)?, &args.out, format, None)
}

/// Corrects.
pub fn correct(args: &CorrectArgs) -> anyhow::Result<()> {
    let format = format_of(&args.out, ".pack, .bin, .psv, .hcpe, .hcpe3 or .txt", |format| format.is_some())?;
    Output::Data(format).check(&args.out, args.force)?;
    let files = corpus::files(&args.paths)?;
    let corpus = corpus::load(&files, cores())?;
    let (correction, gain) = Correction::fit(&corpus, args.held_out)
        .context("the scores cannot be corrected: no score, or no result but draws")?;
    drop(corpus);
    eprintln!(
        "fitted to {} positions; cross entropy of results {:.4} before, {:.4} after",
        gain.positions, gain.before, gain.after
    );
    let helps = gain.after < gain.before;
    if !helps {
        eprintln!("results say nothing that these scores do not: they are left as they are");
    }
    rewrite(&files, &args.out, format, helps.then_some(&correction))
}

/// Writes teachers in a format, or SFENs where none is given, with their scores corrected or as they are.
fn rewrite(
    files: &[PathBuf],
    out: &Path,
    format: Option<TeacherFormat>,
    correction: Option<&Correction>,
) -> anyhow::Result<()> {
    if let Some(TeacherFormat::Pack | TeacherFormat::Hcpe3) = format {
        let (games, positions) = write_at(out, |part| {
            let (games, positions) = write_games(files, format, correction, part)?;
            anyhow::Ok((games, some(positions)?))
        })?;
        eprintln!("{games} games, {positions} positions written to {}", out.display());
    } else {
        let corrected = |mut corpus: Corpus| {
            if let Some(correction) = correction {
                correction.correct_records(&mut corpus.records);
            }
            encoded(&corpus.records, format).map(|bytes| (corpus.records.len(), bytes))
        };
        let count = write_at(out, |part| {
            let mut writer = RecordWriter::create(part, format)?;
            corpus::in_parts(files, cores(), corrected, |part| {
                let (count, bytes) = part?;
                writer.push_encoded(count, &bytes)
            })?;
            some(writer.finish()?)
        })?;
        eprintln!("{count} positions written to {}", out.display());
    }
    Ok(())
}

/// Writes records, or SFENs where no format is given; the file is there whole or not at all.
pub(super) fn write_file(
    out: &Path,
    format: Option<TeacherFormat>,
    parts: impl IntoIterator<Item = anyhow::Result<Corpus>>,
) -> anyhow::Result<u64> {
    write_at(out, |part| some(write_records(parts, format, part)?))
}

/// An error instead of a file without positions.
fn some(count: u64) -> anyhow::Result<u64> {
    ensure!(count > 0, "no positions in the training data; nothing is written");
    Ok(count)
}

/// Writes games; says how many, and how many positions they have.
fn write_games(
    files: &[PathBuf],
    format: Option<TeacherFormat>,
    correction: Option<&Correction>,
    path: &Path,
) -> anyhow::Result<(u64, u64)> {
    let (mut games, mut positions) = (0, 0);
    let mut each = |write: &mut dyn FnMut(&TeacherGame) -> anyhow::Result<()>| {
        files.iter().try_for_each(|file| {
            corpus::read_games(file, |mut game| {
                if let Some(correction) = correction {
                    correction.correct_game(&mut game);
                }
                games += 1;
                positions += game.moves.len() as u64;
                write(&game)
            })
        })
    };
    if format == Some(TeacherFormat::Pack) {
        let mut pack = PackFile::create(path)?;
        each(&mut |game| Ok(pack.push(game)?))?;
        pack.finish()?;
    } else {
        let mut out = create(path)?;
        each(&mut |game| Ok(train::write_hcpe3(game, &mut out)?))?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    }
    Ok((games, positions))
}

fn create(path: &Path) -> anyhow::Result<BufWriter<File>> {
    let file = File::create(path).with_context(|| path.display().to_string())?;
    Ok(BufWriter::with_capacity(1 << 20, file))
}

fn write_records(
    parts: impl IntoIterator<Item = anyhow::Result<Corpus>>,
    format: Option<TeacherFormat>,
    path: &Path,
) -> anyhow::Result<u64> {
    let mut writer = RecordWriter::create(path, format)?;
    parts.into_iter().try_for_each(|part| writer.push(&part?.records))?;
    writer.finish()
}

/// A file of records that is being written, or of SFENs where no format is given.
pub(super) struct RecordWriter {
    out: BufWriter<File>,
    format: Option<TeacherFormat>,
    count: u64,
}

impl RecordWriter {
    pub(super) fn create(path: &Path, format: Option<TeacherFormat>) -> anyhow::Result<Self> {
        Ok(Self { out: create(path)?, format, count: 0 })
    }

    pub(super) fn push(&mut self, records: &[TeacherRecord]) -> anyhow::Result<()> {
        self.push_encoded(records.len(), &encoded(records, self.format)?)
    }

    /// Appends so many records that [`encoded`] has made bytes of.
    fn push_encoded(&mut self, count: usize, bytes: &[u8]) -> anyhow::Result<()> {
        self.count += count as u64;
        Ok(self.out.write_all(bytes)?)
    }

    /// Makes sure that all is on the disk; says how many there are.
    pub(super) fn finish(self) -> anyhow::Result<u64> {
        self.out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        Ok(self.count)
    }
}

/// Records as a format has them.
fn encoded(records: &[TeacherRecord], format: Option<TeacherFormat>) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for record in records {
        match format {
            Some(TeacherFormat::Psv) => bytes.extend(record.to_bytes()),
            Some(TeacherFormat::Hcpe) => bytes.extend(hcpe(record)?.to_bytes()),
            Some(TeacherFormat::Plain) => bytes.extend(record.to_plain()?.as_bytes()),
            Some(TeacherFormat::Pack | TeacherFormat::Hcpe3) | None => {
                writeln!(bytes, "sfen {}", position_of(record)?.sfen())?;
            }
        }
    }
    Ok(bytes)
}

fn hcpe(record: &TeacherRecord) -> anyhow::Result<HcpeRecord> {
    let position = position_of(record)?;
    Ok(HcpeRecord {
        position: HuffmanCodedPos::try_from(&position)?,
        score: record.score,
        move_bits: record.best_move().map_or(0, shogi::Move::apery_bits),
        winner: record.result.winner(position.side()),
        reason: 0,
        padding: 0,
    })
}

/// Writes rows.
pub fn tensors(args: &TensorsArgs) -> anyhow::Result<()> {
    tensors::check(&args.shape)?;
    let files = corpus::files(&args.paths)?;
    std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let filter = Filter {
        score_limit: args.score_limit,
        skip_checks: !args.keep_noisy,
        skip_noisy: !args.keep_noisy,
        ..Filter::default()
    };
    let threads = args.threads.unwrap_or_else(cores).max(1);
    // Many files are read at once; the rows of few are made on all threads.
    let threads_of_file = threads.div_ceil(files.len().min(threads));
    let rows_of = |&(number, file): &(usize, &PathBuf)| -> anyhow::Result<(usize, u64)> {
        let corpus = corpus::read(file)?;
        let path = args.out.join(format!("rows-{number:04}.bin"));
        let mut out = create(&path)?;
        let written =
            tensors::write(&corpus, &args.shape, &filter, args.held_out, threads_of_file, &mut out)?;
        out.flush()?;
        Ok((corpus.records.len(), written))
    };
    let (mut read, mut written) = (0, 0);
    let numbered: Vec<_> = files.iter().enumerate().collect();
    for part in in_parallel(&numbered, threads, rows_of) {
        let (records, rows) = part?;
        read += records;
        written += rows;
    }
    println!("{written} rows of {read} positions in {}", args.out.display());
    Ok(())
}
