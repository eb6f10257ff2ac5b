//! `tsumugi web` as people start it: its first line, its signals, its engines, its files.

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// A server that ends with the test.
struct Server {
    child: Child,
    out: BufReader<ChildStdout>,
    port: u16,
}

impl Server {
    fn start(data: &Path, more: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tsumugi"))
            .args(["web", "--port", "0", "--data"])
            .arg(data)
            .args(more)
            .current_dir(data)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on http://127.0.0.1:").unwrap();
        let port = address.strip_suffix("/\n").or(address.strip_suffix("/\r\n")).unwrap().parse().unwrap();
        Self { child, out, port }
    }

    fn tab(&self) -> Tab {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
        let mut request = format!("ws://127.0.0.1:{}/ws", self.port).into_client_request().unwrap();
        let origin = format!("http://127.0.0.1:{}", self.port);
        request.headers_mut().insert("origin", origin.parse().unwrap());
        let (socket, _) = tungstenite::client(request, stream).unwrap();
        Tab { socket, next: 0, events: Vec::new() }
    }

    /// Sends a signal, where there are signals.
    fn signal(&self, name: &str) {
        signal(self.child.id(), name);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn signal(process: u32, name: &str) {
    assert!(Command::new("kill").args([name, &process.to_string()]).status().unwrap().success());
}

/// Whether this system has processes as files and signals.
fn has_signals() -> bool {
    Path::new("/proc/self/stat").exists()
}

/// Processes that a process has started.
fn children(parent: u32) -> Vec<u32> {
    let stat = |id: u32| fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let all =
        fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    all.filter(|id| {
        let text = stat(*id);
        let fields = text.rsplit(')').next().unwrap_or_default();
        fields.split_whitespace().nth(1) == Some(parent.to_string().as_str())
    })
    .collect()
}

struct Tab {
    socket: WebSocket<TcpStream>,
    next: u32,
    events: Vec<Value>,
}

impl Tab {
    fn message(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    fn ask(&mut self, mut ask: Value) -> Value {
        self.next += 1;
        ask["id"] = json!(self.next);
        self.socket.send(Message::text(ask.to_string())).unwrap();
        loop {
            let message = self.message();
            if message["id"] == self.next {
                assert!(message["error"].is_null(), "{ask}: {}", message["error"]);
                return message["ok"].clone();
            }
            self.events.push(message);
        }
    }

    /// Waits for an event of which something is true.
    fn until(&mut self, kind: &str, mut is_it: impl FnMut(&Value) -> bool) -> Value {
        loop {
            let event = if self.events.is_empty() { self.message() } else { self.events.remove(0) };
            if event["event"] == kind && is_it(&event) {
                return event;
            }
        }
    }

    /// Waits until each of two engines has restarted and then found something; in which order is theirs.
    fn until_both_analyse_again(&mut self) {
        let mut awaited = ["tsumugi", "second"].map(|engine| (engine, ["restarting", "found"].as_slice()));
        while awaited.iter().any(|(_, steps)| !steps.is_empty()) {
            let event = if self.events.is_empty() { self.message() } else { self.events.remove(0) };
            let step = match event["event"].as_str() {
                Some("engine") => event["state"].as_str(),
                Some("analysis") => Some("found"),
                _ => None,
            };
            for (engine, steps) in &mut awaited {
                if step.is_some() && event["engine"] == *engine && steps.first().copied() == step {
                    *steps = &steps[1..];
                }
            }
        }
    }

    /// Waits for a change of the game in progress on a board.
    fn until_play(&mut self, board: &Value, mut is_it: impl FnMut(&Value) -> bool) -> Value {
        let find = |event: &Value, is_it: &mut dyn FnMut(&Value) -> bool| {
            let changes = event["changes"].as_array().cloned().unwrap_or_default();
            changes
                .into_iter()
                .map(|change| change["play"].clone())
                .find(|play| play.is_object() && is_it(play))
        };
        let event =
            self.until("changed", |event| event["board"] == *board && find(event, &mut is_it).is_some());
        find(&event, &mut |_| true).unwrap()
    }
}

#[test]
fn signals_save_and_end_within_a_second() {
    if !has_signals() {
        return;
    }
    for name in ["-TERM", "-INT"] {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Server::start(folder.path(), &[]);
        let mut tab = server.tab();
        let board = tab.ask(json!({"do":"open","game":"shogi"}))["board"].clone();
        tab.ask(json!({"do":"play","board":board,"node":1,"move":"7g7f"}));
        let sent = Instant::now();
        server.signal(name);
        let mut rest = String::new();
        server.out.read_to_string(&mut rest).unwrap();
        let status = server.child.wait().unwrap();
        // The machine may be busy, the server was not.
        assert!(sent.elapsed() < Duration::from_secs(10));
        assert!(status.success(), "{status}");
        let again = Server::start(folder.path(), &[]);
        let all = again.tab().ask(json!({"do":"subscribe","board":board}));
        assert_eq!(all["all"]["nodes"][1]["move"], "7g7f");
    }
}

#[test]
fn a_library_that_is_not_there_ends_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tsumugi"));
    command
        .args(["--lang", "en", "web", "--port", "0", "--library", "none.games", "--data"])
        .arg(folder.path());
    let output = command.current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{text}");
    assert!(text.contains("--library: none.games: no such library"), "{text}");
}

#[test]
fn a_kill_while_saving_tears_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut known: Vec<(Value, u64)> = Vec::new();
    for round in 0..6 {
        let mut server = Server::start(folder.path(), &[]);
        let mut tab = server.tab();
        for (board, moves) in &known {
            let all = tab.ask(json!({"do":"subscribe","board":board}));
            assert!(all["all"]["nodes"].as_array().unwrap().len() as u64 > *moves);
        }
        let board = tab.ask(json!({"do":"open","game":"shogi"}))["board"].clone();
        let moves: Vec<&str> = ["2h3h", "8b7b", "3h2h", "7b8b"].into_iter().cycle().take(400).collect();
        tab.ask(json!({"do":"add_line","board":board,"node":1,"moves":&moves[..3]}));
        // Older than a second by the time of the kill.
        std::thread::sleep(Duration::from_millis(1500));
        for text in 0..20 {
            tab.ask(json!({"do":"comment","board":board,"node":2,"text":"x".repeat(1000 * text)}));
        }
        // Somewhere within the interval of saving.
        std::thread::sleep(Duration::from_millis(70 * round));
        server.child.kill().unwrap();
        server.child.wait().unwrap();
        known.push((board, 3));
        for file in fs::read_dir(folder.path().join("boards")).unwrap().flatten() {
            let path = file.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let text = fs::read(&path).unwrap();
                assert!(serde_json::from_slice::<Value>(&text).is_ok(), "{}", path.display());
            }
        }
    }
}

