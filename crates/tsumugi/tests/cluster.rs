//! `hub`, `work` and `--hub` with a server of their own on this machine: the outputs are those of the run without a hub, although a
//! worker is killed. Skipped with a line where nats-server is not installed.

mod program;

use program::tsumugi;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A hub, and the folder that all its programs take for that of the user.
struct Hub {
    home: TempDir,
    url: String,
    _process: Running,
}

fn has_server() -> bool {
    let server = std::env::var_os("TSUMUGI_NATS_SERVER").unwrap_or_else(|| "nats-server".into());
    let found = Command::new(server).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        println!("skipped: nats-server is not installed (apt-get install nats-server)");
    }
    found
}

fn at_home(home: &Path, arguments: &[&str]) -> Command {
    let mut command = tsumugi(arguments);
    command.env("XDG_DATA_HOME", home).env("APPDATA", home).current_dir(home);
    command
}

impl Hub {
    /// A new hub on a free port; `None` where there is no nats-server.
    fn start() -> Option<Self> {
        if !has_server() {
            return None;
        }
        let home = tempfile::tempdir().unwrap();
        assert!(at_home(home.path(), &["hub", "init", "hub"]).output().unwrap().status.success());
        let mut command = at_home(home.path(), &["hub", "run", "hub", "--port", "0"]);
        let mut process = Running(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
        let mut url = String::new();
        BufReader::new(process.0.stdout.take().unwrap()).read_line(&mut url).unwrap();
        assert!(url.starts_with("nats://127.0.0.1:"), "{url}");
        Some(Self { home, url: url.trim().to_owned(), _process: process })
    }

    fn worker(&self, more: &[&str]) -> Running {
        let arguments = [&["work", "--hub", &self.url, "--slots", "1"], more].concat();
        Running(at_home(self.home.path(), &arguments).stderr(Stdio::null()).spawn().unwrap())
    }

    fn run(&self, arguments: &[&str]) -> Output {
        at_home(self.home.path(), arguments).output().unwrap()
    }

    fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Mates in one with the king on different squares, and positions without a mate.
fn problems(folder: &Path, count: usize) -> String {
    let path = folder.join("problems.txt");
    let line = |i: usize| {
        let (left, right) = (i % 7 + 1, 7 - i % 7);
        let pawn = if i.is_multiple_of(5) { '1' } else { 'P' };
        let pawn = if pawn == '1' { "9".to_owned() } else { format!("{left}P{right}") };
        format!(
            "{left}k{right}/9/{pawn}/9/9/9/9/9/4K4 b 2G{} 1\n",
            if i.is_multiple_of(3) { "S" } else { "" }
        )
    };
    std::fs::write(&path, (0..count).map(line).collect::<String>()).unwrap();
    path.display().to_string()
}

#[test]
fn mates_are_those_of_the_run_without_a_hub_though_a_worker_is_killed() {
    let Some(hub) = Hub::start() else { return };
    let problems = problems(hub.home.path(), 300);
    let solve = ["mate", &problems, "--hash", "1", "--nodes", "2000", "--json", "--no-time"];
    let here = hub.text(&solve);
    assert_eq!(here.lines().count(), 300);
    let mut killed = hub.worker(&[]);
    let over_hub = std::thread::scope(|scope| {
        let run = scope.spawn(|| hub.text(&[&solve[..], &["--hub", &hub.url]].concat()));
        // Whenever the kill comes, before, between or after its jobs, the rest is done by the others.
        std::thread::sleep(std::time::Duration::from_millis(700));
        killed.0.kill().unwrap();
        killed.0.wait().unwrap();
        let _workers = [hub.worker(&[]), hub.worker(&[])];
        run.join().unwrap()
    });
    assert_eq!(over_hub, here);
    let status = hub.text(&["cluster", "status", "--hub", &hub.url]);
    assert!(status.contains(" done ") && status.contains("300/300"), "{status}");
}

#[test]
fn books_and_games_are_those_of_the_run_without_a_hub() {
    let Some(hub) = Hub::start() else { return };
    let home = hub.home.path();
    let _workers = [hub.worker(&[]), hub.worker(&[])];
    std::fs::write(home.join("games.txt"), "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e\n").unwrap();
    let effort = ["--nodes", "300", "--hash", "1", "--threads", "1"];
    for (book, more) in [("here.db", &[][..]), ("hub.db", &["--hub", &hub.url])] {
        hub.text(&[&["book", "think", "games.txt", book], &effort[..], more].concat());
        let rounds = ["book", "mine", book, "--rounds", "2", "--leaves", "3"];
        hub.text(&[&rounds, &effort[..], more].concat());
    }
    let book = |name: &str| std::fs::read(home.join(name)).unwrap();
    assert!(book("here.db") == book("hub.db"), "the books differ");
    let games = ["--games", "20", "--nodes", "20", "--max-moves", "30", "--hash", "1", "--material", "1"];
    for (folder, more) in [("here", &[][..]), ("hub-games", &["--hub", &hub.url])] {
        hub.text(&[&["train", "generate", "-o", folder], &games[..], more].concat());
    }
    for file in ["games-0000.pack", "manifest.json"] {
        assert!(book(&format!("here/{file}")) == book(&format!("hub-games/{file}")), "{file} differs");
    }
}

#[test]
fn workers_have_the_rights_to_work_and_no_others() {
    let Some(hub) = Hub::start() else { return };
    let home = hub.home.path();
    let invitation = hub.text(&["hub", "invite", "hub", "attic"]);
    std::fs::write(home.join("attic.json"), &invitation).unwrap();
    let creds = ["--creds", "attic.json"];
    let _worker = hub.worker(&creds);
    let problems = problems(home, 10);
    let solve = ["mate", &problems, "--hash", "1", "--nodes", "2000", "--no-time", "-q"];
    assert_eq!(hub.text(&[&solve[..], &["--hub", &hub.url]].concat()), hub.text(&solve));
    let workers = hub.text(&["cluster", "workers", "--hub", &hub.url]);
    assert!(workers.contains("attic.") && workers.contains("slots 1"), "{workers}");
    let refused = hub.run(&["cluster", "status", "--hub", &hub.url, "--creds", "attic.json"]);
    assert!(!refused.status.success());
}

#[test]
fn addresses_beyond_this_machine_are_refused_without_tls() {
    let home = tempfile::tempdir().unwrap();
    for arguments in [
        &["hub", "init", "hub", "--listen", "0.0.0.0"][..],
        &["work", "--hub", "nats://192.0.2.1:4222"],
        &["mate", "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1", "--hub", "nats://192.0.2.1:4222"],
        &["cluster", "status", "--hub", "nats://192.0.2.1:4222"],
    ] {
        let output = at_home(home.path(), arguments).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(1) && text.contains("--cert and --key"),
            "{arguments:?}: {text}"
        );
    }
    assert!(!home.path().join("hub").exists());
}
