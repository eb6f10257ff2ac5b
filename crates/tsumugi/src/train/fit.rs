//! `tsumugi train fit` and `quantise`: networks learn from teachers.

use anyhow::{Context, bail};
use eval::nnue::{self, Architecture};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use train::corpus;
use train::fit::{Data, FloatNet, Loss, News, Pace, Run, Samples, Settings, parse_shape};
use train::tensors::Filter;

/// Train a network on teachers: .pack, .bin/.psv, .hcpe, .hcpe3 or .txt files.
///
/// The folder gets `nn.bin` for engines, `net.float` (the same as real numbers, to grow or go on from), `report.html` with
/// curves, `experiment.json` with everything that was told and measured, and `checkpoint.bin`. The same command again goes
/// on where the last one ended, however it ended, and comes to the same network, whatever the number of threads.
///
///     tsumugi train fit --data games/ --out net1 --epochs 30
///     tsumugi train fit --data games/ --out net2 --from net1/net.float --shape zones9-512-15-32-k3k3
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct FitArgs {
    /// Files or folders of teachers.
    #[arg(long, required = true, num_args = 1.., value_name = "PATH")]
    data: Vec<PathBuf>,
    /// Folder for the network and all that belongs to it.
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
    /// Shape of the network: FEATURES-WIDTH-HIDDEN-HIDDEN[-STACKS], as in mirrored-256-15-32-k3k3, zones9-512-15-32-k3k3
    /// or halfkp-256x2-32-32 (x2: classic), or the text of a network's header.
    #[arg(long, value_name = "SHAPE", default_value = "mirrored-256-15-32-k3k3", value_parser = parse_shape)]
    shape: Architecture,
    /// Begin with this network of real numbers instead of chance. It may be narrower or have coarser zones of the king.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// How often every position is seen.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions of a batch.
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = positive)]
    batch: usize,
    /// For the first weights and the order of positions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads; the result is the same for every number. By default as many as there are cores.
    #[arg(long, value_name = "N", value_parser = positive)]
    threads: Option<usize>,
    /// Learning rate after warming up.
    #[arg(long, value_name = "RATE", default_value_t = 1e-3, value_parser = fraction)]
    lr: f64,
    /// Learning rate at the end; it falls as half a cosine.
    #[arg(long, value_name = "RATE", default_value_t = 3e-5, value_parser = fraction)]
    final_lr: f64,
    /// Batches in which the learning rate rises.
    #[arg(long, value_name = "N", default_value_t = 100)]
    warm_up: u64,
    /// How strongly weights of the hidden layers are drawn to 0.
    #[arg(long, value_name = "RATE", default_value_t = 0.01, value_parser = fraction)]
    weight_decay: f64,
    /// Share of the game's result in the target, the score having the rest; START..END changes it on the way.
    #[arg(long, value_name = "SHARE", default_value = "0.4", value_parser = lambda)]
    lambda: Lambda,
    /// A score of this means winning chances of 73 %; by default it is fitted to the results.
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u16).range(1..))]
    scale: Option<u16>,
    /// How the difference from the target counts.
    #[arg(long, value_name = "LOSS", value_enum, default_value_t = LossArg::Power)]
    loss: LossArg,
    /// Last part of the training that rounds weights and activations as the engine does.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = fraction)]
    rounded_part: f64,
    /// Hold out one game of so many, to be examined on; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 50)]
    held_out: usize,
    /// Leave out larger scores.
    #[arg(long, value_name = "SCORE", default_value_t = 2500)]
    score_limit: u16,
    /// Leave out earlier plies.
    #[arg(long, value_name = "PLY", default_value_t = 8)]
    first_ply: u16,
    /// Keep positions in check and those whose best move captures, promotes or gives check.
    #[arg(long)]
    keep_noisy: bool,
    /// Seconds between checkpoints; a kill costs no more.
    #[arg(long, value_name = "N", default_value_t = 60)]
    checkpoint_every: u64,
}

/// How the difference from the target counts.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum LossArg {
    /// Its square.
    Squared,
    /// Its power of 2.5.
    Power,
}

/// A share at the beginning and at the end.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Lambda([f32; 2]);

fn lambda(text: &str) -> Result<Lambda, String> {
    let share = |text: &str| fraction(text).map(|share| share as f32);
    Ok(Lambda(match text.split_once("..") {
        Some((start, end)) => [share(start)?, share(end)?],
        None => [share(text)?; 2],
    }))
}

fn fraction(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "expected a number above 0".to_owned())
}

