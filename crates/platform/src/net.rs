//! TCP connections as lines. Every wait has a limit, and so has everything that the peer sends.

#[cfg(unix)]
#[path = "net/wait_poll.rs"]
mod wait;
#[cfg(not(unix))]
#[path = "net/wait_sleep.rs"]
mod wait;

use crate::lines::{Line, Lines};
use socket2::{SockRef, TcpKeepalive};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};
pub use wait::wait;

/// Limit of unsent bytes: a peer that does not read this much is considered gone.
const MOST_UNSENT: usize = 1 << 20;
/// Limit of bytes read but not taken.
const MOST_WAITING: usize = 1 << 20;
/// Bytes read at a time.
const CHUNK: usize = 1 << 13;
/// After this much silence, and then at this interval, the system checks whether the peer is still there.
const KEEPALIVE: Duration = Duration::from_secs(10);
/// A connection without acknowledgements for this long is cut, on systems that can do so.
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// What lies between a connection and its lines, such as encryption. Nothing here may block: where nothing can be read or written now,
/// that is [`ErrorKind::WouldBlock`].
pub trait Layer: std::fmt::Debug + Send {
    /// Reads what the other side has said; 0 at its end.
    fn read(&mut self, stream: &TcpStream, buffer: &mut [u8]) -> io::Result<usize>;

    /// Takes over bytes to be sent.
    fn write(&mut self, stream: &TcpStream, bytes: &[u8]) -> io::Result<usize>;

    /// Sends what it has taken over.
    fn flush(&mut self, stream: &TcpStream) -> io::Result<()>;

    /// Whether something that it has taken over is still to be sent.
    fn is_unsent(&self) -> bool;
}

/// Connects to the first address of `host` that answers.
pub fn dial(host: &str, port: u16, patience: Duration) -> io::Result<TcpStream> {
    let mut last = io::Error::new(ErrorKind::NotFound, "the name has no address");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, patience) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// A connection as lines in and lines out. Only [`LineSocket::connect`] blocks.
#[derive(Debug)]
pub struct LineSocket {
    stream: TcpStream,
    layer: Option<Box<dyn Layer>>,
    lines: Lines,
    unsent: Vec<u8>,
    closed: bool,
}

impl LineSocket {
    /// Connects to the first address of `host` that answers. Lines of more than `longest` bytes are cut.
    pub fn connect(host: &str, port: u16, patience: Duration, longest: usize) -> io::Result<Self> {
        Self::new(dial(host, port, patience)?, longest)
    }

    /// The same connection with a layer between it and the lines.
    #[must_use]
    pub fn with_layer(mut self, layer: Box<dyn Layer>) -> Self {
        self.layer = Some(layer);
        self
    }