#[test]
fn analysis_survives_a_dead_engine() {
    let folder = tempfile::tempdir().unwrap();
    let other = format!("cmd={} name=second", env!("CARGO_BIN_EXE_tsumugi"));
    let server = Server::start(folder.path(), &["--engine", &other]);
    let mut tab = server.tab();
    let board = tab.ask(json!({"do":"open","game":"shogi"}))["board"].clone();
    tab.ask(json!({"do":"subscribe","board":board}));
    tab.ask(json!({"do":"analyse","board":board,"node":1,"on":true,"lines":3}));
    let found =
        tab.until("analysis", |event| event["lines"].as_array().is_some_and(|lines| lines.len() == 3));
    let best = &found["lines"][0];
    assert!(best["moves"][0]["ja"].as_str().unwrap().chars().count() >= 3);
    assert!(best["score"].is_object() && found["node"] == 1);
    tab.ask(json!({"do":"analyse","board":board,"node":1,"on":true,"lines":1,"engine":"second"}));
    tab.until("analysis", |event| event["engine"] == "second");
    // To another position.
    let node = tab.ask(json!({"do":"play","board":board,"node":1,"move":"7g7f"}))["node"].clone();
    tab.ask(json!({"do":"analyse","board":board,"node":node,"on":true,"lines":2}));
    tab.until("analysis", |event| event["node"] == node && event["engine"] == "tsumugi");
    if has_signals() {
        let engines = children(server.child.id());
        assert_eq!(engines.len(), 2);
        for engine in &engines {
            signal(*engine, "-KILL");
        }
        tab.until_both_analyse_again();
    }
    tab.ask(json!({"do":"analyse","board":board,"on":false,"engine":"second"}));
    tab.until("engine", |event| event["engine"] == "second" && event["state"] == "idle");
    // A whole game fills the evaluations.
    let line = tab.ask(json!({"do":"add_line","board":board,"node":node,"moves":["3c3d","2g2f"]}));
    tab.ask(json!({"do":"analyse","board":board,"node":1,"on":true}));
    // The engine leaves the position that it looks at.
    tab.ask(json!({"do":"analyse_game","board":board,"on":true,"node":line["node"],"time":300}));
    if has_signals() {
        // One that dies is replaced; the analysis goes on where it was.
        tab.until("game_analysis", |event| event["finished"] == false);
        for engine in children(server.child.id()) {
            signal(engine, "-KILL");
        }
    }
    tab.until("game_analysis", |event| event["finished"] == true);
    let all = tab.ask(json!({"do":"subscribe","board":board}))["all"].clone();
    let nodes = all["nodes"].as_array().unwrap();
    assert!(nodes.iter().all(|node| node["eval"]["score"].is_object()), "{nodes:?}");
}