/// Trains.
pub fn fit(args: &FitArgs) -> anyhow::Result<()> {
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let files = corpus::files(&args.data)?;
    let corpus = corpus::load(&files, threads)?;
    let scale = match args.scale {
        Some(scale) => f32::from(scale),
        None => train::fit_scale(&corpus.records).context(
            "the scale of the scores cannot be fitted: no score, or no result but draws; give it with --scale",
        )? as f32,
    };
    let filter = Filter {
        score_limit: args.score_limit,
        first_ply: args.first_ply,
        skip_checks: !args.keep_noisy,
        skip_noisy: !args.keep_noisy,
    };
    let (training, held_out) = Samples::split(&corpus, &args.shape, filter, args.held_out)?;
    let (games, records) = (corpus.games.len(), corpus.records.len());
    drop(corpus);
    let settings = Settings {
        epochs: args.epochs,
        batch: args.batch,
        seed: args.seed,
        learning_rate: args.lr,
        final_learning_rate: args.final_lr.min(args.lr),
        warm_up: args.warm_up,
        weight_decay: args.weight_decay,
        lambda: args.lambda.0,
        loss: match args.loss {
            LossArg::Squared => Loss::Squared,
            LossArg::Power => Loss::Power,
        },
        rounded_part: args.rounded_part,
        ..Settings::new(&args.shape, scale)
    };
    let net = match &args.from {
        None => FloatNet::random(&args.shape, args.seed)?,
        Some(path) => {
            let small =
                FloatNet::load(path).with_context(|| format!("cannot begin with {}", path.display()))?;
            if small.architecture() == &args.shape { small } else { small.grow(&args.shape, args.seed)? }
        }
    };
    if training.is_empty() {
        bail!("no positions to learn from: none of {records} passed the filters");
    }
    eprintln!("{}", args.shape);
    eprintln!(
        "{games} games, {records} positions; {} to learn from, {} held out, {} MB; scale {scale:.0}",
        training.len(),
        held_out.len(),
        (training.bytes() + held_out.bytes()) >> 20
    );
    let run = Run {
        folder: &args.out,
        settings,
        data: Data {
            paths: args.data.iter().map(|path| path.display().to_string()).collect(),
            positions: training.len(),
            held_out: held_out.len(),
            one_game_in: args.held_out,
            filter: format!("{filter:?}"),
            fingerprint: training.fingerprint(),
        },
        training: &training,
        held_out: &held_out,
        net,
        from: args.from.as_ref().map_or("random".to_owned(), |path| path.display().to_string()),
        threads,
        checkpoint_every: Duration::from_secs(args.checkpoint_every),
    };
    let mut teller = Teller { live: io::stderr().is_terminal(), last: Instant::now(), warned: false };
    run.train(&mut |news| teller.tell(&news))?;
    println!("{}", args.out.join(nnue::FILE_NAME).display());
    Ok(())
}

/// Tells how it goes: a line for each entry of the diary and, on a terminal, one that is written over and over.
struct Teller {
    live: bool,
    last: Instant,
    warned: bool,
}

impl Teller {
    fn tell(&mut self, news: &News<'_>) {
        let mut err = io::stderr();
        // Nobody is left to be told when writing fails.
        let _ = match news {
            News::Resumed { step } => writeln!(err, "going on after batch {step}"),
            News::Batch(pace) => {
                if !self.live || self.last.elapsed() < Duration::from_secs(1) {
                    return;
                }
                self.last = Instant::now();
                write!(err, "\r{}  loss {:.6}\x1b[K", words(pace), pace.loss).and_then(|()| err.flush())
            }
            News::Entry { entry, pace, overfitting } => {
                let exam = entry.exam.map_or(String::new(), |exam| {
                    format!(
                        ", held out {:.6}, signs {:.2} %, {} dead, {} saturated",
                        exam.loss,
                        100.0 * exam.accuracy,
                        exam.dead,
                        exam.saturated
                    )
                });
                let clear = if self.live { "\r\x1b[K" } else { "" };
                let mut line = format!("{clear}{}  loss {:.6}{exam}", words(pace), entry.loss);
                if *overfitting && !self.warned {
                    self.warned = true;
                    line += "\nwarning: the loss on held-out games rises; the network learns its teachers by heart";
                }
                writeln!(err, "{line}")
            }
            News::Finished(experiment) => {
                let finish = experiment.finished.as_ref();
                let exam = finish.and_then(|finish| finish.rounded).map_or(String::new(), |exam| {
                    format!("held out {:.6}, signs {:.2} % as quantised; ", exam.loss, 100.0 * exam.accuracy)
                });
                let error = finish.map(|finish| finish.cut).unwrap_or_default();
                writeln!(
                    err,
                    "done: {exam}quantised values differ by {:.2} on average, {:.1} at worst",
                    error.mean, error.worst
                )
            }
        };
    }
}

/// Epoch, pace and when it will be over.
fn words(pace: &Pace) -> String {
    let [done, total] = pace.steps;
    let end = SystemTime::now() + pace.left;
    let minutes = end.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 60);
    format!(
        "epoch {:.2}  {:.0} %  {:.0} k/s  until {:02}:{:02} UTC  lr {:.1e}",
        pace.epoch,
        100.0 * done as f64 / total.max(1) as f64,
        pace.rate / 1000.0,
        minutes / 60 % 24,
        minutes % 60,
        pace.learning_rate
    )
}
