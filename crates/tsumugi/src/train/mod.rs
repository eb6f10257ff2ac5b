//! `tsumugi train`: games for data, and what is made of them.

mod data;
mod evaluation;
mod fit;
mod generate;
mod nets;
mod perturb;
mod progress;
mod run;

use clap::{Args, Subcommand};

/// Play games for training, look at training data and convert it, train networks.
#[derive(Args, PartialEq, Debug)]
pub struct TrainArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, PartialEq, Debug)]
enum What {
    Run(run::RunArgs),
    Generate(Box<generate::GenerateArgs>),
    Stats(data::StatsArgs),
    Show(data::ShowArgs),
    Check(data::CheckArgs),
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
