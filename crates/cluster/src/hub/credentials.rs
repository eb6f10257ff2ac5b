//! The file that lets a program use a hub, and the hubs of this user on this machine.

use super::HubError;
use crate::bus::nats::Address;
use platform::{AtPath, atomic_file, data_folder};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Who may use a hub, as `tsumugi hub invite` writes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// The user.
    pub name: String,
    /// The address of the hub.
    pub url: String,
    /// The seed of the key: a secret.
    pub seed: String,
    /// The certificate of the hub, if it is not signed by a public authority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

/// The folder for runs, workers and the list of hubs.
#[must_use]
pub fn own_folder() -> PathBuf {
    data_folder().unwrap_or_else(std::env::temp_dir).join("tsumugi").join("cluster")
}

impl Credentials {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, HubError> {
        let text = std::fs::read(path).at_path(path)?;
        serde_json::from_slice(&text).map_err(|error| HubError::Damaged {
            path: path.to_owned(),
            reason: format!("no credentials: {error}"),
        })
    }

    /// Writes a file.
    pub fn write(&self, path: &Path) -> Result<(), HubError> {
        Ok(atomic_file::write(path, &crate::envelope::write(self))?)
    }

    fn address(&self, url: &str) -> Result<Address, HubError> {
        let authority = match &self.certificate {
            None => None,
            Some(pem) => {
                let path = own_folder().join(format!("{}.pem", &platform::sha256(pem.as_bytes())[..16]));
                atomic_file::write(&path, pem.as_bytes())?;
                Some(path)
            }
        };
        let inbox = (self.name != OWNER).then(|| self.name.clone());
        Ok(Address { url: url.to_owned(), seed: Some(self.seed.clone()), inbox, authority })
    }
}

/// The user with all rights.
pub const OWNER: &str = "owner";
/// The user for workers on the machine of the hub.
pub const LOCAL: &str = "local";

/// What a program wants to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Coordinate runs.
    Owner,
    /// Work.
    Worker,
}

/// How to reach a hub, and under which name. Without a file, the hub is looked up among those of this user on this machine.
pub fn address(url: &str, file: Option<&Path>, role: Role) -> Result<(String, Address), HubError> {
    refuse_open(url)?;
    let name = |role| if role == Role::Owner { OWNER } else { LOCAL };
    let credentials = match file {
        Some(path) => Some(Credentials::read(path)?),
        None => std::fs::read_to_string(list_entry(url)).ok().and_then(|folder| {
            Credentials::read(&Path::new(folder.trim()).join(format!("{}.json", name(role)))).ok()
        }),
    };
    match credentials {
        Some(credentials) => Ok((credentials.name.clone(), credentials.address(url)?)),
        // A server without users.
        None => Ok((name(role).to_owned(), Address { url: url.to_owned(), ..Address::default() })),
    }
}

/// The host of an address.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    let rest = rest.split('/').next().unwrap_or(rest);
    match rest.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => rest.rsplit_once(':').map_or(rest, |(host, _)| host),
    }
}

/// Whether only this machine can reach a host.
pub(super) fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

/// Refuses addresses beyond this machine without TLS.
fn refuse_open(url: &str) -> Result<(), HubError> {
    if url.starts_with("tls://") || is_loopback(host(url)) {
        Ok(())
    } else {
        Err(HubError::Open(url.to_owned()))
    }
}

/// The entry of a hub in this user's list.
fn list_entry(url: &str) -> PathBuf {
    let place = url.split_once("://").map_or(url, |(_, rest)| rest).trim_end_matches('/');
    own_folder().join("hubs").join(platform::portable(&place.replace("localhost", "127.0.0.1")))
}

/// Remembers a running hub, so that this user's commands on this machine find its credentials.
pub(super) fn remember(url: &str, folder: &Path) -> Result<(), HubError> {
    let folder = std::path::absolute(folder).at_path(folder)?;
    Ok(atomic_file::write(&list_entry(url), folder.to_string_lossy().as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_goes_without_tls() {
        for right in [
            "nats://127.0.0.1:4222",
            "127.0.0.1",
            "nats://localhost:1",
            "nats://[::1]:4222",
            "tls://hub.example:4222",
        ] {
            assert!(refuse_open(right).is_ok(), "{right}");
        }
        for wrong in [
            "nats://192.168.1.2:4222",
            "hub.example",
            "nats://127.0.0.1@10.0.0.1:4222",
            "nats://0.0.0.0:4222",
            "",
        ] {
            assert!(refuse_open(wrong).is_err(), "{wrong}");
        }
    }
}
