//! `tsumugi train quantise`, `unquantise` and `mean`: real-valued networks.

use crate::terminal::print;
use eval::nnue::Architecture;
use std::path::PathBuf;
use train::fit::{FloatNet, parse_shape};

/// Quantise a real-valued network for engines, and report the rounding error.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct QuantiseArgs {
    /// The real-valued network.
    #[arg(value_name = "IN")]
    net: PathBuf,
    /// The file to write, or a folder for `nn.bin`.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Replace a file of another kind.
    #[arg(long)]
    force: bool,
    /// Number of positions for comparing values.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    positions: usize,
}

/// Convert a network for engines to a real-valued one, to train it further (`fit --from`, `tools/train_gpu.py --from`).
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct UnquantiseArgs {
    /// Network file, compressed or not, or folder of `nn.bin`.
    #[arg(value_name = "IN")]
    net: PathBuf,
    /// The file to write.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Replace a file of another kind.
    #[arg(long)]
    force: bool,
    /// Grow it to another architecture, as `fit --from` does.
    #[arg(long, value_name = "SHAPE", value_parser = parse_shape)]
    shape: Option<Architecture>,
}

/// Average real-valued networks that were trained from the same one: the mean often plays better than any of them.
#[derive(clap::Args, PartialEq, Debug)]
pub struct MeanArgs {
    /// Networks of one architecture.
    #[arg(value_name = "NET", required = true)]
    nets: Vec<PathBuf>,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file of another kind.
    #[arg(long)]
    force: bool,
    /// The weight of each network, such as 0.5,0.3,0.2; by default all are equal.
    #[arg(long, value_name = "SHARES", value_delimiter = ',')]
    shares: Vec<f32>,
}

pub fn quantise(args: &QuantiseArgs) -> anyhow::Result<()> {
    let lines = FloatNet::quantise_file(&args.net, &args.out, args.force, args.positions)?;
    Ok(print(lines.join("\n"))?)
}

pub fn unquantise(args: &UnquantiseArgs) -> anyhow::Result<()> {
    let net = FloatNet::unquantise_file(&args.net, &args.out, args.force, args.shape.as_ref())?;
    Ok(print(format_args!("{}: {}", args.out.display(), net.architecture()))?)
}

pub fn mean(args: &MeanArgs) -> anyhow::Result<()> {
    let mean = FloatNet::mean_of_files(&args.nets, &args.shares, &args.out, args.force)?;
    Ok(print(format_args!("{}: {}", args.out.display(), mean.architecture()))?)
}
