//! Networks of real numbers: `tsumugi train quantise`, `unquantise` and `mean`.

use super::overwrite::Output;
use crate::net::NetFile;
use anyhow::{Context, ensure};
use eval::nnue::{self, Architecture};
use std::io::{self, Write};
use std::path::PathBuf;
use train::fit::{Activations, FloatNet, RoundingError, parse_shape, random_positions};

/// Make a network of real numbers one that engines play with, and say what rounding costs.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct QuantiseArgs {
    /// The network of real numbers.
    #[arg(value_name = "IN")]
    net: PathBuf,
    /// The file to write, or a folder for `nn.bin`.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Replace a file that holds something else.
    #[arg(long)]
    force: bool,
    /// Positions to compare values on.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    positions: usize,
}

/// Quantises.
pub fn quantise(args: &QuantiseArgs) -> anyhow::Result<()> {
    let net = FloatNet::load(&args.net).with_context(|| format!("cannot read {}", args.net.display()))?;
    let out = if args.out.is_dir() { args.out.join(nnue::FILE_NAME) } else { args.out.clone() };
    Output::Network.check(&out, args.force)?;
    net.save_quantised(&out)?;
    let positions = random_positions(args.positions, 1);
    let quantised = net.quantise();
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{}: {}", out.display(), net.architecture())?;
    for (what, real, activations) in [
        ("real numbers", &net, Activations::Real),
        ("real numbers rounded alike", &net.rounded(), Activations::Cut),
    ] {
        let RoundingError { mean, worst, within_two } =
            RoundingError::measure(real, activations, &quantised, &positions);
        let (share, count) = (100.0 * within_two, positions.len());
        writeln!(
            stdout,
            "values differ from {what} by {mean:.2} on average, {worst:.1} at worst, by at most 2 in {share:.1} % of {count} random positions",
        )?;
    }
    Ok(())
}

/// Make a network that engines play with one of real numbers, to learn on from (`fit --from`, `tools/train_gpu.py --from`).
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct UnquantiseArgs {
    /// Network file, compressed or not, or folder of `nn.bin`.
    #[arg(value_name = "IN")]
    net: PathBuf,
    /// The file to write.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Replace a file that holds something else.
    #[arg(long)]
    force: bool,
    /// Let it grow to another shape, as `fit --from` does.
    #[arg(long, value_name = "SHAPE", value_parser = parse_shape)]
    shape: Option<Architecture>,
}

/// Writes the numbers that the network stands for.
pub fn unquantise(args: &UnquantiseArgs) -> anyhow::Result<()> {
    let parameters = NetFile::read(&args.net)?.loaded.parameters;
    let net = FloatNet::from_quantised(&parameters)
        .with_context(|| format!("{} has a shape that is not trained here", args.net.display()))?;
    let net = match &args.shape {
        Some(shape) => net.grow(shape, 1)?,
        None => net,
    };
    Output::RealNetwork.check(&args.out, args.force)?;
    net.save(&args.out)?;
    writeln!(io::stdout().lock(), "{}: {}", args.out.display(), net.architecture())?;
    Ok(())
}

/// Make the mean of networks of real numbers that learned on from the same one: it often plays better than any of them.
#[derive(clap::Args, PartialEq, Debug)]
pub struct MeanArgs {
    /// Networks of one shape.
    #[arg(value_name = "NET", required = true)]
    nets: Vec<PathBuf>,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file that holds something else.
    #[arg(long)]
    force: bool,
    /// The share of each network, such as 0.5,0.3,0.2; by default all have the same.
    #[arg(long, value_name = "SHARES", value_delimiter = ',')]
    shares: Vec<f32>,
}

/// Writes the mean.
pub fn mean(args: &MeanArgs) -> anyhow::Result<()> {
    let (count, given) = (args.nets.len(), args.shares.len());
    ensure!(given == 0 || given == count, "{count} networks, but {given} shares; expected one for each");
    let shares = args.shares.iter().copied().chain(std::iter::repeat(1.0));
    let load =
        |path: &PathBuf| FloatNet::load(path).with_context(|| format!("cannot read {}", path.display()));
    let nets = args.nets.iter().zip(shares).map(|(path, share)| Ok((load(path)?, share)));
    let mean = FloatNet::mean(&nets.collect::<anyhow::Result<Vec<_>>>()?);
    let mean =
        mean.context("there is no mean: expected networks of one shape, and shares with a sum above 0")?;
    Output::RealNetwork.check(&args.out, args.force)?;
    mean.save(&args.out)?;
    writeln!(io::stdout().lock(), "{}: {}", args.out.display(), mean.architecture())?;
    Ok(())
}
