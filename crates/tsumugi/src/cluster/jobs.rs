//! `--hub` of commands whose work can be done on many machines.

use crate::terminal::warn;
use anyhow::Context;
use cluster::coordinator::Progress;
use cluster::hub::credentials::{Role, address, own_folder};
use cluster::kind::Kind;
use cluster::kinds::net::Net;
use cluster::ledger::RunFolder;
use cluster::run::{Display, Hub};
use platform::ProgressLine;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The hub, if the work is to be done there.
#[derive(clap::Args, PartialEq, Eq, Debug, Clone, Default)]
pub struct HubChoice {
    /// Let the workers of this hub do it (`tsumugi hub`, `tsumugi work`); the result is the same.
    #[arg(long, value_name = "URL")]
    hub: Option<String>,
    /// The credentials of the hub's owner: `owner.json` in its folder; not needed on its own machine by its user.
    #[arg(long, value_name = "FILE", requires = "hub")]
    creds: Option<PathBuf>,
}

impl HubChoice {
    /// Connects, if there is a hub.
    pub fn connect(&self) -> anyhow::Result<Option<Hub>> {
        let Some(url) = &self.hub else { return Ok(None) };
        let (_, address) = address(url, self.creds.as_deref(), Role::Owner)?;
        // A command calls this once.
        platform::count_interrupts().map_err(anyhow::Error::msg)?;
        let hub = Hub::connect(&address, &own_folder().join("runs"))?;
        hub.set_up()?;
        Ok(Some(hub))
    }
}

/// The evaluation for workers.
pub fn net(hub: &Hub, path: Option<&Path>, fv_scale: i32) -> anyhow::Result<Net> {
    let Some(path) = path else { return Ok(Net::BuiltIn) };
    Net::of_file(&hub.bus, path, fv_scale).with_context(|| "--eval with --hub".to_owned())
}

/// Runs all jobs and passes their outputs to `take`, in their order.
pub fn run_jobs(
    hub: &Hub,
    kind: &dyn Kind,
    net: Option<String>,
    more: &str,
    mut take: impl FnMut(u64, &[u8]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut display = Line { line: ProgressLine::new(), begin: None };
    let folder = hub.run(kind, net, more, &mut display);
    display.line.clear();
    let mut folder: RunFolder = folder?;
    for n in 0..kind.jobs() {
        let output = folder.output(n)?.with_context(|| format!("job {n} has no output"))?;
        take(n, &output)?;
    }
    Ok(folder.remove()?)
}

/// One line of progress.
struct Line {
    line: ProgressLine,
    begin: Option<(Instant, u64)>,
}

impl Display for Line {
    fn progress(&mut self, progress: Progress) {
        let Progress { done, jobs, slots, failures, refused, paused } = progress;
        let (begin, before) = *self.begin.get_or_insert((Instant::now(), done));
        let rate = (done - before.min(done)) as f64 / begin.elapsed().as_secs_f64().max(0.1);
        let left = if rate > 0.0 { format!("{:.0} s", (jobs - done) as f64 / rate) } else { "?".to_owned() };
        let paused = if paused { ", paused" } else { "" };
        self.line.update(format_args!(
            "{done}/{jobs} jobs, {rate:.1} jobs/s, {left} left, {slots} slots, {failures} failures, {refused} refused{paused}"
        ));
    }

    fn note(&mut self, line: &str) {
        self.line.clear();
        warn(line);
    }

    fn must_stop(&mut self) -> bool {
        platform::interrupts() > 0
    }
}
