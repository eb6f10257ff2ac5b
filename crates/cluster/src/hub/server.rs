//! nats-server as a child, started again if it dies.

use super::HubError;
use super::credentials::{OWNER, Role, address, remember};
use super::settings::{Listen, read_listen};
use crate::bus::Bus;
use crate::bus::nats::NatsBus;
use platform::process::{Process, Program};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The program: that of `TSUMUGI_NATS_SERVER`, or the one in the search path.
fn program() -> PathBuf {
    std::env::var_os("TSUMUGI_NATS_SERVER").map_or_else(|| "nats-server".into(), PathBuf::from)
}

/// A port of this machine that is free now.
pub fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// A running hub; dropping it ends the server.
pub struct Server {
    folder: PathBuf,
    listen: Listen,
    port: u16,
    process: Process,
}

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(20);

impl Server {
    /// Starts the server of a hub, at its own port or another one, and makes its streams.
    pub fn start(folder: &Path, port: Option<u16>) -> Result<Self, HubError> {
        let listen = read_listen(folder)?;
        let port = port.unwrap_or(listen.port);
        let process = start(folder, port)?;
        let mut server = Self { folder: folder.to_owned(), listen, port, process };
        server.prepare()?;
        Ok(server)
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        self.listen.url(self.port)
    }

    /// Waits until it answers, and makes the streams.
    fn prepare(&mut self) -> Result<(), HubError> {
        let host = if self.listen.host == "0.0.0.0" { "127.0.0.1" } else { &self.listen.host };
        let deadline = Instant::now() + PATIENCE;
        while TcpStream::connect((host, self.port)).is_err() {
            let ended = self.process.wait(Duration::from_millis(20)).map_err(failed)?.is_some();
            if ended || Instant::now() > deadline {
                let reason = self.process.last_error_line().unwrap_or_else(|| "no answer".to_owned());
                return Err(HubError::Start(reason));
            }
        }
        let url = self.url();
        remember(&url, &self.folder)?;
        let owner = self.folder.join(format!("{OWNER}.json"));
        let (_, address) = address(&url, Some(&owner), Role::Owner)?;
        let bus = NatsBus::connect(&address, 1).map_err(failed)?;
        bus.set_up(None).map_err(failed)
    }

    /// Starts the server again if it has ended; returns whether it had.
    pub fn look_after(&mut self) -> Result<bool, HubError> {
        if self.process.wait(Duration::ZERO).map_err(failed)?.is_none() {
            return Ok(false);
        }
        self.process = start(&self.folder, self.port)?;
        self.prepare()?;
        Ok(true)
    }

    /// The process id of the server.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }
}

fn failed(error: impl std::fmt::Display) -> HubError {
    HubError::Start(error.to_string())
}

fn start(folder: &Path, port: u16) -> Result<Process, HubError> {
    let folder = std::path::absolute(folder).map_err(failed)?;
    let arguments = ["-c", "nats.conf", "-p", &port.to_string()].map(str::to_owned).to_vec();
    let log = folder.join("nats.log");
    Process::start(&Program { command: program(), arguments, folder }, Some(&log)).map_err(failed)
}

/// Tells a running server to read its users again. Where there are no signals, it reads them at its next start.
pub(super) fn reload(folder: &Path) {
    let Ok(id) = std::fs::read_to_string(folder.join("nats.pid")) else { return };
    let mut command = Command::new(program());
    command.arg("--signal").arg(format!("reload={}", id.trim()));
    // A server that is not running has nothing to read again.
    let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
}
