//! The server over real sockets.

mod boards;
mod explorer;
mod gate;
mod hostile;
mod refusals;

use crate::app_state::AppState;
use crate::server::{Settings, start};
use arena::{EngineSpec, TimeControl};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// A server with its own folder.
struct Server {
    port: u16,
    app: Arc<AppState>,
    with_token: Option<String>,
    folder: tempfile::TempDir,
    _runtime: tokio::runtime::Runtime,
}

fn settings(folder: &Path) -> Settings {
    let books = folder.join("books");
    let runs = folder.join("runs");
    std::fs::create_dir_all(&books).unwrap();
    std::fs::create_dir_all(&runs).unwrap();
    let nowhere = EngineSpec {
        name: "none".to_owned(),
        command: folder.join("no such engine"),
        arguments: Vec::new(),
        folder: folder.to_owned(),
        options: Vec::new(),
        paths: BTreeMap::new(),
        time: TimeControl::default(),
        ponder: false,
        restart: false,
    };
    Settings {
        port: Some(0),
        listen: None,
        hosts: Vec::new(),
        data: folder.join("data"),
        books: Some(books),
        libraries: Vec::new(),
        runs: Some(runs),
        assets: None,
        engines: 2,
        own_engine: nowhere,
        others: Vec::new(),
        version: "Tsumugi test".to_owned(),
    }
}

impl Server {
    fn new() -> Self {
        Self::with(|_| ())
    }

    fn with(change: impl FnOnce(&mut Settings)) -> Self {
        Self::in_folder(tempfile::tempdir().unwrap(), change)
    }

    fn in_folder(folder: tempfile::TempDir, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = settings(folder.path());
        change(&mut settings);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (listening, app) = runtime.block_on(start(settings)).unwrap();
        let port = listening.address.trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
        Self { port, app, with_token: listening.with_token, folder, _runtime: runtime }
    }

    fn tab(&self) -> Client {
        Client::new(self.port)
    }

    /// The status, the headers and the body of an answer to raw text.
    fn http(&self, text: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        // A server that has answered may cut a connection whose request it did not read to the end.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let status = text.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        (status, head.to_ascii_lowercase(), body.to_owned())
    }

    fn get(&self, path: &str) -> (u16, String, String) {
        self.http(&format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
            self.port
        ))
    }

    fn post(&self, path: &str, body: &str) -> (u16, String, String) {
        let port = self.port;
        self.http(&format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        ))
    }
}

/// A tab.
struct Client {
    socket: WebSocket<TcpStream>,
    next: u32,
    events: Vec<Value>,
    asked: Instant,
}

/// No tab may ask more often.
const PACE: Duration = Duration::from_millis(6);

impl Client {
    fn new(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        let mut request = format!("ws://127.0.0.1:{port}/ws").into_client_request().unwrap();
        request.headers_mut().insert("origin", format!("http://127.0.0.1:{port}").parse().unwrap());
        let (socket, _) = tungstenite::client(request, stream).unwrap();
        let mut client = Self { socket, next: 0, events: Vec::new(), asked: Instant::now() };
        let hello = client.message().unwrap();
        assert_eq!(hello["event"], "hello");
        client
    }

    /// The next message; `None` when the server has closed.
    fn message(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// The reply to a request; events are kept.
    fn reply(&mut self, mut ask: Value) -> Value {
        std::thread::sleep(PACE.saturating_sub(self.asked.elapsed()));
        self.asked = Instant::now();
        self.next += 1;
        ask["id"] = json!(self.next);
        self.send(&ask.to_string());
        loop {
            let message = self.message().expect("an answer");
            if message["id"] == self.next {
                return message;
            }
            self.events.push(message);
        }
    }

    fn ask(&mut self, ask: Value) -> Value {
        let shown = ask.to_string();
        let reply = self.reply(ask);
        assert!(reply["error"].is_null(), "{shown}: {}", reply["error"]);
        reply["ok"].clone()
    }

    /// The code of a refusal.
    fn refusal(&mut self, ask: Value) -> String {
        let shown = ask.to_string();
        let reply = self.reply(ask);
        let text = reply["error"]["text"].as_str().unwrap_or_else(|| panic!("{shown} is not refused"));
        assert!(!text.is_empty() && !text.contains('\n'), "{text}");
        reply["error"]["code"].as_str().unwrap().to_owned()
    }

    /// The next event of a kind.
    fn event(&mut self, kind: &str) -> Value {
        if let Some(place) = self.events.iter().position(|event| event["event"] == kind) {
            return self.events.remove(place);
        }
        loop {
            let message = self.message().expect("an event");
            if message["event"] == kind {
                return message;
            }
            self.events.push(message);
        }
    }

    fn open(&mut self, game: &str) -> String {
        let opened = self.ask(json!({"do":"open","game":game}));
        opened["board"].as_str().unwrap().to_owned()
    }
}
