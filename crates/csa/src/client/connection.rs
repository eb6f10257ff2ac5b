use super::ClientConfig;
use crate::traffic::Traffic;
use crate::wire::LONGEST_IN;
use platform::Process;
use platform::net::{LineSocket, wait};
use platform::process::Heard;
use std::borrow::Cow;
use std::io::{self, ErrorKind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// An empty line is sent after this time without traffic.
const SILENCE: Duration = Duration::from_secs(40);
/// Timeout for connecting.
const CONNECT: Duration = Duration::from_secs(20);
/// The longest delay until Ctrl-C takes effect.
const GLANCE: Duration = Duration::from_millis(200);

/// An event.
pub(super) enum Event {
    /// A line from the server.
    Server(String, Instant),
    /// A line from the engine.
    Engine(String),
    /// The engine has closed its output.
    EngineGone,
    /// Nothing more has arrived from the server; only if requested.
    Quiet,
    /// The deadline has passed.
    Deadline,
    /// Ctrl-C, with the total number so far.
    Interrupt(u32),
    /// The connection is closed, with the reason.
    Closed(&'static str),
}

/// The connection to the server.
pub(super) struct Connection<'a> {
    socket: LineSocket,
    traffic: &'a mut Traffic,
    /// The password, which is removed from the log and the screen even if the server sends it.
    secret: &'a str,
    last: Instant,
    /// Number of empty lines sent since the last line from the server.
    unanswered: u32,
    /// Whether the server answers empty lines.
    answers: bool,
    interrupts: u32,
}

impl<'a> Connection<'a> {
    /// Connects; Ctrl-C ends the wait with `ErrorKind::Interrupted`.
    pub(super) fn open(config: &ClientConfig, secret: &'a str, traffic: &'a mut Traffic) -> io::Result<Self> {
        let socket = connect(config.clone())?;
        let interrupts = platform::interrupts();
        Ok(Self { socket, traffic, secret, last: Instant::now(), unanswered: 0, answers: false, interrupts })
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: &str) {
        self.send_shown(line, line);
    }

    /// Sends a line that is logged as `shown`.
    pub(super) fn send_shown(&mut self, line: &str, shown: &str) {
        self.traffic.went(shown);
        self.socket.send(&format!("{line}\n"));
        self.last = Instant::now();
    }

    /// A line of the server for display, without the password if it contains it.
    pub(super) fn shown<'b>(&self, line: &'b str) -> Cow<'b, str> {
        let free_text = line.starts_with("##") || line.contains("LOGIN");
        if free_text && line.contains(self.secret) {
            line.replace(self.secret, "*****").into()
        } else {
            line.into()
        }
    }

    /// Waits for the next event; with `quiet`, returns [`Event::Quiet`] as soon as no line of the server is pending.
    pub(super) fn next(
        &mut self,
        mut engine: Option<&mut Process>,
        deadline: Option<Instant>,
        quiet: bool,
    ) -> io::Result<Event> {
        loop {
            self.socket.turn();
            if let Some(line) = self.socket.take() {
                let shown = self.shown(&line.text);
                self.traffic.came(&shown);
                self.last = line.at;
                self.answers |= self.unanswered > 0 && line.text.trim().is_empty();
                self.unanswered = 0;
                return Ok(if self.socket.overlong() {
                    Event::Closed("the server sent a line without end")
                } else {
                    Event::Server(line.text, line.at)
                });
            }
            if self.socket.is_closed() {
                return Ok(Event::Closed("the server has closed the connection"));
            }
            let interrupts = platform::interrupts();
            if interrupts > self.interrupts {
                self.interrupts = interrupts;
                return Ok(Event::Interrupt(interrupts));
            }
            let now = Instant::now();
            // Checked before the engine's output: an engine that floods must be stopped, too.
            if deadline.is_some_and(|deadline| now >= deadline) {
                return Ok(Event::Deadline);
            }
            if let Some(process) = engine.as_deref_mut() {
                match process.listen_now() {
                    Ok(Heard::Line(line)) => return Ok(Event::Engine(line.text)),
                    Ok(Heard::Silence) => {}
                    Ok(Heard::Closed) | Err(_) => return Ok(Event::EngineGone),
                }
            }
            if quiet {
                return Ok(Event::Quiet);
            }
            if now >= self.last + SILENCE {
                if self.answers && self.unanswered >= 2 {
                    return Ok(Event::Closed("the server has not answered twice"));
                }
                self.unanswered += 1;
                self.send("");
            }
            let left =
                deadline.map_or(GLANCE, |deadline| deadline.saturating_duration_since(now).min(GLANCE));
            wait(None, [&self.socket], engine.as_deref(), left)?;
        }
    }

    /// Sends `LOGOUT` and waits briefly for the answer.
    pub(super) fn log_out(&mut self, patience: Duration) -> io::Result<()> {
        self.send("LOGOUT");
        let deadline = Instant::now() + patience;
        loop {
            match self.next(None, Some(deadline), false)? {
                Event::Server(line, _) if line.trim_end() != "LOGOUT:completed" => {}
                Event::Interrupt(_) => {}
                _ => return Ok(()),
            }
        }
    }
}

/// Connects in another thread: looking up names and connecting may block, and Ctrl-C must still work.
fn connect(config: ClientConfig) -> io::Result<LineSocket> {
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new().name("connect".to_owned()).spawn(move || {
        // Without a receiver the wait was interrupted.
        let _ = sender.send(connect_now(&config));
    })?;
    loop {
        match receiver.recv_timeout(GLANCE) {
            Ok(connected) => return connected,
            Err(RecvTimeoutError::Timeout) if platform::interrupts() == 0 => {}
            Err(_) => return Err(ErrorKind::Interrupted.into()),
        }
    }
}

fn connect_now(config: &ClientConfig) -> io::Result<LineSocket> {
    let (host, port) = (&config.host, config.port);
    if !config.tls {
        return LineSocket::connect(host, port, CONNECT, LONGEST_IN);
    }
    #[cfg(feature = "tls")]
    return crate::tls::connect(host, port, config.tls_ca.as_deref(), CONNECT, LONGEST_IN);
    #[cfg(not(feature = "tls"))]
    Err(io::Error::new(ErrorKind::Unsupported, "this program was built without TLS"))
}