#[test]
fn games_against_levels() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut tab = server.tab();
    for (game, level) in
        [("66shogi", "レベル 5"), ("freeze", "11級"), ("binarsi", "レベル 5"), ("shogi", "11級")]
    {
        let sides = json!([{"kind":"human","name":"甲"},{"kind":"engine","engine":"tsumugi","level":5}]);
        let opened = tab
            .ask(json!({"do":"new_game","game":game,"sides":sides,"clock":{"main":600_000,"byoyomi":100}}));
        let board = opened["board"].clone();
        tab.ask(json!({"do":"subscribe","board":board}));
        let hint = tab.ask(json!({"do":"hint","board":board}));
        let played = tab.ask(json!({"do":"play","board":board,"node":1,"move":hint["best"]["move"]}));
        let state = tab.until_play(&board, |play| {
            play["thinking"] == false && play["node"] != played["node"] && play["node"] != 1
        });
        let all = tab.ask(json!({"do":"subscribe","board":board}))["all"].clone();
        assert_eq!(all["nodes"].as_array().unwrap().len(), 3, "{game}");
        assert_eq!(all["header"], json!([["先手", "甲"], ["後手", format!("tsumugi {level}")]]));
        assert_eq!(all["play"]["node"], state["node"]);
        tab.ask(json!({"do":"takeback","board":board}));
        let all = tab.ask(json!({"do":"subscribe","board":board}))["all"].clone();
        assert_eq!(all["nodes"].as_array().unwrap().len(), 1, "{game}");
        tab.ask(json!({"do":"switch_sides","board":board}));
        tab.until_play(&board, |play| play["thinking"] == false && play["node"] != 1);
        tab.ask(json!({"do":"resign","board":board}));
        let kif = tab.ask(json!({"do":"export","board":board,"format":"kif"}));
        assert!(kif["text"].as_str().unwrap().contains("投了"), "{game}");
    }
}

