//! `tsumugi train quantise`, `unquantise` and `mean`: networks of real numbers.

use eval::nnue::Architecture;
use std::io::{self, Write};
use std::path::PathBuf;
use train::fit::{FloatNet, parse_shape};

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

pub fn quantise(args: &QuantiseArgs) -> anyhow::Result<()> {
    let lines = FloatNet::quantise_file(&args.net, &args.out, args.force, args.positions)?;
    writeln!(io::stdout().lock(), "{}", lines.join("\n"))?;
    Ok(())
}

pub fn unquantise(args: &UnquantiseArgs) -> anyhow::Result<()> {
    let net = FloatNet::unquantise_file(&args.net, &args.out, args.force, args.shape.as_ref())?;
    writeln!(io::stdout().lock(), "{}: {}", args.out.display(), net.architecture())?;
    Ok(())
}

pub fn mean(args: &MeanArgs) -> anyhow::Result<()> {
    let mean = FloatNet::mean_of_files(&args.nets, &args.shares, &args.out, args.force)?;
    writeln!(io::stdout().lock(), "{}: {}", args.out.display(), mean.architecture())?;
    Ok(())
}
