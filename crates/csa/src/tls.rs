//! TLS, for servers that support it. It is not part of the protocol; floodgate and shogi-server do not support it.

use platform::net::{Layer, LineSocket, dial};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Connects and performs the handshake; `authority` is a PEM file with the only certificates to trust, instead of the
/// usual root certificates.
pub(crate) fn connect(
    host: &str,
    port: u16,
    authority: Option<&Path>,
    patience: Duration,
    longest: usize,
) -> io::Result<LineSocket> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots(authority)?)
        .with_no_client_auth();
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    let mut connection = ClientConnection::new(Arc::new(config), name).map_err(io::Error::other)?;
    let mut stream = dial(host, port, patience)?;
    stream.set_read_timeout(Some(patience))?;
    stream.set_write_timeout(Some(patience))?;
    while connection.is_handshaking() {
        let told = |error: io::Error| io::Error::new(error.kind(), format!("TLS: {error}"));
        connection.complete_io(&mut stream).map_err(told)?;
    }
    Ok(LineSocket::new(stream, longest)?.with_layer(Box::new(Tls(connection))))
}

/// The trusted certificates.
fn roots(authority: Option<&Path>) -> io::Result<RootCertStore> {
    let Some(path) = authority else {
        return Ok(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() });
    };
    let fault = |error: String| io::Error::other(format!("{}: {error}", path.display()));
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| fault(error.to_string()))? {
        let certificate = certificate.map_err(|error| fault(error.to_string()))?;
        roots.add(certificate).map_err(|error| fault(error.to_string()))?;
    }
    if roots.is_empty() { Err(fault("no certificate in it".to_owned())) } else { Ok(roots) }
}

#[derive(Debug)]
struct Tls(ClientConnection);

impl Layer for Tls {
    fn read(&mut self, mut stream: &TcpStream, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.reader().read(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                // The other side may close without `close_notify`.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(0),
                read => return read,
            }
            if self.0.read_tls(&mut stream)? == 0 {
                return Ok(0);
            }
            self.0.process_new_packets().map_err(io::Error::other)?;
        }
    }

    fn write(&mut self, stream: &TcpStream, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.writer().write(bytes)?;
        if written == 0 {
            // Its buffer is full.
            self.flush(stream)?;
            return Err(ErrorKind::WouldBlock.into());
        }
        Ok(written)
    }

    fn flush(&mut self, mut stream: &TcpStream) -> io::Result<()> {
        while self.0.wants_write() {
            self.0.write_tls(&mut stream)?;
        }
        Ok(())
    }

    fn is_unsent(&self) -> bool {
        self.0.wants_write()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::pki_types::PrivateKeyDer;
    use std::net::TcpListener;
    use std::path::PathBuf;

    fn file(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/csa_tls").join(name)
    }

    /// What a client hears that trusts these certificates, from a server that shakes hands or says a line in clear.
    fn met(authority: Option<&Path>, in_clear: bool) -> Result<(), String> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let certificates = vec![CertificateDer::from_pem_file(file("server.pem")).unwrap()];
        let key = PrivateKeyDer::from_pem_file(file("server.key")).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = rustls::ServerConfig::builder_with_provider(provider);
        let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let config = Arc::new(builder.with_single_cert(certificates, key).unwrap());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let (mut stream, _) = listener.accept().unwrap();
                let mut connection = rustls::ServerConnection::new(config).unwrap();
                // The client may go in the middle.
                let _ = if in_clear {
                    stream
                        .write_all(b"LOGIN:incorrect\n")
                        .and_then(|()| stream.read(&mut [0; 1000]))
                        .map(drop)
                } else {
                    connection.complete_io(&mut stream).map(drop)
                };
            });
            let patience = Duration::from_secs(10);
            connect("127.0.0.1", port, authority, patience, 100).map(drop).map_err(|error| error.to_string())
        })
    }

    #[test]
    fn only_known_certificates_are_trusted() {
        assert_eq!(met(Some(&file("ca.pem")), false), Ok(()));
        assert_eq!(met(None, false).unwrap_err(), "TLS: invalid peer certificate: UnknownIssuer");
        assert!(met(Some(&file("ca.pem")), true).unwrap_err().starts_with("TLS: "));
    }

    #[test]
    fn what_is_no_certificate_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("empty.pem");
        std::fs::write(&path, "").unwrap();
        let text = connect("127.0.0.1", 1, Some(&path), Duration::from_secs(1), 100).unwrap_err().to_string();
        assert!(text.contains("empty.pem: no certificate in it"), "{text}");
    }
}
