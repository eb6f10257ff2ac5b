use crate::terminal::{print, warn};
use anyhow::Context;
use arena::result_log::ResultLog;
use platform::svg;
use std::path::PathBuf;

/// Show the win rate of each value of each parameter from the logs of a tuning engine.
///
/// The engine writes `gameover win|lose|draw` and a line of NAME:VALUE, pairs for each game. A file name may
/// contain `%%THREAD_NUMBER%%`, which stands for any number.
#[derive(clap::Args, PartialEq, Debug)]
pub struct AnalyzeLogArgs {
    /// The logs.
    #[arg(required = true)]
    logs: Vec<String>,
    /// Draw the win rates to this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Prints the table.
pub fn run_analyze_log(args: &AnalyzeLogArgs) -> anyhow::Result<()> {
    let log = ResultLog::read_files(&args.logs)?;
    print(&log)?;
    if log.skipped() > 0 {
        warn(format_args!("warning: {} lines were not understood", log.skipped()));
    }
    if let Some(path) = &args.svg {
        std::fs::write(path, svg::draw(&log.charts())).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