    /// Takes over a connection: what is sent goes out at once, and a peer that vanishes is noticed.
    pub fn new(stream: TcpStream, longest: usize) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        let socket = SockRef::from(&stream);
        socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE).with_interval(KEEPALIVE))?;
        #[cfg(target_os = "linux")]
        socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED))?;
        #[cfg(not(target_os = "linux"))]
        let _ = UNACKNOWLEDGED;
        let lines = Lines::with_longest(longest);
        Ok(Self { stream, layer: None, lines, unsent: Vec::new(), closed: false })
    }

    /// The peer's address.
    pub fn peer(&self) -> io::Result<SocketAddr> {
        self.stream.peer_addr()
    }

    /// Reads what has arrived and sends what is pending; never blocks. Once a connection breaks, it stays closed.
    pub fn turn(&mut self) {
        self.flush();
        let mut buffer = [0; CHUNK];
        while !self.closed && self.lines.waiting() < MOST_WAITING {
            let read = match &mut self.layer {
                Some(layer) => layer.read(&self.stream, &mut buffer),
                None => self.stream.read(&mut buffer),
            };
            match read {
                Ok(0) => self.close(),
                Ok(read) => self.lines.push(&buffer[..read], Instant::now()),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.close(),
            }
        }
    }

    /// The next line that has arrived, without its end.
    pub fn take(&mut self) -> Option<Line> {
        self.lines.take()
    }

    /// Whether [`LineSocket::take`] has a line.
    #[must_use]
    pub const fn has_line(&self) -> bool {
        self.lines.waiting() > 0
    }

    /// Whether any line was longer than allowed.
    #[must_use]
    pub const fn overlong(&self) -> bool {
        self.lines.overlong()
    }

    /// Queues `text`, which is sent as soon as the system accepts it.
    pub fn send(&mut self, text: &str) {
        if self.unsent.len() + text.len() > MOST_UNSENT {
            self.close();
        }
        if !self.closed {
            self.unsent.extend_from_slice(text.as_bytes());
            self.flush();
        }
    }

    fn flush(&mut self) {
        while !self.closed && !self.unsent.is_empty() {
            let written = match &mut self.layer {
                Some(layer) => layer.write(&self.stream, &self.unsent),
                None => self.stream.write(&self.unsent),
            };
            match written {
                Ok(0) => self.close(),
                Ok(written) => drop(self.unsent.drain(..written)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.close(),
            }
        }
        if let Some(layer) = self.layer.as_mut().filter(|_| !self.closed)
            && let Err(error) = layer.flush(&self.stream)
            && !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
        {
            self.close();
        }
    }

    /// Whether everything has been sent.
    #[must_use]
    pub fn is_sent(&self) -> bool {
        let layer_has = self.layer.as_ref().is_some_and(|layer| layer.is_unsent());
        self.closed || (self.unsent.is_empty() && !layer_has)
    }

    /// Closes the sending side. What the peer has not read yet still reaches it.
    pub fn end_sending(&mut self) {
        // Fails if the connection is already gone, which is fine.
        let _ = self.stream.shutdown(std::net::Shutdown::Write);
    }

    /// Whether nothing more can arrive. Lines that have arrived can still be taken.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    fn close(&mut self) {
        self.closed = true;
        self.unsent.clear();
        self.lines.end_of_input(Instant::now());
    }

    /// Whether to read from the socket.
    #[cfg(unix)]
    fn wants_more(&self) -> bool {
        !self.closed && self.lines.waiting() < MOST_WAITING
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn pair(longest: usize) -> (LineSocket, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let socket = LineSocket::connect("127.0.0.1", port, Duration::from_secs(5), longest).unwrap();
        (socket, listener.accept().unwrap().0)
    }

    fn next(socket: &mut LineSocket) -> Option<String> {
        loop {
            if let Some(line) = socket.take() {
                return Some(line.text);
            }
            if socket.is_closed() {
                return None;
            }
            wait(None, [&*socket], None, Duration::from_secs(5)).unwrap();
            socket.turn();
        }
    }

    #[test]
    fn lines_come_and_go_and_the_end_is_noticed() {
        let (mut socket, mut other) = pair(100);
        other.write_all(b"LOGIN:a OK\r\nhal").unwrap();
        assert_eq!(next(&mut socket).as_deref(), Some("LOGIN:a OK"));
        socket.send("AGREE\n");
        let mut read = [0; 6];
        other.read_exact(&mut read).unwrap();
        assert_eq!(&read, b"AGREE\n");
        other.write_all(b"f\nlast").unwrap();
        drop(other);
        assert_eq!(next(&mut socket).as_deref(), Some("half"));
        assert_eq!(next(&mut socket).as_deref(), Some("last"));
        assert_eq!(next(&mut socket), None);
        assert!(!socket.overlong());
    }

    #[test]
    fn a_line_without_end_is_noticed_and_one_who_does_not_read_is_cut() {
        let (mut socket, mut other) = pair(100);
        other.write_all(&[b'x'; 300]).unwrap();
        next(&mut socket);
        assert!(socket.overlong());
        let text = "y".repeat(1 << 16);
        for _ in 0..2000 {
            socket.send(&text);
        }
        assert!(socket.is_closed());
    }

    #[test]
    fn what_cannot_be_reached_is_an_error() {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        assert!(LineSocket::connect("127.0.0.1", port, Duration::from_secs(5), 100).is_err());
    }
}
