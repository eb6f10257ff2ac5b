use anyhow::{Context, bail, ensure};
use arena::EngineSpec;
use arena::compliance;
use std::io::{self, Write};
use std::path::PathBuf;

/// Check whether an engine does what USI hosts rely on.
///
///     tsumugi compliance -- ./engine --its-arguments
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct ComplianceArgs {
    /// Run only these checks, such as H1,G2.
    #[arg(long, value_delimiter = ',', value_name = "CHECKS")]
    only: Vec<String>,
    /// An option of the engine in all checks.
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// The working folder of the engine [default: its own].
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Also write the findings to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// List the checks without running them.
    #[arg(long)]
    list: bool,
    /// The engine and its arguments.
    #[arg(last = true, required_unless_present = "list", value_name = "ENGINE")]
    engine: Vec<String>,
}

/// Runs the command.
pub fn run_compliance(args: &ComplianceArgs) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let chosen = compliance::select(&args.only)?;
    if args.list {
        return Ok(chosen.iter().try_for_each(|check| writeln!(out, "{check}"))?);
    }
    let findings = compliance::run(&chosen, &spec(args)?, &mut out)?;
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&findings)?;
        std::fs::write(path, text).with_context(|| path.display().to_string())?;
    }
    writeln!(out, "{}", compliance::summary(&findings))?;
    let bad = findings.iter().filter(|finding| finding.is_failure()).count();
    ensure!(bad == 0, "{bad} of {} checks failed", findings.len());
    Ok(())
}

fn spec(args: &ComplianceArgs) -> anyhow::Result<EngineSpec> {
    let [program, arguments @ ..] = args.engine.as_slice() else {
        bail!("no engine: give its command after `--`")
    };
    let mut words = vec![format!("cmd={program}")];
    words.extend(args.option.iter().map(|option| format!("option.{option}")));
    words.extend(args.dir.iter().map(|dir| format!("dir={}", dir.display())));
    let mut spec = EngineSpec::from_words(words.iter().map(String::as_str))?;
    spec.arguments = arguments.to_vec();
    Ok(spec)
}
