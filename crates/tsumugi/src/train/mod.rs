//! `tsumugi train`: games for data, and what is made of them.

mod data;
mod evaluation;
mod fit;
mod generate;
pub mod gensfen;
pub mod learn;
pub(crate) mod overwrite;
mod real;
mod run;
mod stray;

use clap::{Args, Subcommand};

/// Play games for training, look at teachers and convert them, train networks.
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
    Stray(stray::StrayArgs),
    Tensors(data::TensorsArgs),
    Fit(Box<fit::FitArgs>),
    Quantise(real::QuantiseArgs),
    Unquantise(real::UnquantiseArgs),
    Mean(real::MeanArgs),
}

/// Does it.
pub fn run(args: &TrainArgs) -> anyhow::Result<()> {
    match &args.what {
        What::Run(args) => run::run(args),
        What::Generate(args) => generate::run(args),
        What::Stats(args) => data::stats(args),
        What::Show(args) => data::show(args),
        What::Check(args) => data::check(args),
        What::Convert(args) => data::convert(args),
        What::Correct(args) => data::correct(args),
        What::Stray(args) => stray::stray(args),
        What::Tensors(args) => data::tensors(args),
        What::Fit(args) => fit::fit(args),
        What::Quantise(args) => real::quantise(args),
        What::Unquantise(args) => real::unquantise(args),
        What::Mean(args) => real::mean(args),
    }
}
