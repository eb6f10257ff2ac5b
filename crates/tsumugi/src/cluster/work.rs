//! `tsumugi work`.

use crate::terminal::warn;
use crate::words::cores;
use anyhow::Context;
use cluster::hub::credentials::{Role, address, own_folder};
use cluster::kinds::{AllCrafts, net};
use cluster::work::{WorkSettings, work};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Work for a hub: take jobs, do them, send their results, until Ctrl-C.
///
/// Results that could not be sent are kept and sent when the hub is back, also by the next process.
///
///     tsumugi work --hub nats://127.0.0.1:4222
///     tsumugi work --hub tls://hub.example:4222 --creds attic.json --slots 4
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct WorkArgs {
    /// The address of the hub.
    #[arg(long, value_name = "URL")]
    hub: String,
    /// The credentials of `tsumugi hub invite`; not needed on the hub's own machine by its user.
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
    /// Jobs at the same time; by default one per core.
    #[arg(long, value_name = "N")]
    slots: Option<NonZeroUsize>,
    /// The folder for results on their way, networks and the worker's identity; by default one of this user.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &WorkArgs) -> anyhow::Result<()> {
    platform::count_interrupts().map_err(anyhow::Error::msg)?;
    let (name, address) = address(&args.hub, args.creds.as_deref(), Role::Worker)?;
    let build = net::build().context("the built-in evaluation")?;
    let slots = args.slots.map_or_else(cores, NonZeroUsize::get);
    let folder = args.dir.clone().unwrap_or_else(|| own_folder().join("work"));
    let settings = WorkSettings { address, name, build, slots, folder };
    work::<AllCrafts>(&settings, &|| platform::interrupts() > 0, &|line| warn(line))?;
    Ok(())
}
