use anyhow::{Context, ensure};
use arena::result_log::ResultLog;
use platform::svg;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

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

const THREAD_NUMBER: &str = "%%THREAD_NUMBER%%";

/// Prints the table.
pub fn run_analyze_log(args: &AnalyzeLogArgs) -> anyhow::Result<()> {
    let mut log = ResultLog::default();
    for name in &args.logs {
        let paths = expand(name)?;
        ensure!(!paths.is_empty(), "there is no file `{name}`");
        for path in paths {
            let file = File::open(&path).with_context(|| path.display().to_string())?;
            log.read(BufReader::new(file)).with_context(|| path.display().to_string())?;
        }
    }
    writeln!(io::stdout(), "{log}")?;
    if log.skipped() > 0 {
        writeln!(io::stderr(), "warning: {} lines were not understood", log.skipped())?;
    }
    if let Some(path) = &args.svg {
        std::fs::write(path, svg::draw(&log.charts())).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// The files that a name with or without `%%THREAD_NUMBER%%` stands for.
fn expand(name: &str) -> anyhow::Result<Vec<PathBuf>> {
    let path = Path::new(name);
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some((before, after)) = file.split_once(THREAD_NUMBER) else { return Ok(vec![path.to_owned()]) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let number = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        if number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}
