use anyhow::{Context, bail, ensure};
use arena::EngineSpec;
use arena::compliance::{self, Check, Grade};
use std::io::{self, Write};
use std::path::PathBuf;

/// Check whether an engine keeps what USI hosts rely on.
///
///     tsumugi compliance -- ./engine --its-arguments
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct ComplianceArgs {
    /// Make only these checks, such as H1,G2.
    #[arg(long, value_delimiter = ',', value_name = "CHECKS")]
    only: Vec<String>,
    /// An option for the engine in all checks.
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// The folder that the engine runs in [default: its own].
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Write the findings to this file, too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// List the checks instead of making them.
    #[arg(long)]
    list: bool,
    /// The engine and its arguments.
    #[arg(last = true, required_unless_present = "list", value_name = "ENGINE")]
    engine: Vec<String>,
}

/// Makes the checks and reports.
pub fn run_compliance(args: &ComplianceArgs) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let chosen = compliance::select(&args.only)?;
    if args.list {
        for Check { id, hosts, promise, .. } in chosen {
            writeln!(out, "{id:4} {promise} [{hosts}]")?;
        }
        return Ok(());
    }
    let engine = spec(args)?;
    let mut findings = Vec::new();
    for check in chosen {
        let finding = check.make(&engine);
        check.report(&mut out, &finding)?;
        findings.push(finding);
    }
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&findings)?;
        std::fs::write(path, text).with_context(|| path.display().to_string())?;
    }
    let count = |grade| findings.iter().filter(|finding| finding.grade == grade).count();
    let bad = findings.iter().filter(|finding| finding.is_failure()).count();
    writeln!(out, "{} passed, {} to be warned of, {bad} failed", count(Grade::Pass), count(Grade::Warn))?;
    ensure!(bad == 0, "{bad} of {} checks failed", findings.len());
    Ok(())
}

fn spec(args: &ComplianceArgs) -> anyhow::Result<EngineSpec> {
    let [program, arguments @ ..] = args.engine.as_slice() else { bail!("which engine?") };
    let mut words = vec![format!("cmd={program}")];
    words.extend(args.option.iter().map(|option| format!("option.{option}")));
    words.extend(args.dir.iter().map(|dir| format!("dir={}", dir.display())));
    let mut spec = EngineSpec::from_words(words.iter().map(String::as_str))?;
    spec.arguments = arguments.to_vec();
    Ok(spec)
}
