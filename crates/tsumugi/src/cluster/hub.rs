//! `tsumugi hub`.

use crate::terminal::{print, warn};
use anyhow::Context;
use cluster::hub::{Listen, Server, free_port, init, invite, read_url};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Run a hub for work on many machines: nats-server with its settings, users and rights.
///
/// Others reach it by TLS only, or through a tunnel (ssh -L, `WireGuard`) to its address on this machine.
///
///     tsumugi hub init myhub
///     tsumugi hub run myhub
///     tsumugi hub invite myhub attic > attic.json
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct HubArgs {
    #[command(subcommand)]
    command: HubCommand,
}

#[derive(clap::Subcommand, PartialEq, Debug)]
enum HubCommand {
    Init(InitArgs),
    Run(RunArgs),
    Invite(InviteArgs),
}

/// Make a hub: a folder with the settings of nats-server and two users, `owner` and `local`.
#[derive(clap::Args, PartialEq, Debug)]
struct InitArgs {
    /// The folder.
    dir: PathBuf,
    /// The address to listen on; any but this machine's own needs --cert and --key.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: String,
    /// The port.
    #[arg(long, value_name = "N", default_value_t = 4222)]
    port: u16,
    /// The name by which workers reach it, if it is not the address.
    #[arg(long, value_name = "HOST")]
    name: Option<String>,
    /// The certificate (PEM).
    #[arg(long, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,
    /// The key of the certificate (PEM).
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,
}

/// Run the hub until Ctrl-C; prints its address first. A server that dies is started again.
#[derive(clap::Args, PartialEq, Debug)]
struct RunArgs {
    /// The folder.
    dir: PathBuf,
    /// Another port than that of the settings; 0 takes a free one.
    #[arg(long, value_name = "N")]
    port: Option<u16>,
}

/// Invite a worker: prints its credentials, a secret, for `tsumugi work --creds`.
#[derive(clap::Args, PartialEq, Debug)]
struct InviteArgs {
    /// The folder.
    dir: PathBuf,
    /// A name for the worker; several machines can use it.
    name: String,
}

/// How often the server is looked after.
const TICK: Duration = Duration::from_millis(200);

/// Runs the command.
pub fn run(args: &HubArgs) -> anyhow::Result<()> {
    match &args.command {
        HubCommand::Init(args) => {
            let InitArgs { listen, port, name, cert, key, .. } = args;
            let (cert, key) = (cert.clone(), key.clone());
            let listen = Listen { host: listen.clone(), port: *port, name: name.clone(), cert, key };
            init(&args.dir, listen)?;
            Ok(print(read_url(&args.dir)?)?)
        }
        HubCommand::Run(args) => serve(args),
        HubCommand::Invite(args) => {
            let credentials = invite(&args.dir, &args.name)?;
            Ok(print(serde_json::to_string_pretty(&credentials)?)?)
        }
    }
}

fn serve(args: &RunArgs) -> anyhow::Result<()> {
    platform::count_interrupts().map_err(anyhow::Error::msg)?;
    let port = match args.port {
        Some(0) => Some(free_port().context("no free port")?),
        port => port,
    };
    let mut server = Server::start(&args.dir, port)?;
    print(server.url())?;
    io::stdout().flush()?;
    let mut failures = 0;
    while platform::interrupts() == 0 {
        std::thread::sleep(TICK);
        match server.look_after() {
            Ok(false) => {}
            Ok(true) => {
                failures = 0;
                warn("nats-server had ended and was started again");
            }
            Err(error) if failures < 50 => {
                failures += 1;
                warn(format_args!("warning: {error}"));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
