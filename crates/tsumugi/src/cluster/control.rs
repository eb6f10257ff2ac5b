//! `tsumugi cluster`.

use crate::terminal::{print, tell};
use anyhow::bail;
use cluster::bus::Bus;
use cluster::bus::nats::NatsBus;
use cluster::control;
use cluster::coordinator::workers;
use cluster::envelope::Phase;
use cluster::hub::credentials::{Role, address};
use cluster::names::RunId;
use std::path::PathBuf;

/// See what a hub's runs and workers do, and step in.
///
///     tsumugi cluster status --hub nats://127.0.0.1:4222
///     tsumugi cluster withdraw attic.3fa90c12 --hub nats://127.0.0.1:4222
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct ClusterArgs {
    /// The address of the hub.
    #[arg(long, global = true, value_name = "URL", default_value = "nats://127.0.0.1:4222")]
    hub: String,
    /// The credentials of the owner: `owner.json` in the hub's folder; not needed on the hub's own machine by its user.
    #[arg(long, global = true, value_name = "FILE")]
    creds: Option<PathBuf>,
    #[command(subcommand)]
    command: ClusterCommand,
}

#[derive(clap::Subcommand, PartialEq, Debug)]
enum ClusterCommand {
    /// List the runs: state, kind, jobs done, jobs given out, jobs given up.
    Status,
    /// List the workers: slots, jobs done and failed, program, what keeps them from working.
    Workers,
    /// Give out no jobs of a run for a while.
    Pause {
        /// The run.
        run: RunId,
        /// Give them out again.
        #[arg(long)]
        resume: bool,
    },
    /// End a run; its command can be started again.
    Cancel {
        /// The run.
        run: RunId,
    },
    /// Drop all results of a worker in open runs; its jobs are done again by others.
    Withdraw {
        /// The worker, as `tsumugi cluster workers` lists it.
        worker: String,
    },
    /// List the jobs of a run that wait or are being done.
    Jobs {
        /// The run.
        run: RunId,
    },
}

/// Runs the command.
pub fn run(args: &ClusterArgs) -> anyhow::Result<()> {
    let (_, address) = address(&args.hub, args.creds.as_deref(), Role::Owner)?;
    let bus = NatsBus::connect(&address, 1)?;
    bus.set_up(None)?;
    match &args.command {
        ClusterCommand::Status => {
            for (run, state, queued) in control::status(&bus)? {
                let phase = match state.phase {
                    Phase::Open if state.owner.is_empty() => "waiting",
                    Phase::Open => "open",
                    Phase::Paused => "paused",
                    Phase::Cancelled => "cancelled",
                    Phase::Done => "done",
                };
                let (kind, done, jobs, poison) = (&state.kind, state.done, state.jobs, state.poison.len());
                print(format_args!(
                    "{run} {phase:<9} {kind:<8} {done}/{jobs} queued {queued} given-up {poison}"
                ))?;
            }
            Ok(())
        }
        ClusterCommand::Workers => {
            for (id, state) in workers(&bus)? {
                let (slots, done, failed) = (state.slots, state.done, state.failed);
                print(format_args!(
                    "{id} slots {slots} done {done} failed {failed} build {} {}",
                    state.build, state.complaint
                ))?;
            }
            Ok(())
        }
        ClusterCommand::Pause { run, resume } => {
            Ok(control::set_phase(&bus, run, if *resume { Phase::Open } else { Phase::Paused })?)
        }
        ClusterCommand::Cancel { run } => Ok(control::set_phase(&bus, run, Phase::Cancelled)?),
        ClusterCommand::Withdraw { worker } => {
            let runs = control::withdraw(&bus, worker)?;
            if runs.is_empty() {
                bail!("worker {worker}: no run is open");
            }
            runs.iter().try_for_each(|run| tell(format_args!("run {run}: worker {worker} is withdrawn")))?;
            Ok(())
        }
        ClusterCommand::Jobs { run } => Ok(control::jobs(&bus, run)?.iter().try_for_each(print)?),
    }
}
