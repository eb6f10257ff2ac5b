//! `tsumugi mate --hub`.

use super::SolveArgs;
use crate::cluster::run_jobs;
use crate::terminal::{print, tell};
use ::cluster::kinds::mate::{MateSettings, Mates};
use ::cluster::run::Hub;
use ::mate::Goal;
use ::mate::problems::{Problem, Settings, Summary};
use anyhow::{bail, ensure};
use std::time::Instant;

/// Solves problems by the workers of a hub.
pub fn solve(args: &SolveArgs, hub: &Hub, problems: &[Problem], settings: &Settings) -> anyhow::Result<()> {
    let other = [
        ("--report", args.report),
        ("--helpmate", args.helpmate),
        ("--time", args.time.is_some()),
        ("--threads", args.threads > 1),
        ("--certificate", args.certificate.is_some()),
        ("--kif", args.kif.is_some()),
        ("--tree", args.tree.is_some()),
    ];
    if let Some((flag, _)) = other.iter().find(|(_, given)| *given) {
        bail!("{flag}: not over a hub, whose answers depend on the problem alone; leave out {flag} or --hub");
    }
    ensure!(args.jobs > 0, "--jobs: at least 1");
    let start = Instant::now();
    // The table of a problem is as large as without a hub: the same answers need the same table.
    let jobs = args.jobs.clamp(1, problems.len().max(1));
    let mates = Mates {
        settings: MateSettings {
            megabytes: settings.megabytes / jobs,
            nodes: settings.nodes,
            first: settings.goal == Goal::Any,
            customary: settings.customary,
        },
        problems,
    };
    let mut kinds = Vec::new();
    run_jobs(hub, &mates, None, "", |n, output| {
        for (problem, finding) in mates.findings(n, output).map_err(anyhow::Error::msg)? {
            let answer = finding.answer(problem, None, settings, true);
            kinds.push(answer.kind);
            let printed = if args.json { print(&answer.text) } else { tell(&answer.text) };
            printed?;
        }
        Ok(())
    })?;
    if !args.quiet && !args.json && kinds.len() > 1 {
        tell(Summary { kinds: &kinds, time: start.elapsed() })?;
    }
    Ok(())
}