#[test]
fn a_game_goes_on_when_its_engine_dies() {
    if !has_signals() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut tab = server.tab();
    let sides = json!([{"kind":"human"},{"kind":"engine","engine":"tsumugi"}]);
    let opened = tab.ask(json!({"do":"new_game","game":"shogi","sides":sides}));
    let board = opened["board"].clone();
    tab.ask(json!({"do":"subscribe","board":board}));
    let kill = || children(server.child.id()).into_iter().for_each(|engine| signal(engine, "-KILL"));
    let mut node = json!(1);
    for (text, dies) in [("7g7f", ""), ("2g2f", "while it waits"), ("5g5f", "while it thinks")] {
        if dies == "while it waits" {
            kill();
        }
        let played = tab.ask(json!({"do":"play","board":board,"node":node,"move":text}));
        if dies == "while it thinks" {
            kill();
        }
        let state =
            tab.until_play(&board, |play| play["thinking"] == false && play["node"] != played["node"]);
        assert_eq!(state["over"], false);
        node = state["node"].clone();
    }
}

#[test]
fn a_book_grows_from_a_position() {
    let folder = tempfile::tempdir().unwrap();
    let books = folder.path().join("books");
    fs::create_dir(&books).unwrap();
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let text = format!("#YANEURAOU-DB2016 1.00\nsfen {start}\n7g7f 3c3d 50 32 2\n");
    fs::write(books.join("a.db"), text).unwrap();
    let server = Server::start(folder.path(), &["--books", books.to_str().unwrap()]);
    let mut tab = server.tab();
    let board = tab.ask(json!({"do":"open","game":"shogi"}))["board"].clone();
    let node = tab.ask(json!({"do":"play","board":board,"node":1,"move":"2g2f"}))["node"].clone();
    tab.ask(json!({"do":"book.open","book":"a.db"}));
    tab.ask(json!({
        "do":"book.mine","book":"a.db","board":board,"node":node,"positions":3,"depth":3,"lines":2
    }));
    let end = tab.until("mining", |event| event["state"] != "running");
    assert_eq!((end["state"].as_str(), end["done"].as_u64()), (Some("done"), Some(3)), "{end}");
    let opened = tab.ask(json!({"do":"book.open","book":"a.db"}));
    assert_eq!((opened["positions"].as_u64(), opened["mining"].is_null()), (Some(4), true));
    let shown = tab.ask(json!({"do":"book.show","book":"a.db","board":board,"node":node}));
    assert_eq!(shown["moves"].as_array().unwrap().len(), 2, "{shown}");
    assert!(
        shown["moves"][0]["depth"].as_i64().unwrap() >= 3 && shown["moves"][0]["known"] == true,
        "{shown}"
    );
}

#[test]
fn runs_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    fs::create_dir(&runs).unwrap();
    let out = runs.join("small");
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_tsumugi"));
    let status = Command::new(env!("CARGO_BIN_EXE_tsumugi"))
        .args([
            "match", "--engine", "name=a", &program, "nodes=50", "--engine", "name=b", &program, "nodes=50",
        ])
        .args(["--games", "4", "--concurrency", "1", "--max-moves", "20", "--out"])
        .arg(&out)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let server = Server::start(folder.path(), &["--runs", runs.to_str().unwrap()]);
    let mut tab = server.tab();
    let list = tab.ask(json!({"do":"runs.list"}));
    assert_eq!((list["runs"][0]["run"].as_str(), list["runs"][0]["done"].as_u64()), (Some("small"), Some(4)));
    let state = tab.ask(json!({"do":"runs.watch","run":"small"}));
    let played = &state["match"];
    let games = ["wins", "draws", "losses"].iter().map(|count| played[count].as_u64().unwrap()).sum::<u64>();
    assert_eq!((games, played["engines"].clone()), (4, json!(["a", "b"])));
    let opened = tab.ask(json!({"do":"runs.open","run":"small","number":played["games"][0]["number"]}));
    let all = tab.ask(json!({"do":"subscribe","board":opened["board"]}));
    assert!(all["all"]["nodes"].as_array().unwrap().len() > 10);
    // Another game comes: its first half is not a game yet.
    let journal = out.join("games.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let line = text.lines().last().unwrap();
    let (first, second) = line.split_at(line.len() / 2);
    fs::write(&journal, format!("{text}{first}")).unwrap();
    fs::write(&journal, format!("{text}{first}{second}\n")).unwrap();
    tab.until("run", |event| event["done"] == 5);
}
