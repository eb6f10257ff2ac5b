//! The folder of a hub: settings for nats-server, users with their rights.

use super::HubError;
use super::credentials::{Credentials, LOCAL, OWNER, is_loopback};
use crate::names::is_token;
use nkeys::KeyPair;
use platform::{AtPath, atomic_file};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Where a hub listens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listen {
    /// The address.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The name by which workers reach it, if it is not the address.
    pub name: Option<String>,
    /// The certificate, in PEM.
    pub cert: Option<PathBuf>,
    /// Its key, in PEM.
    pub key: Option<PathBuf>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HubFile {
    listen: Listen,
    /// Names and public keys.
    users: Vec<(String, String)>,
}

impl Listen {
    fn check(&self) -> Result<(), HubError> {
        let has_tls = self.cert.is_some() && self.key.is_some();
        if has_tls || is_loopback(&self.host) { Ok(()) } else { Err(HubError::Open(self.host.clone())) }
    }

    /// The address of the hub.
    #[must_use]
    pub fn url(&self, port: u16) -> String {
        let scheme = if self.cert.is_some() { "tls" } else { "nats" };
        let host = self.name.as_ref().unwrap_or(&self.host);
        let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
        format!("{scheme}://{host}:{port}")
    }
}

fn hub_path(folder: &Path) -> PathBuf {
    folder.join("hub.json")
}

fn read(folder: &Path) -> Result<HubFile, HubError> {
    let path = hub_path(folder);
    let Ok(text) = std::fs::read(&path) else { return Err(HubError::None(folder.to_owned())) };
    let hub: HubFile = serde_json::from_slice(&text)
        .map_err(|error| HubError::Damaged { path, reason: error.to_string() })?;
    // Someone may have edited it.
    hub.listen.check()?;
    Ok(hub)
}

/// The settings of a hub.
pub(super) fn read_listen(folder: &Path) -> Result<Listen, HubError> {
    Ok(read(folder)?.listen)
}

/// The address of a hub.
pub fn read_url(folder: &Path) -> Result<String, HubError> {
    let listen = read_listen(folder)?;
    Ok(listen.url(listen.port))
}

/// Makes a hub: `nats.conf`, the users `owner` and `local`, and room for its store.
pub fn init(folder: &Path, listen: Listen) -> Result<(), HubError> {
    listen.check()?;
    if hub_path(folder).exists() {
        return Err(HubError::Exists(folder.to_owned()));
    }
    let store = folder.join("store");
    std::fs::create_dir_all(&store).at_path(&store)?;
    let mut hub = HubFile { listen, users: Vec::new() };
    for name in [OWNER, LOCAL] {
        add_user(&mut hub, name)?.write(&folder.join(format!("{name}.json")))?;
    }
    write(folder, &hub)
}

/// Invites a worker; its credentials are a secret. A running server takes them over.
pub fn invite(folder: &Path, name: &str) -> Result<Credentials, HubError> {
    if !is_token(name) {
        return Err(HubError::Name(name.to_owned()));
    }
    let mut hub = read(folder)?;
    if hub.users.iter().any(|(old, _)| old == name) {
        return Err(HubError::Taken(name.to_owned()));
    }
    let credentials = add_user(&mut hub, name)?;
    write(folder, &hub)?;
    super::server::reload(folder);
    Ok(credentials)
}

fn add_user(hub: &mut HubFile, name: &str) -> Result<Credentials, HubError> {
    let key = KeyPair::new_user();
    let seed = key.seed().map_err(|error| HubError::Key(error.to_string()))?;
    hub.users.push((name.to_owned(), key.public_key()));
    let certificate = match &hub.listen.cert {
        Some(path) => Some(std::fs::read_to_string(path).at_path(path)?),
        None => None,
    };
    Ok(Credentials { name: name.to_owned(), url: hub.listen.url(hub.listen.port), seed, certificate })
}

fn write(folder: &Path, hub: &HubFile) -> Result<(), HubError> {
    let mut users = String::from("# Written by `tsumugi hub`.\nauthorization {\n  users = [\n");
    for (name, key) in &hub.users {
        // Writing to a string cannot fail.
        let _ = writeln!(users, "    # {name}\n    {{ nkey: {key}{} }}", rights(name));
    }
    users.push_str("  ]\n}\n");
    atomic_file::write(&folder.join("users.conf"), users.as_bytes())?;
    let json = serde_json::to_vec_pretty(hub).unwrap_or_default();
    atomic_file::write(&hub_path(folder), &json)?;
    let absolute = std::path::absolute(folder).at_path(folder)?;
    let quoted = |path: PathBuf| format!("{:?}", path.to_string_lossy());
    let mut conf = format!(
        "# Written by `tsumugi hub`.\nlisten: {:?}\npid_file: {}\njetstream {{ store_dir: {} }}\ninclude \"users.conf\"\n",
        format!("{}:{}", hub.listen.host, hub.listen.port),
        quoted(absolute.join("nats.pid")),
        quoted(absolute.join("store")),
    );
    if let (Some(cert), Some(key)) = (&hub.listen.cert, &hub.listen.key) {
        let absolute = |path: &Path| std::path::absolute(path).at_path(path);
        let _ = writeln!(
            conf,
            "tls {{ cert_file: {}, key_file: {} }}",
            quoted(absolute(cert)?),
            quoted(absolute(key)?)
        );
    }
    Ok(atomic_file::write(&folder.join("nats.conf"), conf.as_bytes())?)
}

/// What a worker may do: take jobs, send results, events and its state, read what jobs need. Nothing else.
fn rights(name: &str) -> String {
    if name == OWNER {
        return String::new();
    }
    let publish = [
        "$JS.API.CONSUMER.INFO.TSU_JOBS.*".to_owned(),
        "$JS.API.CONSUMER.MSG.NEXT.TSU_JOBS.*".to_owned(),
        "$JS.ACK.TSU_JOBS.>".to_owned(),
        "tsu.res.>".to_owned(),
        format!("tsu.ev.*.{name}.*"),
        format!("$KV.tsu_workers.{name}.*"),
        "$JS.API.DIRECT.GET.TSU_RES.>".to_owned(),
        "$JS.API.DIRECT.GET.KV_tsu_runs.>".to_owned(),
        "$JS.API.STREAM.INFO.OBJ_tsu_blobs".to_owned(),
        "$JS.API.DIRECT.GET.OBJ_tsu_blobs.>".to_owned(),
        "$JS.API.STREAM.MSG.GET.OBJ_tsu_blobs".to_owned(),
        "$JS.API.CONSUMER.CREATE.OBJ_tsu_blobs".to_owned(),
        "$JS.API.CONSUMER.CREATE.OBJ_tsu_blobs.>".to_owned(),
        "$JS.API.CONSUMER.DELETE.OBJ_tsu_blobs.>".to_owned(),
        "$JS.FC.OBJ_tsu_blobs.>".to_owned(),
    ];
    let list = publish.map(|subject| format!("{subject:?}")).join(", ");
    format!(", permissions: {{ publish: [{list}], subscribe: [\"_INBOX.{name}.>\"] }}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listen(host: &str) -> Listen {
        Listen { host: host.to_owned(), port: 4222, name: None, cert: None, key: None }
    }

    #[test]
    fn addresses_beyond_this_machine_need_tls() {
        let folder = tempfile::tempdir().unwrap();
        for open in ["0.0.0.0", "192.168.1.2", "::"] {
            assert!(matches!(init(folder.path(), listen(open)), Err(HubError::Open(_))), "{open}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        init(folder.path(), listen("127.0.0.1")).unwrap();
        assert!(matches!(init(folder.path(), listen("127.0.0.1")), Err(HubError::Exists(_))));
        assert_eq!(read_url(folder.path()).unwrap(), "nats://127.0.0.1:4222");
        // The file edited by hand.
        let text = std::fs::read_to_string(hub_path(folder.path())).unwrap();
        std::fs::write(hub_path(folder.path()), text.replace("127.0.0.1", "0.0.0.0")).unwrap();
        assert!(matches!(read_url(folder.path()), Err(HubError::Open(_))));
    }

    #[test]
    fn invited_workers_have_keys_and_few_rights() {
        let folder = tempfile::tempdir().unwrap();
        init(folder.path(), listen("127.0.0.1")).unwrap();
        let attic = invite(folder.path(), "attic").unwrap();
        assert!(attic.seed.starts_with("SU"));
        for bad in ["", "a.b", ">", "*", "a b", "あ"] {
            assert!(matches!(invite(folder.path(), bad), Err(HubError::Name(_))), "{bad}");
        }
        for taken in ["attic", "owner", "local"] {
            assert!(matches!(invite(folder.path(), taken), Err(HubError::Taken(_))), "{taken}");
        }
        let users = std::fs::read_to_string(folder.path().join("users.conf")).unwrap();
        assert_eq!((users.matches("nkey: U").count(), users.matches("permissions").count()), (3, 2));
        assert!(users.contains("tsu.ev.*.attic.*") && !users.contains(&attic.seed));
    }
}
