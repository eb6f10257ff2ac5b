//! The real shogi-server, on loopback: `TSUMUGI_SHOGI_SERVER` names the folder of its repository. Where that or ruby is not there, the
//! tests say so and pass.

mod table;

use arena::{EngineSpec, Reason};
use csa::client::{self, ClientSummary, Mode};
use csa::files::GameEntry;
use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The server in a folder of its own; it ends with this.
struct ShogiServer {
    child: Child,
    port: u16,
    place: tempfile::TempDir,
}

impl Drop for ShogiServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.path() {
            path if path.is_dir() => copy(&path, &target),
            path => drop(fs::copy(path, target).unwrap()),
        }
    }
}

/// Starts it, listening on this machine only. Games are drawn after `TSUMUGI_MAX_MOVES` moves, 256 by default.
fn start() -> Option<ShogiServer> {
    let Some(source) = std::env::var_os("TSUMUGI_SHOGI_SERVER").map(PathBuf::from) else {
        println!("skipped: TSUMUGI_SHOGI_SERVER does not name a folder of shogi-server");
        return None;
    };
    if Command::new("ruby").arg("-v").output().is_err() {
        println!("skipped: ruby is not there");
        return None;
    }
    let place = tempfile::tempdir().unwrap();
    for name in ["shogi-server", "shogi_server.rb"] {
        let text = fs::read_to_string(source.join(name)).unwrap();
        let local = text.replace("config[:BindAddress] = nil", "config[:BindAddress] = \"127.0.0.1\"");
        fs::write(place.path().join(name), local).unwrap();
    }
    copy(&source.join("shogi_server"), &place.path().join("shogi_server"));
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let child = Command::new("ruby")
        .arg("shogi-server")
        .args(["--max-moves", &size("TSUMUGI_MAX_MOVES", 256).to_string(), "--least-time-per-move", "0"])
        .args(["test", &port.to_string()])
        .current_dir(place.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let server = ShogiServer { child, port, place };
    let deadline = Instant::now() + Duration::from_secs(30);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < deadline, "shogi-server does not listen");
        std::thread::sleep(Duration::from_millis(50));
    }
    Some(server)
}

fn entries(out: &Path) -> Vec<GameEntry> {
    let text = fs::read_to_string(out.join("games.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// All files of games below a folder.
fn kept(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            kept(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "csa") {
            found.push(path);
        }
    }
}

/// Moves and seconds of a CSA file, line by line.
fn moves(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let is_move = |line: &str| line.len() == 7 && line.starts_with(['+', '-']);
    (0..lines.len())
        .filter(|at| is_move(lines[*at]))
        .map(|at| format!("{},{}", lines[at], lines[at + 1]))
        .collect()
}

/// What was wrong with a game, if anything.
fn fault(entry: &GameEntry) -> Option<String> {
    let bad = [Reason::Time, Reason::IllegalMove, Reason::ExtraBestmove];
    let is_bad = entry.reason.is_some_and(|reason| bad.contains(&reason)) || !entry.faults.is_empty();
    is_bad.then(|| {
        let (moves, lag) = (entry.ms.len(), entry.lag_ms);
        format!("{}: {:?} after {moves} moves, lag {lag:?}, {:?}", entry.id, entry.reason, entry.faults)
    })
}

/// Lets pairs of clients play games, each pair on its own; the entries of all clients, and the pairs of files that were equal.
fn play(
    server: &ShogiServer,
    game: &str,
    pairs: usize,
    games: u64,
    engine: impl Fn(usize) -> EngineSpec + Sync,
) -> Vec<GameEntry> {
    let all: Vec<(PathBuf, ClientSummary)> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..pairs * 2)
            .map(|number| {
                let folder = server.place.path().join(format!("ours-{game}-{number}"));
                let name = format!("p{number}");
                let mut config = table::config(server.port, &name, engine(number));
                let (_, time) = game.split_once('-').unwrap();
                config.game = Some(format!("pair{}-{time}", number / 2));
                if number % 4 == 3 {
                    config.mode = Mode::X1;
                }
                scope.spawn(move || {
                    let summary = client::play(&config, "trip", &folder, games, &mut |_: &str| {}).unwrap();
                    (folder, summary)
                })
            })
            .collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    let mut theirs = Vec::new();
    for year in fs::read_dir(server.place.path()).unwrap() {
        let path = year.unwrap().path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().chars().all(|c| c.is_ascii_digit())) {
            kept(&path, &mut theirs);
        }
    }
    let mut found = Vec::new();
    for (folder, summary) in all {
        assert_eq!((summary.games, summary.cuts), (games, 0), "{}", folder.display());
        for entry in entries(&folder) {
            let theirs = theirs.iter().find(|path| path.file_stem().is_some_and(|name| *name == *entry.id));
            let theirs = theirs.unwrap_or_else(|| panic!("{} is not among the server's files", entry.id));
            let ours = folder.join(format!("{}.csa", platform::file_name(&entry.id)));
            assert_eq!(moves(&ours), moves(theirs), "{}", entry.id);
            found.push(entry);
        }
    }
    assert_eq!(found.len() as u64, pairs as u64 * 2 * games);
    let mut lags: Vec<f64> = found.iter().flat_map(|entry| entry.lags.iter().copied()).collect();
    lags.sort_by(f64::total_cmp);
    let moves: usize = found.iter().map(|entry| entry.ms.len()).sum::<usize>() / 2;
    println!(
        "{game}: {} games, {moves} moves, lag median {:.1} ms, largest {:.1} ms",
        found.len() / 2,
        lags[lags.len() / 2],
        lags[lags.len() - 1]
    );
    let faults: Vec<String> = found.iter().filter_map(fault).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    found
}

#[test]
fn random_movers_on_shogi_server() {
    let Some(server) = start() else { return };
    let engine = |number| table::engine(&format!("random {number}"));
    play(&server, "test-60-0", 2, 2, engine);
}

/// The program named by `TSUMUGI_ENGINE`, with little memory, which thinks as long as its clock lets it; else one that moves at random
/// and sleeps as long.
fn by_the_clock(number: usize) -> EngineSpec {
    match std::env::var_os("TSUMUGI_ENGINE") {
        None => table::engine(&format!("clock {number}")),
        Some(program) => {
            let command = format!("cmd={}", Path::new(&program).display());
            EngineSpec::from_words([command.as_str(), "name=thinker", "hash=16", "threads=1"]).unwrap()
        }
    }
}

/// A number from the environment: `TSUMUGI_PAIRS` says how many games are played at a time, `TSUMUGI_GAMES` how many in all at each
/// time limit.
fn size(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
#[ignore = "200 games at each of three time limits take half an hour"]
fn two_hundred_games_against_the_clock() {
    let Some(server) = start() else { return };
    let pairs = size("TSUMUGI_PAIRS", 20);
    // Which of them, if not all.
    let only = std::env::var("TSUMUGI_LIMIT").ok();
    let limits = ["test-0-1", "test-2-1F", "test-10-0"];
    for game in
        limits.into_iter().filter(|game| only.as_ref().is_none_or(|only| game.ends_with(only.as_str())))
    {
        play(&server, game, pairs, size("TSUMUGI_GAMES", 200).div_ceil(pairs) as u64, by_the_clock);
    }
}

#[test]
#[ignore = "100 games beside two busy threads take minutes"]
fn a_hundred_games_beside_two_hogs() {
    let Some(server) = start() else { return };
    let pairs = size("TSUMUGI_PAIRS", 10);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        play(&server, "test-2-1F", pairs, size("TSUMUGI_GAMES", 100).div_ceil(pairs) as u64, by_the_clock);
        done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}
