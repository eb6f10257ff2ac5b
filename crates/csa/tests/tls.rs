//! A game over TLS, with certificates that were made for this test (`testdata/csa_tls`).
#![cfg(feature = "tls")]

mod table;

use csa::client;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const GAME: &str = "LOGIN:me OK\nBEGIN Game_Summary\nGame_ID:g\nName+:other\nName-:me\nYour_Turn:-\nTo_Move:+\nBEGIN Time\n\
    Total_Time:60\nByoyomi:5\nEND Time\nBEGIN Position\nPI\n+\nEND Position\nEND Game_Summary\n";

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/csa_tls").join(name)
}

struct Side(BufReader<StreamOwned<ServerConnection, TcpStream>>);

impl Side {
    fn accept(listener: &TcpListener) -> Self {
        let certificates = vec![CertificateDer::from_pem_file(file("server.pem")).unwrap()];
        let key = PrivateKeyDer::from_pem_file(file("server.key")).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(certificates, key)
            .unwrap();
        let (stream, _) = listener.accept().unwrap();
        Self(BufReader::new(StreamOwned::new(ServerConnection::new(Arc::new(config)).unwrap(), stream)))
    }

    fn hear(&mut self) -> Option<String> {
        let mut line = String::new();
        self.0.read_line(&mut line).ok().filter(|read| *read > 0).map(|_| line.trim_end().to_owned())
    }

    fn say(&mut self, text: &str) {
        self.0.get_mut().write_all(text.as_bytes()).unwrap();
    }
}

#[test]
fn a_game_over_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut config =
        table::config(listener.local_addr().unwrap().port(), "me", table::engine("moves x,3c3d,x,8c8d"));
    (config.tls, config.tls_ca) = (true, Some(file("ca.pem")));
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("run");
    let summary = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut side = Side::accept(&listener);
            assert_eq!(side.hear().as_deref(), Some("LOGIN me secret"));
            // A long message first: more than a record of TLS holds.
            side.say(&format!("##[MOTD] {}\n{GAME}", "x".repeat(40_000)));
            assert_eq!(side.hear().as_deref(), Some("AGREE g"));
            side.say("START:g\n+7776FU,T1\n");
            assert_eq!(side.hear().as_deref(), Some("-3334FU,'* -10"));
            side.say("-3334FU,T1\n+2726FU,T1\n");
            assert_eq!(side.hear().as_deref(), Some("-8384FU,'* -10"));
            side.say("-8384FU,T1\n%TORYO,T1\n#RESIGN\n#WIN\n");
            while side.hear().is_some() {}
        });
        client::play(&config, "secret", &out, 1, &mut |_: &str| {}).unwrap()
    });
    assert_eq!((summary.games, summary.wins, summary.cuts), (1, 1, 0));
}
