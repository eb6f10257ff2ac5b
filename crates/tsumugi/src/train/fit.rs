//! `tsumugi train fit`: trains networks.

use crate::words::{Words, cores, one_of};
use eval::nnue::{self, Architecture};
use platform::ProgressLine;
use std::path::PathBuf;
use std::time::Duration;
use train::fit::{FitJob, Loss, News, Settings, parse_shape};
use train::tensors::Filter;

/// Train a network on training data: .pack, .bin/.psv, .hcpe, .hcpe3 or .txt files.
///
/// The folder gets `nn.bin` for engines, `net.float` (the same as real numbers, to grow or go on from), `report.html` with
/// curves, `experiment.json` with all settings and measurements, and `checkpoint.bin`. The same command again goes
/// on where the last one ended, however it ended, and comes to the same network, whatever the number of threads.
///
///     tsumugi train fit --data games/ --out net1 --epochs 30
///     tsumugi train fit --data games/ --out net2 --from net1/net.float --shape zones9-512-15-32-k3k3
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct FitArgs {
    /// Files or folders of training data.
    #[arg(long, required = true, num_args = 1.., value_name = "PATH")]
    data: Vec<PathBuf>,
    /// Folder for the network and its files.
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
    /// Shape of the network: FEATURES-WIDTH-HIDDEN-HIDDEN[-STACKS], as in mirrored-256-15-32-k3k3, zones9-512-15-32-k3k3
    /// or halfkp-256x2-32-32 (x2: classic), or the text of a network's header.
    #[arg(long, value_name = "SHAPE", default_value = "mirrored-256-15-32-k3k3", value_parser = parse_shape)]
    shape: Architecture,
    /// Begin with this network of real numbers instead of chance. It may be narrower or have coarser zones of the king.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Number of passes over the positions.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Batch size.
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = positive)]
    batch: usize,
    /// Seed of the initial weights and the order of positions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads; the result does not depend on them. By default one per core.
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
    /// Weight decay of the hidden layers.
    #[arg(long, value_name = "RATE", default_value_t = 0.01, value_parser = fraction)]
    weight_decay: f64,
    /// Weight of the game's result in the target; the score has the rest. START..END changes it linearly.
    #[arg(long, value_name = "SHARE", default_value = "0.4", value_parser = lambda)]
    lambda: Lambda,
    /// The score that means winning chances of 73 %; by default it is fitted to the results.
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u16).range(1..))]
    scale: Option<u16>,
    /// The loss.
    #[arg(long, value_name = "LOSS", value_parser = one_of(LOSSES), default_value = "power")]
    loss: Loss,
    /// Last part of the training, in which weights and activations are rounded as in the engine.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = fraction)]
    rounded_part: f64,
    /// Hold out one of this many games for validation; 0 for none.
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
    /// Seconds between checkpoints: the most work that a kill costs.
    #[arg(long, value_name = "N", default_value_t = 60)]
    checkpoint_every: u64,
}

/// The losses.
const LOSSES: &Words<Loss> =
    &[("squared", "Its square", Loss::Squared), ("power", "Its power of 2.5", Loss::Power)];

/// Weights of results at the beginning and at the end.
type Lambda = [f32; 2];

fn lambda(text: &str) -> Result<Lambda, String> {
    let share = |text: &str| fraction(text).map(|share| share as f32);
    let (start, end) = text.split_once("..").unwrap_or((text, text));
    Ok([share(start)?, share(end)?])
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

pub fn fit(args: &FitArgs) -> anyhow::Result<()> {
    let job = FitJob {
        data: &args.data,
        out: &args.out,
        shape: &args.shape,
        from: args.from.as_deref(),
        settings: Settings {
            epochs: args.epochs,
            batch: args.batch,
            seed: args.seed,
            learning_rate: args.lr,
            final_learning_rate: args.final_lr.min(args.lr),
            warm_up: args.warm_up,
            weight_decay: args.weight_decay,
            lambda: args.lambda,
            loss: args.loss,
            rounded_part: args.rounded_part,
            ..Settings::new(&args.shape, 1.0)
        },
        scale: args.scale.map(f32::from),
        filter: Filter {
            score_limit: args.score_limit,
            first_ply: args.first_ply,
            skip_checks: !args.keep_noisy,
            skip_noisy: !args.keep_noisy,
        },
        held_out: args.held_out,
        threads: args.threads.unwrap_or_else(cores),
        checkpoint_every: Duration::from_secs(args.checkpoint_every),
    };
    let (mut line, mut warned) = (ProgressLine::new(), false);
    job.run(&mut |news| match news {
        News::Batch(_) if line.is_live() => line.update(news),
        News::Batch(_) => {}
        News::Loaded { .. } => line.keep(format_args!("{}\n{news}", args.shape)),
        News::Entry { overfitting: true, .. } if !warned => {
            warned = true;
            line.keep(news);
            line.keep(
                "warning: the loss on held-out games rises; the network learns its training data by heart",
            );
        }
        _ => line.keep(news),
    })?;
    println!("{}", args.out.join(nnue::FILE_NAME).display());
    Ok(())
}
