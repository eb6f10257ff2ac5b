//! A hub: nats-server with the settings, users and rights that runs need.

pub mod credentials;
mod server;
mod settings;

pub use server::{Server, free_port};
pub use settings::{Listen, init, invite, read_url};

use platform::FileError;
use std::path::PathBuf;

/// Why a hub cannot be made or run.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is one already.
    #[error("{}: there is a hub already; choose another folder", .0.display())]
    Exists(PathBuf),
    /// There is none.
    #[error("{}: no hub; make one with `tsumugi hub init`", .0.display())]
    None(PathBuf),
    /// A file of the hub is not what it should be.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Strangers would reach it, and anyone between could read along.
    #[error(
        "{0}: others can reach this address: give --cert and --key for TLS, or listen on 127.0.0.1 and use a tunnel (ssh -L, WireGuard)"
    )]
    Open(String),
    /// No name for a user.
    #[error("`{0}`: a name has up to 32 letters a-z, digits, - and _")]
    Name(String),
    /// The name is taken.
    #[error("{0} was invited already; choose another name")]
    Taken(String),
    /// No key can be made.
    #[error("no key can be made: {0}")]
    Key(String),
    /// The server does not start.
    #[error(
        "nats-server does not start: {0}: install it (apt-get install nats-server), or name it in TSUMUGI_NATS_SERVER"
    )]
    Start(String),
}
