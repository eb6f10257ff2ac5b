//! `tsumugi train run`: makes a network from scratch.

use anyhow::Context;
use std::path::{PathBuf, absolute};
use train::pipeline::Pipeline;

/// Make a network from scratch: games of the material evaluation, a network trained on them, a match between the two;
/// then games of that network, and so on.
///
/// Each step is a command of this program and is shown before it is run. Interrupted, the same command again goes on with the
/// step that was not finished.
///
///     tsumugi train run --out first
///     tsumugi train run --out more --rounds 3 --minutes 180
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct RunArgs {
    /// Folder for games, networks and matches.
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
    /// Approximate total time in minutes; three quarters are for games.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u64).range(1..))]
    minutes: u64,
    /// Number of networks, each trained on the games of all before it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Level of the material evaluation in the first games and in the matches.
    #[arg(long, value_name = "LEVEL", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    material: u8,
    /// Nodes per search in the games.
    #[arg(long, value_name = "N", default_value_t = 150)]
    nodes: u64,
    /// Architecture of the networks; see `train fit --help`.
    #[arg(long, value_name = "SHAPE", default_value = "mirrored-128-15-32-k3k3", value_parser = shape)]
    shape: String,
    /// Games per match; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 100)]
    match_games: u32,
    /// Threads; by default one per core.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print the commands without running them.
    #[arg(long)]
    dry_run: bool,
}

fn shape(text: &str) -> Result<String, String> {
    train::fit::parse_shape(text).map(|_| text.to_owned()).map_err(|error| error.to_string())
}

pub fn run(args: &RunArgs) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("the path of this program")?;
    let &RunArgs { minutes, rounds, material, nodes, match_games, threads, seed, .. } = args;
    let (out, shape) = (args.out.clone(), args.shape.clone());
    let pipeline = Pipeline { out, minutes, rounds, material, nodes, shape, match_games, threads, seed };
    if args.dry_run {
        pipeline.steps(&program)?.iter().for_each(|step| println!("{step}"));
        return Ok(());
    }
    pipeline.run(&program, |number, count, step| eprintln!("[{number}/{count}] {step}"))?;
    let net = pipeline.network();
    eprintln!("the network is {}", net.join("nn.bin").display());
    eprintln!("training report: {}", net.join("report.html").display());
    eprintln!("to play with it: setoption name EvalDir value {}", absolute(&net)?.display());
    Ok(())
}
