//! `tsumugi train`: self-play games, training data and networks.

mod data;
mod evaluation;
mod fit;
mod generate;
mod nets;
mod perturb;
mod run;

use clap::{Args, Subcommand};

/// Play games for training, inspect and convert training data, train networks.
#[derive(Args, PartialEq, Debug)]
pub struct TrainArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, PartialEq, Debug)]
enum What {
    Run(run::RunArgs),
    Generate(Box<generate::GenerateArgs>),
    /// Show statistics of training data: results, scores, plies, duplicates, and the scale of the scores.
    Stats(data::Paths),
    Show(data::ShowArgs),
    /// Read training data to the end and report the first invalid record.
    Check(data::Paths),
    Convert(data::ConvertArgs),
    Correct(data::CorrectArgs),
    #[command(alias = "stray")]
    Perturb(perturb::PerturbArgs),
    Tensors(data::TensorsArgs),
    Fit(Box<fit::FitArgs>),
    Quantise(nets::QuantiseArgs),
    Unquantise(nets::UnquantiseArgs),
    Mean(nets::MeanArgs),
}

/// Runs a command.
pub fn run(args: &TrainArgs) -> anyhow::Result<()> {
    match &args.what {
        What::Run(args) => run::run(args),
        What::Generate(args) => generate::run(args),
        What::Stats(args) => data::stats(args),
        What::Show(args) => data::show(args),
        What::Check(args) => data::check(args),
        What::Convert(args) => data::convert(args),
        What::Correct(args) => data::correct(args),
        What::Perturb(args) => perturb::run(args),
        What::Tensors(args) => data::tensors(args),
        What::Fit(args) => fit::fit(args),
        What::Quantise(args) => nets::quantise(args),
        What::Unquantise(args) => nets::unquantise(args),
        What::Mean(args) => nets::mean(args),
    }
}
